/**
 * Every number of weights and optimizer is finite, and second moments, which are averages of squares, are not negative. What was trained
 * is not zero, and the moments are of the same gradients.
 */
import { ok } from '../../base/result.ts';
import { contentsOf } from '../contents.ts';
import { divergence } from './logged-losses.ts';
import { momentFault } from './moments.ts';
import { zerosFound } from './zeros.ts';
import { critical, notChecked, pass, type Check } from './check.ts';

const name = 'finite tensors';

export const finiteTensors: Check = async (checkpoint) => {
  const contents = await contentsOf(checkpoint);
  if (!contents.ok) return contents;
  const { tensors } = contents.value;
  if (tensors.length === 0) return ok(notChecked(name, 'there are no tensors of a floating-point type that pv reads'));
  for (const { tensor, kind, fault } of tensors) {
    if (fault === null) continue;
    return ok(
      critical(name, {
        expected: kind === 'average of squares' ? 'finite and ≥ 0' : 'finite',
        actual: `${tensor.name}[${fault.index}] = ${fault.value} in ${tensor.file}`,
        why: 'training diverged before this checkpoint, or the file is damaged',
        fix: 'Resume from an earlier checkpoint.',
      }),
    );
  }
  const zeros = zerosFound(checkpoint, contents.value);
  if (zeros !== null) return ok(critical(name, zeros));
  const moments = checkpoint.optimizer ? await momentFault(checkpoint.optimizer) : ok(null);
  if (!moments.ok) return moments;
  if (moments.value !== null) return ok(critical(name, moments.value));
  const diverged = divergence(name, checkpoint);
  if (diverged !== null) return ok(diverged);
  const elements = tensors.reduce((sum, { tensor }) => sum + tensor.shape.reduce((product, n) => product * n, 1), 0);
  return ok(
    pass(name, { expected: 'finite; second moments ≥ 0', actual: `${elements} numbers in ${tensors.length} tensors` }),
  );
};
