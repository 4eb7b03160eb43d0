/** S-expressions of SMT-LIB 2, the syntax of VNN-LIB: read without recursion, within limits. */
import { wrong, type Problem } from '../../../base/problem.ts';
import { ok, type Result } from '../../../base/result.ts';

interface Atom {
  readonly kind: 'atom';
  readonly text: string;
  readonly offset: number;
}

export interface List {
  readonly kind: 'list';
  readonly items: readonly Expression[];
  readonly offset: number;
}

export type Expression = Atom | List;

/** Deeper than any property; what reads the expressions recurses. */
const deepest = 100;
const mostExpressions = 5_000_000;

/** Comments, parentheses, quoted symbols and strings, other words, and a quote that is not closed. */
const tokens = /;[^\n\r]*|[()]|\|[^|]*\||"[^"]*"|[^\s();|"]+|[|"]/g;

/** The expressions of a text, in order. */
export function readExpressions(text: string): Result<readonly List[], Problem> {
  const top: List[] = [];
  const open: { readonly items: Expression[]; readonly offset: number }[] = [];
  let count = 0;
  for (const { 0: token, index: offset } of text.matchAll(tokens)) {
    if (token.startsWith(';')) continue;
    if (++count > mostExpressions) return malformed('The property has too many expressions.', offset);
    if (token === '"' || token === '|') return malformed('A quote is not closed.', offset);
    if (token === '(') {
      if (open.length >= deepest) return malformed(`The property is nested more than ${deepest} deep.`, offset);
      open.push({ items: [], offset });
      continue;
    }
    const inner = open.at(-1);
    if (inner === undefined)
      return malformed(
        token === ')'
          ? 'This closing parenthesis has no opening one.'
          : `'${token.slice(0, 40)}' is not inside parentheses.`,
        offset,
      );
    if (token !== ')') {
      inner.items.push({ kind: 'atom', text: token, offset });
      continue;
    }
    open.pop();
    const list: List = { kind: 'list', items: inner.items, offset: inner.offset };
    const outer = open.at(-1);
    if (outer) outer.items.push(list);
    else top.push(list);
  }
  const unclosed = open[0];
  return unclosed ? malformed('A parenthesis is not closed: the file was truncated.', unclosed.offset) : ok(top);
}

/** A text that is not a VNN-LIB property. */
export const malformed = (
  message: string,
  offset: number,
  expected?: string,
  actual?: string,
): Result<never, Problem> =>
  wrong('PV-8310', 'VNN-LIB', message, {
    offset,
    ...(expected !== undefined && { expected }),
    ...(actual !== undefined && { actual }),
  });
