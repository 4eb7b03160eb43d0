/**
 * Checks of claims over the reals: the claim on its own equations, and on mutants of them. No kernel runs.
 */
import { invariant } from '../base/invariant.ts';
import type { AppliedEquation, Goal } from '../contract/goal.ts';
import type { MutantOutcome } from '../evidence/receipt.ts';
import type { Case, CompiledGoal } from '../math/compile/compiled.ts';
import { loadGoal } from '../math/compile/load.ts';
import { unlimited } from '../math/domain.ts';
import { mutateEquation } from '../math/mutate.ts';
import { SHRINK_RUNS, withCasesBeyond } from '../methods/beyond.ts';
import { runFalsify } from '../methods/falsify.ts';
import type { PropertyOutcome } from '../methods/runs/outcome.ts';
import { runProperty } from '../methods/property.ts';
import { realExecutor, type RealRequest } from '../methods/reals.ts';
import { planDomain } from '../runtime/generate/domain-plan.ts';
import { allInputs } from '../methods/steering/box.ts';
import { allTriedText } from './all-tried.ts';
import type { Check, Work } from './check.ts';
import { fromOutcome, nothing, type Found } from './found.ts';
import { openCasesText } from './open-cases.ts';
import { steeredInputs } from './steered-inputs.ts';

/** Mutants per equation; each is evaluated in arbitrary precision. */
const MUTANTS = 24;
/** Cases that share their sizes: they are few, and no compiled kernel gains from keeping one size. */
const BLOCK = 2;

/** Inputs of a domain of which all are tried where no drawn one meets a premise. */
const mostInputs = 2 ** 12;

interface Stage {
  readonly check: Check;
  readonly goal: Goal;
  readonly compiled: CompiledGoal;
  readonly expired: () => boolean;
}

/** A check of `goal`, which is over the reals: its own (`reals`), or of what it catches (`adequacy`). */
export async function runOverReals(
  check: Check,
  { goal }: Extract<Work, { kind: 'reals' }>,
  expired: () => boolean,
): Promise<Found> {
  const equations = goal.overReals?.equations;
  invariant(equations, 'only claims over the reals are run over the reals');
  const stage: Stage = { check, goal, compiled: await loadGoal(goal), expired };
  if (check.method === 'adequacy') return runMutants(stage, equations);
  if (goal.source === 'statement') return fromOutcome(await runStatement(stage, equations));
  return fromOutcome(await runOn(stage, equations, SHRINK_RUNS));
}

/** One case that digits cannot decide keeps a statement from holding, and the other cases may still show that it is false. */
async function runStatement(stage: Stage, equations: readonly AppliedEquation[]): Promise<PropertyOutcome> {
  let open = 0;
  let reason = '';
  const outcome = await runOn(stage, equations, SHRINK_RUNS, (why) => {
    open++;
    reason ||= why;
  });
  if (outcome.verdict !== 'tested' || open === 0) return outcome;
  return { ...outcome, verdict: 'undetermined', reason: openCasesText({ open, cases: outcome.cases, why: reason }) };
}

async function runOn(
  { check, goal, compiled, expired }: Stage,
  equations: readonly AppliedEquation[],
  shrinkBudget: number | null,
  onOpen?: RealRequest['onOpen'],
): Promise<PropertyOutcome> {
  const request = {
    goal: isGivenBeyond(goal) ? { ...goal, domain: unlimited(goal.domain) } : goal,
    compiled,
    kernels: new Map(),
    toCall: () => ({ arguments: [], shapes: [], outputShape: [] }),
    executor: realExecutor({ goal, compiled, equations, ...(onOpen ? { onOpen } : {}) }),
    seed: check.seed,
    blockSize: BLOCK,
    expired,
    shrinkBudget,
  };
  const outcome = await (goal.source === 'falsification'
    ? runFalsify(request)
    : runProperty({ ...request, cases: check.cases, steered: steeredOf(check, goal, equations) }));
  const all = outcome.verdict === 'vacuous' && outcome.cases > 0 ? wholeDomain(goal) : null;
  if (all) {
    const tried = await runProperty({ ...request, cases: 1, steered: all });
    return tried.verdict === 'vacuous' ? { ...tried, reason: allTriedText(all.length) } : tried;
  }
  return withCasesBeyond(outcome, { ...request, equations });
}

/** All inputs of the goal, if they are few whole numbers. */
function wholeDomain({ domain }: Goal): readonly Case[] | null {
  const plan = planDomain(domain);
  return plan.ok ? allInputs(plan.value, mostInputs) : null;
}

function steeredOf({ seed }: Check, goal: Goal, equations: readonly AppliedEquation[]): readonly Case[] {
  return steeredInputs(goal, new Map(equations.map(({ name, model }) => [name, model])), seed, 'decimal');
}

/** Whether explicit inputs are beyond the numbers of kernels. */
function isGivenBeyond({ given }: Goal): boolean {
  const numbers = (given ?? []).flatMap(({ values }) => values.flat());
  return numbers.some((value) => typeof value === 'number' && Math.abs(value) > 2 ** 31);
}

/** Every equation in turn is replaced by mutants of it. */
async function runMutants(stage: Stage, equations: readonly AppliedEquation[]): Promise<Found> {
  const { check, goal, expired } = stage;
  const mutants: MutantOutcome[] = [];
  for (const { name, model } of equations) {
    for (const mutant of mutateEquation(model, { limit: MUTANTS })) {
      const wrong = equations.map((one) => (one.name === name ? { name, model: mutant.model } : one));
      const { verdict } = await runOn(stage, wrong, null);
      if (expired()) return foundMutants(check, mutants, true);
      const killedBy = verdict === 'falsified' ? [goal.id] : [];
      const none = { equivalent: null, separatingInput: null, separatingOutputs: null };
      mutants.push({ mutant: mutant.id, killedBy, killedByOrdinary: killedBy, ...none });
    }
  }
  return foundMutants(check, mutants, false);
}

function foundMutants({ cases }: Check, mutants: readonly MutantOutcome[], stopped: boolean): Found {
  const outcome = stopped
    ? ({ verdict: 'incomplete', reason: `the time budget ended after ${mutants.length} wrong equations` } as const)
    : ({ verdict: 'tested', reason: null } as const);
  return { ...nothing, ...outcome, declaredCases: cases, cases: mutants.length * cases, mutants };
}
