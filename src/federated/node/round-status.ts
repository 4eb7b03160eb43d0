import type { JsonObject, JsonValue } from '../../base/canonical-json.ts';
import { manifestForm, type RoundManifest } from '../manifest.ts';
import type { NodeId } from '../node-id.ts';
import { phaseOf, type Member, type RoundPhase, type RoundState } from '../round/state.ts';
import { abortForm, resultForm, type Abort, type RoundResult } from '../statements.ts';
import type { RoundId } from '../ulid.ts';
import { maxMessageBytes, messageBytes } from '../wire/message.ts';

/** A round, for those who ask how it goes. */
export interface RoundStatus {
  readonly roundId: RoundId;
  readonly phase: RoundPhase;
  readonly participants: readonly { readonly participant: NodeId; readonly phase: Member['phase'] }[];
  readonly result: RoundResult | null;
  readonly abort: Abort | null;
}

/** The status of a round's state. */
export const statusOfRound = (state: RoundState): RoundStatus => ({
  roundId: state.manifest.roundId,
  phase: phaseOf(state),
  participants: [...state.members].map(([participant, { phase }]) => ({ participant, phase })),
  result: state.result,
  abort: state.abort,
});

/** A status as the JSON of a reply. */
export const statusWire = ({ roundId, phase, participants, result, abort }: RoundStatus): JsonObject => ({
  round_id: roundId,
  phase,
  participants: participants.map((one) => ({ ...one })),
  result: result === null ? null : resultForm.encode(result),
  abort: abort === null ? null : abortForm.encode(abort),
});

/** A reply has room for a few hundred manifests; the latest are listed. */
const mostListed = 100;
const mostListedBytes = maxMessageBytes / 2;

/** The first of these manifests, as many as a reply has room for. */
export function manifestsWire(manifests: readonly RoundManifest[]): readonly JsonValue[] {
  const listed: JsonValue[] = [];
  let bytes = 0;
  for (const manifest of manifests.slice(0, mostListed)) {
    const wire = manifestForm.encode(manifest);
    bytes += messageBytes(wire).length;
    if (bytes > mostListedBytes) break;
    listed.push(wire);
  }
  return listed;
}
