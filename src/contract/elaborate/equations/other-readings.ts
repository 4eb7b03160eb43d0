/** Readings of an equation that cannot be computed as it is written, in the order in which they are tried. */
import { listOf, quoted } from '../../../base/text.ts';
import { readNotation } from '../../../math/notation/read.ts';
import type { Expression, Statement } from '../../../math/notation/syntax.ts';
import { printTerm } from '../../../math/term/print-term.ts';
import { isSequence } from '../../../math/term/sequences.ts';
import type { Equation, FormalText } from '../../contract.ts';
import { mapExpression } from '../context/map-expression.ts';
import { indexedName } from '../context/names.ts';
import { isLeaf, namesOf } from '../context/syntax-parts.ts';
import type { Problem } from '../context/context.ts';
import { lookup, type Scope } from '../context/scope.ts';
import { sidesOf } from '../domains/definition-heads.ts';
import { withCollections } from './collections.ts';
import { withBoundIndices } from './law-formula.ts';
import { opaqueParts } from './opaque-parts.ts';
import type { OtherReading } from './other-reading.ts';
import { withParts } from './parts-of-whole.ts';
import { withRowsOnLeft } from './row-domain.ts';
import { withLabels } from './label-domain.ts';
import { withFreeStates, withStateNames } from './state-domain.ts';
import { withStatedShapes } from './stated-shapes.ts';
import { withSplit } from './split-collection.ts';
import { withTrailingIndex } from './trailing-index.ts';
import { withEitherValue } from './worded-condition.ts';

const mostLines = 6;

/** Where its sizes fit, with any value for what nothing defines, or with only those lines of its formula that are notation. */
export function otherReadings(
  equation: Equation,
  problem: Problem | null,
  globals: Scope,
  others: readonly Equation[] = [],
): readonly OtherReading[] {
  const fitting = whereSizesFit(equation, problem);
  const rows = withRowsOnLeft(equation);
  const states = withStateNames(equation);
  const bound = withBoundIndices(equation, problem);
  const columns = withOwnColumns(equation, problem);
  const whole = withWholeEnd(equation, problem);
  const shaped = withStatedShapes(equation);
  const vectors = withCollections(equation);
  const counted = withCountedSets(equation, globals);
  const opaque = opaqueParts(equation, globals);
  const free = withFreeResult(states ?? equation, problem, globals);
  const freeStates = withFreeStates(equation, globals);
  const labelled = withLabels(equation, problem);
  const parts = withParts(equation, globals);
  const trailing = withTrailingIndex(equation, globals);
  const split = withSplit(equation, others);
  const either = withEitherValue(equation);
  return [
    ...(fitting ? [{ equation: fitting, said: null, widens: true }] : []),
    ...[bound, states, rows, columns, whole, shaped].flatMap((one) =>
      one ? [{ equation: one, said: null, widens: true, isClear: true } as const] : [],
    ),
    // One value at every argument is a special case: `S(t) = S(2·t)` holds of it, and not of `S(t) = 1 + gain(t)`.
    ...(parts ? [parts] : []),
    ...(trailing ? [trailing] : []),
    ...(split ? [split] : []),
    ...(free ? [free] : []),
    ...(freeStates ? [freeStates] : []),
    ...(labelled ? [labelled] : []),
    ...(either ? [either] : []),
    ...(counted ? [counted] : []),
    ...(vectors ? [{ equation: vectors, said: null, widens: true }] : []),
    ...(opaque?.equations ?? []).map((one) => ({ equation: one, said: opaque?.said ?? null, widens: false })),
    ...notationLines(equation).flatMap((one): readonly OtherReading[] => {
      const inside = opaqueParts(one.equation, globals)?.equations ?? [];
      return [one, ...inside.map((other) => ({ ...one, equation: other }))];
    }),
  ];
}

/** `θ_t = θ_{t-1} - η·c_t` where another equation computes c_t from inputs that this one does not have: of any one c_t. */
function withFreeResult(equation: Equation, problem: Problem | null, globals: Scope): OtherReading | null {
  const { domain, formula } = equation;
  if (problem?.code !== 'PV-4008' || problem.text.span !== formula.span || domain === null) return null;
  const name = formula.text.slice(problem.range.start, problem.range.end);
  const entry = /^[\p{L}\p{N}_]+$/u.test(name) ? lookup(globals, name) : null;
  const result = entry?.kind === 'equation' ? entry.model()?.result : undefined;
  const element = result && (result.kind === 'tensor' ? result.element : result);
  if (!result || element?.kind !== 'float' || isSequence(result)) return null;
  const shape = result.kind === 'tensor' ? `^{${result.shape.map((axis) => printTerm(axis)).join(' × ')}}` : '';
  const declared = readNotation(`${name} ∈ ℝ${shape}`, 'domain');
  if (declared.status !== 'math') return null;
  const said = `any value is taken for ${name}, whose inputs it does not have`;
  return { equation: { ...equation, domain: withStatements(domain, declared.statements) }, said, widens: false };
}

/**
 * `Σ_i log p_{y_i}` of a matrix p with the probabilities of example i in its row i: p_{i,y_i}, where p_{y_i} would be a row, and one that p
 * may not have.
 */
function withOwnColumns(equation: Equation, problem: Problem | null): Equation | null {
  const { formula } = equation;
  if (problem?.code !== 'PV-4025' || problem.text.span !== formula.span) return null;
  const change = (part: Expression): Expression => {
    const [item, more] = part.kind === 'index' ? part.items : [];
    const row = item?.kind === 'at' && !more ? rowOf(item.value) : null;
    if (part.kind !== 'index' || part.base.kind !== 'name' || !row || !item) return mapExpression(part, change);
    return { ...part, items: [{ kind: 'at', value: row }, item] };
  };
  const { statements } = formula.notation;
  const changed = statements.map((statement) => ({ ...statement, body: change(statement.body) }));
  return { ...equation, formula: { ...formula, notation: { ...formula.notation, statements: changed } } };
}

/**
 * `Σ_{l ∈ A} 2·n` over a set that nobody declares, of which the summand uses no element: only how many there are matters. The name of the
 * set is then that number.
 */
function withCountedSets(equation: Equation, globals: Scope): OtherReading | null {
  const { formula, domain } = equation;
  const known = domain?.notation.statements.flatMap(({ body }) => namesOf(body)) ?? [];
  const sets = new Set<string>();
  const change = (part: Expression): Expression => {
    const [binder, more] = part.kind === 'big' ? part.binders : [];
    const set = binder?.relation === '∈' && !more ? binder.bound : null;
    const isCounted =
      part.kind === 'big' &&
      part.operator === 'sum' &&
      set?.kind === 'name' &&
      lookup(globals, set.text) === null &&
      ![...known, ...namesOf(part.body)].some((name) => name === set.text || name === binder?.name) &&
      !namesOf(part.body).some((name) => name.endsWith(`_${binder?.name ?? ''}`));
    if (part.kind !== 'big' || !isCounted || !binder) return mapExpression(part, change);
    sets.add(set.text);
    const low: Expression = { kind: 'number', value: '0', unit: null, range: set.range };
    const bound: Expression = { kind: 'interval', low, high: set, lowOpen: false, highOpen: true, range: set.range };
    return { ...part, binders: [{ ...binder, bound }] };
  };
  const statements = formula.notation.statements.map((statement) => ({ ...statement, body: change(statement.body) }));
  if (sets.size === 0) return null;
  const said = `${listOf([...sets])} is read as its number of elements`;
  return {
    equation: { ...equation, formula: { ...formula, notation: { ...formula.notation, statements } } },
    said,
    widens: false,
  };
}

/** `Σ_{i=1}^k r_i` of a number k of which the domain says `1 ≤ k ≤ n` alone: a sum ends at a whole number. */
function withWholeEnd(equation: Equation, problem: Problem | null): Equation | null {
  const { domain, formula } = equation;
  const [, name] =
    /^the end of a range must be a whole number, and (\S+) is not known to be one$/u.exec(problem?.message ?? '') ?? [];
  if (domain === null || name === undefined || problem?.text.span !== formula.span) return null;
  const isDeclared = ({ body }: Statement): boolean =>
    body.kind === 'relation' &&
    body.operators.includes('∈') &&
    body.operands.some((part) => namesOf(part).includes(name));
  const { statements } = domain.notation;
  return !statements.some(({ body }) => namesOf(body).includes(name)) || statements.some(isDeclared)
    ? null
    : { ...equation, domain: withStatements(domain, readNotation(`${name} ∈ ℕ`, 'domain').statements) };
}

/** i of y_i. */
function rowOf(label: Expression): Expression | null {
  const [item, more] = label.kind === 'index' ? label.items : [];
  if (label.kind !== 'index') return indexedName(label)?.index ?? null;
  return item?.kind === 'at' && !more && item.value.kind === 'name' ? item.value : null;
}

/** `f(x)_{2k} = …, f(x)_{2k+1} = …` has a meaning at even sizes only. */
function whereSizesFit(equation: Equation, problem: Problem | null): Equation | null {
  const [, condition] = /^say so in the domain: (.+)$/u.exec(problem?.hint ?? '') ?? [];
  const { domain } = equation;
  if (problem?.code !== 'PV-4016' || condition === undefined || domain === null) return null;
  return { ...equation, domain: withStatements(domain, readNotation(condition, 'domain').statements) };
}

function withStatements(text: FormalText, more: readonly Statement[]): FormalText {
  return { ...text, notation: { ...text.notation, statements: [...text.notation.statements, ...more] } };
}

/** The lines of a formula that are notation: all of them, and each alone that computes something. */
function notationLines(equation: Equation): readonly OtherReading[] {
  const { notation } = equation.formula;
  const [tail] = notation.prose.filter(({ role }) => role === 'tail');
  if (notation.status !== 'partial' || !tail) return [];
  const defining = notation.statements.filter(({ body }) => sidesOf(body) !== null);
  const callOf = ({ body }: Statement): string | null => {
    const left = sidesOf(body)?.left;
    return left?.kind === 'call' ? equation.formula.text.slice(left.range.start, left.range.end) : null;
  };
  // `lr(t) = p·t/w` for the first steps and `lr(t) = p` for the next ones are not the whole of lr.
  const isOnly = (one: Statement): boolean =>
    callOf(one) === null || defining.filter((other) => callOf(other) === callOf(one)).length === 1;
  const computing = defining.filter((one) => isOnly(one) && !isLeaf(sidesOf(one.body)?.right ?? one.body));
  const words = tail.text.replaceAll(/\s+/gu, ' ').trim().slice(0, 60);
  const said = `pv does not understand ${quoted(words)} in its formula`;
  const choices = [...(computing.length > 1 ? [defining] : []), ...computing.slice(0, mostLines).map((one) => [one])];
  return choices
    .filter((statements) => statements.length > 0)
    .map((statements) => {
      const formula: FormalText = { ...equation.formula, notation: { ...notation, status: 'math', statements } };
      return { equation: { ...equation, formula }, said, widens: false };
    });
}
