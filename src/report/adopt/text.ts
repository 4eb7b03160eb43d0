import { visible } from '../../base/text.ts';
import type { FormatOptions } from '../format.ts';
import { wrapped } from '../text.ts';
import type { Adoption } from './adoption.ts';
import { adoptionPage } from './page.ts';

const tones = { '✓': 'good', '✗': 'bad', '?': 'doubt' } as const;

/** The page for a terminal: the verdict first. */
export function formatAdoptionText(
  adoption: Adoption,
  { width, paint }: Pick<FormatOptions, 'width' | 'paint'>,
): string {
  const { verdict, mark, sections, closing } = adoptionPage(adoption);
  const columns = Math.min(120, Math.max(40, width));
  const lines = [
    ...wrapped(`${mark} ${visible(verdict)}`, columns).map((line) => paint(tones[mark], line)),
    ...sections.flatMap(({ heading, items }) => [
      '',
      paint('strong', heading),
      ...items.flatMap(({ title, lines: of }) => [
        ...indented(title, columns, 2),
        ...of.flatMap((line) => indented(line, columns, 6)),
      ]),
    ]),
    '',
    ...closing.flatMap((line) => wrapped(visible(line), columns)),
  ];
  return `${lines.join('\n')}\n`;
}

function indented(text: string, columns: number, by: number): readonly string[] {
  return wrapped(visible(text), columns - by - 2).map((line, i) => `${' '.repeat(i === 0 ? by : by + 2)}${line}`);
}
