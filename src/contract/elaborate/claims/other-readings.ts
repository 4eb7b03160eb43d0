/** Readings of a claim that uses names which nothing declares, or which cannot mean here what they mean in its contract. */
import { listOf } from '../../../base/text.ts';
import { readNotation } from '../../../math/notation/read.ts';
import type { Expression, RelationOperator, Statement } from '../../../math/notation/syntax.ts';
import { printTerm } from '../../../math/term/print-term.ts';
import type { Equation, FormalText } from '../../contract.ts';
import type { Problem } from '../context/context.ts';
import { mapExpression } from '../context/map-expression.ts';
import { childScope, lookup, type Scope } from '../context/scope.ts';
import { childrenOf, freeIndices, mentions, namesOf } from '../context/syntax-parts.ts';
import { distinctNames } from '../expressions/rivals.ts';
import type { DomainDraft } from '../inputs/domain-draft.ts';
import { mayBeAny, required, withParts } from './assumed-numbers.ts';
import { unknownName, type ClaimReading, type FormalClaim } from './claim-reading.ts';
import { symbolReadings } from './shared-symbols.ts';
import type { ElaboratedEquation } from '../equations/equation.ts';

/** `freqs` for all elements of freq, which an equation computes; null if the unknown name is not such a plural. */
export function withSingular(claim: FormalClaim, problem: Problem, globals: Scope): ClaimReading | null {
  const name = unknownName(claim, problem);
  const [, stem] = (name !== null && /^(\p{L}{3,})s$/u.exec(name)) || [];
  const entry = stem === undefined ? null : lookup(globals, stem);
  if (name === null || stem === undefined || entry?.kind !== 'equation' || entry.model()?.result.kind !== 'tensor')
    return null;
  return {
    claim: renamed(claim, (text) => (text === name ? stem : text)),
    said: `${name} is read as ${stem}`,
    widened: true,
  };
}

/** `F ≤ 2·P + O(n)` without the term of an order, which only allows more: what holds without it holds. */
export function withoutOrder(claim: FormalClaim, problem: Problem): ClaimReading | null {
  if (unknownName(claim, problem) !== 'O') return null;
  const { text, notation } = claim.formal;
  const [order, more] = notation.statements.flatMap(({ body }) => ordersIn(body));
  const sign = order && /\s*\+\s*$/u.exec(text.slice(0, order.range.start));
  if (!order || more || !sign) return null;
  // Spaces keep the places of the text.
  const rest = text.slice(0, sign.index) + ' '.repeat(order.range.end - sign.index) + text.slice(order.range.end);
  const formal = { ...claim.formal, text: rest, notation: readNotation(rest, 'proposition') };
  if (formal.notation.status !== 'math') return null;
  return {
    claim: { ...claim, formal },
    said: `${text.slice(order.range.start, order.range.end)} is left out`,
    widened: true,
  };
}

/** The calls of O that are added on the greater side of a comparison. */
function ordersIn(part: Expression): readonly Expression[] {
  const greater: Partial<Record<RelationOperator, number>> = { '≤': 1, '<': 1, '≥': 0, '>': 0 };
  if (part.kind !== 'relation' || part.operators.length !== 1) return childrenOf(part).flatMap(ordersIn);
  const side = part.operands[greater[part.operators[0] ?? '='] ?? 2];
  const last = side?.kind === 'binary' && side.operator === '+' ? side.right : undefined;
  return last?.kind === 'call' && last.callee.kind === 'name' && last.callee.text === 'O' ? [last] : [];
}

/**
 * `mask(i, i) = 1`, where several equations define mask: of each of them, by its key. What holds of all of them holds of the one that is
 * meant.
 */
export function withEachMeaning(
  claim: FormalClaim,
  problem: Problem,
  equations: readonly ElaboratedEquation[],
  globals: Scope,
): ClaimReading | null {
  const { formal, requires } = claim;
  if (problem.hint !== distinctNames) return null;
  const meant = symbolReadings([formal], equations, globals).map(({ meant: { name } }) => name);
  const own = equations.filter(({ equation, model }) => meant.includes(equation.name) && model !== null);
  const symbols = new Set(own.map(({ symbol }) => symbol));
  const [symbol, other] = symbols;
  if (!symbol || other !== undefined || own.length !== meant.length || own.length < 2) return null;
  const isIt = (name: string): boolean => name === symbol || name.startsWith(`${symbol}_`);
  const [parts, others] = [bodiesOf(formal), requires.flatMap(bodiesOf)];
  const conditions = formal.notation.statements.flatMap((one) => one.conditions);
  const isIn = (some: readonly Expression[]): boolean => some.some((part) => mentions(part, isIt));
  if (!isIn(parts) || isIn([...others, ...conditions])) return null;
  const as = (key: string) => {
    const change = (part: Expression): Expression =>
      part.kind === 'name' && isIt(part.text)
        ? { ...part, text: key + part.text.slice(symbol.length) }
        : part.kind === 'call' && part.callee.kind === 'name' && isIt(part.callee.text)
          ? mapExpression({ ...part, callee: change(part.callee) }, change)
          : mapExpression(part, change);
    return change;
  };
  const each = (body: Expression): Expression =>
    body.kind === 'quantified' && body.quantifier === 'forall'
      ? { ...body, body: each(body.body) }
      : meant
          .map((key) => as(key)(body))
          .reduce((left, right) => ({ kind: 'logic', operator: '∧', left, right, range: body.range }));
  const statements = formal.notation.statements.map((one) => ({ ...one, body: each(one.body) }));
  // What still names the symbol, as a key with it does, would be read again.
  if (isIn(statements.map(({ body }) => body))) return null;
  return {
    claim: { ...claim, formal: { ...formal, notation: { ...formal.notation, statements } } },
    said: `it is read as a claim about each of ${listOf(meant)}`,
    widened: true,
  };
}

const bodiesOf = ({ notation }: FormalText): readonly Expression[] => notation.statements.map(({ body }) => body);

/** `softplus(z) > 0 for all z`, where nothing declares z: for all numbers. */
export function withRealNumbers(claim: FormalClaim, problem: Problem): ClaimReading | null {
  const names = claim.formal.notation.statements.flatMap(quantifiedNames);
  const [name] = names.filter((one) => !claim.requires.some(({ text }) => text === `${one} ∈ ℝ`));
  const isOpen = problem.code === 'PV-4006' || problem.code === 'PV-4020' || problem.code === 'PV-4001';
  if (name === undefined || !isOpen || !mayBeAny(claim, name, true)) return null;
  const more = required(claim, `${name} ∈ ℝ`);
  const said = `${name} is taken to be any number`;
  return { claim: { ...claim, requires: [...claim.requires, more] }, said, widened: false };
}

/**
 * `|Σ softmax(x/T) - 1| ≤ 1e-6`, where x and T are inputs of an equation whose formula is not understood (one of `unread`): the claim needs
 * its domain alone.
 */
export function withDomainOf(claim: FormalClaim, problem: Problem, unread: readonly Equation[]): ClaimReading | null {
  const name = unknownName(claim, problem);
  if (name === null || problem.hint?.startsWith('did you mean') === true) return null;
  const [source, other] = unread.flatMap((equation) => {
    const { domain } = equation;
    const declares = domain?.notation.statements.some(({ body }) => isDeclaration(body, name)) === true;
    return domain && declares ? [{ equation, domain }] : [];
  });
  if (!source || other || claim.requires.includes(source.domain)) return null;
  const { notation } = source.domain;
  const domain: FormalText = { ...source.domain, notation: { ...notation, status: 'math' } };
  if (claim.requires.some(({ span }) => span === domain.span)) return null;
  const said = `it takes ${name} from the domain of ${source.equation.name}, which cannot be run`;
  return { claim: { ...claim, requires: [...claim.requires, domain] }, said, widened: false };
}

/** `x ∈ ℝ^n`, `T > 0`. */
function isDeclaration(body: Expression, name: string): boolean {
  if (body.kind !== 'relation') return false;
  const [left] = body.operands;
  const names = left?.kind === 'tuple' ? left.items : [left];
  return names.some((one) => one?.kind === 'name' && one.text === name) && body.operators[0] !== '=';
}

/** The names that a statement quantifies without a range, and that it uses as values. */
function quantifiedNames({ body, binders }: Statement): readonly string[] {
  const own = body.kind === 'quantified' && body.quantifier === 'forall' ? [...binders, ...body.binders] : binders;
  const indices = new Set(freeIndices(body.kind === 'quantified' ? body.body : body, childScope(null)));
  const isUsed = (name: string): boolean => mentions(body, (one) => one === name) && !indices.has(name);
  return own.filter(({ bound, name }) => bound === null && isUsed(name)).map(({ name }) => name);
}

/** `D = softplus(z) > 0` where nothing declares D: the name is one of the value that the claim is about. */
export function withoutFirst(claim: FormalClaim, { text, range }: Problem): ClaimReading | null {
  const { formal } = claim;
  const [only, more] = formal.notation.statements;
  const [first, ...operands] = only?.body.kind === 'relation' && !more ? only.body.operands : [];
  const [operator, ...operators] = only?.body.kind === 'relation' ? only.body.operators : [];
  // What an equation says of the name may be the problem, in that equation's own text.
  const isAtFirst =
    first?.kind === 'name' &&
    (text.span !== formal.span || (first.range.start <= range.start && range.end <= first.range.end));
  if (!only || only.body.kind !== 'relation' || !isAtFirst || operator !== '=' || operators.length === 0) return null;
  // Spaces keep the places of the text.
  const rest =
    formal.text.slice(0, first.range.start) + ' '.repeat((operands[0]?.range.start ?? 0) - first.range.start);
  const said = `${formal.text.slice(first.range.start, first.range.end)} is taken for a name of the next side`;
  const shorter = rest + formal.text.slice(rest.length);
  const notation = readNotation(shorter, 'proposition');
  if (notation.status !== 'math') return null;
  return { claim: { ...claim, formal: { ...formal, text: shorter, notation } }, said, widened: false };
}

const mostShapes = 6;

/**
 * `softmax(l / 1) = softmax(l)` for every l of a shape that inputs of the contract have, and `A(B + C) = AB + AC`, where C is the result of
 * an equation whose shape does not fit here, for any other C. The caller takes such readings only if a single one can be elaborated.
 */
export function withTensor(
  claim: FormalClaim,
  problem: Problem,
  draft: DomainDraft,
  globals: Scope,
): readonly ClaimReading[] {
  const parts = partsOf(claim);
  const unknown = unknownName(claim, problem);
  // One name alone is read so: the shapes of several would be many.
  const isNext = claim.requires.some(({ text }) => text.includes('∈ ℝ^{'));
  if (problem.hint?.startsWith('did you mean') === true || isNext) return [];
  const result = problem.code === 'PV-4007' ? resultIn(parts.flatMap(namesOf), draft, globals) : null;
  const name = unknown ?? result?.name ?? null;
  if (name === null || !mayBeAny(claim, name)) return [];
  const shapes = [...draft.inputs.values()]
    .filter(({ shape }) => unknown !== null || shape.length === result?.rank)
    .map(({ shape }) => shape.map((axis) => printTerm(axis)));
  const own = unique(shapes.filter((shape) => shape.length > 0).map((shape) => shape.join(' × ')));
  const further = unique(
    shapes.flatMap((shape) => (shape.length > 1 ? [`${shape.at(-1) ?? ''} × ${free(draft)}`] : [])),
  );
  const fresh = unknown ?? `${name}'`;
  const to = (text: string): string =>
    text === name ? fresh : isProduct(text, draft) ? text.replace(name, fresh) : text;
  const freed = unknown === null ? renamed(claim, to) : claim;
  return [...own, ...(unknown === null ? further : [])].slice(0, mostShapes).map((shape) => {
    const declared = `${fresh} ∈ ℝ^{${shape}}`;
    const more = required(claim, declared);
    return {
      claim: { ...freed, requires: [...claim.requires, more] },
      said: `it is assumed to be about any ${declared}`,
      widened: false,
    };
  });
}

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];

/** A size that is not declared. */
const free = ({ sizes, inputs }: DomainDraft): string =>
  ['q', 'r', 's'].find((name) => !sizes.has(name) && !inputs.has(name)) ?? "q'";

/** `AC` of two matrices A and C. */
const isProduct = (text: string, { inputs }: DomainDraft): boolean =>
  /^\p{Lu}{2,3}$/u.test(text) && [...text].some((letter) => inputs.has(letter));

/** A letter among `names` that stands for the tensor that an equation computes, and the number of its axes. */
function resultIn(
  names: readonly string[],
  draft: DomainDraft,
  globals: Scope,
): { readonly name: string; readonly rank: number } | null {
  for (const name of names.flatMap((one) => (isProduct(one, draft) ? [...one] : [one]))) {
    const entry = draft.inputs.has(name) ? null : lookup(globals, name);
    const model = entry?.kind === 'equation' ? entry.model() : null;
    if (name.length === 1 && model?.bare === true && model.result.kind === 'tensor')
      return { name, rank: model.result.shape.length };
  }
  return null;
}

function partsOf({ formal }: FormalClaim): readonly Expression[] {
  return formal.notation.statements.flatMap(({ body, conditions }) => [body, ...conditions]);
}

/** The claim with other names. */
function renamed(claim: FormalClaim, to: (name: string) => string): FormalClaim {
  const change = (part: Expression): Expression =>
    part.kind === 'name' ? { ...part, text: to(part.text) } : mapExpression(part, change);
  return withParts(claim, change);
}
