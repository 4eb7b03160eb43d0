import { endsOperand, isRemark, pairTokens, type Pairs } from './pair.ts';
import type { Token } from './token.ts';
import { binaryLevels, logicLevels, relations } from './levels.ts';

/** One statement list: a physical line with the lines that continue it. */
export interface LogicalLine {
  readonly tokens: readonly Token[];
  readonly pairs: Pairs;
}

/** Splits tokens into logical lines and sets the `#` comments apart. */
export function splitLines(tokens: readonly Token[], text: string): { readonly lines: readonly LogicalLine[]; readonly comments: readonly Token[] } {
  const comments = tokens.filter((t) => t.kind === 'comment');
  const inside = newlinesInBrackets(tokens);
  const lines: Token[][] = [];
  let current: Token[] = [];
  let indent = 0;
  tokens.forEach((token, i) => {
    if (token.kind === 'comment' || token.kind === 'end') return;
    if (token.kind !== 'newline') {
      if (current.length === 0) indent = indentation(text, token.range.start);
      current.push(token);
      return;
    }
    const next = nextOnLine(tokens, i);
    const bracket = inside.get(i);
    if (bracket !== undefined) {
      if (bracket === '{' && separates(current.at(-1), next)) current.push({ ...token, kind: 'symbol', text: ';' });
    } else if (current.length > 0 && !continues(current, next, text, indent)) {
      lines.push(current);
      current = [];
    } else if (current.length > 0 && next && inDefinitions(current) && startsDefinition(current.at(-1), next)) current.push({ ...token, kind: 'symbol', text: ',' });
  });
  if (current.length > 0) lines.push(current);
  return { lines: lines.map(collapseRemarks), comments };
}

function nextOnLine(tokens: readonly Token[], newline: number): Token | undefined {
  let at = newline + 1;
  while (tokens[at]?.kind === 'comment') at += 1;
  const token = tokens[at];
  return token && token.kind !== 'newline' && token.kind !== 'end' ? token : undefined;
}

function newlinesInBrackets(tokens: readonly Token[]): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  const open: { readonly text: string; readonly newlines: number[] }[] = [];
  tokens.forEach((token, i) => {
    if (token.kind === 'newline') open.at(-1)?.newlines.push(i);
    if (token.kind !== 'symbol') return;
    if ('([{'.includes(token.text)) open.push({ text: token.text, newlines: [] });
    if (')]}'.includes(token.text)) {
      const frame = open.pop();
      for (const newline of frame?.newlines ?? []) found.set(newline, frame?.text ?? '');
    }
  });
  return found;
}

function separates(before: Token | undefined, next: Token | undefined): boolean {
  const silent = (t: Token | undefined): boolean => !t || (t.kind === 'symbol' && '{,;}'.includes(t.text));
  return !silent(before) && !silent(next);
}

const isOperator = (t: Token): boolean => t.kind === 'symbol' && t.text !== '‖' && (relations.has(t.text) || binaryLevels.has(t.text) || logicLevels.has(t.text) || t.text === '→');

/** Whether the line goes on: an operator hangs at its end, or the next line begins with an operator or a clause. */
function continues(current: readonly Token[], next: Token | undefined, text: string, indent: number): boolean {
  const last = current.at(-1);
  if (!last || !next) return false;
  if ((isOperator(last) && last.text !== '|') || (last.kind === 'symbol' && (last.text === ',' || last.text === '√')) || (last.kind === 'keyword' && last.text === 'where')) return true;
  const deeper = indentation(text, next.range.start) > indent;
  if (isOperator(next) && next.text !== '¬' && next.text !== '|') return next.text === '-' || next.text === '·' || next.text === '+' ? deeper || !next.spaced : !next.spelled || deeper;
  if (next.kind === 'keyword' && next.text === 'where') return true;
  if (inDefinitions(current) && deeper) return true;
  return deeper && opensClause(next) && endsOperand(last);
}

function opensClause(next: Token): boolean {
  return next.kind === 'keyword' && ['when', 'else', 'otherwise'].includes(next.text);
}

const inDefinitions = (current: readonly Token[]): boolean => current.some((t) => t.kind === 'keyword' && t.text === 'where');
const startsDefinition = (last: Token | undefined, next: Token): boolean => endsOperand(last) && next.kind === 'word';

function indentation(text: string, at: number): number {
  const line = Math.max(text.lastIndexOf('\n', at - 1), text.lastIndexOf('\r', at - 1)) + 1;
  let column = line;
  while (column < at && /\s/.test(text.charAt(column))) column += 1;
  return column - line;
}

/** Turns every parenthesised remark in words into one token, so that the parser sees where it may stand. */
function collapseRemarks(tokens: readonly Token[]): LogicalLine {
  const pairs = pairTokens(tokens);
  const kept: Token[] = [];
  let found = false;
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    const close = pairs.mate.get(at);
    if (!token) continue;
    if (token.kind === 'symbol' && token.text === '(' && token.spaced && close !== undefined && endsBefore(tokens[at - 1]) && isRemark(tokens, at, close)) {
      found = true;
      kept.push({ ...token, kind: 'remark', text: 'remark', range: { start: token.range.start, end: tokens[close]?.range.end ?? token.range.end } });
      at = close;
    } else kept.push(token);
  }
  return found ? { tokens: kept, pairs: pairTokens(kept) } : { tokens, pairs };
}

const endsBefore = (t: Token | undefined): boolean => endsOperand(t) || (t?.kind === 'symbol' && (t.text === '|' || t.text === '‖')) || (t?.kind === 'keyword' && t.text === 'finite');
