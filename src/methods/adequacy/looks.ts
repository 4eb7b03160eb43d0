/**
 * Tries the claims on one wrong kernel: on the first cases, and on all if none of them catches it there.
 */
import type { OpenKernel } from '../../backends/backend.ts';
import type { Type } from '../../math/term/term.ts';
import type { TestableGoal } from '../../runtime/testable-goal.ts';
import { withEqualShapes } from './equal-sizes.ts';
import type { CalledAs, RecordedCase } from '../runs/recorded-cases.ts';
import type { Callable } from './separate.ts';
import { tryGoal, type Ordinary, type TrialGoal, type TrialOutcome, type TrialRequest } from './trial.ts';

/** What every trial of one equation's wrong kernels shares. */
export interface LookRequest {
  /** The equation whose kernel is wrong. */
  readonly equation: string;
  readonly goals: readonly TrialGoal[];
  /** The kernels of the other equations that the goals run. */
  readonly others: ReadonlyMap<string, OpenKernel>;
  readonly seed: number;
  /** Cases per goal and wrong kernel. */
  readonly cases: number;
  readonly expired?: () => boolean;
}

/** The large inputs of a goal with what the correct kernels do on them; null if it has none, or a correct kernel fails there. */
export type LargeOf = (one: TrialGoal) => Promise<readonly RecordedCase[] | null>;

/** A wrong kernel, open. */
export interface OpenMutant extends Callable {
  /** Whether it takes its arguments as the bound kernel does or as the equation does (all parameters, then all sizes). */
  readonly calledAs: CalledAs;
  /** Two parameters of the equation (by position) that it exchanges if their shapes are equal; else null. */
  readonly exchanges: readonly [number, number] | null;
}

/** The outcome of one wrong kernel on the first cases, or on all. */
export interface Looks {
  readonly cases: number;
  /** By goal. */
  readonly outcomes: ReadonlyMap<string, TrialOutcome>;
}

/** The number of first cases for a wrong kernel: special values come first, and most mistakes show on them. */
export const firstCases = 100;

/** The trial of one wrong kernel in place of the correct one. */
export function trialOf(request: LookRequest, { kernel, toCall, calledAs }: OpenMutant): TrialRequest {
  const { equation, seed, cases, expired } = request;
  const kernels = new Map(request.others).set(equation, kernel);
  return { equation, kernels, toCall, calledAs, seed, cases, ...(expired ? { expired } : {}) };
}

/** The goals with one of these outcomes. */
export function goalsWith({ outcomes }: Looks, ...wanted: readonly TrialOutcome[]): readonly string[] {
  return [...outcomes].filter(([, outcome]) => wanted.includes(outcome)).map(([goal]) => goal);
}

/** Tries the first cases, all if no goal catches it there, and then the large inputs. */
export async function looksAt(
  request: LookRequest & { readonly largeOf: LargeOf },
  mutant: OpenMutant,
  ordinary: Ordinary,
): Promise<Looks> {
  const cases = Math.min(firstCases, request.cases);
  const first = await look({ ...request, cases }, mutant, ordinary, { cases: 0, outcomes: new Map() });
  if (isCaught(first)) return first;
  const all = await look(request, mutant, ordinary, first);
  return isCaught(all) || goalsWith(all, 'broke').length > 0 ? all : lookLarge(request, mutant, ordinary, all);
}

const isCaught = (looks: Looks): boolean => goalsWith(looks, 'caught', 'caught by an extreme').length > 0;

/** Tries the large inputs, up to the first goal that catches the wrong kernel there. */
async function lookLarge(
  request: LookRequest & { readonly largeOf: LargeOf },
  mutant: OpenMutant,
  ordinary: Ordinary,
  before: Looks,
): Promise<Looks> {
  const trial = { ...trialOf(request, mutant), cases: Infinity };
  for (const one of request.goals) {
    const recorded = await request.largeOf(one);
    const outcome = recorded === null ? 'held' : await tryGoal({ ...one, recorded }, trial, ordinary);
    if (outcome === 'caught' || outcome === 'caught by an extreme')
      return { ...before, outcomes: new Map(before.outcomes).set(one.goal.id, outcome) };
  }
  return before;
}

async function look(request: LookRequest, mutant: OpenMutant, ordinary: Ordinary, before: Looks): Promise<Looks> {
  const trial = trialOf(request, mutant);
  const attempt = (one: TrialGoal, held = 0): Promise<TrialOutcome> => tryGoal(one, { ...trial, held }, ordinary);
  const outcomes = new Map<string, TrialOutcome>();
  for (const one of request.goals) {
    const narrowed = mutant.exchanges && exchangeable(one, request.equation, mutant.exchanges);
    const first = narrowed && (await attempt(narrowed));
    // If sizes are derived from others, the restricted inputs may be few: a goal that holds on them is tried on all.
    const onAll = first === null || first === 'undetermined' || first === 'held';
    outcomes.set(one.goal.id, onAll ? await lookOn(one, before, attempt) : first);
  }
  return { cases: request.cases, outcomes };
}

/** A result on recorded cases remains valid with more cases; if the goal held, only the others are tried. */
function lookOn(
  one: TrialGoal,
  before: Looks,
  attempt: (one: TrialGoal, held?: number) => Promise<TrialOutcome>,
): Promise<TrialOutcome> {
  const outcome = one.recorded ? before.outcomes.get(one.goal.id) : undefined;
  if (outcome === undefined) return attempt(one);
  return outcome === 'held' ? attempt(one, before.cases) : Promise.resolve(outcome);
}

/** Random sizes are hardly ever equal: the goal on inputs for which an exchange of two parameters is possible. */
function exchangeable(one: TrialGoal, equation: string, [i, j]: readonly [number, number]): TrialGoal | null {
  const application = one.goal.applications.find((candidate) => candidate.equation === equation);
  const domain =
    application && narrowedTo(one.goal.domain, application.arguments[i]?.type, application.arguments[j]?.type);
  return domain ? { ...one, goal: { ...one.goal, domain }, recorded: null } : null;
}

/** `domain` restricted so that tensors of these types can be confused; null if nothing is gained. */
export function narrowedTo(
  domain: TestableGoal['domain'],
  a: Type | undefined,
  b: Type | undefined,
): typeof domain | null {
  if (a?.kind !== 'tensor' || b?.kind !== 'tensor') return null;
  const narrowed = withEqualShapes(domain, a.shape, b.shape);
  return narrowed === domain ? null : narrowed;
}
