/** Greedy choice, softmax with temperature, top-k and top-p; flat matrices are row-major, a row per sequence. */
import type { KernelThread } from '../../../src/runtime/kernel-types.ts';

type Matrix = readonly (readonly number[])[];

export function greedyByIndexOf(z: Float32Array, r: number, v: number): Float32Array {
  return Float32Array.from({ length: r }, (_, b) => {
    const row = [...z.subarray(b * v, b * v + v)];
    return row.indexOf(Math.max(...row));
  });
}

/** Wrong: of equal logits it takes the last. */
export function greedyLast(this: KernelThread, z: Matrix, _r: number, v: number): number {
  const b = this.thread.x;
  let best = 0;
  for (let j = 1; j < v; j++) {
    if (z[b]![j]! >= z[b]![best]!) best = j;
  }
  return best;
}

/** Wrong: the largest logit is at least 0. */
export function greedyFromZero(this: KernelThread, z: Matrix, _r: number, v: number): number {
  const b = this.thread.x;
  let best = 0;
  let largest = 0;
  for (let j = 0; j < v; j++) {
    if (z[b]![j]! > largest) {
      best = j;
      largest = z[b]![j]!;
    }
  }
  return best;
}

export function temperatureSoftmaxInDoubles(z: Float32Array, temperature: number, r: number, v: number): Float32Array {
  const output = new Float32Array(r * v);
  for (let b = 0; b < r; b++) {
    const row = z.subarray(b * v, b * v + v);
    const largest = Math.max(...row);
    const powers = Array.from(row, (logit) => Math.exp((logit - largest) / temperature));
    const sum = powers.reduce((total, power) => total + power, 0);
    output.set(
      powers.map((power) => power / sum),
      b * v,
    );
  }
  return output;
}

/** Wrong: multiplies by the temperature. */
export function temperatureSoftmaxMultiplied(
  this: KernelThread,
  z: Matrix,
  temperature: number,
  _r: number,
  v: number,
): number {
  const b = this.thread.y;
  let largest = z[b]![0]!;
  for (let j = 1; j < v; j++) {
    largest = Math.max(largest, z[b]![j]!);
  }
  let sum = 0;
  for (let j = 0; j < v; j++) {
    sum += Math.exp((z[b]![j]! - largest) * temperature);
  }
  return Math.exp((z[b]![this.thread.x]! - largest) * temperature) / sum;
}

/** Rows of probabilities, each with its tokens from the likeliest to the least likely; the first of equals is before. */
function ranked(P: Float32Array, r: number, v: number): readonly { row: Float32Array; order: readonly number[] }[] {
  return Array.from({ length: r }, (_, b) => {
    const row = P.subarray(b * v, b * v + v);
    const order = Array.from(row, (_p, j) => j).sort((i, j) => row[j]! - row[i]! || i - j);
    return { row, order };
  });
}

/** The token at which the mass of `tokens`, in their order, passes the share u of it. */
function draw(row: Float32Array, tokens: readonly number[], u: number): number {
  const mass = tokens.reduce((sum, j) => sum + row[j]!, 0);
  let cumulative = 0;
  for (const j of tokens) {
    cumulative += row[j]!;
    if (cumulative > u * mass) return j;
  }
  return tokens.at(-1) ?? 0;
}

const ascending = (tokens: readonly number[]): readonly number[] => tokens.toSorted((i, j) => i - j);

/** The tokens of `order` as long as `keep` holds of the mass before and after them. */
function nucleus(
  row: Float32Array,
  order: readonly number[],
  keep: (before: number, after: number) => boolean,
): readonly number[] {
  const kept: number[] = [];
  let before = 0;
  for (const j of order) {
    if (!keep(before, before + row[j]!)) break;
    kept.push(j);
    before += row[j]!;
  }
  return kept;
}

const massOf = (row: Float32Array): number => row.reduce((sum, p) => sum + p, 0);

export function topPSorted(P: Float32Array, u: Float32Array, p: number, r: number, v: number): Float32Array {
  return Float32Array.from(ranked(P, r, v), ({ row, order }, b) => {
    const kept = nucleus(row, order, (before) => before < p * massOf(row));
    return draw(row, ascending(kept), u[b]!);
  });
}

/** Wrong: the token that crosses p is left out. */
export function topPWithoutCrossing(P: Float32Array, u: Float32Array, p: number, r: number, v: number): Float32Array {
  return Float32Array.from(ranked(P, r, v), ({ row, order }, b) => {
    const kept = nucleus(row, order, (before, after) => before === 0 || after <= p * massOf(row));
    return draw(row, ascending(kept), u[b]!);
  });
}

/** Wrong: where the mass is p exactly, one token more is kept. */
export function topPOneMore(P: Float32Array, u: Float32Array, p: number, r: number, v: number): Float32Array {
  return Float32Array.from(ranked(P, r, v), ({ row, order }, b) => {
    const kept = nucleus(row, order, (before) => before <= p * massOf(row));
    return draw(row, ascending(kept), u[b]!);
  });
}

/** Wrong: draws in the order of probability, not of tokens. */
export function topPInOrderOfRank(P: Float32Array, u: Float32Array, p: number, r: number, v: number): Float32Array {
  return Float32Array.from(ranked(P, r, v), ({ row, order }, b) => {
    const kept = nucleus(row, order, (before) => before < p * massOf(row));
    return draw(row, kept, u[b]!);
  });
}

/** Wrong: takes it that a row sums to 1. */
export function topPOfUnnormalised(P: Float32Array, u: Float32Array, p: number, r: number, v: number): Float32Array {
  return Float32Array.from(ranked(P, r, v), ({ row, order }, b) => {
    const kept = nucleus(row, order, (before) => before < p);
    return draw(row, ascending(kept), u[b]!);
  });
}

export function topKSorted(P: Float32Array, u: Float32Array, k: number, r: number, v: number): Float32Array {
  return Float32Array.from(ranked(P, r, v), ({ row, order }, b) => draw(row, ascending(order.slice(0, k)), u[b]!));
}

/** Wrong: keeps k + 1 tokens. */
export function topKOneMore(P: Float32Array, u: Float32Array, k: number, r: number, v: number): Float32Array {
  return Float32Array.from(ranked(P, r, v), ({ row, order }, b) => draw(row, ascending(order.slice(0, k + 1)), u[b]!));
}

/** Wrong: keeps all that are as likely as the k-th. */
export function topKThreshold(P: Float32Array, u: Float32Array, k: number, r: number, v: number): Float32Array {
  return Float32Array.from(ranked(P, r, v), ({ row, order }, b) => {
    const edge = row[order[k - 1]!]!;
    const kept = order.filter((j) => row[j]! >= edge);
    return draw(row, ascending(kept), u[b]!);
  });
}
