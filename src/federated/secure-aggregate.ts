/** The aggregate of a secure round, from what its participants have published: anybody computes the same bytes. */
import { err, ok, type Result } from '../base/result.ts';
import type { Aggregate, DeltaRules } from './delta-rules.ts';
import { refuse, refuseFor, type Refusal } from './fed-code.ts';
import { unmaskable } from './round/secure.ts';
import type { RoundState } from './round/state.ts';
import { weightedMean } from './secure/fixed-point.ts';
import { sumOf } from './secure/secure-sum.ts';

/** The bytes of a masked delta by its SHA-256, of this size at most; null if they are not available. */
type ReadMasked = (sha: string, size: number) => Promise<Uint8Array | null>;

/** What the manifest says that the round continues from; null where it begins anew. */
export interface Origin {
  readonly previous: Uint8Array | null;
  readonly serverState: Uint8Array | null;
}

/**
 * The aggregate of a round that was unmasked: `secure_too_few` until then, `delta_missing` where a masked delta is not available, and
 * `secure_sum_failed` where the masks do not come off.
 */
export async function aggregateMasked(
  { secure }: DeltaRules,
  state: RoundState,
  { previous, serverState }: Origin,
  read: ReadMasked,
): Promise<Result<Aggregate, Refusal>> {
  const stage = unmaskable(state);
  if (!stage.ok) return stage;
  const { round, inputs } = stage.value;
  let missing: string | null = null;
  const sum = await sumOf(stage.value, async (participant) => {
    const sha = inputs.get(participant)?.vectorSha ?? '';
    const bytes = await read(sha, 4 * round.length);
    if (bytes === null) missing = sha;
    return bytes;
  });
  if (missing !== null) return refuse('delta_missing', `nobody has the masked delta ${String(missing)}`);
  if (!sum.ok) return refuse('secure_sum_failed', refuseFor(sum.error).error.detail);
  const mean = weightedMean(sum.value.sum, sum.value.totalWeight, round.fractionBits);
  const aggregate = secure.aggregateOf(mean, state.manifest, previous, serverState);
  return aggregate.ok ? ok(aggregate.value) : refuse('fedlearn_aggregation_failed', aggregate.error);
}

/** As {@link aggregateMasked}, for a third party, which also holds the opening to the manifest. An error is a sentence without its full stop. */
export async function verifyMasked(
  rules: DeltaRules,
  state: RoundState,
  origin: Origin,
  read: ReadMasked,
): Promise<Result<Aggregate, string>> {
  const length = rules.secure.length(state.manifest);
  if (!length.ok) return length;
  if (length.value !== state.secure?.opening.length)
    return err(`the round masked ${state.secure?.opening.length} numbers, its adapter has ${length.value}`);
  const aggregate = await aggregateMasked(rules, state, origin, read);
  return aggregate.ok ? aggregate : err(`${aggregate.error.code}: ${aggregate.error.detail}`);
}
