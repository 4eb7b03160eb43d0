/** The aggregate of a round's submissions, written as it is computed. */
import { present } from '../../base/invariant.ts';
import { ok, type Result } from '../../base/result.ts';
import { quoted } from '../../base/text.ts';
import { firstNonFinite, littleEndianBytes } from '../../tensors/float32-bytes.ts';
import { safetensorsHeader } from '../../tensors/safetensors.ts';
import { adapterMetadata } from '../adapter/adapter-file.ts';
import type { ByteReader } from '../adapter/adapter-reader.ts';
import { factorsOf, type Factor } from '../adapter/layout.ts';
import { openCohort, scan, type Cohort, type Participant } from './cohort.ts';
import { failed, type AggregationFault } from './fault.ts';
import { stackLayer, truncateLayer, truncationFault } from './products.ts';
import { prepareRule, ruleFault, type Rule } from './rules.ts';

/**
 * How adapters are combined. `ffa`: every A is the same frozen one, and B is combined, which is exact because the product is linear
 * in B (Sun et al. 2024, arXiv:2403.12313). `fedit`: A and B are each combined, which is not the mean of the products. `stack`:
 * exact, the ranks add up. `svd`: the exact mean of the products, truncated to the rank.
 */
export type Mode = 'ffa' | 'stack' | 'svd' | 'fedit';

/** What a round fixes. */
export interface AggregationPlan {
  readonly mode: Mode;
  /** `stack` and `svd` take `fedavg` alone: the others are defined on factors. */
  readonly rule: Rule;
  /** lora_alpha of the submissions. */
  readonly alpha: number;
  /** The adapter that the round started from; null where B started at 0. `norm_bound` compares with it; `fedit` needs it then. */
  readonly start: ByteReader | null;
}

/** What was aggregated. */
export interface AggregationReport {
  /** In the order of summation; participants of reputation 0 are missing. */
  readonly participants: readonly string[];
  /** The share of each in the result; null where the rule decides for every coordinate. */
  readonly shares: readonly number[] | null;
  /** Of the result: `stack` multiplies both by the number of participants, which leaves the scale alpha/rank. */
  readonly rank: number;
  readonly alpha: number;
  /** `svd`: the largest share, over the layers, of a product's Frobenius norm that was truncated; elsewhere 0. */
  readonly discarded: number;
}

/** Takes the bytes of the result in order. They are not written to afterwards. */
export type Sink = (bytes: Uint8Array) => void | Promise<void>;

/**
 * Writes the `adapter_model.safetensors` of the aggregate to `sink`: the same submissions give the same bytes, in whatever order they
 * come, on every machine. Memory: 128 KiB for each participant, for `stack` and `svd` the factors of one layer. After a fault what
 * the sink got is to be discarded.
 */
export async function aggregate(
  participants: readonly Participant[],
  plan: AggregationPlan,
  sink: Sink,
): Promise<Result<AggregationReport, AggregationFault>> {
  const { mode, rule, alpha } = plan;
  const opened = await openCohort(participants, plan.start);
  if (!opened.ok) return opened;
  const cohort = opened.value;
  const { length: n } = cohort.members;
  const fault = ruleFault(rule, n) ?? modeFault(mode, rule) ?? (mode === 'svd' ? truncationFault(cohort) : null);
  if (fault !== null) return { ok: false, error: fault };
  const rank = mode === 'stack' ? n * cohort.rank : cohort.rank;
  await sink(headerOf(factorsOf(cohort.layers, rank)));
  const written =
    mode === 'stack' || mode === 'svd'
      ? await combineProducts(cohort, mode, sink)
      : await combineFactors(cohort, mode, rule, sink);
  if (!written.ok) return written;
  const names = cohort.members.map(({ id }) => id);
  return ok({ participants: names, rank, alpha: mode === 'stack' ? n * alpha : alpha, ...written.value });
}

type Written = Pick<AggregationReport, 'shares' | 'discarded'>;

function modeFault(mode: Mode, { name }: Rule): AggregationFault | null {
  if (mode === 'ffa' || mode === 'fedit' || name === 'fedavg') return null;
  return failed('unsupported', `${name} works on factors; ${mode} combines products and takes fedavg alone.`).error;
}

const headerOf = (factors: readonly Factor[]): Uint8Array =>
  safetensorsHeader(
    factors.map(({ name, shape }) => ({ name, shape, dtype: 'F32', byteLength: 4 * shape[0] * shape[1] })),
    adapterMetadata,
  );

async function combineFactors(
  cohort: Cohort,
  mode: Mode,
  rule: Rule,
  sink: Sink,
): Promise<Result<Written, AggregationFault>> {
  const isCombined = ({ kind }: Factor): boolean => mode === 'fedit' || kind === 'B';
  const prepared = await prepareRule(cohort, cohort.factors.filter(isCombined), rule);
  if (!prepared.ok) return prepared;
  const { combine, shares } = prepared.value;
  const fault = await scan(cohort, cohort.factors, async (part) => {
    const { factor, rows, start } = part;
    const notFinite = rows.findIndex((row) => firstNonFinite(row) >= 0);
    if (notFinite >= 0)
      return failed(
        'not_finite',
        `${quoted(factor.name)} of ${quoted(cohort.members[notFinite]?.id ?? '')} is not finite.`,
      ).error;
    let out = new Float32Array(start.length);
    if (isCombined(factor)) combine(part, out);
    else {
      const [first, ...others] = rows;
      out = present(first, 'a cohort has members').slice();
      if (others.some((row) => differs(row, out)) || (cohort.start !== null && differs(start, out)))
        return failed('frozen_factor_differs', `${quoted(factor.name)} is not the same in all submissions.`).error;
    }
    return write(sink, factor.name, out);
  });
  return fault === null ? ok({ shares, discarded: 0 }) : { ok: false, error: fault };
}

async function combineProducts(
  cohort: Cohort,
  mode: 'stack' | 'svd',
  sink: Sink,
): Promise<Result<Written, AggregationFault>> {
  let discarded = 0;
  for (const layer of cohort.layers) {
    const pair = mode === 'stack' ? await stackLayer(cohort, layer) : await truncateLayer(cohort, layer);
    if (!pair.ok) return pair;
    discarded = Math.max(discarded, pair.value.discarded);
    for (const factor of [pair.value.a, pair.value.b]) {
      const fault = await write(sink, layer.path, factor);
      if (fault !== null) return { ok: false, error: fault };
    }
  }
  const total = cohort.members.reduce((sum, { weight }) => sum + weight, 0);
  return ok({ shares: cohort.members.map(({ weight }) => weight / total), discarded });
}

async function write(sink: Sink, name: string, out: Float32Array): Promise<AggregationFault | null> {
  if (firstNonFinite(out) >= 0) return failed('not_finite', `The aggregate of ${quoted(name)} is not finite.`).error;
  await sink(littleEndianBytes(out));
  return null;
}

/** Whether two rows differ in a bit. */
function differs(x: Float32Array, y: Float32Array): boolean {
  for (let i = 0; i < y.length; i++) if (!Object.is(x[i], y[i])) return true;
  return false;
}
