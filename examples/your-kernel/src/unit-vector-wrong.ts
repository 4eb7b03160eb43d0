/** What pv sets `this` to: which element of the output this call computes. */
interface Thread {
  readonly thread: { readonly x: number };
}

/** Wrong, and kept to show what pv says of it: the sum forgets the first element. */
export function unitVector(this: Thread, x: readonly number[], n: number): number {
  let sum = 0;
  for (let j = 1; j < n; j++) {
    sum += x[j]! * x[j]!;
  }
  return x[this.thread.x]! / Math.sqrt(sum + 1e-12);
}
