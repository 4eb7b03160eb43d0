/** Selection by distance: Krum, multi-Krum and the selection of Bulyan. */

/** Squared distances of n rows: n² numbers, row by row. */
export interface Distances {
  readonly n: number;
  readonly squared: Float64Array;
}

/** No distances yet. */
export const noDistances = (n: number): Distances => ({ n, squared: new Float64Array(n * n) });

/**
 * Adds the squared differences of every two rows, subtracted in float64: |x|² + |y|² − 2xy would cancel. Float32 numbers are at most
 * 2¹²⁸, so 2⁷⁰⁰ of their squares do not overflow.
 */
export function addDistances({ n, squared }: Distances, rows: readonly Float32Array[]): void {
  for (let p = 0; p < n; p++) {
    for (let q = 0; q < p; q++) {
      const sum = (squared[p * n + q] ?? NaN) + squaredDistance(rows[p], rows[q]);
      squared[p * n + q] = sum;
      squared[q * n + p] = sum;
    }
  }
}

function squaredDistance(x: Float32Array = new Float32Array(), y: Float32Array = x): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) {
    const difference = (x[i] ?? NaN) - (y[i] ?? NaN);
    sum += difference * difference;
  }
  return sum;
}

/** The sum of the squared distances from `p` to its `nearest` nearest among `others`. */
function score({ n, squared }: Distances, p: number, others: readonly number[], nearest: number): number {
  const distances = others.filter((q) => q !== p).map((q) => squared[p * n + q] ?? NaN);
  return distances
    .sort((a, b) => a - b)
    .slice(0, nearest)
    .reduce((sum, d) => sum + d, 0);
}

/**
 * Rows by their Krum score among `rows`, the best first; of two with the same score, the first. A score is the sum of the squared
 * distances to the |rows| − f − 2 nearest, but at least one.
 *
 * Source: Blanchard et al. (2017), Machine learning with adversaries, NeurIPS, section 4.
 */
function ranked(distances: Distances, rows: readonly number[], faulty: number): readonly number[] {
  const nearest = Math.max(1, rows.length - faulty - 2);
  const scores = new Map(rows.map((p) => [p, score(distances, p, rows, nearest)]));
  return rows.toSorted((p, q) => (scores.get(p) ?? NaN) - (scores.get(q) ?? NaN) || p - q);
}

const all = (n: number): readonly number[] => Array.from({ length: n }, (_, p) => p);

/** The `count` rows with the best Krum scores, ascending: one for Krum, n − f − 2 for multi-Krum. */
export const krum = (distances: Distances, faulty: number, count: number): readonly number[] =>
  ranked(distances, all(distances.n), faulty)
    .slice(0, count)
    .toSorted((p, q) => p - q);

/**
 * The n − 2f rows of Bulyan, ascending: Krum's choice, then Krum's choice among the others, and so on.
 *
 * Source: El Mhamdi et al. (2018), arXiv:1802.07927, section 4.
 */
export function bulyanSelection(distances: Distances, faulty: number): readonly number[] {
  let rest = all(distances.n);
  const chosen: number[] = [];
  while (chosen.length < distances.n - 2 * faulty) {
    const [best = -1] = ranked(distances, rest, faulty);
    chosen.push(best);
    rest = rest.filter((p) => p !== best);
  }
  return chosen.sort((p, q) => p - q);
}
