/** Pruning by rows and quantization by blocks, in doubles; flat matrices are row-major. */

function prune(
  W: Float32Array,
  S: Float32Array,
  k: number,
  n: number,
  equals: (i: number, j: number) => number,
): Float32Array {
  const output = W.slice();
  for (let start = 0; start < W.length; start += n) {
    const order = Array.from({ length: n }, (_, j) => start + j).sort((i, j) => S[i]! - S[j]! || equals(i, j));
    for (const i of order.slice(0, k)) output[i] = 0;
  }
  return output;
}

export function pruneRowsSorted(W: Float32Array, S: Float32Array, k: number, _m: number, n: number): Float32Array {
  return prune(W, S, k, n, (i, j) => i - j);
}

/** Wrong: of equal scores the last is pruned first. */
export function pruneRowsLastFirst(W: Float32Array, S: Float32Array, k: number, _m: number, n: number): Float32Array {
  return prune(W, S, k, n, (i, j) => j - i);
}

/** Wrong: of equal scores more than k are pruned. */
export function pruneRowsTies(W: Float32Array, S: Float32Array, k: number, _m: number, n: number): Float32Array {
  return W.map((weight, at) => {
    const row = S.subarray(at - (at % n), at - (at % n) + n);
    return row.filter((score) => score < S[at]!).length < k ? 0 : weight;
  });
}

const largestOf = (x: Float32Array): number => x.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);

/** By magnitude and sign. */
function roundTrip(value: number, scale: number, levels: number, round: (x: number) => number): number {
  if (scale === 0) return 0;
  return Math.sign(value) * (round((Math.abs(value) / scale) * levels) / levels) * scale;
}

const halfUp = (x: number): number => Math.floor(x + 0.5);

export function roundTripByMagnitude(x: Float32Array, levels: number, _r: number, c: number): Float32Array {
  return x.map((value, at) => {
    const start = at - (at % c);
    return roundTrip(value, largestOf(x.subarray(start, start + c)), levels, halfUp);
  });
}

/** Wrong: rounds towards 0. */
export function roundTripTruncated(x: Float32Array, levels: number, _r: number, c: number): Float32Array {
  return x.map((value, at) => {
    const start = at - (at % c);
    return roundTrip(value, largestOf(x.subarray(start, start + c)), levels, Math.floor);
  });
}

/** Wrong: all blocks share one scale. */
export function roundTripOneScale(x: Float32Array, levels: number): Float32Array {
  return x.map((value) => roundTrip(value, largestOf(x), levels, halfUp));
}
