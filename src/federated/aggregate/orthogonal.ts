/** Orthogonal factorisations in float64 from + − × ÷ √ in a fixed order, so that every machine gives the same bits. */

/** A matrix as its columns. */
export type Columns = readonly Float64Array[];

function dot(x: Float64Array, y: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += (x[i] ?? NaN) * (y[i] ?? NaN);
  return sum;
}

function subtract(x: Float64Array, factor: number, y: Float64Array): void {
  for (let i = 0; i < x.length; i++) x[i] = (x[i] ?? NaN) - factor * (y[i] ?? NaN);
}

const scaled = (x: Float64Array, factor: number): Float64Array => x.map((value) => value * factor);

/** What remains of a column in the span of the ones before is rounding error below this share of it. */
const dependent = 1e-13;

/**
 * Q and R with M = Q·R: the columns of Q are orthonormal, as many as M has independent columns, and R has one column of that length
 * for each of M's. Gram-Schmidt, each column twice.
 *
 * Source: Giraud, Langou & Rozložník (2005), The loss of orthogonality in the Gram-Schmidt orthogonalization process.
 */
export function orthonormalBasis(columns: Columns): { readonly q: Columns; readonly r: Columns } {
  const q: Float64Array[] = [];
  const coefficients = columns.map((column) => {
    const rest = column.slice();
    const shares = q.map(() => 0);
    for (let pass = 0; pass < 2; pass++) {
      for (const [k, one] of q.entries()) {
        const share = dot(rest, one);
        subtract(rest, share, one);
        shares[k] = (shares[k] ?? NaN) + share;
      }
    }
    const left = Math.sqrt(dot(rest, rest));
    if (left > dependent * Math.sqrt(dot(column, column))) {
      q.push(scaled(rest, 1 / left));
      shares.push(left);
    }
    return shares;
  });
  return { q, r: coefficients.map((shares) => Float64Array.from(q, (_, k) => shares[k] ?? 0)) };
}

/** u·diag(σ)·vᵀ with orthonormal columns and σ descending; a column of u whose σ is 0 is 0. */
export interface SingularValues {
  readonly u: Columns;
  readonly sigma: readonly number[];
  readonly v: Columns;
}

/** Rotations stop when every two columns are orthogonal to this share of their lengths. */
const orthogonal = 1e-15;
const mostSweeps = 60;

/**
 * The singular value decomposition of a matrix given as its columns, by one-sided Jacobi rotations in cyclic order.
 *
 * Source: Hestenes (1958), Inversion of matrices by biorthogonalization; Golub & Van Loan, Matrix Computations, 4th ed., section 8.6.3.
 */
export function singularValues(columns: Columns): SingularValues {
  const m = columns.map((column) => column.slice());
  const v = columns.map((_, j) => Float64Array.from(columns, (_, i) => (i === j ? 1 : 0)));
  let rotated = true;
  for (let sweep = 0; rotated && sweep < mostSweeps; sweep++) {
    rotated = false;
    for (let p = 0; p < m.length; p++) for (let q = p + 1; q < m.length; q++) rotated = rotate(m, v, p, q) || rotated;
  }
  const lengths = m.map((column) => Math.sqrt(dot(column, column)));
  const order = lengths.map((_, j) => j).sort((i, j) => (lengths[j] ?? 0) - (lengths[i] ?? 0) || i - j);
  const pick = (from: Columns, j: number): Float64Array => from[j] ?? new Float64Array();
  return {
    u: order.map((j) => scaled(pick(m, j), (lengths[j] ?? 0) > 0 ? 1 / (lengths[j] ?? 1) : 0)),
    sigma: order.map((j) => lengths[j] ?? 0),
    v: order.map((j) => pick(v, j)),
  };
}

/** Makes the columns p and q of m orthogonal, and turns v alike; whether that was necessary. */
function rotate(m: Columns, v: Columns, p: number, q: number): boolean {
  const [x, y, vx, vy] = [m[p], m[q], v[p], v[q]];
  if (x === undefined || y === undefined || vx === undefined || vy === undefined) return false;
  const [xx, yy, xy] = [dot(x, x), dot(y, y), dot(x, y)];
  // Products of two squares would overflow before the squares do.
  if (!(Math.abs(xy) > orthogonal * Math.sqrt(xx) * Math.sqrt(yy))) return false;
  const zeta = (yy - xx) / (2 * xy);
  const t = (zeta >= 0 ? 1 : -1) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta));
  const c = 1 / Math.sqrt(1 + t * t);
  turn(x, y, c, c * t);
  turn(vx, vy, c, c * t);
  return true;
}

function turn(x: Float64Array, y: Float64Array, c: number, s: number): void {
  for (let i = 0; i < x.length; i++) {
    const [a, b] = [x[i] ?? NaN, y[i] ?? NaN];
    x[i] = c * a - s * b;
    y[i] = s * a + c * b;
  }
}
