import * as fc from 'fast-check';
import type { RecordedInput } from '../evidence/receipt.ts';
import { mathematics } from '../math/compile/support.ts';
import type { Case, CompiledGoal } from '../math/compile/compiled.ts';
import { applyKernels } from './apply-kernels.ts';
import { caseArbitrary } from './case-arbitrary.ts';
import { parseInput } from './case-text.ts';
import {
  checkCaseAsync,
  emptyOutcome,
  MAXIMUM_FILTERED_SHARE,
  type CaseOutcome,
  type CaseStatus,
} from './check-case.ts';
import { failureText } from './failure-text.ts';
import { createGenerator, type CaseGenerator } from './generate/generator.ts';
import { violation } from './generate/membership.ts';
import type { GoalModule } from './goal-module.ts';
import { inOwnRealm } from './replaced-built-ins.ts';
import type { TestKernels } from './test-kernel.ts';
import type { TestableGoal } from './testable-goal.ts';

/** How a generated property test runs. */
export interface PropertyTestOptions {
  /** A 32-bit integer; printed with every failure. */
  readonly seed: number;
  /** The pv command that checks the same claim; printed with every failure. */
  readonly reproduce: string;
  /** Otherwise as many as the contract declares, and at most the environment's `PV_CASES`. */
  readonly cases?: number;
  /** fast-check's path of a failure, to run only that case. */
  readonly path?: string;
  /** Recorded inputs that are run first. */
  readonly replay?: readonly RecordedInput[];
}

interface TestRun {
  readonly goal: TestableGoal;
  readonly compiled: CompiledGoal;
  readonly generator: CaseGenerator;
  readonly outcome: CaseOutcome;
  readonly check: (candidate: Case) => Promise<CaseStatus>;
}

/** A goal on its kernels; throws when its domain has no inputs. */
export function prepareTest({ goal, create }: GoalModule, kernels: TestKernels, seed: number): TestRun {
  const generator = createGenerator(goal.domain, seed, goal.id);
  if (!generator.ok) throw new Error(`${goal.id} cannot be tested: ${generator.error}`);
  const compiled = create(mathematics);
  const apply = applyKernels(goal, kernels);
  const outcome = emptyOutcome();
  const check = (candidate: Case): Promise<CaseStatus> =>
    checkCaseAsync(compiled, (index, args, sizes) => apply(index, args, sizes, candidate.sizes), candidate, outcome);
  return { goal, compiled, generator: generator.value, outcome, check };
}

function examplesOf(run: TestRun, replay: readonly RecordedInput[]): [Case][] {
  return replay.flatMap((record): [Case][] => {
    const parsed = parseInput(run.goal.domain, record);
    return parsed.ok && violation(run.generator.plan, parsed.value) === null ? [[parsed.value]] : [];
  });
}

/** `PV_CASES`, for suites that want a quick look: `pv verify` runs every case that a contract declares. */
function mostCases(): number {
  const given = globalThis.process?.env['PV_CASES'];
  if (given === undefined || given === '') return Infinity;
  if (!/^[1-9]\d{0,8}$/.test(given))
    throw new Error(`PV_CASES is ${JSON.stringify(given)}; a whole number from 1 is expected`);
  return Number(given);
}

/** A claim without inputs is one case. */
function isGround({ domain }: TestableGoal): boolean {
  return domain.sizes.length + domain.variables.length === 0;
}

/** Why a run without a counterexample is still no evidence, or null. */
function doubt(details: fc.RunDetails<[Case]>, wanted: number, premiseHits: number): string | null {
  const { numRuns, numSkips, interrupted } = details;
  if (numSkips > MAXIMUM_FILTERED_SHARE * (numRuns + numSkips))
    return `${numSkips} of ${numRuns + numSkips} inputs broke a precondition, at most a fifth may`;
  if (interrupted || numRuns < wanted) return `only ${numRuns} of ${wanted} cases were run`;
  return premiseHits === 0 ? `no premise of an implication held in any of ${numRuns} cases` : null;
}

/**
 * Runs a claim on generated inputs: the generators, predicates and shrinking of pv under fast-check.
 *
 * Rejects with the smallest failing input, fast-check's seed and path and the pv command, or with the reason why the run says nothing.
 */
export function propertyTest(module: GoalModule, kernels: TestKernels, options: PropertyTestOptions): Promise<void> {
  return inOwnRealm(module.goal.id, () => runPropertyTest(module, kernels, options));
}

async function runPropertyTest(
  module: GoalModule,
  kernels: TestKernels,
  { seed, reproduce, cases = Math.min(module.goal.cases, mostCases()), path, replay = [] }: PropertyTestOptions,
): Promise<void> {
  const run = prepareTest(module, kernels, seed);
  let premiseHits = 0;
  const property = fc.asyncProperty(caseArbitrary(run.generator), async (candidate) => {
    const status = await run.check(candidate);
    fc.pre(status !== 'filtered');
    if (run.outcome.report.premise) premiseHits++;
    return status === 'held';
  });
  const examples = examplesOf(run, replay);
  const drawn = isGround(run.goal) ? 1 : cases;
  const replayed = path === undefined ? {} : { path, endOnFailure: true };
  const details = await fc.check(property, { seed, numRuns: drawn + examples.length, examples, ...replayed });
  const [counterexample] = details.counterexample ?? [];
  if (counterexample) {
    await run.check(counterexample);
    const repeat = [
      `after ${details.numRuns} cases and ${details.numShrinks} shrinks`,
      `fast-check: { seed: ${details.seed}, path: ${JSON.stringify(details.counterexamplePath)} }`,
      `reproduce: ${reproduce}`,
    ];
    throw new Error(failureText(run.goal, run.compiled, counterexample, run.outcome, repeat));
  }
  const why = doubt(details, path === undefined ? drawn : details.numRuns, premiseHits);
  if (why !== null) throw new Error(`${run.goal.id} was not tested: ${why} (seed ${seed})\n  reproduce: ${reproduce}`);
}
