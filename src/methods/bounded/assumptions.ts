/** Compares the claims that replace kernels with the kernels: from a false claim anything could be proved. */
import type { Result } from '../../base/result.ts';
import type { CaseValue } from '../../math/compile/compiled.ts';
import { float64 } from '../../math/evaluate/floats.ts';
import { completeAssignment, createEvaluator } from '../../bounded-proofs/evaluate.ts';
import type { ProofInstance, ProofVariable } from '../../bounded-proofs/problem.ts';
import type { TestableGoal } from '../../runtime/testable-goal.ts';
import type { SeenCase } from './sample.ts';

interface Assuming {
  readonly goal: TestableGoal;
  readonly instanceAt: (sizes: readonly number[]) => Result<ProofInstance, string>;
}

/** Why the assumptions are in doubt: the real kernels break one on some input, or no input was run. Null otherwise. */
export function doubtAboutAssumed({ goal, instanceAt }: Assuming, seen: SeenCase | null): string | null {
  if (seen === null)
    return 'no input was run at sizes of the proof, so nothing shows that the assumed claims are satisfiable';
  const instance = instanceAt(seen.sizes);
  if (!instance.ok) return instance.error;
  const { problem, assumed } = instance.value;
  const inputs = inputNumbers(problem.variables, seen.values);
  for (const { name, standsFor } of problem.variables) {
    if (standsFor?.kind !== 'output') continue;
    const output = seen.outputs[goal.applications.findIndex((application) => application.output === standsFor.output)];
    inputs.set(name, (output === undefined ? [] : numbersOf(output))[standsFor.index] ?? Number.NaN);
  }
  const evaluator = createEvaluator(float64, completeAssignment(problem.variables, inputs, float64));
  const broken = assumed.find(({ statement }) => !evaluator.truth(statement));
  return broken
    ? `${broken.goal} is assumed about a kernel that breaks it on an input: a defect of pv, or of another run`
    : null;
}

/** The numbers of a case by the names of the problem's variables, without those that represent others. */
export function inputNumbers(variables: readonly ProofVariable[], values: readonly CaseValue[]): Map<string, number> {
  const flat = values.flatMap(numbersOf);
  const inputs = variables.filter(({ standsFor }) => !standsFor);
  return new Map(inputs.map(({ name }, i) => [name, flat[i] ?? Number.NaN]));
}

function numbersOf(value: CaseValue): readonly number[] {
  if (typeof value === 'string') return [];
  return typeof value === 'number' ? [value] : Array.from(value);
}
