import { closesBar } from './bars.ts';
import { endsOperand } from './brackets.ts';
import { pairTokens, type Pairs } from './pair.ts';
import { isRemark } from './remarks.ts';
import type { Token } from './token.ts';
import { binaryLevels, logicLevels, relations } from './levels.ts';
import { functionWords } from './vocabulary.ts';

/** One statement list: a physical line with the lines that continue it. */
export interface LogicalLine {
  readonly tokens: readonly Token[];
  readonly pairs: Pairs;
}

/** Splits tokens into logical lines and sets the `#` comments apart. A claim may be a list, or have its condition on a line of its own. */
export function splitLines(
  tokens: readonly Token[],
  text: string,
  isClaim = false,
): { readonly lines: readonly LogicalLine[]; readonly comments: readonly Token[] } {
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
    } else if (current.length > 0 && !continues(current, next, text, indent) && !(isClaim && isOpen(current, next))) {
      lines.push(current);
      current = [];
    } else if (current.length > 0 && next && inDefinitions(current) && startsDefinition(current.at(-1), next))
      current.push({ ...token, kind: 'symbol', text: ',' });
  });
  if (current.length > 0) lines.push(current);
  return { lines: (isClaim ? withoutBullets(lines) : lines).map(collapseRemarks), comments };
}

/** Several lines that all begin with the same sign before a space are a list, and its signs are no operators. */
function withoutBullets(lines: readonly (readonly Token[])[]): readonly (readonly Token[])[] {
  const [first] = lines[0] ?? [];
  const isBullet = ([sign, next]: readonly Token[]): boolean =>
    sign?.kind === 'symbol' && '-·+'.includes(sign.text) && sign.text === first?.text && next?.spaced === true;
  return lines.length > 1 && lines.every(isBullet) ? lines.map((line) => line.slice(1)) : lines;
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

const isOperator = (t: Token): boolean =>
  t.kind === 'symbol' &&
  t.text !== '‖' &&
  (relations.has(t.text) || binaryLevels.has(t.text) || logicLevels.has(t.text) || t.text === '→');

/** Whether the line continues: an operator hangs at its end, or the next line begins with an operator or a clause. */
function continues(current: readonly Token[], next: Token | undefined, text: string, indent: number): boolean {
  const last = current.at(-1);
  if (!last || !next) return false;
  if (hangs(last)) return true;
  const deeper = indentation(text, next.range.start) > indent;
  // A dash, star or plus at the margin is a bullet; an English operator there begins a sentence.
  if (isOperator(next) && next.text !== '|') return deeper || !('-·+'.includes(next.text) || next.spelled);
  if (next.kind === 'keyword' && next.text === 'where') return true;
  if (inDefinitions(current) && deeper) return true;
  return deeper && opensClause(next) && endsOperand(last);
}

/** An operator or a comma at the end of a line asks for more. */
function hangs(last: Token): boolean {
  if (last.kind === 'keyword') return last.text === 'where';
  return (
    (isOperator(last) && last.text !== '|') || (last.kind === 'symbol' && (last.text === ',' || last.text === '√'))
  );
}

/** `∀ x ∈ ℝ:`, `if t ≥ w` before `then`: what is claimed is on the next line. */
function isOpen(line: readonly Token[], next: Token | undefined): boolean {
  const [first] = line;
  if (next?.kind === 'keyword' && next.text === 'then') return true;
  const isClause =
    first?.kind === 'symbol'
      ? first.text === '∀' || first.text === '∃'
      : first?.kind === 'keyword' && ['if', 'when', 'given', 'for'].includes(first.text);
  const isNotation = line.some(({ kind, text }) => kind === 'symbol' && relations.has(text));
  return next !== undefined && line.at(-1)?.text === ':' && isClause && isNotation;
}

function opensClause(next: Token): boolean {
  return next.kind === 'keyword' && ['when', 'else', 'otherwise'].includes(next.text);
}

const inDefinitions = (current: readonly Token[]): boolean =>
  current.some((t) => t.kind === 'keyword' && t.text === 'where');
const startsDefinition = (last: Token | undefined, next: Token): boolean => endsOperand(last) && next.kind === 'word';

function indentation(text: string, at: number): number {
  const line = Math.max(text.lastIndexOf('\n', at - 1), text.lastIndexOf('\r', at - 1)) + 1;
  let column = line;
  while (column < at && /\s/.test(text.charAt(column))) column += 1;
  return column - line;
}

/** Turns every parenthesised remark in words into one token, so that the parser sees where it is allowed. */
function collapseRemarks(tokens: readonly Token[]): LogicalLine {
  const pairs = pairTokens(tokens);
  const kept: Token[] = [];
  let found = false;
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    const close = pairs.mate.get(at);
    if (!token) continue;
    if (
      token.kind === 'symbol' &&
      token.text === '(' &&
      token.spaced &&
      close !== undefined &&
      endsBefore(tokens, pairs, at - 1) &&
      isRemark(tokens, at, close)
    ) {
      found = true;
      kept.push({
        ...token,
        kind: 'remark',
        text: 'remark',
        inside: tokens.slice(at + 1, close),
        range: { start: token.range.start, end: tokens[close]?.range.end ?? token.range.end },
      });
      at = close;
    } else kept.push(token);
  }
  return found ? { tokens: kept, pairs: pairTokens(kept) } : { tokens, pairs };
}

const bigSign = /^(?:[Σ∏⋃⋂E]|sum|prod|max|min|argmax|argmin|mean|avg|union|lim|count)(?:_[a-zA-Z]\d?|_[i-n]{2,3})?$/;

/** Whether the scripts that end at `at` belong to a Σ, a max or the like: what follows is its body. */
function followsBigSign(tokens: readonly Token[], pairs: Pairs, from: number): boolean {
  for (let at = from; at >= 0;) {
    const token = tokens[at];
    if (!token) return false;
    const start = token.text === '}' ? (pairs.mate.get(at) ?? at) : at;
    const mark = tokens[start - 1];
    if (mark?.kind === 'symbol' && (mark.text === '_' || mark.text === '^')) at = start - 2;
    else if (token.kind === 'superscript' || token.kind === 'subscript') at -= 1;
    else return bigSign.test(token.text);
  }
  return false;
}

/** Whether the token at `at` ends an operand, so that a remark may follow it. */
function endsBefore(tokens: readonly Token[], pairs: Pairs, at: number): boolean {
  const token = tokens[at];
  if (followsBigSign(tokens, pairs, at) || (token?.kind === 'word' && functionWords.has(token.text))) return false;
  return closesBar(pairs.bars, at) || endsOperand(token) || (token?.kind === 'keyword' && token.text === 'finite');
}
