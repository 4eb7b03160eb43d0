import type { JsonObject, JsonValue } from '../../base/canonical-json.ts';
import { streamFor, unitDouble } from '../../numeric/xoshiro.ts';
import { positive, notNegative, wholeFrom } from '../settings.ts';
import { apply, applyTransposed, length, matricesOf, type Matrix, type NamedMatrix } from '../spectrum/matrix.ts';
import { gramUpperBound, quickUpperBound } from '../spectrum/upper-bound.ts';
import type { Invariant, Measurement } from './invariant.ts';
import { tierOf } from './tiers.ts';

/** Options of {@link lipschitzBound}. */
export interface LipschitzOptions {
  /** The largest allowed Lipschitz constant of a weight matrix, > 0. */
  readonly maxLipschitz: number;
  /**
   * What must be at most `maxLipschitz`: with `upper_bound`, the default, a certified bound, so that no matrix can exceed it
   * unnoticed; with `estimate`, only the estimate, which may be too low. The upper bound is recorded either way.
   */
  readonly gate?: 'upper_bound' | 'estimate';
  /** Power iterations per check, ≥ 1; 1 by default, since each check continues from the previous step's vector. */
  readonly powerIterations?: number;
  /** Iteration stops early if the relative change of the estimate is at most this; 1e-6 by default. */
  readonly tolerance?: number;
  /** The largest number of squarings if one pass over the matrix gives no bound below `maxLipschitz`; 6 by default. */
  readonly gramIterations?: number;
}

/** Iterations of a check without a previous vector. */
const firstIterations = 64;

/**
 * The spectral norm of each proposed weight matrix, measured twice: an estimate by power iteration, which approaches it from below,
 * and an upper bound, rounded outward. The spectral norm is the Lipschitz constant of x ↦ W·x + b in ‖·‖₂.
 *
 * A convolution kernel is measured as the matrix out × (in·taps), whose norm is a lower bound. Times √taps, it is an upper bound
 * for any stride, padding and dilation.
 *
 * Source: Golub & Van Loan, Matrix Computations, 4th ed., section 8.2.1, applied to WᵀW; for convolutions, Tsuzuku, Sato &
 * Sugiyama (2018), Lipschitz-margin training, arXiv:1802.04034, appendix.
 */
export function lipschitzBound(options: LipschitzOptions): Invariant {
  const { maxLipschitz, gate = 'upper_bound', powerIterations = 1, tolerance = 1e-6, gramIterations = 6 } = options;
  positive('maxLipschitz', maxLipschitz);
  wholeFrom(1, 'powerIterations', powerIterations);
  notNegative('tolerance', tolerance);
  wholeFrom(0, 'gramIterations', gramIterations);
  const maxUpperBound = gate === 'upper_bound' ? maxLipschitz : Number.MAX_VALUE;
  return {
    name: 'LipschitzBound',
    settings: {
      max_lipschitz: maxLipschitz,
      max_upper_bound: maxUpperBound,
      gate,
      power_iterations: powerIterations,
      tolerance,
      gram_iterations: gramIterations,
    },
    tier: tierOf.LipschitzBound,
    evidence:
      gate === 'upper_bound' ? { class: 'bound' } : { class: 'estimate', iterations: powerIterations, tolerance },
    start() {
      /** The vectors of the last step that changed the weights, and those of the current check. */
      let vectors = new Map<string, Float64Array>();
      let pending = new Map<string, Float64Array>();
      return {
        layer(proposed, attempt) {
          return matricesOf(proposed, attempt).flatMap((matrix): readonly Measurement[] => {
            const { name, taps } = matrix;
            const known = vectors.get(name);
            const iterations = known === undefined ? Math.max(firstIterations, powerIterations) : powerIterations;
            const { estimate, vector } = powerIteration(matrix, known?.slice(), iterations, tolerance);
            pending.set(name, vector);
            // If the bound decides nothing, or the estimate is already too large, a tighter bound would change nothing.
            const enough = gate === 'upper_bound' && estimate <= maxLipschitz ? maxLipschitz : Infinity;
            const upper = upperBound(matrix, Math.sqrt(taps), enough, gramIterations);
            return [
              { what: `${name} estimate`, value: estimate, is: 'at most', bound: maxLipschitz },
              { what: `${name} upper bound`, value: upper, is: 'at most', bound: maxUpperBound },
            ];
          });
        },
        committed() {
          vectors = new Map([...vectors, ...pending]);
          pending = new Map();
        },
        state: (): JsonObject => Object.fromEntries([...vectors].map(([name, vector]) => [name, [...vector]])),
        restore(kept) {
          vectors = new Map(Object.entries(kept).map(([name, vector]) => [name, numbersOf(vector)]));
          pending = new Map();
        },
      };
    },
  };
}

const numbersOf = (list: JsonValue): Float64Array => Float64Array.from(Array.isArray(list) ? list.map(Number) : []);

/** The cheap bound if it is small enough; otherwise squarings until the bound is, or until their limit. */
function upperBound(matrix: Matrix, factor: number, enough: number, iterations: number): number {
  const outward = 1 + 2 ** -50;
  const quick = quickUpperBound(matrix) * factor * outward;
  return quick <= enough || !(quick < Infinity)
    ? quick
    : gramUpperBound(matrix, enough / (factor * outward * outward), iterations) * factor * outward;
}

/** σ ≈ ‖Wᵀ(W·v)‖/‖W·v‖ ≤ σ₁ and the next v, from the unit vector v, or from a seeded one if there is none. */
function powerIteration(
  matrix: NamedMatrix,
  known: Float64Array | undefined,
  iterations: number,
  tolerance: number,
): { readonly estimate: number; readonly vector: Float64Array } {
  const start = (): Float64Array => seededVector(matrix.name, matrix.columns);
  const fits = known !== undefined && known.length === matrix.columns;
  const vector = fits ? known : start();
  const [image, next] = [new Float64Array(matrix.rows), new Float64Array(matrix.columns)];
  apply(matrix, vector, image);
  if (fits && length(image) === 0) {
    // The previous direction has vanished: start again.
    vector.set(start());
    apply(matrix, vector, image);
  }
  let estimate = 0;
  for (let k = 0; k < iterations; k++) {
    if (k > 0) apply(matrix, vector, image);
    const size = length(image);
    if (size === 0) return { estimate: 0, vector };
    applyTransposed(matrix, image, next);
    const stretched = length(next);
    const before = estimate;
    estimate = stretched / size;
    if (!(stretched > 0 && stretched < Infinity)) return { estimate, vector };
    for (let j = 0; j < vector.length; j++) vector[j] = (next[j] ?? NaN) / stretched;
    if (Math.abs(estimate - before) <= tolerance * estimate) break;
  }
  return { estimate, vector };
}

/** A seeded unit vector without special structure, the same for the same name. */
function seededVector(name: string, size: number): Float64Array {
  const stream = streamFor(0, `power iteration ${name}`);
  const vector = Float64Array.from({ length: size }, () => 2 * unitDouble(stream) - 1);
  const norm = length(vector);
  return vector.map((value) => value / norm);
}
