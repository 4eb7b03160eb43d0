/** Properties in VNN-LIB 1.0: which inputs and outputs would violate the specification. */
import { wrong, type Problem } from '../../../base/problem.ts';
import { ok, type Result } from '../../../base/result.ts';
import type { LinearConstraint, Property, UnsafeCase } from '../property.ts';
import { malformed, readExpressions, type Expression, type List } from './expressions.ts';
import { compareRational, divideRational, negateRational, toFloat, type Rational } from '../../../numeric/rational.ts';
import { negative, readComparison, type Comparison } from './linear.ts';

/** A conjunction; a property is a disjunction of these. */
type Conjunction = readonly Comparison[];

/** Cases after multiplying out `or` inside `and`. */
const mostCases = 10_000;
const mostComparisons = 5_000_000;

/** Commands of SMT-LIB that say nothing about the property. */
const ignored = new Set(['set-logic', 'set-info', 'set-option', 'check-sat', 'get-model', 'exit']);

/** Commands of VNN-LIB 2.0, which names networks and tensors. */
const commandsOfVersion2 = new Set(['vnnlib-version', 'declare-network']);

/**
 * The property in a VNN-LIB file: assertions of linear comparisons with `and`, `or` and `not`, over X_0 … and Y_0 … that are declared.
 * Arithmetic on constants is exact, and its results are rounded to the nearest float64.
 *
 * Problems: PV-8310 (not VNN-LIB), PV-8311 (an input without a lower or an upper bound), PV-8312 (no input and output
 * satisfy the constraints).
 */
export function readVnnlib(text: string): Result<Property, Problem> {
  const expressions = readExpressions(text);
  if (!expressions.ok) return expressions;
  const declared = new Set<string>();
  let cases: readonly Conjunction[] = [[]];
  let assertions = 0;
  for (const expression of expressions.value) {
    const [head, ...rest] = expression.items;
    const command = head?.kind === 'atom' ? head.text : '';
    if (command === 'declare-const' || command === 'declare-fun') {
      const name = readDeclaration(expression);
      if (!name.ok) return name;
      declared.add(name.value);
    } else if (command === 'assert') {
      const [claim, ...more] = rest;
      if (claim === undefined || more.length > 0)
        return malformed("'assert' takes one expression.", expression.offset, '1', `${rest.length}`);
      const read = readCases(claim, declared, false);
      if (!read.ok) return read;
      const joined = conjunction([cases, read.value], expression.offset);
      if (!joined.ok) return joined;
      cases = joined.value;
      assertions++;
    } else if (!ignored.has(command))
      return malformed(
        commandsOfVersion2.has(command)
          ? `'${command}' is VNN-LIB 2.0, which pv does not read.`
          : `'${command.slice(0, 40)}' is not a command that pv reads.`,
        expression.offset,
        'declare-const or assert (VNN-LIB 1.0)',
      );
  }
  if (assertions === 0) return malformed('The file asserts nothing.', 0, '(assert …)');
  return propertyOf(declared, cases);
}

function readDeclaration({ items, offset }: List): Result<string, Problem> {
  const [, name] = items;
  const type = items.at(-1);
  const text = name?.kind === 'atom' ? name.text : '';
  if (!/^[XY]_(0|[1-9]\d{0,6})$/.test(text))
    return malformed(
      `'${text.slice(0, 40)}' is not the name of an input or output.`,
      offset,
      'X_0, X_1, … for inputs and Y_0, Y_1, … for outputs',
    );
  if (type?.kind !== 'atom' || type.text !== 'Real')
    return malformed(`${text} is not declared as a real number.`, offset, `(declare-const ${text} Real)`);
  return ok(text);
}

/** The cases of a claim, or of its negation. */
function readCases(
  claim: Expression,
  declared: ReadonlySet<string>,
  isNegated: boolean,
): Result<readonly Conjunction[], Problem> {
  if (claim.kind === 'atom') {
    if (claim.text === 'true' || claim.text === 'false') return ok((claim.text === 'true') === isNegated ? [] : [[]]);
    return malformed(`'${claim.text.slice(0, 40)}' is not a claim.`, claim.offset, '(<= …), (>= …), (and …), (or …)');
  }
  const [head, ...rest] = claim.items;
  const operation = head?.kind === 'atom' ? head.text : '';
  if (operation === 'not') {
    const [inner, ...more] = rest;
    if (inner === undefined || more.length > 0)
      return malformed("'not' takes one claim.", claim.offset, '1', `${rest.length}`);
    return readCases(inner, declared, !isNegated);
  }
  if (operation === 'and' || operation === 'or') {
    if (rest.length === 0)
      return malformed(`'${operation}' has no claims.`, claim.offset, `(${operation} (<= …) (>= …))`);
    const parts: (readonly Conjunction[])[] = [];
    for (const item of rest) {
      const part = readCases(item, declared, isNegated);
      if (!part.ok) return part;
      parts.push(part.value);
    }
    return (operation === 'and') === isNegated ? disjunction(parts, claim.offset) : conjunction(parts, claim.offset);
  }
  if (!['<=', '>=', '<', '>', '='].includes(operation))
    return malformed(
      `'${operation.slice(0, 40)}' is not a comparison or connective that pv reads.`,
      claim.offset,
      '<=, >=, <, >, =, and, or, not',
    );
  const comparisons = readComparison(operation, rest, claim.offset, declared);
  if (!comparisons.ok) return comparisons;
  if (!isNegated) return ok([comparisons.value]);
  return ok(comparisons.value.map(({ form, isStrict }) => [{ form: negative(form), isStrict: !isStrict }]));
}

const disjunction = (
  parts: readonly (readonly Conjunction[])[],
  offset: number,
): Result<readonly Conjunction[], Problem> => allowed(parts.flat(), offset);

/** All combinations of one case from each part. */
function conjunction(
  parts: readonly (readonly Conjunction[])[],
  offset: number,
): Result<readonly Conjunction[], Problem> {
  // Most assertions are one comparison: these are joined in one go.
  const count = parts.reduce((product, part) => product * part.length, 1);
  const size = parts.reduce((sum, part) => sum + part.reduce((most, one) => Math.max(most, one.length), 0), 0);
  if (count > mostCases || count * size > mostComparisons) return tooMany(offset);
  let cases: readonly (readonly Conjunction[])[] = [[]];
  for (const part of parts) cases = cases.flatMap((chosen) => part.map((one) => [...chosen, one]));
  return ok(cases.map((chosen) => chosen.flat()));
}

const allowed = (cases: readonly Conjunction[], offset: number): Result<readonly Conjunction[], Problem> =>
  cases.length > mostCases ? tooMany(offset) : ok(cases);

const tooMany = (offset: number): Result<never, Problem> =>
  malformed('The property has too many cases when it is multiplied out.', offset, `at most ${mostCases}`);

function propertyOf(declared: ReadonlySet<string>, cases: readonly Conjunction[]): Result<Property, Problem> {
  const sizeOf = (letter: 'X' | 'Y'): number => [...declared].filter((name) => name.startsWith(letter)).length;
  const [inputSize, outputSize] = [sizeOf('X'), sizeOf('Y')];
  for (const [letter, size] of [
    ['X', inputSize],
    ['Y', outputSize],
  ] as const)
    for (let i = 0; i < size; i++)
      if (!declared.has(`${letter}_${i}`))
        return malformed(
          `${letter}_${i} is not declared, but later ones are.`,
          0,
          `${letter}_0 to ${letter}_${size - 1}`,
        );
  const unsafe: UnsafeCase[] = [];
  for (const conjunction of cases) {
    const one = caseOf(conjunction, inputSize, outputSize);
    if (!one.ok) return one;
    if (one.value !== null) unsafe.push(one.value);
  }
  if (unsafe.length === 0)
    return wrong(
      'PV-8312',
      'vacuous property',
      'No input and output satisfy the constraints, so every network satisfies the property: there is nothing to prove.',
      {
        expected:
          'lower bounds below the upper bounds, or equal to them where neither is strict, for inputs and for outputs',
      },
    );
  return ok({ inputSize, outputSize, cases: unsafe, emptyCases: cases.length - unsafe.length });
}

/** The range of an input; an end that is open is not part of it. */
interface Range {
  lo: number;
  hi: number;
  loIsOpen: boolean;
  hiIsOpen: boolean;
}

/**
 * A case with its box, or null if no input satisfies it, or no output. Boxes are closed, so an open end is also a constraint: a proof covers the
 * end as well, but a counterexample never lies on it.
 */
function caseOf(conjunction: Conjunction, inputSize: number, outputSize: number): Result<UnsafeCase | null, Problem> {
  const ranges = Array.from({ length: inputSize }, (): Range => ({
    lo: -Infinity,
    hi: Infinity,
    loIsOpen: false,
    hiIsOpen: false,
  }));
  const constraints: LinearConstraint[] = [];
  const limits = createLimits();
  for (const { form, isStrict } of conjunction) {
    const terms = [...form.terms].filter(([, value]) => value.numerator !== 0n);
    const [first] = terms;
    const range = first?.[0].startsWith('X') === true ? ranges[Number(first[0].slice(2))] : undefined;
    const bound = negateRational(form.constant);
    if (first !== undefined && terms.length === 1 && range !== undefined) {
      narrow(range, toFloat(divideRational(bound, first[1])), first[1].numerator > 0n, isStrict);
      continue;
    }
    if (!limits.allow(terms, bound, isStrict)) return ok(null);
    if (![bound, ...terms.map(([, value]) => value)].every((value) => Number.isFinite(toFloat(value))))
      return malformed('A comparison has a number beyond the range of float64.', 0);
    const rounded = terms.map(([name, value]) => [name, toFloat(value)] as const);
    if (terms.length > 0) constraints.push(constraintOf(rounded, toFloat(bound), isStrict, inputSize, outputSize));
  }
  for (const [i, { lo, hi, loIsOpen, hiIsOpen }] of ranges.entries()) {
    if (!Number.isFinite(lo) || !Number.isFinite(hi)) return unbounded(i, Number.isFinite(lo));
    if (lo > hi || (lo === hi && (loIsOpen || hiIsOpen))) return ok(null);
    const open = (sign: 1 | -1, bound: number): LinearConstraint =>
      constraintOf([[`X_${i}`, sign]], bound, true, inputSize, outputSize);
    if (loIsOpen) constraints.push(open(-1, -lo));
    if (hiIsOpen) constraints.push(open(1, hi));
  }
  const box = { lo: Float64Array.from(ranges, ({ lo }) => lo), hi: Float64Array.from(ranges, ({ hi }) => hi) };
  return ok({ box, constraints });
}

/** An end of the values of a linear form. */
interface Limit {
  readonly value: Rational;
  readonly isOpen: boolean;
}

/** The limits of each linear form, up to a factor, so that two that exclude each other are found. */
function createLimits() {
  const known: Record<'least' | 'most', Map<string, Limit>> = { least: new Map(), most: new Map() };
  return {
    /** Takes in that the terms add up to `bound` at most; false if no values can. */
    allow(terms: readonly (readonly [string, Rational])[], bound: Rational, isStrict: boolean): boolean {
      const [first, ...more] = terms.toSorted(([a], [b]) => (a < b ? -1 : 1));
      if (first === undefined) return isStrict ? bound.numerator > 0n : bound.numerator >= 0n;
      const factor = first[1];
      const key = [first[0], ...more.map(([name, value]) => `${name} ${textOf(divideRational(value, factor))}`)].join();
      const side = factor.numerator > 0n ? 'most' : 'least';
      const limit = { value: divideRational(bound, factor), isOpen: isStrict };
      known[side].set(key, tighter(side === 'most' ? 1 : -1, known[side].get(key) ?? limit, limit));
      const [least, most] = [known.least.get(key), known.most.get(key)];
      if (least === undefined || most === undefined) return true;
      const order = compareRational(least.value, most.value);
      return order < 0 || (order === 0 && !least.isOpen && !most.isOpen);
    },
  };
}

/** The lower of two upper limits (sign 1), or the higher of two lower ones (−1). */
function tighter(sign: 1 | -1, a: Limit, b: Limit): Limit {
  const order = sign * compareRational(a.value, b.value);
  return order === 0 ? { value: a.value, isOpen: a.isOpen || b.isOpen } : order < 0 ? a : b;
}

const textOf = ({ numerator, denominator }: Rational): string => `${numerator}/${denominator}`;

/** Takes in that the input is at most the limit, or at least; of two equal limits, the strict one counts. */
function narrow(range: Range, limit: number, isUpper: boolean, isStrict: boolean): void {
  if (isUpper && limit <= range.hi) {
    range.hiIsOpen = isStrict || (range.hiIsOpen && limit === range.hi);
    range.hi = limit;
  }
  if (!isUpper && limit >= range.lo) {
    range.loIsOpen = isStrict || (range.loIsOpen && limit === range.lo);
    range.lo = limit;
  }
}

function unbounded(input: number, hasLower: boolean): Result<never, Problem> {
  const message = `X_${input} has no ${hasLower ? 'upper' : 'lower'} bound: pv certifies boxes of inputs.`;
  return wrong('PV-8311', 'inputs', message, { expected: `(assert (${hasLower ? '<=' : '>='} X_${input} …))` });
}

function constraintOf(
  terms: readonly (readonly [string, number])[],
  bound: number,
  isStrict: boolean,
  inputSize: number,
  outputSize: number,
): LinearConstraint {
  const part = (letter: string, size: number): Float64Array | null => {
    const own = terms.filter(([name]) => name.startsWith(letter));
    if (own.length === 0) return null;
    const coefficients = new Float64Array(size);
    for (const [name, value] of own) coefficients[Number(name.slice(2))] = value;
    return coefficients;
  };
  return { inputs: part('X', inputSize), outputs: part('Y', outputSize), bound, isStrict };
}
