/**
 * Claims that call an equation by a part of its name: `chi_squared(O, E) ≥ 0` of an equation `chi_squared_fit`, `lcg_next(x)` of `lcg`,
 * and `L(y, p) ≥ 0` of `L_mse(y, p)` and every other L_….
 */
import { listOf } from '../../../base/text.ts';
import type { Expression } from '../../../math/notation/syntax.ts';
import type { Problem } from '../context/context.ts';
import { mapExpression } from '../context/map-expression.ts';
import { childrenOf } from '../context/syntax-parts.ts';
import { sidesOf } from '../domains/definition-heads.ts';
import type { ElaboratedEquation } from '../equations/equation.ts';
import { withParts } from './assumed-numbers.ts';
import { unknownName, type ClaimReading, type FormalClaim } from './claim-reading.ts';

type Call = Extract<Expression, { kind: 'call' }>;

/** Null unless the name that `problem` says nothing declares is called, and is a part of the names of equations with so many arguments. */
export function withKeyName(
  claim: FormalClaim,
  problem: Problem,
  equations: readonly ElaboratedEquation[],
): ClaimReading | null {
  const { formal } = claim;
  const name = unknownName(claim, problem);
  if (name === null || problem.hint?.startsWith('did you mean') === true) return null;
  const parts = formal.notation.statements.flatMap(({ body, conditions }) => [body, ...conditions]);
  const calls = parts.flatMap((part) => callsOf(part, name));
  const [count, other] = [...new Set(calls.map((call) => call.arguments.length))];
  if (count === undefined || count === 0 || other !== undefined) return null;
  const meant = equations.filter((one) => argumentsOf(one) === count && isPartOf(name, one));
  const own = meant.filter(({ equation }) => equation.name === claim.appliesTo);
  const keys = (own.length > 0 ? own : meant).map(({ equation }) => equation.name);
  if (keys.length === 0 || keys.length > mostKeys) return null;
  const each = (body: Expression): Expression =>
    callsOf(body, name).length === 0
      ? body
      : keys
          .map((key) => calling(name, key)(body))
          .reduce((left, right) => ({ kind: 'logic', operator: '∧', left, right, range: body.range }));
  return { claim: withParts(claim, each), said: `${name} is read as ${listOf(keys)}`, widened: false };
}

const mostKeys = 4;

function callsOf(part: Expression, name: string): readonly Call[] {
  const own = part.kind === 'call' && part.callee.kind === 'name' && part.callee.text === name ? [part] : [];
  return [...own, ...childrenOf(part).flatMap((child) => callsOf(child, name))];
}

/** How many arguments the formula has on its left, or else how many inputs it has; null of an equation that cannot be run. */
function argumentsOf({ equation, model }: ElaboratedEquation): number | null {
  const left = equation.formula.notation.statements.flatMap(({ body }) => sidesOf(body)?.left ?? []).at(-1);
  const head = left?.kind === 'index' ? left.base : left;
  return model && (head?.kind === 'call' ? head.arguments.length : model.parameters.length);
}

/** Whether one of the two names has all words of the other, and another one besides. */
function isPartOf(name: string, { equation, symbol }: ElaboratedEquation): boolean {
  const words = wordsOf(name);
  return [equation.name, symbol ?? ''].some((known) => {
    const own = wordsOf(known);
    const [few, many] = words.size < own.size ? [words, own] : [own, words];
    return few.size > 0 && few.size < many.size && [...few].every((word) => many.has(word)) && [...few].some(tells);
  });
}

const wordsOf = (name: string): ReadonlySet<string> =>
  new Set(
    name
      .split('_')
      .map((word) => (word.length > 1 ? word.toLowerCase() : word))
      .filter((word) => word !== ''),
  );

/** `to` and `x` are in many names. */
const tells = (word: string): boolean => word.length > 2 || /^\p{Lu}$/u.test(word);

const calling = (name: string, key: string) => {
  const change = (part: Expression): Expression =>
    part.kind === 'call' && part.callee.kind === 'name' && part.callee.text === name
      ? mapExpression({ ...part, callee: { ...part.callee, text: key } }, change)
      : mapExpression(part, change);
  return change;
};
