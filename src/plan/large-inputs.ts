/**
 * The large sizes at which a goal is judged: those of the equations that it runs, as far as judging one input there takes seconds at most.
 */
import type { EquationModel, Goal } from '../contract/goal.ts';
import { countOperations } from '../math/cost/count-operations.ts';
import { evaluate } from '../math/cost/size-polynomial.ts';
import type { Domain, SizeVariable } from '../math/domain.ts';
import type { Term } from '../math/term/term.ts';
import { shapeOf } from '../math/term/types.ts';
import type { LargeSizes } from '../methods/large.ts';
import { streamAt, streamKey, unitDouble } from '../numeric/xoshiro.ts';
import { scalarFunction } from '../runtime/generate/scalar-function.ts';
import type { WorkSubject } from './check.ts';

/** Operations on real numbers for one input, of the claim and of the equations that it runs. */
const MOST_OPERATIONS = 2 ** 28;

type Lookup = (name: string) => number;

/** Operations of `term` at these sizes, as far as they can be counted. */
function operationsOf(term: Term, sizes: readonly string[], lookup: Lookup): number {
  const { counts, atoms } = countOperations(term, sizes);
  const valueOf: Lookup = (name) => {
    const atom = atoms.get(name);
    return atom ? scalarFunction(atom)(lookup) : lookup(name);
  };
  // A loop whose end only a run knows, such as that of a recurrence over an input, counts as nothing.
  return [...counts.values()].reduce((sum, polynomial) => sum + (evaluate(polynomial, valueOf) || 0), 0);
}

/** Sizes by name, and the largest values of scalar inputs, which bound sums as well. */
function lookupIn({ sizes, variables }: Domain, values: readonly number[]): Lookup {
  const lookup: Lookup = (name) => {
    const at = sizes.findIndex((size) => size.name === name);
    if (at >= 0) return values[at] ?? NaN;
    const upper = variables.find((variable) => variable.name === name)?.upper;
    return upper ? scalarFunction(upper.value)(lookup) : Infinity;
  };
  return lookup;
}

/** What judging one input at `entry` takes; the other sizes are at their largest. */
function costOf({ domain, applications, predicate }: Goal, models: Models, entry: LargeSizes): number {
  const names = domain.sizes.map(({ name }) => name);
  const values: number[] = [];
  const lookup = lookupIn(domain, values);
  for (const { name, maximum, definition } of domain.sizes)
    values.push(entry[name] ?? (definition ? scalarFunction(definition)(lookup) : maximum));
  let sum = operationsOf(predicate, names, lookup);
  for (const { equation, arguments: given, sizes, each } of applications) {
    const model = models.get(equation);
    if (!model || each) return Infinity;
    for (const argument of given) sum += operationsOf(argument, names, lookup);
    const own = lookupIn(
      model.domain,
      sizes.map((size) => scalarFunction(size)(lookup)),
    );
    sum += operationsOf(model.body, model.sizes, own);
    // Whole numbers take no operations on reals, and are written and read all the same.
    sum += 2 * shapeOf(model.result).reduce((elements, axis) => elements * scalarFunction(axis)(own), 1);
  }
  return sum;
}

type Models = ReadonlyMap<string, EquationModel>;

/** The entries of the goal's equations whose sizes the goal draws from the same ranges, and that it can afford. */
export function largeSizesOf(goal: Goal, subjects: readonly WorkSubject[]): readonly LargeSizes[] {
  const { domain, applications, source, statistical, overReals } = goal;
  if (source !== 'obligation' || statistical !== null || overReals !== null) return [];
  const models = new Map(subjects.map(({ equation, model }) => [equation, model]));
  const entries = applications.flatMap(({ equation }) => {
    const model = models.get(equation);
    return (model?.large ?? []).filter((entry) =>
      Object.keys(entry).every((name) => hasSameRange(name, domain, model?.domain)),
    );
  });
  const distinct = new Map(entries.map((entry) => [JSON.stringify(entry), entry]));
  return withinCost(goal, subjects, [...distinct.values()], MOST_OPERATIONS);
}

/**
 * Sizes for a kernel that may know the entries: two for each, between what the domain draws and what the entry names. One is of any
 * magnitude, one near the entry's, and all are odd multiples, since entries are powers of two more often than not.
 */
export function secretLargeSizes(
  goal: Goal,
  subjects: readonly WorkSubject[],
  { entries, seed }: { readonly entries: readonly LargeSizes[]; readonly seed: number },
): readonly LargeSizes[] {
  const key = streamKey(seed, `${goal.id}/secret large sizes`);
  const drawn = entries.flatMap((entry, row) =>
    [0, 1].map((which) => {
      const s = streamAt(key, 2 * row + which);
      const share = which === 0 ? unitDouble(s) : 1 - unitDouble(s) / 8;
      return Object.fromEntries(
        Object.entries(entry).map(([name, value]) => [name, sizeBetween(name, value, goal.domain, share)]),
      );
    }),
  );
  return withinCost(goal, subjects, drawn, MOST_OPERATIONS / 4);
}

/** A size of the magnitude that is `share` of the way to `value`; `value` itself if the domain draws sizes up to it. */
function sizeBetween(name: string, value: number, domain: Domain, share: number): number {
  const size = domain.sizes.find((one) => one.name === name);
  if (!size || value <= size.maximum) return value;
  const { maximum, multipleOf } = size;
  const multiples = Math.floor((maximum * (value / maximum) ** share) / multipleOf);
  const odd = (multiples - ((multiples + 1) % 2)) * multipleOf;
  return odd > maximum ? odd : value;
}

/** Those of `entries` at which one input takes at most `most` operations. */
export function withinCost(
  goal: Goal,
  subjects: readonly WorkSubject[],
  entries: readonly LargeSizes[],
  most: number,
): readonly LargeSizes[] {
  const models = new Map(subjects.map(({ equation, model }) => [equation, model]));
  return entries.filter((entry) => costOf(goal, models, entry) <= most);
}

/** A claim may be about one size alone. */
function hasSameRange(name: string, domain: Domain, other: Domain | undefined): boolean {
  const [a, b] = [domain, other].map((one) => one?.sizes.find((size) => size.name === name));
  return a !== undefined && b !== undefined && a.definition === null && rangeOf(a) === rangeOf(b);
}

const rangeOf = ({ minimum, maximum, multipleOf }: SizeVariable): string => [minimum, maximum, multipleOf].join();
