import { visible } from '../base/text.ts';

/** Breaks `@name`, `#1` and `www.` apart without a visible sign: a report must not notify anyone or link anywhere. */
const wordJoiner = '\u2060';

/** `text` as literal text of GitHub Flavored Markdown, in paragraphs, table cells and HTML blocks alike. */
export function escapeMarkdown(text: string): string {
  return oneLine(text)
    .replace(/[@#](?=\w)|:(?=[\w/+-])|\bwww\./gi, (word) => word + wordJoiner)
    .replace(/[$&*<>[\\\]_`|~]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** `text` between back-ticks, more of them than it holds; also right in a table cell. */
export function inlineCode(text: string): string {
  const shown = oneLine(text).replaceAll('|', '\\|');
  const fence = '`'.repeat(longestRun(shown) + 1);
  const gap = shown.startsWith('`') || shown.endsWith('`') ? ' ' : '';
  return `${fence}${gap}${shown}${gap}${fence}`;
}

/** A fenced block that none of `lines` can end. */
export function codeBlock(lines: readonly string[]): string {
  const shown = lines.map(oneLine);
  const fence = '`'.repeat(Math.max(3, longestRun(shown.join('\n')) + 1));
  return [`${fence}text`, ...shown, fence].join('\n');
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}

const oneLine = (text: string): string =>
  visible(text.replace(/\s+/g, ' ').trim()).replace(/\p{Surrogate}/gu, '\ufffd');
