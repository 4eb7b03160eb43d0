/** Masks and fixed point of secure aggregation, as bound to `contracts/secure-aggregation-v1.yaml`. */
import { nodeCiphers } from '../secure/ciphers.ts';
import { overflowFault, toFixedPoint } from '../secure/fixed-point.ts';
import { applyPairMasks } from '../secure/mask.ts';

/** Each of `P` rows of `q` under its masks; row u and row v share the seed that `K_uv` (u < v) stands for. */
export function masked(q: Int32Array, K: Int32Array, P: number, n: number): Int32Array {
  const { keystream } = nodeCiphers();
  const result = Int32Array.from(q);
  for (let u = 0; u < P; u++) {
    const seeds = new Map<string, Uint8Array>();
    for (let v = 0; v < P; v++) {
      const [low, high] = [Math.min(u, v), Math.max(u, v)];
      if (u !== v) seeds.set(String(v), seedOf(low, high, K[low * P + high] ?? 0));
    }
    applyPairMasks(keystream, result.subarray(u * n, (u + 1) * n), String(u), seeds);
  }
  return result;
}

const seedOf = (...bytes: readonly number[]): Uint8Array => {
  const seed = new Uint8Array(32);
  seed.set(bytes);
  return seed;
};

/** The whole numbers of a delta of weight `w` with `s` fraction bits. */
export function fixedPoint(x: Float32Array, w: number, s: number): Int32Array {
  const read = toFixedPoint(x, w, { bound: 1, maxWeight: w, fractionBits: s });
  if (!read.ok) throw new Error(read.error);
  return read.value;
}

/** 1 where a delta and its weight are within the bounds of a round, 0 where they are refused. */
export function admitted(x: Float32Array, w: number, b: number, m: number): number {
  return toFixedPoint(x, w, { bound: b, maxWeight: m, fractionBits: 0 }).ok ? 1 : 0;
}

/** 1 where sums of `P` participants could wrap around, so that the round is refused; 0 where they cannot. */
export function refused(P: number, b: number, m: number, s: number): number {
  return overflowFault(P, { bound: b, maxWeight: m, fractionBits: s }) === null ? 0 : 1;
}
