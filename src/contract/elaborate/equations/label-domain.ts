/**
 * `m̂_t = m_t / (1 - β^t)` with t ≥ 1 and `logits_T = logits / T` with T > 0: the letter is a number that the formula computes with, and names
 * with it are other numbers, not elements of a tensor, which would have one at 0 too.
 */
import { listOf } from '../../../base/text.ts';
import { readNotation } from '../../../math/notation/read.ts';
import type { Expression } from '../../../math/notation/syntax.ts';
import type { Equation, FormalText } from '../../contract.ts';
import type { Problem } from '../context/context.ts';
import { childrenOf, mentions, namesOf } from '../context/syntax-parts.ts';
import { sidesOf } from '../domains/definition-heads.ts';
import { readType } from '../inputs/type-expressions.ts';
import type { OtherReading } from './other-reading.ts';

/** The equation with such names as inputs; null if its problem is another one, or the letter is only an index. */
export function withLabels(equation: Equation, problem: Problem | null): OtherReading | null {
  const { formula, domain } = equation;
  const [, letter] = /^(\p{L}) must start at 0/u.exec(problem?.message ?? '') ?? [];
  if (problem?.code !== 'PV-4023' || letter === undefined || domain === null) return null;
  const sides = formula.notation.statements.map(({ body }) => sidesOf(body));
  const rights = sides.flatMap((one) => (one ? [one.right] : []));
  const isValue = rights.some((right) => mentions(right, (name) => name === letter));
  if (!isValue || rights.some((right) => indexes(right, letter))) return null;
  const heads = sides.flatMap((one) => (one ? namesOf(one.left) : []));
  // In `logits_T = logits / T` the logits are another number than what is computed.
  const names = [...new Set(rights.flatMap(namesOf))].filter(
    (name) => !heads.includes(name) && (name.endsWith(`_${letter}`) || heads.includes(`${name}_${letter}`)),
  );
  const set = vectorsIn(equation.codomain) ?? 'ℝ';
  const added = names.flatMap((name) => readNotation(`${name} ∈ ${set}`, 'domain').statements);
  const { notation } = domain;
  const statements = [...notation.statements, ...added];
  const taken = names.length > 0 ? `, and ${listOf(names)} in ${set}` : '';
  return {
    equation: { ...equation, domain: { ...domain, notation: { ...notation, statements } } },
    said: `${letter} is read as a number that labels what is computed${taken}`,
    widens: false,
    letters: [letter],
  };
}

/** `R^d`, where the codomain says that of the results. */
function vectorsIn(codomain: FormalText | null): string | null {
  const sets = (codomain?.notation.statements ?? []).flatMap(({ body }) => {
    const [, set] = body.kind === 'relation' && body.operators[0] === '∈' ? body.operands : [];
    return set && readType(set)?.axes.length === 1 ? [codomain?.text.slice(set.range.start, set.range.end) ?? ''] : [];
  });
  return sets[0] ?? null;
}

/** Whether the letter is in the place of an index, as in `m_{t-1}` and `m[t]`. */
function indexes(part: Expression, letter: string): boolean {
  const isIndex =
    part.kind === 'index' &&
    part.items.some((item) => item.kind === 'at' && mentions(item.value, (name) => name === letter));
  return isIndex || childrenOf(part).some((child) => indexes(child, letter));
}
