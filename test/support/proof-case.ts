/**
 * One input of a claim twice: run on ref32 as the property method runs it, and put into the instance that proofs are about.
 */
import type { OpenKernel } from '../../src/backends/backend.ts';
import { ref32 } from '../../src/backends/ref32.ts';
import { invariant } from '../../src/base/invariant.ts';
import type { Goal } from '../../src/contract/goal.ts';
import type { Case, CaseValue, CompiledGoal } from '../../src/math/compile/compiled.ts';
import type { ProofSubject } from '../../src/bounded-proofs/instantiate/instance-request.ts';
import type { ProofVariable } from '../../src/bounded-proofs/problem.ts';
import { argumentsOfRun, collectOutputs, runCount } from '../../src/runtime/each-run.ts';
import { callBuilder, type CallBuilder } from '../../src/subject/call.ts';

export interface OpenedSubject {
  readonly kernel: OpenKernel;
  readonly build: CallBuilder;
}

/** Kernels on ref32 by equation; null where one is not bound, or is no gpu.js kernel. */
export async function openOnRef32(
  subjects: readonly ProofSubject[],
): Promise<ReadonlyMap<string, OpenedSubject> | null> {
  const opened = new Map<string, OpenedSubject>();
  for (const { equation, model, bound } of subjects) {
    if (!bound?.program.syntax) return null;
    const kernel = await ref32.open(bound.program);
    invariant(kernel.ok, 'ref32 opens gpu.js kernels');
    opened.set(equation, { kernel: kernel.kernel, build: callBuilder(bound, model) });
  }
  return opened;
}

/** The outputs of all applications in order, up to the first kernel that fails. */
export function runOnRef32(
  goal: Goal,
  compiled: CompiledGoal,
  opened: ReadonlyMap<string, OpenedSubject>,
  { sizes, values }: Case,
): readonly CaseValue[] | null {
  const outputs: CaseValue[] = [];
  for (const [k, application] of goal.applications.entries()) {
    const emitted = compiled.applications[k];
    const subject = opened.get(application.equation);
    invariant(emitted && subject, 'every application has a subject');
    const args = emitted.arguments(sizes, values, outputs);
    const ownSizes = emitted.sizes(sizes, values, outputs);
    const { each } = emitted;
    const count = each ? runCount(each, sizes, values) : 1;
    const all = collectOutputs(count);
    for (let at = 0; at < count; at++) {
      const own = each ? argumentsOfRun(each, args, at, count) : args;
      const outcome = subject.kernel.runSync?.(subject.build(ownSizes, own));
      if (!outcome?.ok) return null;
      all.add(outcome.output.slice());
    }
    const output = all.all();
    outputs.push(application.type.kind === 'tensor' ? output : (output[0] ?? NaN));
  }
  return outputs;
}

/** The case by the names of the variables of the instance, which come in the same order. */
export function assignmentOf(variables: readonly ProofVariable[], { values }: Case): ReadonlyMap<string, number> {
  const flat = values.flatMap((value): readonly number[] => {
    invariant(typeof value !== 'string', 'strings have no instance');
    return typeof value === 'number' ? [value] : Array.from(value);
  });
  const inputs = variables.filter(({ standsFor }) => !standsFor);
  invariant(inputs.length === flat.length, 'a variable for every number');
  return new Map(inputs.map(({ name }, i) => [name, flat[i] ?? NaN]));
}
