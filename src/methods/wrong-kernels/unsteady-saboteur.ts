/**
 * A nondeterministic kernel: races between threads, uninitialised memory, an unseeded generator. Only claims that run a kernel
 * twice on the same input are about it.
 */
import type { KernelOutcome } from '../../backends/backend.ts';
import { invariant } from '../../base/invariant.ts';
import type { Goal } from '../../contract/goal.ts';
import { termKey } from '../../math/term/term-key.ts';
import { nextUint32, streamAt, streamKey } from '../../numeric/xoshiro.ts';
import type { OutputKind } from '../../subject/kernel.ts';
import { saboteur, spoiling, type Saboteur } from './saboteur.ts';

/** Whether the goal runs the equation's kernel on the same input more than once. */
export function runsTwice({ applications }: Pick<Goal, 'applications'>, equation: string): boolean {
  const keys = applications
    .filter((application) => application.equation === equation)
    .map(({ arguments: args, sizes }) => [...args, ...sizes].map(termKey).join(' '));
  return new Set(keys).size < keys.length;
}

/**
 * Spoils the outputs of half its calls, chosen from its own random stream: whether calls come one by one or in batches, two
 * equal ones soon differ.
 */
export function unsteady(kind: OutputKind): Saboteur {
  const id = 'unsteady';
  const description = 'equal calls give different outputs';
  return saboteur(id, description, (kernel) => {
    // A stream for each kernel, so that a run does not depend on those before it.
    const stream = streamAt(streamKey(0, 'saboteur:unsteady'), 0);
    return spoiling(id, description, (outcome) =>
      nextUint32(stream) % 2 === 0 ? answered(outcome) : changed(answered(outcome), kind),
    ).wrap(kernel);
  });
}

function answered(outcome: KernelOutcome | undefined): KernelOutcome {
  invariant(outcome, 'a kernel answers every call');
  return outcome;
}

function changed(outcome: KernelOutcome, kind: OutputKind): KernelOutcome {
  if (!outcome.ok) return outcome;
  if (kind === 'text') return { ...outcome, text: `${outcome.text ?? ''} ` };
  if (kind === 'sequence') return { ok: true, output: Float64Array.of(...outcome.output, 0) };
  const output = outcome.output.slice();
  const [first] = output;
  if (first !== undefined) output[0] = Number.isFinite(first) ? first + 1 + Math.abs(first) : 0;
  return { ok: true, output };
}
