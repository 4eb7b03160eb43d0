import { accept, advance, fail, peek, seesKeyword, since, type Cursor } from './cursor.ts';
import { level } from './levels.ts';
import type { Expression } from './syntax.ts';

type Case = { readonly condition: Expression; readonly value: Expression };

/**
 * `{ a if p; b if q; c otherwise }`, also with commas or line breaks; null if the braces hold no `if` or `otherwise` of their
 * own.
 */
export function parseCases(c: Cursor, close: number, start: number): Expression | null {
  if (!holdsCases(c, close)) return null;
  const found = parseCaseList(c, close);
  if (c.problem !== null || c.at !== close) return fail(c, 'expected "if", "otherwise" or "}"');
  advance(c);
  return { kind: 'cases', ...found, range: since(c, start) };
}

/** Reads `a if p, b if q, c otherwise` up to the token index `end`. */
export function parseCaseList(
  c: Cursor,
  end: number,
): { readonly cases: readonly Case[]; readonly otherwise: Expression | null } {
  const cases: Case[] = [];
  let otherwise: Expression | null = null;
  while (c.at < end && c.problem === null) {
    const value = c.expression(c, level.relation + 1);
    accept(c, ',');
    if (seesKeyword(c, 'otherwise') || seesKeyword(c, 'else')) {
      advance(c);
      otherwise = value;
      accept(c, ';');
      break;
    }
    if (!seesKeyword(c, 'if') && !seesKeyword(c, 'when') && !seesKeyword(c, 'for')) {
      fail(c, 'expected "if" and a condition');
      break;
    }
    advance(c);
    cases.push({ value, condition: c.expression(c, level.equivalence) });
    if (!accept(c, ';') && !accept(c, ',')) break;
  }
  return { cases, otherwise };
}

function holdsCases(c: Cursor, close: number): boolean {
  let depth = 0;
  for (let at = c.at; at < close; at += 1) {
    const token = c.tokens[at];
    if (token?.kind === 'symbol' && '([{⌊⌈⟨'.includes(token.text)) depth += 1;
    if (token?.kind === 'symbol' && ')]}⌋⌉⟩'.includes(token.text)) depth -= 1;
    if (depth !== 0 || token?.kind !== 'keyword') continue;
    if (token.text === 'otherwise') return true;
    if (token.text === 'if' && c.pairs.mate.get(at) === undefined && !followsComprehension(c, at)) return true;
  }
  return false;
}

function followsComprehension(c: Cursor, at: number): boolean {
  for (let i = at - 1; i >= c.at; i -= 1) if (c.tokens[i]?.kind === 'keyword' && peekText(c, i) === 'for') return true;
  return false;
}

const peekText = (c: Cursor, at: number): string => c.tokens[at]?.text ?? peek(c).text;
