/** Calls of a kernel on secret inputs, for replays. */
import type { BoundSubject } from '../subject/bound-subject.ts';
import type { EquationModel } from '../contract/goal.ts';
import { preconditionOf } from './run-job.ts';
import { createHostileGenerator } from '../runtime/generate/hostile.ts';
import { callBuilder } from '../subject/call.ts';
import type { KernelCall } from '../subject/kernel.ts';

/** At most `count` calls of the subject, inside the domain of its equation. */
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
  const calls: KernelCall[] = [];
  for (let index = 0; index < 2 * count && calls.length < count; index++) {
    const found = generator.value.at(index);
    if (!found || !holds(found.sizes, found.values)) continue;
    const values = valuesAt.map((at) => found.values[at] ?? NaN);
    calls.push(
      build(
        sizesAt.map((at) => found.sizes[at] ?? NaN),
        values,
      ),
    );
  }
  return calls;
}
