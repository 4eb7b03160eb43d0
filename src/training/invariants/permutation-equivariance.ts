import { blake3 } from '@noble/hashes/blake3.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { quoted } from '../../base/text.ts';
import { streamAt, streamKey, uniformInteger } from '../../numeric/xoshiro.ts';
import { refuse, wholeFrom, notNegative } from '../settings.ts';
import { trainingError } from '../training-error.ts';
import type { Invariant, Measurement } from './invariant.ts';
import { tierOf } from './tiers.ts';

/** Options of {@link permutationEquivariance}. */
export interface EquivarianceOptions {
  /**
   * The outputs of the model, nodes×width and row-major, for the graph whose node i is node `order[i]` of the original. The result
   * is read before the next call, so a buffer can be reused. The function must depend only on its arguments.
   */
  readonly forward: (weights: (name: string) => Float32Array, order: Int32Array) => Float32Array;
  readonly nodes: number;
  /** Permutations per check, ≥ 1; 1 by default. */
  readonly samples?: number;
  /** The largest allowed ‖P·F(x) − F(P·x)‖/‖F(x)‖, ≥ 0. Rounding alone causes about 1e-6 in float32. */
  readonly maxDeviation: number;
  /** Determines the permutations of each step; 0 by default. */
  readonly seed?: number;
}

/**
 * Checks on random permutations that permuting the nodes permutes the outputs. Each step draws new permutations, and each is
 * recorded by its hash next to its deviation.
 */
export function permutationEquivariance(options: EquivarianceOptions): Invariant {
  const { forward, nodes, samples = 1, maxDeviation, seed = 0 } = options;
  wholeFrom(1, 'nodes', nodes);
  wholeFrom(1, 'samples', samples);
  notNegative('maxDeviation', maxDeviation);
  if (!Number.isSafeInteger(seed)) refuse('seed', seed, 'a whole number');
  return {
    name: 'PermutationEquivariance',
    settings: { samples, max_deviation: maxDeviation, rng_seed: seed, nodes },
    tier: tierOf.PermutationEquivariance,
    evidence: { class: 'statistical', seed, samples },
    start: () => ({
      model(proposed, { step }) {
        const arrays = new Map(proposed.map(({ name, data }) => [name, data]));
        const weights = (name: string): Float32Array => arrays.get(name) ?? unknown(name);
        const plain = forward(weights, identity(nodes)).slice();
        return Array.from({ length: samples }, (_, sample): Measurement => {
          const order = permutationAt(seed, (step - 1) * samples + sample, nodes);
          const value = deviation(plain, forward(weights, order), order);
          return { what: `permutation ${permutationHash(order)}`, value, is: 'at most', bound: maxDeviation };
        });
      },
    }),
  };
}

function unknown(name: string): never {
  const message = `forward asks for the parameter ${quoted(name)}, which the trainer does not have.`;
  throw trainingError({ code: 'PV-8401', check: 'parameters', message });
}

const identity = (nodes: number): Int32Array => Int32Array.from({ length: nodes }, (_, i) => i);

/**
 * Permutation number `index` of a seed; all permutations are equally likely. Check k (from 0) of step t (from 1) has the index
 * (t − 1)·samples + k.
 *
 * Source: Knuth, The Art of Computer Programming 2, section 3.4.2, algorithm P.
 */
export function permutationAt(seed: number, index: number, nodes: number): Int32Array {
  const stream = streamAt(streamKey(seed, 'permutation equivariance'), index);
  const order = identity(nodes);
  for (let i = nodes - 1; i > 0; i--) {
    const j = uniformInteger(stream, 0, i);
    [order[i], order[j]] = [order[j] ?? 0, order[i] ?? 0];
  }
  return order;
}

/** BLAKE3 of the permutation as little-endian 32-bit integers, in hexadecimal. */
export function permutationHash(order: Int32Array): string {
  const bytes = new DataView(new ArrayBuffer(4 * order.length));
  for (const [i, node] of order.entries()) bytes.setInt32(4 * i, node, true);
  return bytesToHex(blake3(new Uint8Array(bytes.buffer)));
}

/** ‖P·F(x) − F(P·x)‖/‖F(x)‖; NaN, which fails every bound, if the outputs are not `nodes` rows of equal width. */
function deviation(plain: Float32Array, permuted: Float32Array, order: Int32Array): number {
  const width = plain.length / order.length;
  if (plain.length !== permuted.length || !(Number.isInteger(width) && width > 0)) return NaN;
  let [difference, size] = [0, 0];
  for (const [i, node] of order.entries()) {
    for (let j = 0; j < width; j++) {
      const expected = plain[node * width + j] ?? NaN;
      const d = (permuted[i * width + j] ?? NaN) - expected;
      difference += d * d;
      size += expected * expected;
    }
  }
  return difference === 0 ? 0 : Math.sqrt(difference) / Math.sqrt(size);
}
