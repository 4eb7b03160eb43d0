/** Aggregation of the products B·A instead of the factors: `stack`, which is exact, and `svd`, which truncates to the rank. */
import { present } from '../../base/invariant.ts';
import { ok, type Result } from '../../base/result.ts';
import { quoted } from '../../base/text.ts';
import { firstNonFinite } from '../../tensors/float32-bytes.ts';
import { factorNames, type AdaptedLayer } from '../adapter/layout.ts';
import type { Cohort } from './cohort.ts';
import { failed, type AggregationFault } from './fault.ts';
import { orthonormalBasis, singularValues, type Columns } from './orthogonal.ts';

/** The factors of a layer. */
interface Pair {
  readonly a: Float32Array;
  readonly b: Float32Array;
  /** What truncation cost: ‖product − its truncation‖_F / ‖product‖_F; 0 for a product of 0. */
  readonly discarded: number;
}

/** Jacobi rotations of a larger matrix take more than some ten seconds for each layer. */
const largestCore = 512;

/** The fault of a cohort whose products are too large to be truncated; null if there is none. */
export function truncationFault({ members, rank, layers }: Cohort): AggregationFault | null {
  const large = layers.find(({ inputs, outputs }) => Math.min(members.length * rank, inputs, outputs) > largestCore);
  return large === undefined
    ? null
    : failed(
        'unsupported',
        `svd takes at most ${largestCore} directions; ${members.length} participants of rank ${rank} have more in ${quoted(large.path)}.`,
      ).error;
}

/** The shares of all members, which sum to 1, in their order. */
const sharesOf = ({ members }: Cohort): readonly number[] => {
  const total = members.reduce((sum, { weight }) => sum + weight, 0);
  return members.map(({ weight }) => weight / total);
};

/** Reads one factor of every member. */
async function factorsNamed(
  { members }: Cohort,
  name: string,
  count: number,
): Promise<Result<readonly Float32Array[], AggregationFault>> {
  const found: Float32Array[] = [];
  for (const { id, adapter } of members) {
    const read = await adapter.read(name, 0, count, new Uint8Array(4 * count));
    if (!read.ok) return failed('unreadable', `The submission of ${quoted(id)}: ${read.error}`);
    // A factorisation may drop what is not finite; a sum would keep it.
    if (firstNonFinite(read.value) >= 0) return failed('not_finite', `${quoted(name)} of ${quoted(id)} is not finite.`);
    found.push(read.value);
  }
  return ok(found);
}

/** A and B of every member. */
async function pairsOf(
  cohort: Cohort,
  { path, inputs, outputs }: AdaptedLayer,
): Promise<Result<{ readonly a: readonly Float32Array[]; readonly b: readonly Float32Array[] }, AggregationFault>> {
  const names = factorNames(path);
  const a = await factorsNamed(cohort, names.a, cohort.rank * inputs);
  if (!a.ok) return a;
  const b = await factorsNamed(cohort, names.b, outputs * cohort.rank);
  return b.ok ? ok({ a: a.value, b: b.value }) : b;
}

/**
 * Factors of rank n·r whose product is Σ_p s_p·B_p·A_p: the A below each other, and the B, each times its share s_p and rounded once,
 * next to each other.
 *
 * Source: Wang et al. (2024), FLoRA: Federated fine-tuning large language models with heterogeneous low-rank adaptations,
 * arXiv:2409.05976, section 3.
 */
export async function stackLayer(cohort: Cohort, layer: AdaptedLayer): Promise<Result<Pair, AggregationFault>> {
  const pairs = await pairsOf(cohort, layer);
  if (!pairs.ok) return pairs;
  const { a: as, b: bs } = pairs.value;
  const { rank } = cohort;
  const a = new Float32Array(as.length * rank * layer.inputs);
  for (const [p, factor] of as.entries()) a.set(factor, p * factor.length);
  const b = new Float32Array(layer.outputs * bs.length * rank);
  for (const [p, share] of sharesOf(cohort).entries()) {
    const factor = present(bs[p], 'every member has its factor');
    for (let row = 0; row < layer.outputs; row++)
      for (let k = 0; k < rank; k++) b[(row * bs.length + p) * rank + k] = share * (factor[row * rank + k] ?? NaN);
  }
  return ok({ a, b, discarded: 0 });
}

/**
 * Factors of rank r whose product is the nearest, in the Frobenius norm, to Σ_p s_p·B_p·A_p: B = U·√Σ and A = √Σ·Vᵀ of its largest r
 * singular values, computed in float64 and rounded once. The product is never formed: with B's next to each other = Q·R and A's
 * below each other = (P·S)ᵀ, its singular values are those of R·Sᵀ.
 */
export async function truncateLayer(cohort: Cohort, layer: AdaptedLayer): Promise<Result<Pair, AggregationFault>> {
  const pairs = await pairsOf(cohort, layer);
  if (!pairs.ok) return pairs;
  const { rank } = cohort;
  const { inputs, outputs } = layer;
  const shares = sharesOf(cohort);
  const left = pairs.value.b.flatMap((b, p) =>
    Array.from({ length: rank }, (_, k) =>
      Float64Array.from({ length: outputs }, (_, row) => (shares[p] ?? NaN) * (b[row * rank + k] ?? NaN)),
    ),
  );
  const right = pairs.value.a.flatMap((a) =>
    Array.from({ length: rank }, (_, k) => Float64Array.from(a.subarray(k * inputs, (k + 1) * inputs))),
  );
  const [qr, ps] = [orthonormalBasis(left), orthonormalBasis(right)];
  const { u, sigma, v } = singularValues(core(qr.r, ps.r, qr.q.length, ps.q.length));
  const [a, b] = [new Float32Array(rank * inputs), new Float32Array(outputs * rank)];
  for (let k = 0; k < Math.min(rank, sigma.length); k++) {
    const root = Math.sqrt(sigma[k] ?? 0);
    const [bk, ak] = [combination(qr.q, u[k], outputs), combination(ps.q, v[k], inputs)];
    for (let i = 0; i < outputs; i++) b[i * rank + k] = root * (bk[i] ?? NaN);
    for (let i = 0; i < inputs; i++) a[k * inputs + i] = root * (ak[i] ?? NaN);
  }
  return ok({ a, b, discarded: shareAfter(sigma, rank) });
}

/** The columns of R·Sᵀ. */
function core(r: Columns, s: Columns, rows: number, columns: number): Columns {
  return Array.from({ length: columns }, (_, j) => {
    const out = new Float64Array(rows);
    for (const [k, column] of r.entries()) {
      const factor = s[k]?.[j] ?? NaN;
      for (let i = 0; i < rows; i++) out[i] = (out[i] ?? NaN) + (column[i] ?? NaN) * factor;
    }
    return out;
  });
}

/** Σ_k x_k·column_k. */
function combination(columns: Columns, x: Float64Array | undefined, size: number): Float64Array {
  const out = new Float64Array(size);
  for (const [k, column] of columns.entries()) {
    const factor = x?.[k] ?? NaN;
    for (let i = 0; i < size; i++) out[i] = (out[i] ?? NaN) + factor * (column[i] ?? NaN);
  }
  return out;
}

/** √(Σ of the squares from `rank` on / Σ of all squares); relative to the largest, whose square may overflow. */
function shareAfter(sigma: readonly number[], rank: number): number {
  const [largest = 0] = sigma;
  if (largest === 0) return 0;
  const squares = sigma.map((value) => (value / largest) ** 2);
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  return Math.sqrt(sum(squares.slice(rank)) / sum(squares));
}
