/**
 * Inputs that no kernel receives: claims about the mathematics are about all real and all whole numbers, and not only about
 * those that are a float32 or have 32 bits.
 *
 * These cases are few, and come after the ordinary ones. What they break is false. What digits cannot decide of them is
 * counted, and leaves the verdict to the ordinary cases.
 */
import type { AppliedEquation, Goal } from '../contract/goal.ts';
import type { CompiledGoal } from '../math/compile/compiled.ts';
import { goesBeyondKernels, unlimited } from '../math/domain.ts';
import { emptyOutcome } from '../runtime/check-case.ts';
import { runFalsify } from './falsify.ts';
import type { PropertyOutcome } from './outcome.ts';
import { runProperty } from './property.ts';
import { realExecutor } from './reals.ts';

/** Enough to meet every kind of filling. */
const CASES = 50;
/** Runs in arbitrary precision that finding a smaller counterexample may cost. */
export const SHRINK_RUNS = 200;

export interface BeyondRequest {
  readonly goal: Goal;
  readonly compiled: CompiledGoal;
  /** In place of those of a goal over the reals. */
  readonly equations?: readonly AppliedEquation[];
  readonly seed: number;
  readonly expired: () => boolean;
  readonly shrinkBudget?: number | null;
  readonly blockSize?: number;
}

/** Whether no kernel runs, so that the claim is about real and whole numbers wherever it says so. */
export function isAboutMathematics({ overReals, applications, statistical }: Goal): boolean {
  return overReals !== null || (applications.length === 0 && statistical === null);
}

/**
 * `outcome`, which ordinary cases gave, or that of the cases beyond them where one breaks the claim. A claim that doubles
 * decide has to be broken in doubles as well: IEEE arithmetic is what it is about. Explicit inputs are all that there are.
 */
export async function withCasesBeyond(outcome: PropertyOutcome, request: BeyondRequest): Promise<PropertyOutcome> {
  const { compiled, equations, shrinkBudget = SHRINK_RUNS } = request;
  const { source, given, domain, overReals } = request.goal;
  if (outcome.verdict === 'falsified' || given || !isAboutMathematics(request.goal) || !goesBeyondKernels(domain))
    return outcome;
  const goal = { ...request.goal, domain: unlimited(domain) };
  const executor = realExecutor({
    goal,
    compiled,
    equations: equations ?? overReals?.equations ?? [],
    ...(overReals ? {} : { confirm: ({ sizes, values }) => !compiled.check(sizes, values, [], emptyOutcome().report) }),
  });
  const noCalls = { kernels: new Map(), toCall: () => ({ arguments: [], shapes: [], outputShape: [] }) };
  const asked = { ...request, ...noCalls, goal, executor, shrinkBudget };
  // Of a domain that begins beyond the numbers of kernels these are all cases.
  const isAll = outcome.verdict === 'vacuous' && outcome.cases === 0;
  const cases = isAll ? outcome.declaredCases : CASES;
  const beyond =
    source === 'falsification' ? await runFalsify({ ...asked, limit: CASES }) : await runProperty({ ...asked, cases });
  if (beyond.verdict === 'falsified' || isAll) return beyond;
  const equalTo = Math.min(outcome.equalTo ?? Infinity, beyond.equalTo ?? Infinity);
  return {
    ...outcome,
    ...(Number.isFinite(equalTo) ? { equalTo } : {}),
    beyond: { cases: beyond.cases, open: beyond.open },
  };
}
