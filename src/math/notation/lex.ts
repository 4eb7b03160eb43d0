import { lexName } from './lex-name.ts';
import { lexNumber } from './lex-number.ts';
import { joinPhrases } from './phrases.ts';
import { lowered, raised } from './scripts.ts';
import type { Lexeme } from './lexeme.ts';
import type { Token } from './token.ts';
import { greekWords, latexSymbols, symbolSpellings } from './vocabulary.ts';

const spellingsByStart = new Map<string, (readonly [string, string])[]>();
for (const row of [...symbolSpellings].sort((a, b) => b[0].length - a[0].length)) {
  const first = row[0].slice(0, 1);
  const rows = spellingsByStart.get(first) ?? [];
  rows.push(row);
  spellingsByStart.set(first, rows);
}

const space = /[^\S\n\r]/;

/**
 * Cuts `text` into tokens; total and linear. Characters outside the notation become `unknown` tokens, so nothing is lost.
 * The last token is `end`.
 */
export function lex(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let spaced = true;
  let depth = 0;
  while (at < text.length) {
    if (space.test(text.charAt(at))) {
      spaced = true;
      at += 1;
      continue;
    }
    const found = lexOne(text, at, spaced, depth);
    const previous = tokens.at(-1);
    if (found.kind === 'symbol' && '([{'.includes(found.text)) depth += 1;
    if (found.kind === 'symbol' && ')]}'.includes(found.text)) depth = Math.max(0, depth - 1);
    // A run of raised or lowered characters is one script.
    if (
      previous &&
      (found.kind === 'superscript' || found.kind === 'subscript') &&
      previous.kind === found.kind &&
      !spaced
    ) {
      tokens[tokens.length - 1] = {
        ...previous,
        text: previous.text + found.text,
        range: { start: previous.range.start, end: found.end },
      };
    } else {
      tokens.push({
        kind: found.kind,
        text: found.text,
        range: { start: at, end: found.end },
        spaced,
        unit: found.unit ?? null,
        spelled: found.spelled ?? false,
      });
    }
    spaced = found.kind === 'newline';
    at = found.end;
  }
  tokens.push({
    kind: 'end',
    text: '',
    range: { start: text.length, end: text.length },
    spaced: true,
    unit: null,
    spelled: false,
  });
  return joinPhrases(tokens);
}

function lexOne(text: string, at: number, spaced: boolean, depth: number): Lexeme {
  const c = text.charAt(at);
  if (c === '\n' || c === '\r')
    return { kind: 'newline', text: '\n', end: text.startsWith('\r\n', at) ? at + 2 : at + 1 };
  if (c === '#' && spaced) return { kind: 'comment', text: c, end: endOfLine(text, at) };
  if (c === '½' || c === '¼') return { kind: 'number', text: c === '½' ? '0.5' : '0.25', end: at + 1 };
  const up = raised.get(c);
  if (up !== undefined) return { kind: 'superscript', text: up, end: at + 1 };
  const down = lowered.get(c);
  if (down !== undefined) return { kind: 'subscript', text: down, end: at + 1 };
  return (
    lexNumber(text, at, depth) ??
    lexString(text, at) ??
    lexLatex(text, at) ??
    lexSymbol(text, at) ??
    lexName(text, at) ??
    unknown(text, at)
  );
}

function endOfLine(text: string, at: number): number {
  const match = /[\n\r]/g;
  match.lastIndex = at;
  return match.exec(text)?.index ?? text.length;
}

const strings = /"([^"\n\r]*)"|'([^'\n\r]*)'|“([^”\n\r]*)”/y;

function lexString(text: string, at: number): Lexeme | null {
  if (!'"\'“'.includes(text.charAt(at))) return null;
  strings.lastIndex = at;
  const match = strings.exec(text);
  return match ? { kind: 'string', text: match[1] ?? match[2] ?? match[3] ?? '', end: strings.lastIndex } : null;
}

const latexCommand = /\\([A-Za-z]+)/y;

function lexLatex(text: string, at: number): Lexeme | null {
  if (text.charAt(at) !== '\\') return null;
  latexCommand.lastIndex = at;
  const match = latexCommand.exec(text);
  if (!match) return { kind: 'symbol', text: '\\', end: at + 1 };
  const name = match[1] ?? '';
  const symbol = latexSymbols.get(name);
  if (symbol !== undefined) return { kind: 'symbol', text: symbol, end: latexCommand.lastIndex };
  return { kind: 'word', text: greekWords.get(name) ?? name, end: latexCommand.lastIndex };
}

function lexSymbol(text: string, at: number): Lexeme | null {
  for (const [spelling, symbol] of spellingsByStart.get(text.charAt(at)) ?? []) {
    if (text.startsWith(spelling, at)) return { kind: 'symbol', text: symbol, end: at + spelling.length };
  }
  return null;
}

function unknown(text: string, at: number): Lexeme {
  const point = text.codePointAt(at) ?? 0;
  return { kind: 'unknown', text: String.fromCodePoint(point), end: at + (point > 0xffff ? 2 : 1) };
}
