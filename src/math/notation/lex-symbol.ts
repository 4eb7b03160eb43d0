import type { Lexeme } from './lexeme.ts';
import { symbolSpellings } from './vocabulary.ts';

interface Row {
  readonly spelling: string;
  readonly symbol: string;
}

/** The spellings that begin with each character, longest first. */
const rowsByStart = new Map<number, Row[]>();
for (const [spelling, symbol] of [...symbolSpellings].sort((a, b) => b[0].length - a[0].length)) {
  const rows = rowsByStart.get(spelling.charCodeAt(0)) ?? [];
  rows.push({ spelling, symbol });
  rowsByStart.set(spelling.charCodeAt(0), rows);
}

/** The longest symbol that is spelt at `at`. */
export function lexSymbol(text: string, at: number): Lexeme | null {
  for (const { spelling, symbol } of rowsByStart.get(text.charCodeAt(at)) ?? []) {
    if (spelling.length === 1 || text.startsWith(spelling, at))
      return { kind: 'symbol', text: symbol, end: at + spelling.length };
  }
  return null;
}
