import { streamFor, unitDouble } from '../../numeric/xoshiro.ts';
import { refuse, wholeFrom } from '../settings.ts';
import { largestEigenvalues } from '../spectrum/eigenvalues.ts';
import { apply, applyTransposed, length, matricesOf, type Matrix } from '../spectrum/matrix.ts';
import type { Invariant } from './invariant.ts';
import { tierOf } from './tiers.ts';

/** Options of {@link coherenceBound}. */
export interface CoherenceOptions {
  /** The lowest allowed score of a weight matrix, in [0, 1]. */
  readonly minCoherence: number;
  /** Iterations of the eigensolver, and thus the largest number of eigenvalues, ≥ 1; 4 by default. */
  readonly eigenvalueSamples?: number;
}

/** Requires the {@link coherence} of each weight matrix after the proposed update to be at least `minCoherence`. */
export function coherenceBound({ minCoherence, eigenvalueSamples = 4 }: CoherenceOptions): Invariant {
  if (!(minCoherence >= 0 && minCoherence <= 1)) refuse('minCoherence', minCoherence, 'in [0, 1]');
  wholeFrom(1, 'eigenvalueSamples', eigenvalueSamples);
  return {
    name: 'CoherenceBound',
    settings: { min_coherence: minCoherence, eigenvalue_samples: eigenvalueSamples },
    tier: tierOf.CoherenceBound,
    evidence: { class: 'estimate', iterations: eigenvalueSamples, tolerance: 0 },
    start: () => ({
      layer: (proposed, attempt) =>
        matricesOf(proposed, attempt).map((matrix) => ({
          what: matrix.name,
          value: coherence(matrix, eigenvalueSamples),
          is: 'at least',
          bound: minCoherence,
        })),
    }),
  };
}

/**
 * The spectral coherence of a weight matrix, read as a bipartite graph: each row and each column is a vertex, and |Wᵢⱼ| is the
 * weight of the edge between them. It is 1 if all weights have the same magnitude, low if the layer splits into weakly connected
 * parts, and at most 0.2 if it is disconnected.
 *
 * The eigenvalues of the normalised Laplacian are 1 ± σᵢ, where σᵢ are the singular values of N = Dᵣ^(−½)·|W|·D꜀^(−½). σ₁ = 1 is
 * known and belongs to the degrees. The score combines the next ones with the weights of ruvector-coherence's composite:
 *
 *     0.3·(1 − σ₂) + 0.3·(1 − σ₂)/(1 + σ₂) + 0.2·(harmonic mean of 1 − σᵢ²) + 0.2·(regularity of the degrees)
 *
 * The terms are the algebraic connectivity, its ratio to the largest eigenvalue, the inverse of the mean resistance, and
 * 1/(1 + v) with v the squared coefficient of variation of the degrees, averaged over rows and columns. Each term lies in [0, 1],
 * whatever the size of the matrix. Source: Chung (1997), Spectral Graph Theory, chapter 1. The iteration approaches σ₂ from
 * below, and therefore the score from above.
 */
export function coherence(matrix: Matrix, samples: number): number {
  const { rows, columns } = degrees(matrix);
  const regular = 0.5 * regularity(rows) + 0.5 * regularity(columns);
  // A vertex without edges is a component of its own.
  if (rows.includes(0) || columns.includes(0)) return 0.2 * regular;
  const squares = singularSquares(matrix, rows, columns, samples).map((value) => Math.min(Math.max(value, 0), 1));
  const second = Math.sqrt(squares[0] ?? 0);
  const resistance = squares.reduce((sum, value) => sum + 1 / (1 - value), 0);
  const conductance = squares.length === 0 ? 1 : squares.length / resistance;
  return 0.3 * (1 - second) + 0.3 * ((1 - second) / (1 + second)) + 0.2 * conductance + 0.2 * regular;
}

interface Degrees {
  readonly rows: Float64Array;
  readonly columns: Float64Array;
}

function degrees({ rows, columns, data }: Matrix): Degrees {
  const sums: Degrees = { rows: new Float64Array(rows), columns: new Float64Array(columns) };
  for (let i = 0, p = 0; i < rows; i++) {
    let sum = 0;
    for (let j = 0; j < columns; j++, p++) {
      const value = Math.abs(data[p] ?? NaN);
      sum += value;
      sums.columns[j] = (sums.columns[j] ?? NaN) + value;
    }
    sums.rows[i] = sum;
  }
  return sums;
}

/** 1/(1 + (standard deviation / mean)²) = mean²/(mean of squares), in [0, 1]. */
function regularity(values: Float64Array): number {
  let [sum, squares] = [0, 0];
  for (const value of values) {
    sum += value;
    squares += value * value;
  }
  return squares === 0 ? 0 : Math.min(1, (sum * sum) / (squares * values.length));
}

/** σ₂², σ₃², … of N, from the smaller of NᵀN and NNᵀ, orthogonal to the first eigenvector √degrees. */
function singularSquares(matrix: Matrix, rows: Float64Array, columns: Float64Array, samples: number): Float64Array {
  const [long, short] = matrix.rows < matrix.columns ? [columns, rows] : [rows, columns];
  const [longRoots, shortRoots] = [long.map(Math.sqrt), short.map(Math.sqrt)];
  const normalised = { rows: long.length, columns: short.length, data: new Float64Array(matrix.data.length) };
  const [rowStep, columnStep] = matrix.rows < matrix.columns ? [1, matrix.columns] : [matrix.columns, 1];
  for (let i = 0, p = 0; i < long.length; i++)
    for (let j = 0; j < short.length; j++, p++)
      normalised.data[p] =
        Math.abs(matrix.data[i * rowStep + j * columnStep] ?? NaN) / ((longRoots[i] ?? NaN) * (shortRoots[j] ?? NaN));
  const size = length(shortRoots);
  const image = new Float64Array(long.length);
  return largestEigenvalues(
    {
      size: short.length,
      known: [shortRoots.map((root) => root / size)],
      apply(x, out) {
        apply(normalised, x, image);
        applyTransposed(normalised, image, out);
      },
    },
    samples,
    seededStart(short.length),
  );
}

/** Seeded numbers in [−1, 1), the same for the same size: a start vector without special structure. */
function seededStart(size: number): Float64Array {
  const stream = streamFor(0, 'spectral coherence');
  return Float64Array.from({ length: size }, () => 2 * unitDouble(stream) - 1);
}
