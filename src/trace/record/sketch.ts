import type { Sketch } from '../format/trace.ts';
import { logSumExp } from './log-sum-exp.ts';

/**
 * The `k` largest of finite logits, by logit from the largest down and by id upwards among equal ones, with their
 * log-sum-exp; null for k = 0. The logits are read and not kept; −0 becomes 0, so that equal numbers have equal bytes.
 */
export function takeSketch(logits: Float32Array, k: number): Sketch | null {
  if (k === 0) return null;
  const ids: number[] = [];
  for (let id = 0; id < logits.length; id++) {
    const logit = logits[id] ?? 0;
    const smallest = ids.length < k ? -Infinity : (logits[ids[k - 1] ?? 0] ?? 0);
    // A later id goes after equal ones, so that only a larger logit displaces the last.
    if (ids.length === k && logit <= smallest) continue;
    if (ids.length === k) ids.pop();
    ids.splice(placeFor(logits, ids, logit), 0, id);
  }
  return { ids, logits: ids.map((id) => (logits[id] ?? 0) + 0), logSumExp: logSumExp(logits) };
}

/** Where `logit` goes among ids sorted by descending logit: after all that are as large. */
function placeFor(logits: Float32Array, ids: readonly number[], logit: number): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((logits[ids[middle] ?? 0] ?? 0) >= logit) low = middle + 1;
    else high = middle;
  }
  return low;
}
