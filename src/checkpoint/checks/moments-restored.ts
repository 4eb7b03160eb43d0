/** The moments in memory are those in the file, for a checkpoint that was saved without a probe. */
import type { Problem } from '../../base/problem.ts';
import { ok, type Result } from '../../base/result.ts';
import type { Checkpoint } from '../checkpoint.ts';
import type { Probe } from '../probe/probe.ts';
import { torchDType } from '../torch/dtypes.ts';
import { critical, type Finding } from './check.ts';
import { someOf } from './probe-check.ts';
import { digestOf } from './weights-loaded.ts';

/** Null if they are the same. */
export async function otherMoments(
  name: string,
  { optimizer }: Checkpoint,
  live: Probe,
): Promise<Result<Finding | null, Problem>> {
  const changed: string[] = [];
  let compared = 0;
  for (const { index, tensors } of optimizer?.states ?? []) {
    const parameter = live.optimizer?.parameters[index];
    const weight = live.weights?.[parameter?.name ?? ''];
    for (const [key, tensor] of tensors) {
      // A load turns states into the type of their parameter: only those that have it keep their bytes.
      if (parameter === undefined || torchDType(`torch.${weight?.dtype}`)?.dtype !== tensor.dtype) continue;
      compared += 1;
      const digest = await digestOf(tensor);
      if (!digest.ok) return digest;
      if (parameter.state[key] !== digest.value) changed.push(`${key} of ${parameter.name}`);
    }
  }
  if (changed.length === 0) return ok(null);
  return ok(
    critical(name, {
      expected: 'the moments in the file of the optimizer',
      actual: `missing or different: ${someOf(changed, compared)}`,
      why: 'the optimizer has the steps of the checkpoint and not its moments',
      fix: 'Load the whole state of the optimizer, after it was built on the parameters that are trained.',
    }),
  );
}
