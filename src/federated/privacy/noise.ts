/** Gaussian noise on a delta. */
import { invariant } from '../../base/invariant.ts';
import type { StateDict } from '../adapter/layout.ts';
import { mapped } from './clip.ts';

/** Fills an array with random bytes. */
export type RandomBytes = (into: Uint8Array) => void;

/** The platform's cryptographic generator. */
const cryptographic: RandomBytes = (into) => {
  globalThis.crypto.getRandomValues(into);
};

/** The lattice of the results has 2²⁰ points in each power of two below `scale`. */
const latticeBits = 20;

/**
 * The delta plus independent Gaussian noise of standard deviation `scale` on every number; for `scale` 0 the same delta, bit for bit.
 * `random` is the platform's cryptographic generator unless a test passes a seeded one.
 *
 * Floating-point noise can betray its input by its lowest bits (Mironov 2012, On significance of the least significant bits for
 * differential privacy, CCS). Here every result is a multiple of g, the power of two 2²⁰ to 2²¹ times smaller than `scale`: the
 * input is truncated toward 0 to a multiple of g, which keeps its norm below its bound; the noise, from 106 random bits for every two
 * numbers, is rounded to a multiple of g; their sum is exact up to 2⁵³·g, and rounding it to float32 depends on nothing else. So the
 * result is that of rounding the truncated input plus continuous noise, and the bound of the continuous mechanism holds but for the
 * sampler: noise ends at 8.6 standard deviations (a probability of 10⁻¹⁷ for each number) and the float64 logarithm and cosine are
 * within some units in the last place. How long a call takes is not hidden.
 */
export function addDpNoise(delta: StateDict, scale: number, random: RandomBytes = cryptographic): StateDict {
  invariant(scale === 0 || (scale >= 1e-30 && scale <= 1e30), 'a scale of noise is 0, or from 1e-30 to 1e30');
  if (scale === 0) return mapped(delta, (x) => x);
  const lattice = 2 ** (Math.floor(Math.log2(scale)) - latticeBits);
  const next = normals(random);
  return mapped(delta, (x) => (Math.trunc(x / lattice) + Math.round((scale / lattice) * next())) * lattice);
}

/** 512 pairs of float64 numbers. */
const bufferBytes = 8192;

/** Standard normal numbers. Source: Box & Muller (1958), A note on the generation of random normal deviates. */
function normals(random: RandomBytes): () => number {
  const buffer = new Uint8Array(bufferBytes);
  const view = new DataView(buffer.buffer);
  let at = bufferBytes;
  /** From 2⁻⁵³ to 1, in steps of 2⁻⁵³. */
  const unit = (): number => {
    if (at === bufferBytes) {
      random(buffer);
      at = 0;
    }
    const [high, low] = [view.getUint32(at), view.getUint32(at + 4)];
    at += 8;
    return ((high >>> 5) * 2 ** 26 + (low >>> 6) + 1) * 2 ** -53;
  };
  let kept: number | null = null;
  return () => {
    if (kept !== null) {
      const value = kept;
      kept = null;
      return value;
    }
    const [radius, angle] = [Math.sqrt(-2 * Math.log(unit())), 2 * Math.PI * unit()];
    kept = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  };
}
