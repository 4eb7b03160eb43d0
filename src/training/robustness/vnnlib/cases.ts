/** The cases of a VNN-LIB property, from comparisons of its variables. */
import { wrong, type Problem } from '../../../base/problem.ts';
import { ok, type Result } from '../../../base/result.ts';
import {
  compareRational,
  divideRational,
  fromFloat,
  negateRational,
  toFloat,
  type Rational,
} from '../../../numeric/rational.ts';
import { around, type End, type InputRange } from '../input-range.ts';
import type { LinearConstraint, UnsafeCase } from '../property.ts';
import type { Conjunction } from './claims.ts';
import { malformed } from './expressions.ts';
import type { Comparison } from './linear.ts';

/** How many variables a property declares. */
export interface Sizes {
  readonly inputs: number;
  readonly outputs: number;
}

/** What is known of one input so far. */
interface Bounds {
  readonly lo: End | null;
  readonly hi: End | null;
}

const unknown: Bounds = { lo: null, hi: null };

/** Coefficients and ends of ranges in all cases together: half a gigabyte. */
const mostNumbers = 30_000_000;

/**
 * One case for each of the choices, each with what is common to all. Problems: PV-8310 (numbers beyond float64, or too many), PV-8311 (an input
 * without bounds in a case).
 */
export function casesOf(
  sizes: Sizes,
  common: Conjunction,
  choices: readonly Conjunction[],
): Result<readonly UnsafeCase[], Problem> {
  const budget = { left: mostNumbers };
  const shared = constrained(
    sizes,
    common,
    Array.from({ length: sizes.inputs }, () => unknown),
    budget,
  );
  if (!shared.ok) return shared;
  // Few cases have bounds of inputs of their own.
  const isShared = choices.length > 0 && !choices.some((choice) => choice.some(boundsInput));
  const ofAll = isShared ? boxOf(shared.value.bounds) : null;
  if (ofAll?.ok === false) return ofAll;
  const cases: UnsafeCase[] = [];
  for (const choice of choices) {
    const own = constrained(sizes, choice, shared.value.bounds, budget);
    if (!own.ok) return own;
    budget.left -= shared.value.constraints.length + (ofAll ? 0 : sizes.inputs);
    if (budget.left < 0) return tooLarge(choice[0]?.offset ?? 0);
    const box = ofAll ?? boxOf(own.value.bounds);
    if (!box.ok) return box;
    cases.push({ ...box.value, constraints: [...shared.value.constraints, ...own.value.constraints] });
  }
  return ok(cases);
}

const tooLarge = (offset: number): Result<never, Problem> =>
  malformed('The property has too many coefficients and bounds in all its cases.', offset, `at most ${mostNumbers}`);

interface Constrained {
  readonly bounds: readonly Bounds[];
  readonly constraints: readonly LinearConstraint[];
}

/** Comparisons of one input with a number narrow its bounds; all others are constraints. */
function constrained(
  sizes: Sizes,
  conjunction: Conjunction,
  known: readonly Bounds[],
  budget: { left: number },
): Result<Constrained, Problem> {
  const bounds = conjunction.some(boundsInput) ? [...known] : known;
  const constraints: LinearConstraint[] = [];
  for (const comparison of conjunction) {
    if (boundsInput(comparison)) {
      narrow(bounds as Bounds[], comparison);
      continue;
    }
    const constraint = constraintOf(comparison, sizes);
    if (constraint === null)
      return malformed('A comparison has a number beyond the range of float64.', comparison.offset);
    constraints.push(constraint);
    budget.left -= 1 + (constraint.inputs?.length ?? 0) + (constraint.outputs?.length ?? 0);
    if (budget.left < 0) return tooLarge(comparison.offset);
  }
  return ok({ bounds, constraints });
}

/** Whether it compares one input with a number. */
function boundsInput({ form: { terms } }: Comparison): boolean {
  const [name = ''] = terms.keys();
  return terms.size === 1 && name.startsWith('X');
}

function narrow(bounds: Bounds[], { form, isStrict }: Comparison): void {
  const [[name, coefficient] = ['', form.constant]] = form.terms;
  const end = { value: divideRational(negateRational(form.constant), coefficient), isOpen: isStrict };
  const { lo, hi } = bounds[indexOf(name)] ?? unknown;
  bounds[indexOf(name)] =
    coefficient.numerator > 0n ? { lo, hi: tighter(1, hi, end) } : { lo: tighter(-1, lo, end), hi };
}

const indexOf = (name: string): number => Number(name.slice(2));

/** The lower of two upper ends (sign 1), or the higher of two lower ones (−1). */
function tighter(sign: 1 | -1, known: End | null, end: End): End {
  const order = known === null ? 1 : sign * compareRational(known.value, end.value);
  return known === null || order > 0 || (order === 0 && end.isOpen) ? end : known;
}

/** The exact ranges of all inputs, and a box of float64 numbers around them. */
function boxOf(bounds: readonly Bounds[]): Result<Pick<UnsafeCase, 'box' | 'ranges'>, Problem> {
  const [lower, upper] = [new Float64Array(bounds.length), new Float64Array(bounds.length)];
  const ranges: InputRange[] = [];
  for (const [i, { lo, hi }] of bounds.entries()) {
    if (lo === null || hi === null) return unbounded(i, lo !== null);
    ranges.push({ lo, hi });
    [lower[i], upper[i]] = around({ lo, hi }, 'float64');
    if (!Number.isFinite(lower[i]) || !Number.isFinite(upper[i]))
      return malformed(`A bound of X_${i} is beyond the range of float64.`, 0);
  }
  return ok({ box: { lo: lower, hi: upper }, ranges });
}

function unbounded(input: number, hasLower: boolean): Result<never, Problem> {
  const message = `X_${input} has no ${hasLower ? 'upper' : 'lower'} bound: pv certifies boxes of inputs.`;
  return wrong('PV-8311', 'inputs', message, { expected: `(assert (${hasLower ? '<=' : '>='} X_${input} …))` });
}

/** The comparison with its coefficients rounded to the nearest float64 and its bound rounded up; null if one is beyond the largest. */
function constraintOf({ form, isStrict }: Comparison, { inputs, outputs }: Sizes): LinearConstraint | null {
  const terms = [...form.terms];
  const limit = negateRational(form.constant);
  const end = { value: limit, isOpen: false };
  const [, bound] = around({ lo: end, hi: end }, 'float64');
  const numbers = [limit, ...terms.map(([, value]) => value)];
  if (!Number.isFinite(bound) || !numbers.every((value) => Number.isFinite(toFloat(value)))) return null;
  const part = (letter: string) => terms.filter(([name]) => name.startsWith(letter));
  const [ofInputs, ofOutputs] = [part('X'), part('Y')];
  return {
    inputs: coefficientsOf(ofInputs, inputs),
    outputs: coefficientsOf(ofOutputs, outputs),
    bound,
    isStrict,
    ...(!numbers.every(isFloat) && { exact: { inputs: indexed(ofInputs), outputs: indexed(ofOutputs), bound: limit } }),
  };
}

type NamedTerms = readonly (readonly [string, Rational])[];

const indexed = (terms: NamedTerms) => terms.map(([name, value]) => [indexOf(name), value] as const);

function coefficientsOf(terms: NamedTerms, size: number): Float64Array | null {
  if (terms.length === 0) return null;
  const coefficients = new Float64Array(size);
  for (const [name, value] of terms) coefficients[indexOf(name)] = toFloat(value);
  return coefficients;
}

const isFloat = (value: Rational): boolean => compareRational(fromFloat(toFloat(value)), value) === 0;
