import type { JsonObject, JsonValue } from '../../base/canonical-json.ts';
import { streamFor, unitDouble } from '../../numeric/xoshiro.ts';
import { positive, notNegative, wholeFrom } from '../settings.ts';
import { apply, applyTransposed, length, matricesOf, type Matrix, type NamedMatrix } from '../spectrum/matrix.ts';
import { gramUpperBound, quickUpperBound } from '../spectrum/upper-bound.ts';
import type { Invariant, Measurement } from './invariant.ts';
import { tierOf } from './tiers.ts';

/** Options of {@link lipschitzBound}. */
export interface LipschitzOptions {
  /** The largest Lipschitz constant of each weight matrix, > 0. */
  readonly maxLipschitz: number;
  /**
   * What `maxLipschitz` bounds: `upper_bound`, the default, which nothing can exceed unnoticed, or `estimate` alone, which a
   * matrix may exceed; the upper bound is measured all the same.
   */
  readonly gate?: 'upper_bound' | 'estimate';
  /** Power iterations at each check, ≥ 1; 1 by default, since each goes on from the vector of the step before. */
  readonly powerIterations?: number;
  /** Iteration ends early where the estimate changes by no more than this share of it; 1e-6 by default. */
  readonly tolerance?: number;
  /** Squarings at most, where one pass over the matrix gives no bound below `maxLipschitz`; 6 by default. */
  readonly gramIterations?: number;
}

/** Iterations of a check that has no vector to go on from. */
const firstIterations = 64;

/**
 * The spectral norm of each weight matrix as the step would leave it, measured twice: an estimate by power iteration, which
 * approaches it from below, and an upper bound, rounded outward. It is the Lipschitz constant of x ↦ W·x + b in ‖·‖₂.
 *
 * A convolution's kernel is measured as the matrix out × (in·taps), which its norm is never below, and its upper bound has the
 * factor √taps, which its norm is never above whatever stride, padding and dilation.
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
      /** The vectors of the last step that changed the weights, and of the check under way. */
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
            // Where the bound gates nothing, or the estimate is too large already, a tighter one would change nothing.
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

/** The cheap bound where it suffices; otherwise squarings until it does, or until they end. */
function upperBound(matrix: Matrix, factor: number, enough: number, iterations: number): number {
  const outward = 1 + 2 ** -50;
  const quick = quickUpperBound(matrix) * factor * outward;
  return quick <= enough || !(quick < Infinity)
    ? quick
    : gramUpperBound(matrix, enough / (factor * outward * outward), iterations) * factor * outward;
}

/** σ ≈ ‖Wᵀ(W·v)‖/‖W·v‖ ≤ σ₁ and the next v, from a unit vector v, or from the seeded one where there is none. */
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
    // What used to be the largest direction has vanished: begin again.
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

/** A unit vector without any direction that a matrix might favour or lack, the same for the same name. */
function seededVector(name: string, size: number): Float64Array {
  const stream = streamFor(0, `power iteration ${name}`);
  const vector = Float64Array.from({ length: size }, () => 2 * unitDouble(stream) - 1);
  const norm = length(vector);
  return vector.map((value) => value / norm);
}
