import { escapeMarkdown } from '../markdown-escape.ts';
import type { Adoption } from './adoption.ts';
import { adoptionPage } from './page.ts';

/** The page as GitHub Flavored Markdown: the verdict first. */
export function formatAdoptionMarkdown(adoption: Adoption): string {
  const { verdict, mark, sections, closing } = adoptionPage(adoption);
  const lines = [
    `**${mark} ${escapeMarkdown(verdict)}**`,
    ...sections.flatMap(({ heading, items }) => [
      '',
      `## ${escapeMarkdown(heading)}`,
      '',
      ...items.flatMap(({ title, lines: of }) => [
        `- ${escapeMarkdown(title)}`,
        ...of.map((line) => `  - ${escapeMarkdown(line)}`),
      ]),
    ]),
    '',
    ...closing.map(escapeMarkdown),
  ];
  return `${lines.join('\n')}\n`;
}
