/**
 * What drawn numbers stand for over the reals. A domain says 0.1, and what is drawn is the float32 nearest to it: at that number
 * `x = 0.1 ⟹ 10·x = 1` is false, and at the one that is meant it is true.
 */
import type { Case } from '../math/compile/compiled.ts';
import type { GivenCase, Goal } from '../contract/goal.ts';
import type { Bound, Domain, InputVariable } from '../math/domain.ts';
import { decimal } from '../math/term/build.ts';
import type { Term } from '../math/term/term.ts';
import { freeVariables } from '../math/term/traverse.ts';
import type { BoundPlan, DomainPlan, VariablePlan } from '../runtime/generate/domain-plan.ts';
import { closedLower, closedUpper } from '../runtime/generate/element-range.ts';

type Lookup = (name: string) => number;
/** The drawn number, or the term that it stands for. */
export type Meant = (drawn: number) => number | Term;

interface Written {
  readonly drawn: number;
  readonly term: Term;
}

/** For each input of a case, the numbers that its elements stand for; `given` are inputs as an author writes them. */
export function meantIn(
  { variables }: Domain,
  plan: DomainPlan | null,
  given: readonly GivenCase[] = [],
): (candidate: Case) => readonly Meant[] {
  const sources = variables.map((input, i) => {
    const planned = plan?.variables[i];
    const own = writtenIn(input, planned);
    const listed = planned ? roundedIn(given, i, planned.format.round) : [];
    return listed.length === 0 ? own : (lookup: Lookup) => [...listed, ...(own?.(lookup) ?? [])];
  });
  if (!plan || sources.every((source) => source === null)) return () => [];
  return ({ sizes, values }) => {
    const names = new Map([
      ...plan.sizes.map(({ name }, i) => [name, sizes[i] ?? NaN] as const),
      ...plan.variables.flatMap(({ name }, i) => {
        const value = values[i];
        return typeof value === 'number' ? [[name, value] as const] : [];
      }),
    ]);
    const lookup: Lookup = (name) => names.get(name) ?? NaN;
    return sources.map((source) => meantBy(source?.(lookup) ?? []));
  };
}

function meantBy(written: readonly Written[]): Meant {
  // Zero is exact, and has a sign that no term gives.
  return (drawn) => (drawn === 0 ? drawn : (written.find((one) => one.drawn === drawn)?.term ?? drawn));
}

/** Numbers that the format of an input does not have. */
function roundedIn(given: readonly GivenCase[], input: number, round: (x: number) => number): readonly Written[] {
  return numbersOf(given, input).flatMap((x) =>
    round(x) === x ? [] : [{ drawn: round(x), term: decimal(String(x)) }],
  );
}

function numbersOf(given: readonly GivenCase[], input: number): readonly number[] {
  return given.flatMap(({ values }) => [values[input] ?? []].flat()).filter((x) => typeof x === 'number');
}

/** An input of a record in the numbers that were rounded for it: those that the claim gives, and those that its domain lists. */
export function asWritten({ domain, given: all }: Pick<Goal, 'domain' | 'given'>, one: GivenCase): GivenCase {
  const values = one.values.map((value, i) => {
    const choices = domain.variables[i]?.choices ?? [];
    const listed = choices.flatMap((choice) => (choice.kind === 'number' ? Number(choice.value) : []));
    const written = [...numbersOf(all ?? [], i), ...listed];
    const of = (x: number): number => written.find((other) => other === x || Math.fround(other) === x) ?? x;
    return typeof value === 'string' ? value : typeof value === 'number' ? of(value) : value.map(of);
  });
  return { ...one, values };
}

/** The numbers that the domain writes for an input, and what is drawn for them; null if it writes none. */
function writtenIn(
  input: InputVariable,
  plan: VariablePlan | undefined,
): ((lookup: Lookup) => readonly Written[]) | null {
  if (!plan || input.element.kind === 'string' || input.element.kind === 'boolean') return null;
  const { choices } = input;
  if (choices)
    return (lookup) =>
      choices.map((term, i) => ({ term, drawn: plan.format.round(plan.choices?.[i]?.(lookup) ?? NaN) }));
  // A float32 that a range of float32 numbers holds is not its end, unless it is the end itself.
  if (!input.real) return null;
  const ends = [endOf(input.lower, plan.lower, plan, closedLower), endOf(input.upper, plan.upper, plan, closedUpper)];
  const known = ends.filter((end) => end !== null);
  return known.length === 0 ? null : () => known;
}

/** A closed end of a range, if it is the same in every case. */
function endOf(
  bound: Bound | null,
  planned: BoundPlan | null,
  { format }: VariablePlan,
  nearest: typeof closedLower,
): Written | null {
  if (!bound || !planned || bound.open || freeVariables(bound.value).size > 0) return null;
  return {
    term: bound.value,
    drawn: nearest(
      format,
      false,
      planned.value(() => NaN),
    ),
  };
}
