/** All-reduce over a ring of p ranks, a row each of n numbers; flat matrices are row-major. */

/** One of the first p - 1 steps adds what the rank before has, a later one copies it; after the last nothing moves. */
function step(X: Float32Array, t: number, p: number, n: number): Float32Array {
  const output = X.slice();
  if (t >= 2 * (p - 1)) return output;
  const size = Math.ceil(n / p);
  for (let rank = 0; rank < p; rank++) {
    const before = (rank - 1 + p) % p;
    const chunk = (((rank - 1 - t) % p) + p) % p;
    for (let i = chunk * size; i < Math.min(n, chunk * size + size); i++) {
      const received = X[before * n + i]!;
      output[rank * n + i] = t < p - 1 ? X[rank * n + i]! + received : received;
    }
  }
  return output;
}

export function ringStepByChunks(X: Float32Array, t: number, p: number, n: number): Float32Array {
  return step(X, t, p, n);
}

/** Wrong: the last step moves nothing. */
export function ringStepOneShort(X: Float32Array, t: number, p: number, n: number): Float32Array {
  return t >= 2 * (p - 1) - 1 ? X.slice() : step(X, t, p, n);
}

export function ringAllReduceSteps(X: Float32Array, p: number, n: number): Float32Array {
  let state: Float32Array = X.slice();
  for (let t = 0; t < 2 * (p - 1); t++) state = step(state, t, p, n);
  return state;
}

/** Wrong: sums in the order of ranks, so that its bits are not those that the steps come to. */
export function ringAllReduceByRank(X: Float32Array, p: number, n: number): Float32Array {
  return X.map((_, at) => {
    let sum = 0;
    for (let rank = 0; rank < p; rank++) sum += X[rank * n + (at % n)]!;
    return sum;
  });
}

/** Wrong: the last step leaves the last chunk. */
export function ringAllReduceLeavesChunk(X: Float32Array, p: number, n: number): Float32Array {
  let state: Float32Array = X.slice();
  for (let t = 0; t < 2 * (p - 1) - 1; t++) state = step(state, t, p, n);
  const size = Math.ceil(n / p);
  return step(state, 2 * (p - 1) - 1, p, n).map((value, at) =>
    Math.floor((at % n) / size) === p - 1 ? state[at]! : value,
  );
}

/** Wrong: the mean, not the sum. */
export function ringAllReduceMean(X: Float32Array, p: number, n: number): Float32Array {
  return ringAllReduceSteps(X, p, n).map((sum) => sum / p);
}
