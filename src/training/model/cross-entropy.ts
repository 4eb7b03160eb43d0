import { exp32 } from '../../numeric/elementary32/exp.ts';
import { log } from './logarithm.ts';

const { fround } = Math;

/**
 * The mean of −log softmax(row)[label] over the rows that have a label, and its gradient (softmax − one-hot)/count.
 *
 * `logits` and `gradient` are rows×classes, `labels` has a class for each row, or −1 for rows without a label. The loss is a
 * float64; sums run from left to right.
 */
export function crossEntropy(
  logits: Float32Array,
  labels: Int32Array,
  classes: number,
  gradient: Float32Array | null = null,
): number {
  const count = labels.reduce((sum, label) => sum + (label >= 0 ? 1 : 0), 0);
  let loss = 0;
  gradient?.fill(0);
  for (const [row, label] of labels.entries()) {
    if (label < 0) continue;
    const start = row * classes;
    let largest = -Infinity;
    for (let j = 0; j < classes; j++) largest = Math.max(largest, logits[start + j] ?? NaN);
    let sum = 0;
    for (let j = 0; j < classes; j++) sum += exp32(fround((logits[start + j] ?? NaN) - largest));
    loss += log(sum) - ((logits[start + label] ?? NaN) - largest);
    if (gradient === null) continue;
    for (let j = 0; j < classes; j++) {
      const share = exp32(fround((logits[start + j] ?? NaN) - largest)) / sum;
      gradient[start + j] = (share - (j === label ? 1 : 0)) / count;
    }
  }
  return loss / count;
}
