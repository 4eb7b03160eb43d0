/** Calls of a kernel on secret inputs, for replays. */
import type { BoundSubject } from '../subject/bound-subject.ts';
import type { EquationModel } from '../contract/goal.ts';
import { preconditionOf } from './run-job.ts';
import { createHostileGenerator } from '../runtime/generate/hostile.ts';
import type { CaseValue } from '../math/compile/compiled.ts';
import { nextUint32, streamAt, streamKey, type Xoshiro } from '../numeric/xoshiro.ts';
import { callBuilder } from '../subject/call.ts';
import type { KernelCall } from '../subject/kernel.ts';

/**
 * At most `count` calls of the subject, inside the domain of its equation. Every second one has the inputs of the one before but for one
 * or two elements, so that a result kept under a fingerprint of its inputs is met again.
 */
export async function judgedCalls(
  subject: BoundSubject,
  model: EquationModel,
  seed: number,
  count: number,
): Promise<readonly KernelCall[]> {
  const { domain } = model;
  const generator = createHostileGenerator(domain, seed, 'replays');
  if (!generator.ok) return [];
  const holds = await preconditionOf(model);
  const build = callBuilder(subject, model);
  const sizesAt = model.sizes.map((name) => domain.sizes.findIndex((size) => size.name === name));
  const valuesAt = model.parameters.map(({ name }) => domain.variables.findIndex((variable) => variable.name === name));
  const stream = streamAt(streamKey(seed, 'replays/near'), 0);
  const calls: KernelCall[] = [];
  const add = (sizes: readonly number[], values: readonly CaseValue[]): void => {
    if (calls.length === count || !holds(sizes, values)) return;
    calls.push(
      build(
        sizesAt.map((at) => sizes[at] ?? NaN),
        valuesAt.map((at) => values[at] ?? NaN),
      ),
    );
  };
  for (let index = 0; index < 2 * count && calls.length < count; index++) {
    const found = generator.value.at(index);
    if (!found) continue;
    add(found.sizes, found.values);
    const near = nearTo(found.values, stream);
    if (near) add(found.sizes, near);
  }
  return calls;
}

/** Elements of a tensor that are looked at for two that differ. */
const tries = 8;

/** The same values, with two elements of one tensor exchanged, or one in place of another; neither is its first or its last. */
function nearTo(values: readonly CaseValue[], s: Xoshiro): readonly CaseValue[] | null {
  const long = values.flatMap((value, at) => (typeof value === 'object' && value.length > 3 ? [{ value, at }] : []));
  const chosen = long[nextUint32(s) % Math.max(1, long.length)];
  if (!chosen) return null;
  const { value, at } = chosen;
  const inner = (): number => 1 + (nextUint32(s) % (value.length - 2));
  for (let i = 0; i < tries; i++) {
    const [one, other] = [inner(), inner()];
    const [a = NaN, b = NaN] = [value[one], value[other]];
    if (Object.is(a, b)) continue;
    const near = value.slice();
    near[one] = b;
    if (nextUint32(s) % 2 === 0) near[other] = a;
    return values.map((same, k) => (k === at ? near : same));
  }
  return null;
}
