/**
 * The tables of a run as JSON Lines. NaN and the infinities are written as they are, as Python does: they are values
 * of a run, and null would hide them.
 */

export type Cell = number | string;
export type Row = Readonly<Record<string, Cell>>;

const cell = (value: Cell): string =>
  typeof value === 'number' && !Number.isFinite(value) ? String(value) : JSON.stringify(value);

export function jsonLines(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const cells = Object.entries(row).map(([name, value]) => `${JSON.stringify(name)}: ${cell(value)}`);
    return `{${cells.join(', ')}}\n`;
  });
  return lines.join('');
}
