/**
 * Sums over the parts of a whole: `Σ_b (|B_b|/n)·|acc(B_b) - conf(B_b)|` over the bins of n samples.
 *
 * What counts of the parts is how large they are and what the functions give for each: shares that sum to 1, and one value a part.
 */
import { listOf } from '../../../base/text.ts';
import { readNotation } from '../../../math/notation/read.ts';
import type { Expression } from '../../../math/notation/syntax.ts';
import type { Equation } from '../../contract.ts';
import { mapExpression } from '../context/map-expression.ts';
import { indexedName } from '../context/names.ts';
import { lookup, type Scope } from '../context/scope.ts';
import { callsIn, childrenOf, namesOf } from '../context/syntax-parts.ts';
import { isBuiltinWord } from '../operators/builtins.ts';
import { isKnownFunction } from '../expressions/known-functions.ts';
import { rewritten, type OtherReading } from './other-reading.ts';

interface Parts {
  /** B of `B_b`, and b. */
  readonly name: string;
  readonly letter: string;
}

/** Functions that give a share of what they are given, by their names. */
const shares = /^(?:acc|accuracy|conf|confidence|prob|probability|precision|recall|share|fraction|frac)(?:_.*)?$/iu;
const countName = /^(?:n|num)_\p{Ll}{2,}$/u;

/** Null if the formula is not about parts that nothing declares, or uses them in another way. */
export function withParts(equation: Equation, globals: Scope): OtherReading | null {
  const { formula, domain } = equation;
  if (domain === null || formula.notation.status !== 'math') return null;
  const bodies = formula.notation.statements.map(({ body }) => body);
  const declared = domain.notation.statements.flatMap(({ body }) => namesOf(body));
  const isKnown = (name: string): boolean => declared.includes(name) || lookup(globals, name) !== null;
  const parts = bodies.flatMap(lettersIn).flatMap((letter) => partsOf(bodies, letter));
  const [first, ...others] = parts;
  if (
    !first ||
    others.some(({ name, letter }) => name !== first.name || letter !== first.letter) ||
    isKnown(first.name)
  )
    return null;
  const size = declared.find((name) => countName.test(name)) ?? `n_${first.name}`;
  const functions = new Set<string>();
  const share = `share_${first.name}`;
  let isWeighted = false;
  const change = (part: Expression): Expression => {
    const called = part.kind === 'call' && part.callee.kind === 'name' ? part.callee.text : null;
    if (called !== null && part.kind === 'call' && isOf(part, first) && isFree(called, isKnown)) {
      functions.add(called);
      return { kind: 'name', text: `${called}_${first.letter}`, range: part.range };
    }
    if (!isShare(part, first, declared)) return mapExpression(part, change);
    isWeighted = true;
    return { kind: 'name', text: `${share}_${first.letter}`, range: part.range };
  };
  const statements = formula.notation.statements.map((one) => ({ ...one, body: change(one.body) }));
  if (functions.size === 0 || statements.some(({ body }) => hasPart(body, first))) return null;
  const types = [...functions].map((name) => `${name} ∈ ${shares.test(name) ? '[0, 1]' : 'ℝ'}^{${size}}`);
  const weighted = `${share} ∈ ℝ^{${size}}, ${share}_{j} ≥ 0, Σ_j ${share}_{j} = 1`;
  const added = [`${size} ∈ ℕ⁺`, ...(isWeighted ? [weighted] : []), ...types].flatMap(
    (text) => readNotation(text, 'domain').statements,
  );
  const values = [...functions].map((name) => `${name}(${first.name}_${first.letter})`);
  return {
    equation: rewritten(equation, statements, [...domain.notation.statements, ...added]),
    said: `any parts ${first.name}_${first.letter} are taken, with any ${listOf(values)}`,
    widens: true,
  };
}

const isFree = (name: string, isKnown: (name: string) => boolean): boolean =>
  !isKnown(name) && !isBuiltinWord(name) && !isKnownFunction(name);

const isPart = (part: Expression, { name, letter }: Parts): boolean => {
  const element = indexedName(part);
  return element?.base.text === name && element.index.text === letter;
};

/** `f(B_b)`. */
const isOf = ({ arguments: [argument, more] }: Extract<Expression, { kind: 'call' }>, parts: Parts): boolean =>
  argument !== undefined && !more && isPart(argument.value, parts);

/** `|B_b| / n` of the n things that the domain has. */
const isShare = (part: Expression, parts: Parts, declared: readonly string[]): boolean =>
  part.kind === 'binary' &&
  part.operator === '/' &&
  part.left.kind === 'absolute' &&
  isPart(part.left.operand, parts) &&
  part.right.kind === 'name' &&
  declared.includes(part.right.text);

/** The letters over which the formula sums or takes a maximum without a range. */
function lettersIn(part: Expression): readonly string[] {
  const own = part.kind === 'big' && part.upper === null ? part.binders.filter(({ bound }) => bound === null) : [];
  return [...own.map(({ name }) => name), ...childrenOf(part).flatMap(lettersIn)];
}

/** B and b of `f(B_b)`. */
const partsOf = (bodies: readonly Expression[], letter: string): readonly Parts[] =>
  bodies.flatMap(callsIn).flatMap(({ arguments: [argument, more] }) => {
    const element = argument && !more ? indexedName(argument.value) : null;
    return element?.index.text === letter ? [{ name: element.base.text, letter }] : [];
  });

const hasPart = (part: Expression, parts: Parts): boolean =>
  isPart(part, parts) || childrenOf(part).some((child) => hasPart(child, parts));
