/** `f(a·x) = a·f(x)` where nothing declares a: for any number a. */
import { readNotation } from '../../../math/notation/read.ts';
import type { Expression } from '../../../math/notation/syntax.ts';
import type { FormalText } from '../../contract.ts';
import type { Problem } from '../context/context.ts';
import { mapExpression } from '../context/map-expression.ts';
import { childrenOf, namesOf } from '../context/syntax-parts.ts';
import { isInverted } from '../equations/open-domain.ts';
import { isBuiltinWord } from '../operators/builtins.ts';
import { toleranceNames } from './claim.ts';
import type { FormalClaim } from './claim-reading.ts';

const mostNumbers = 6;

/**
 * The claim for every ε > 0, where its author gives no tolerance: what holds for all of them holds for the author's. Sides of ≈ are then
 * equal, over ℝ. Null if it has neither, or if that is not what it lacks.
 */
export function withAnyTolerance(claim: FormalClaim, problem: Problem): FormalClaim | null {
  const { formal, requires, given, about, tolerance } = claim;
  if (problem.code !== 'PV-4011' || tolerance !== null || given !== null || about === 'data') return null;
  const names = formal.notation.statements.flatMap(({ body, conditions }) => [body, ...conditions]).flatMap(namesOf);
  const name = toleranceNames.find((one) => names.includes(one));
  return name === undefined
    ? asEquality(claim)
    : { ...claim, requires: [...requires, required(claim, `${name} ∈ ℝ_{>0}`)] };
}

function asEquality(claim: FormalClaim): FormalClaim | null {
  const change = (part: Expression): Expression =>
    part.kind === 'relation'
      ? mapExpression({ ...part, operators: part.operators.map((one) => (one === '≈' ? '=' : one)) }, change)
      : mapExpression(part, change);
  const isApproximate = (part: Expression): boolean =>
    (part.kind === 'relation' && part.operators.includes('≈')) || childrenOf(part).some(isApproximate);
  const parts = claim.formal.notation.statements.flatMap(({ body, conditions }) => [body, ...conditions]);
  if (claim.semantics === 'statistical' || !parts.some(isApproximate)) return null;
  return { ...withParts(claim, change), semantics: 'real' };
}

/** The claim with `change` applied to its bodies and conditions. */
export function withParts(claim: FormalClaim, change: (part: Expression) => Expression): FormalClaim {
  const { formal } = claim;
  const statements = formal.notation.statements.map((statement) => ({
    ...statement,
    body: change(statement.body),
    conditions: statement.conditions.map(change),
  }));
  return { ...claim, formal: { ...formal, notation: { ...formal.notation, statements } } };
}

/**
 * The claim about any number of the name that `problem` says nothing declares. Null if the name occurs once and so may be misspelt, unless
 * an equation that could not be read (`isNamed`) has it; if it resembles a known one, or if it is applied, has an index, or is a label.
 */
export function withNumber(
  claim: FormalClaim,
  problem: Problem,
  isNamed: (name: string) => boolean,
): { claim: FormalClaim; name: string } | null {
  const { formal, requires } = claim;
  const { code, text, range, hint } = problem;
  if (code !== 'PV-4001' || text.span !== formal.span || hint?.startsWith('did you mean') === true) return null;
  const written = text.text.slice(range.start, range.end);
  const isProduct = /^\p{L}{2,3}$/u.test(written) && [...written].every(isNamed);
  // `Af` for numbers A and f.
  const isFree = (letter: string): boolean => !requires.some((one) => one.text === `${letter} ∈ ℝ`);
  const name = (isProduct ? [...written].find(isFree) : undefined) ?? written;
  if (!mayBeAny(claim, name, isNamed(name))) return null;
  return { name, claim: { ...claim, requires: [...requires, required(claim, `${name} ∈ ℝ`)] } };
}

/**
 * Whether the claim may be meant for every value of `name`: an obligation that says something of it more than once, or that names what an
 * equation does (`isNamed`), and does not apply it, index it, or use it as a label.
 */
export function mayBeAny(
  { formal, requires, given, about, source }: FormalClaim,
  name: string,
  isNamed = false,
): boolean {
  if (given !== null || about === 'data' || source === 'falsification' || requires.length > mostNumbers) return false;
  const parts = formal.notation.statements.flatMap(({ body, conditions }) => [body, ...conditions]);
  // `AC` is a product of A and C.
  const isIn = (one: string): boolean => one === name || (/^\p{Lu}{2,3}$/u.test(one) && one.includes(name));
  const count = parts.flatMap(namesOf).filter(isIn).length;
  if (isInverted(name, formal.text)) return false;
  const isNumber =
    /^\p{L}[\p{L}\p{N}_'′]*$/u.test(name) && !isBuiltinWord(name) && !parts.some((part) => hasStructure(part, name));
  // Numbers alone that satisfy nothing say nothing of the contract.
  const isMeant = count >= 2 || isNamed || (constants.test(name) && parts.some((part) => isInCall(part, name)));
  return isMeant && isNumber && parts.some(isAboutMore);
}

/** Letters of constants: `f(x + c) = f(x)` is for every c, though it has c once. */
const constants = /^[abckαβγλ]$/u;

function isInCall(part: Expression, name: string): boolean {
  if (part.kind === 'call')
    return part.arguments.some(({ value }) => value.kind !== 'name' && namesOf(value).includes(name));
  return childrenOf(part).some((child) => isInCall(child, name));
}

/** `text` as one more requirement of the claim. */
export function required({ span }: FormalClaim, text: string): FormalText {
  const notation = readNotation(text, 'domain');
  return { text, notation, span: { ...span }, offsetInSource: () => span.range.start };
}

function hasStructure(part: Expression, name: string): boolean {
  const is = (one: Expression): boolean => one.kind === 'name' && one.text === name;
  const own =
    (part.kind === 'call' && is(part.callee)) ||
    (part.kind === 'index' &&
      (is(part.base) || part.items.some((item) => item.kind === 'at' && namesOf(item.value).includes(name)))) ||
    (part.kind === 'member' && is(part.object)) ||
    ((part.kind === 'big' || part.kind === 'quantified') && part.binders.some((binder) => binder.name === name));
  return own || childrenOf(part).some((child) => hasStructure(child, name));
}

function isAboutMore(part: Expression): boolean {
  return part.kind === 'call' || (part.kind === 'logic' && part.operator === '⟹') || childrenOf(part).some(isAboutMore);
}
