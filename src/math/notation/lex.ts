import { characterClass, classAt, isAscii } from './characters.ts';
import { fromLatex } from './latex.ts';
import { lexName } from './lex-name.ts';
import { lexNumber } from './lex-number.ts';
import { lexSymbol } from './lex-symbol.ts';
import { joinPhrases } from './phrases.ts';
import { lowered, raised } from './scripts.ts';
import type { Lexeme } from './lexeme.ts';
import type { Token } from './token.ts';
import { greekWords, latexSymbols } from './vocabulary.ts';

/**
 * Cuts `text` into tokens; total and linear. Characters outside the notation become `unknown` tokens, so nothing is lost.
 * The last token is `end`.
 */
export function lex(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let spaced = true;
  let depth = 0;
  for (let at = 0; at < text.length;) {
    const blank = isSpace(text, at) ? 1 : isLatexSpace(text, at) ? 2 : 0;
    if (blank > 0) {
      spaced = true;
      at += blank;
      continue;
    }
    const found = lexOne(text, at, spaced, depth);
    if (found.kind === 'symbol') depth = depthAfter(found.text, depth);
    const script = spaced ? null : longerScript(tokens.at(-1), found);
    if (script !== null) tokens[tokens.length - 1] = script;
    else tokens.push(tokenOf(found, at, spaced));
    spaced = found.kind === 'newline';
    at = found.end;
  }
  tokens.push(tokenOf({ kind: 'end', text: '', end: text.length }, text.length, true));
  return joinPhrases(withTransposes(fromLatex(tokens, text)));
}

/** `x^Ty` and `x^TAx` are x transposed times the rest. */
function withTransposes(tokens: readonly Token[]): readonly Token[] {
  return tokens.flatMap((token, i) => {
    const isRaised = tokens[i - 1]?.text === '^' && !token.spaced && token.kind === 'word';
    const [, first, last] = (isRaised ? /^T(\p{L}?)(\p{L}(?:_.+)?)$/u.exec(token.text) : null) ?? [];
    if (last === undefined) return [token];
    const parts = ['T', ...(first === undefined || first === '' ? [] : [first]), last];
    return parts.map((text, at) => {
      const start = token.range.start + at;
      return { ...token, text, range: { start, end: at === parts.length - 1 ? token.range.end : start + 1 } };
    });
  });
}

const otherSpace = /[^\S\n\r]/;

function isSpace(text: string, at: number): boolean {
  return isAscii(text, at) ? classAt(text, at) === characterClass.space : otherSpace.test(text.charAt(at));
}

/** `\\,` and other spaces, and the brackets around mathematics in a text. `ℝ \\ {0}` is a difference of sets, and `x,\\ y` a list. */
const isLatexSpace = (text: string, at: number): boolean =>
  text.charAt(at) === '\\' &&
  (/[,;:!>()[\]]/u.test(text.charAt(at + 1)) || (text.charAt(at + 1) === ' ' && /[,;]/u.test(text.charAt(at - 1))));

function tokenOf(found: Lexeme, start: number, spaced: boolean): Token {
  return {
    kind: found.kind,
    text: found.text,
    range: { start, end: found.end },
    spaced,
    unit: found.unit ?? null,
    spelled: found.spelled ?? false,
  };
}

function depthAfter(symbol: string, depth: number): number {
  if (symbol === '(' || symbol === '[' || symbol === '{') return depth + 1;
  if (symbol === ')' || symbol === ']' || symbol === '}') return Math.max(0, depth - 1);
  return depth;
}

/** A run of raised or lowered characters is one script. */
function longerScript(previous: Token | undefined, found: Lexeme): Token | null {
  if (previous === undefined || previous.kind !== found.kind) return null;
  if (found.kind !== 'superscript' && found.kind !== 'subscript') return null;
  return {
    ...previous,
    text: previous.text + found.text,
    range: { start: previous.range.start, end: found.end },
  };
}

function lexOne(text: string, at: number, spaced: boolean, depth: number): Lexeme {
  switch (classAt(text, at)) {
    case characterClass.letter:
      return lexName(text, at) ?? unknown(text, at);
    case characterClass.digit:
      return lexNumber(text, at, depth) ?? unknown(text, at);
    default:
      return (
        (isAscii(text, at) ? lexMark(text, at, spaced) : lexScript(text, at)) ??
        lexNumber(text, at, depth) ??
        lexString(text, at) ??
        lexSymbol(text, at) ??
        lexName(text, at) ??
        unknown(text, at)
      );
  }
}

/** A line end, a comment or a LaTeX command. */
function lexMark(text: string, at: number, spaced: boolean): Lexeme | null {
  const c = text.charAt(at);
  if (c === '\n' || c === '\r')
    return { kind: 'newline', text: '\n', end: text.startsWith('\r\n', at) ? at + 2 : at + 1 };
  if (c === '#' && isCount(text, at)) return { kind: 'symbol', text: c, end: at + 1 };
  if (c === '#' && spaced) return { kind: 'comment', text: c, end: endOfLine(text, at) };
  return c === '\\' ? lexLatex(text, at) : null;
}

const count = /#\s?\\?\{[^{}\n\r]*(?:[:|∣]|\\mid)[^{}\n\r]*\}/y;

/** `#{i : x_i > 0}`, a number of elements and not a comment. */
function isCount(text: string, at: number): boolean {
  count.lastIndex = at;
  return count.test(text);
}

function lexScript(text: string, at: number): Lexeme | null {
  const c = text.charAt(at);
  if (c === '½' || c === '¼') return { kind: 'number', text: c === '½' ? '0.5' : '0.25', end: at + 1 };
  const up = raised.get(c);
  if (up !== undefined) return { kind: 'superscript', text: up, end: at + 1 };
  const down = lowered.get(c);
  return down === undefined ? null : { kind: 'subscript', text: down, end: at + 1 };
}

function endOfLine(text: string, at: number): number {
  const match = /[\n\r]/g;
  match.lastIndex = at;
  return match.exec(text)?.index ?? text.length;
}

const strings = /"([^"\n\r]*)"|'([^'\n\r]*)'|“([^”\n\r]*)”/y;

function lexString(text: string, at: number): Lexeme | null {
  const c = text.charAt(at);
  if (c !== '"' && c !== "'" && c !== '“') return null;
  strings.lastIndex = at;
  const match = strings.exec(text);
  return match ? { kind: 'string', text: match[1] ?? match[2] ?? match[3] ?? '', end: strings.lastIndex } : null;
}

/** What a backslash and one mark mean. */
const latexMarks: ReadonlyMap<string, string> = new Map([
  ['\\', '\\\\'],
  ['{', '{'],
  ['}', '}'],
  ['|', '‖'],
  ['_', '_'],
  ['%', '%'],
  ['#', '#'],
]);

const latexCommand = /\\([A-Za-z]+)/y;

function lexLatex(text: string, at: number): Lexeme {
  latexCommand.lastIndex = at;
  const match = latexCommand.exec(text);
  if (!match) {
    const mark = text.charAt(at + 1);
    // Without the other one, it is a difference of sets: `ℝ \{0}`.
    const symbol = mark === '{' && !text.includes('\\}', at) ? undefined : latexMarks.get(mark);
    return symbol === undefined
      ? { kind: 'symbol', text: '\\', end: at + 1 }
      : { kind: 'symbol', text: symbol, end: at + 2 };
  }
  const name = match[1] ?? '';
  const symbol = latexSymbols.get(name);
  if (symbol !== undefined) return { kind: 'symbol', text: symbol, end: latexCommand.lastIndex };
  return { kind: 'word', text: greekWords.get(name) ?? name, end: latexCommand.lastIndex };
}

function unknown(text: string, at: number): Lexeme {
  const point = text.codePointAt(at) ?? 0;
  return { kind: 'unknown', text: String.fromCodePoint(point), end: at + (point > 0xffff ? 2 : 1) };
}
