/**
 * Sizes of blocks of cases: biased to 1, 2, small, powers of two and their neighbours, multiples and the largest affordable.
 */
import { nextUint32, uniformInteger, unitFloat, type Xoshiro } from '../../numeric/xoshiro.ts';
import { exponentOf } from '../../numeric/float-format.ts';
import { err, ok, type Result } from '../../base/result.ts';
import type { DomainPlan, SizePlan } from './domain-plan.ts';

/** What one case may cost. Sizes that would cost more are halved until they fit, and reports show the sizes that ran. */
interface SizeBudget {
  /** Elements of all variables together. */
  readonly elements: number;
  /** Product of the sizes: what a kernel that loops over every axis does. */
  readonly work: number;
}

const ordinaryBudget: SizeBudget = { elements: 2 ** 14, work: 2 ** 17 };
const largestBudget: SizeBudget = { elements: 2 ** 16, work: 2 ** 20 };

function snap(size: SizePlan, value: number): number {
  const first = Math.ceil(size.minimum / size.multipleOf) * size.multipleOf;
  return Math.max(first, Math.floor(Math.min(value, size.maximum) / size.multipleOf) * size.multipleOf);
}

/** Axis lengths of every variable at `sizes`; null if a shape is not a natural number. */
export function shapesAt(plan: DomainPlan, sizes: readonly number[]): readonly (readonly number[])[] | null {
  const lookup = (name: string): number => sizes[plan.sizes.findIndex((size) => size.name === name)] ?? NaN;
  const shapes = plan.variables.map((variable) => variable.shape.map((axis) => axis(lookup)));
  return shapes.every((shape) => shape.every((length) => Number.isSafeInteger(length) && length >= 0)) ? shapes : null;
}

/** The number of elements of a tensor; 1 for a scalar. */
export function elementsOf(shape: readonly number[]): number {
  return shape.reduce((product, length) => product * length, 1);
}

/** Computes the derived sizes of `drawn` in place. */
function define(plan: DomainPlan, drawn: number[]): void {
  const lookup = (name: string): number => drawn[plan.sizes.findIndex((size) => size.name === name)] ?? NaN;
  plan.sizes.forEach((size, i) => {
    if (size.definition) drawn[i] = size.definition(lookup);
  });
}

/** `sizes` with the derived ones recomputed. */
export function withDerivedSizes(plan: DomainPlan, sizes: readonly number[]): readonly number[] {
  const defined = [...sizes];
  define(plan, defined);
  return defined;
}

/** Whether `sizes` satisfy every bound, divisibility, definition and precondition over sizes. */
export function sizesAllowed(plan: DomainPlan, sizes: readonly number[]): boolean {
  const lookup = (name: string): number => sizes[plan.sizes.findIndex((size) => size.name === name)] ?? NaN;
  const each = plan.sizes.every((size, i) => {
    const value = sizes[i] ?? NaN;
    const inside =
      Number.isSafeInteger(value) && value >= size.minimum && value <= size.maximum && value % size.multipleOf === 0;
    return inside && (size.definition === null || size.definition(lookup) === value);
  });
  return each && plan.sizePreconditions.every((holds) => holds(lookup) === 1) && shapesAt(plan, sizes) !== null;
}

/** Whether a single case of these sizes may be made at all. */
export function affordable(plan: DomainPlan, sizes: readonly number[]): boolean {
  return fits(plan, sizes, largestBudget);
}

/** Whether sizes are small enough to be run many times. */
export function isOrdinary(plan: DomainPlan, sizes: readonly number[]): boolean {
  return fits(plan, sizes, ordinaryBudget);
}

function fits(plan: DomainPlan, sizes: readonly number[], budget: SizeBudget): boolean {
  const shapes = shapesAt(plan, sizes);
  if (!shapes) return true;
  const elements = shapes.reduce((total, shape) => total + elementsOf(shape), 0);
  const drawn = sizes.filter((_, i) => plan.sizes[i]?.definition === null);
  return elements <= budget.elements && elementsOf(drawn) <= Math.max(budget.work, elements);
}

/** Halves the largest drawn size until the budget holds; false when even the smallest sizes do not fit. */
function shrinkToFit(plan: DomainPlan, sizes: number[], budget: SizeBudget): boolean {
  while (!fits(plan, sizes, budget)) {
    let largest = -1;
    plan.sizes.forEach((size, i) => {
      const reducible = size.definition === null && (sizes[i] ?? 0) > snap(size, size.minimum);
      if (reducible && (largest < 0 || (sizes[i] ?? 0) > (sizes[largest] ?? 0))) largest = i;
    });
    const size = plan.sizes[largest];
    if (!size) return false;
    sizes[largest] = snap(size, Math.floor((sizes[largest] ?? 0) / 2));
    define(plan, sizes);
  }
  return true;
}

function logUniform(size: SizePlan, s: Xoshiro): number {
  const low = Math.max(1, size.minimum);
  const doublings = exponentOf(Math.max(1, size.maximum / low));
  const from = low * 2 ** uniformInteger(s, 0, doublings);
  return Math.floor(from * (1 + unitFloat(s)));
}

function drawSize(size: SizePlan, s: Xoshiro): number {
  const { minimum, maximum, multipleOf } = size;
  const power = 2 ** uniformInteger(s, 1, exponentOf(Math.max(2, Math.min(maximum, 2 ** 30))));
  const choices = [
    () => minimum,
    () => minimum + multipleOf,
    () => Math.max(minimum, 2),
    () => uniformInteger(s, minimum, Math.min(maximum, minimum + 8)),
    () => uniformInteger(s, minimum, Math.min(maximum, minimum + 32)),
    () => logUniform(size, s),
    () => logUniform(size, s),
    () => logUniform(size, s),
    () => power,
    () => power + 1,
    () => power - 1,
    () => (1 + (nextUint32(s) % 8)) * ([3, 4, 8, 16, 32, 100][nextUint32(s) % 6] ?? 4),
    () => uniformInteger(s, minimum, maximum),
    () => maximum,
  ];
  return snap(size, choices[nextUint32(s) % choices.length]?.() ?? minimum);
}

function drawAll(plan: DomainPlan, s: Xoshiro): number[] {
  const equal = nextUint32(s) % 8 === 0;
  const sizes: number[] = [];
  for (const size of plan.sizes) sizes.push(equal && sizes.length > 0 ? snap(size, sizes[0] ?? 0) : drawSize(size, s));
  define(plan, sizes);
  return sizes;
}

/** All drawn sizes at an end of their range, made to fit; null if that end breaks a rule. */
export function extremeSizes(plan: DomainPlan, end: 'minimum' | 'maximum'): readonly number[] | null {
  const sizes = plan.sizes.map((size) => snap(size, size[end]));
  define(plan, sizes);
  return shrinkToFit(plan, sizes, largestBudget) && sizesAllowed(plan, sizes) ? sizes : null;
}

/** Draws sizes until they are allowed. A rule that few sizes satisfy is met by the fallback. */
export function drawSizes(plan: DomainPlan, s: Xoshiro, fallback: readonly number[]): readonly number[] {
  for (let tries = 0; tries < 64; tries++) {
    const sizes = drawAll(plan, s);
    if (shrinkToFit(plan, sizes, ordinaryBudget) && sizesAllowed(plan, sizes)) return sizes;
  }
  return fallback;
}

/** How many combinations of small sizes are tried before a domain is said to have none. */
const SEARCH_LIMIT = 20000;

/** The first allowed sizes in the order of their odometer, smallest last axis first. */
export function smallestSizes(plan: DomainPlan): Result<readonly number[], string> {
  const sizes = plan.sizes.map((size) => snap(size, size.minimum));
  const drawn = plan.sizes.flatMap((size, i) => (size.definition === null ? [i] : []));
  const span = Math.max(2, Math.floor(SEARCH_LIMIT ** (1 / Math.max(1, drawn.length))));
  for (let step = 0; step < SEARCH_LIMIT; step++) {
    let rest = step;
    for (const i of drawn) {
      const size = plan.sizes[i];
      if (size) sizes[i] = snap(size, size.minimum) + (rest % span) * size.multipleOf;
      rest = Math.floor(rest / span);
    }
    if (rest > 0) break;
    define(plan, sizes);
    if (sizesAllowed(plan, sizes)) return fits(plan, sizes, largestBudget) ? ok(sizes) : err(tooLarge(plan, sizes));
  }
  return err(
    `no sizes satisfy the domain: tried the smallest values of ${plan.sizes.map((size) => size.name).join(', ')}`,
  );
}

function tooLarge(plan: DomainPlan, sizes: readonly number[]): string {
  const elements = (shapesAt(plan, sizes) ?? []).reduce((total, shape) => total + elementsOf(shape), 0);
  const named = plan.sizes.map((size, i) => `${size.name} = ${sizes[i] ?? '?'}`).join(', ');
  return `the smallest inputs are too large to test: ${elements} numbers at ${named} (at most ${largestBudget.elements} numbers and ${largestBudget.work} index combinations)`;
}
