import { failureText } from './failure-text.ts';
import { falsificationInputs } from './falsification-inputs.ts';
import type { GoalModule } from './goal-module.ts';
import { prepareTest } from './property-test.ts';
import { inOwnRealm } from './replaced-built-ins.ts';
import { SHRINK_BUDGET, shrinkCase } from './shrink/shrink-case.ts';
import type { TestKernels } from './test-kernel.ts';

/** How a generated falsification test runs. */
export interface FalsificationTestOptions {
  /** Fills what edge cases leave open. */
  readonly seed: number;
  /** The pv command that checks the same claim; printed with every failure. */
  readonly reproduce: string;
}

/**
 * Runs a claim on its explicit inputs, or on the edge cases of its domain when it gives none.
 *
 * Rejects with the failing input (edge cases are shrunk first), or with the reason why no input was run.
 */
export function falsificationTest(
  module: GoalModule,
  kernels: TestKernels,
  options: FalsificationTestOptions,
): Promise<void> {
  return inOwnRealm(module.goal.id, () => runFalsificationTest(module, kernels, options));
}

async function runFalsificationTest(
  module: GoalModule,
  kernels: TestKernels,
  { seed, reproduce }: FalsificationTestOptions,
): Promise<void> {
  const run = prepareTest(module, kernels, seed);
  const { goal, compiled, generator } = run;
  const inputs = falsificationInputs(goal, compiled, generator);
  if (!inputs.ok) throw new Error(`${goal.id} was not tested: ${inputs.error}`);
  if (inputs.value.length === 0) throw new Error(`${goal.id} was not tested: no input satisfies the preconditions`);
  let premiseHits = 0;
  for (const [i, input] of inputs.value.entries()) {
    if ((await run.check(input)) === 'broken') {
      const fails = async (candidate: typeof input): Promise<boolean> => (await run.check(candidate)) === 'broken';
      const smallest = goal.given
        ? input
        : (await shrinkCase({ plan: generator.plan, start: input, fails, budget: SHRINK_BUDGET })).smallest;
      await run.check(smallest);
      throw new Error(
        failureText(goal, compiled, smallest, run.outcome, [
          `input ${i + 1} of ${inputs.value.length}`,
          `reproduce: ${reproduce}`,
        ]),
      );
    }
    if (run.outcome.report.premise) premiseHits++;
  }
  if (premiseHits === 0)
    throw new Error(
      `${goal.id} was not tested: no premise of an implication held in any of ${inputs.value.length} inputs`,
    );
}
