/** Scalar inputs and sizes of a case by name, which a search may set one after another, and the case that has them. */
import type { Case, CaseValue } from '../../math/compile/compiled.ts';
import type { VariablePlan } from '../../runtime/generate/domain-plan.ts';
import { rangeSource, settle, type ElementRange } from '../../runtime/generate/element-range.ts';
import type { CaseGenerator } from '../../runtime/generate/generator.ts';
import { isOrdinary, sizesAllowed, withDerivedSizes } from '../../runtime/generate/sizes.ts';
import { valueAt, type Lookup } from './invert.ts';
import type { Comparison } from './clauses.ts';

/** What a search sets. */
export interface Point {
  readonly values: Map<string, number>;
  readonly lookup: Lookup;
}

/** Sets one input of a point to the value of its domain nearest to a number; false if there is no such value. */
type Assign = (point: Point, name: string, x: number) => boolean;

/** A copy, to be changed alone. */
export function copyOf({ values }: Point): Point {
  return pointOf(new Map(values));
}

function pointOf(values: Map<string, number>): Point {
  return { values, lookup: (name) => values.get(name) ?? Number.NaN };
}

/** What a search needs of a domain. */
export interface Places {
  /** Names that can be set. */
  readonly names: readonly string[];
  readonly pointAt: (candidate: Case) => Point;
  readonly assign: Assign;
  /** The numbers next to `x` that the input can have; null of an input that cannot be set. */
  readonly neighbours: (name: string, x: number) => readonly number[];
  readonly isWhole: (name: string) => boolean;
  /** The drawn case with the values of the point, at other sizes with newly drawn tensors; null if the sizes are not allowed. */
  readonly caseOf: (point: Point, drawn: Case, index: number) => Case | null;
}

const isSettable = ({ storage, structure }: VariablePlan): boolean => storage === 'number' && structure === 'none';

/** The scalar inputs and sizes of the generator's domain. */
export function placesOf(generator: CaseGenerator): Places {
  const { plan } = generator;
  const variables = new Map(
    plan.variables.flatMap((variable, at) =>
      isSettable(variable) ? [[variable.name, { variable, at, range: rangeSource(variable) }]] : [],
    ),
  );
  const sizes = new Set(plan.sizes.flatMap(({ name, definition }) => (definition === null ? [name] : [])));
  const assign: Assign = ({ values, lookup }, name, x) => {
    if (!Number.isFinite(x)) return false;
    if (sizes.has(name)) return Number.isSafeInteger(x) && values.set(name, x).size > 0;
    const found = variables.get(name);
    const nearest = found && nearestTo(found.variable, found.range(lookup), x, lookup);
    return nearest !== undefined && nearest !== null && values.set(name, nearest).size > 0;
  };
  const caseOf = (point: Point, drawn: Case, index: number): Case | null => {
    const wanted = withDerivedSizes(
      plan,
      plan.sizes.map(({ name }) => point.lookup(name)),
    );
    if (!sizesAllowed(plan, wanted) || !isOrdinary(plan, wanted)) return null;
    const isSame = wanted.join() === drawn.sizes.join();
    const buffer = generator.allocate(wanted);
    if (!isSame && !generator.fill(index, buffer)) return null;
    const fresh = isSame ? drawn : buffer;
    const values = fresh.values.map((value, at): CaseValue => {
      const { name } = plan.variables[at] ?? { name: '' };
      return variables.has(name) ? point.lookup(name) : value;
    });
    return { sizes: wanted, values };
  };
  return {
    names: [...sizes, ...variables.keys()],
    pointAt: (candidate) =>
      pointOf(
        new Map([
          ...plan.sizes.map(({ name }, i) => [name, candidate.sizes[i] ?? Number.NaN] as const),
          ...[...variables].map(([name, { at }]) => [name, Number(candidate.values[at])] as const),
        ]),
      ),
    assign,
    isWhole: (name) => sizes.has(name) || variables.get(name)?.variable.integer === true,
    neighbours: (name, x) => {
      const { integer, format } = variables.get(name)?.variable ?? { integer: true, format: null };
      return integer || !format ? [x - 1, x + 1] : [format.nextDown(format.round(x)), format.nextUp(format.round(x))];
    },
    caseOf,
  };
}

function nearestTo(
  { choices, format }: VariablePlan,
  range: ElementRange | null,
  x: number,
  lookup: Lookup,
): number | null {
  if (!choices) return range && settle(range, x);
  return choices.map((choice) => format.round(choice(lookup))).find((one) => one === format.round(x)) ?? null;
}

/** Rounding in float64 that an equality may show. */
const negligible = 4 * Number.EPSILON;

/** The left side minus the right one at the point, 0 if rounding in float64 may be all of it. */
export function differenceAt({ left, right }: Comparison, { lookup }: Point): number {
  const [a, b] = [valueAt(left, lookup), valueAt(right, lookup)];
  return Math.abs(a - b) <= negligible * Math.max(Math.abs(a), Math.abs(b)) ? 0 : a - b;
}

/** Whether the comparison holds at the point, in float64. */
export function holdsAt(comparison: Comparison, point: Point): boolean {
  const difference = differenceAt(comparison, point);
  switch (comparison.fn) {
    case 'less':
      return difference < 0;
    case 'less-equal':
      return difference <= 0;
    case 'greater':
      return difference > 0;
    case 'greater-equal':
      return difference >= 0;
    case 'not-equal':
      return difference !== 0;
    default:
      return difference === 0;
  }
}
