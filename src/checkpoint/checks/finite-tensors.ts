/** Every number of weights and optimizer is finite, and second moments, which are averages of squares, are not negative. */
import { ok } from '../../base/result.ts';
import type { StoredTensor } from '../checkpoint.ts';
import { firstFault, isFloat } from '../numbers.ts';
import { critical, notChecked, pass, type Check } from './check.ts';

const name = 'finite tensors';

/** As Adam and its variants name them. */
const secondMoments = new Set(['exp_avg_sq', 'max_exp_avg_sq']);

export const finiteTensors: Check = async ({ weights, optimizer }) => {
  const moments = (optimizer?.states ?? []).flatMap(({ tensors }) => [...tensors]);
  const asked: readonly { readonly tensor: StoredTensor; readonly isSquare: boolean }[] = [
    ...weights.map((tensor) => ({ tensor, isSquare: false })),
    ...moments.map(([key, tensor]) => ({ tensor, isSquare: secondMoments.has(key) })),
  ].filter(({ tensor }) => isFloat(tensor.dtype));
  if (asked.length === 0) return ok(notChecked(name, 'there are no tensors of a floating-point type that pv reads'));
  let elements = 0;
  for (const { tensor, isSquare } of asked) {
    // A saved mask has −∞ on purpose.
    const isMask = (x: number): boolean => !isSquare && x === -Infinity && weights.includes(tensor);
    const fault = await firstFault(tensor, (x) => (!Number.isFinite(x) && !isMask(x)) || (isSquare && x < 0));
    if (!fault.ok) return fault;
    elements += tensor.shape.reduce((product, n) => product * n, 1);
    if (fault.value === null) continue;
    return ok(
      critical(name, {
        expected: isSquare ? 'finite and ≥ 0' : 'finite',
        actual: `${tensor.name}[${fault.value.index}] = ${fault.value.value} in ${tensor.file}`,
        why: 'training diverged before this checkpoint, or the file is damaged',
        fix: 'Resume from an earlier checkpoint.',
      }),
    );
  }
  return ok(
    pass(name, { expected: 'finite; second moments ≥ 0', actual: `${elements} numbers in ${asked.length} tensors` }),
  );
};
