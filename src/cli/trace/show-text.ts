/** A trace for people: a head, and one line for each step. */
import { count, displayWidth, visible } from '../../base/text.ts';
import type { Shown, ShownEntry } from './shown.ts';

const columns = ['position', 'input', 'output', 'text', 'logits (SHA-256)'] as const;

/** A trace as text, without a final line end. */
export function showText(name: string, shown: Shown): string {
  const width = Math.max(...shown.facts.map(([key]) => key.length));
  return [
    `${visible(name)}: ${visible(shown.title)}`,
    ...shown.warnings.map((warning) => `    warning: ${visible(warning)}`),
    ...shown.facts.map(([key, value]) => `    ${key.padEnd(width)}  ${visible(value)}`),
    '',
    ...table(shown.entries),
  ].join('\n');
}

function table(entries: readonly ShownEntry[]): readonly string[] {
  const rows = [[...columns], ...entries.map(rowOf)];
  const widths = columns.map((_, i) => rows.reduce((widest, row) => Math.max(widest, displayWidth(row[i] ?? '')), 0));
  return rows.map((row) => `  ${row.map((cell, i) => padded(cell, widths[i] ?? 0, i)).join('  ')}`.trimEnd());
}

/** Numbers are aligned to the right, texts and hashes to the left. */
function padded(cell: string, width: number, column: number): string {
  const space = ' '.repeat(width - displayWidth(cell));
  return column < 3 ? `${space}${cell}` : `${cell}${space}`;
}

function rowOf(entry: ShownEntry): string[] {
  const { position } = entry;
  if (entry.kind === 'gap') return [`${position}`, '', '', `${count(entry.count, 'position')} not recorded`, ''];
  const text = entry.text === null ? '' : visible(JSON.stringify(entry.text));
  return [`${position}`, `${entry.input}`, `${entry.output ?? '?'}`, text, entry.logitsHash];
}
