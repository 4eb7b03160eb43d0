/**
 * Inputs that no kernel receives: claims about the mathematics are about all reals and integers, not only about those that are
 * a float32 or have 32 bits.
 *
 * These cases are few and come after the ordinary ones. A claim that they break is false. Cases that no number of digits
 * decides are counted, and the verdict is that of the ordinary cases.
 */
import type { AppliedEquation, Goal } from '../contract/goal.ts';
import type { CompiledGoal } from '../math/compile/compiled.ts';
import { goesBeyondKernels, unlimited } from '../math/domain.ts';
import { emptyOutcome } from '../runtime/check-case.ts';
import { runFalsify } from './falsify.ts';
import type { PropertyOutcome } from './runs/outcome.ts';
import { runProperty } from './property.ts';
import { realExecutor } from './reals.ts';

/** Enough to include every kind of filling. */
const CASES = 50;
/** Runs in arbitrary precision that finding a smaller counterexample may cost. */
export const SHRINK_RUNS = 200;

/** A goal over the reals, and its mathematics. */
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

/** Whether no kernel runs, so that the claim is about all reals and integers. */
export function isAboutMathematics({ overReals, applications, statistical }: Goal): boolean {
  return overReals !== null || (applications.length === 0 && statistical === null);
}

/**
 * `outcome`, from the ordinary cases, or that of the cases beyond them if one breaks the claim. A claim decided in float64 must
 * also be broken in float64, since it is about IEEE arithmetic. Explicit inputs get no further cases.
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
  // If the domain begins beyond the numbers of kernels, these are the only cases.
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
