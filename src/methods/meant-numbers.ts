/**
 * What drawn numbers mean over the reals. A domain says 0.1, and what is drawn is the float32 nearest to it: at that number
 * `x = 0.1 ⟹ 10·x = 1` is false, and at the one that is meant it is true.
 */
import type { GivenCase, Goal } from '../contract/goal.ts';
import type { Bound, Domain, InputVariable } from '../math/domain.ts';
import { decimal } from '../math/term/build.ts';
import type { Term } from '../math/term/term.ts';
import { freeVariables } from '../math/term/traverse.ts';
import type { BoundPlan, DomainPlan, VariablePlan } from '../runtime/generate/domain-plan.ts';
import { closedLower, closedUpper } from '../runtime/generate/element-range.ts';

/** The drawn number, or the term that it means. */
export type Meant = (drawn: number) => number | Term;

interface Written {
  readonly drawn: number;
  readonly term: Term;
}

/** What the numbers of each input mean; `given` are inputs as an author writes them. Null if all are what is drawn. */
export function meantIn(
  { variables }: Domain,
  plan: DomainPlan | null,
  given: readonly GivenCase[] = [],
): readonly (Meant | null)[] {
  return variables.map((input, i) => {
    const planned = plan?.variables[i];
    if (!planned) return null;
    const written = [...roundedIn(given, i, planned.format.round), ...writtenIn(input, planned)];
    return written.length === 0 ? null : meantBy(written);
  });
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

/** The numbers that the domain writes for an input, and what is drawn for them. */
function writtenIn(input: InputVariable, plan: VariablePlan): readonly Written[] {
  const { choices, element } = input;
  // What is computed from other inputs is rounded, and then no other number is meant.
  const isComputed = choices?.some((term) => freeVariables(term).size > 0) === true;
  if (isComputed || element.kind === 'string' || element.kind === 'boolean') return [];
  if (choices)
    return choices.flatMap((term, i) => exceptSame(term, plan.format.round(plan.choices?.[i]?.(noName) ?? NaN)));
  // A float32 that a range of float32 numbers holds is not its end, unless it is the end itself.
  if (!input.real) return [];
  return [...endOf(input.lower, plan.lower, plan, closedLower), ...endOf(input.upper, plan.upper, plan, closedUpper)];
}

/** A closed end of a range, if it is the same in every case. */
function endOf(
  bound: Bound | null,
  planned: BoundPlan | null,
  { format }: VariablePlan,
  nearest: typeof closedLower,
): readonly Written[] {
  if (!bound || !planned || bound.open || freeVariables(bound.value).size > 0) return [];
  return exceptSame(bound.value, nearest(format, false, planned.value(noName)));
}

const noName = (): number => NaN;

/** Nothing for a whole number, which is drawn as it is. */
const exceptSame = (term: Term, drawn: number): readonly Written[] =>
  term.kind === 'number' && Number.isSafeInteger(drawn) && Number(term.value) === drawn ? [] : [{ term, drawn }];
