/** What pv sets `this` to: which element of the output this call computes. */
interface Thread {
  readonly thread: { readonly x: number };
}

/**
 * x scaled to length one: each element over the Euclidean norm. The zero vector stays zero.
 *
 * Contract: contracts/unit-vector-v1.yaml.
 */
export function unitVector(this: Thread, x: readonly number[], n: number): number {
  let sum = 0;
  for (let j = 0; j < n; j++) {
    sum += x[j]! * x[j]!;
  }
  return x[this.thread.x]! / Math.sqrt(sum + 1e-12);
}
