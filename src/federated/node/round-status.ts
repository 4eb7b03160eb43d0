import type { JsonObject, JsonValue } from '../../base/canonical-json.ts';
import { manifestForm, type RoundManifest } from '../manifest.ts';
import type { NodeId } from '../node-id.ts';
import { participantsToOpen, secureStageOf, type SecureStage } from '../round/secure.ts';
import { isEnded, phaseOf, type Member, type RoundPhase, type RoundState } from '../round/state.ts';
import { hasAnswered } from '../secure/server.ts';
import type { ServerState } from '../secure/server-state.ts';
import { abortForm, resultForm, type Abort, type RoundResult } from '../statements.ts';
import type { RoundId } from '../ulid.ts';
import type { LoggedRefusal } from './claim.ts';
import { maxMessageBytes, messageBytes } from '../wire/message.ts';

/** A round, for those who ask how it goes. */
export interface RoundStatus {
  readonly roundId: RoundId;
  readonly phase: RoundPhase;
  readonly participants: readonly { readonly participant: NodeId; readonly phase: Member['phase'] }[];
  readonly result: RoundResult | null;
  readonly abort: Abort | null;
  /** The stage of secure aggregation, and whose answers it lacks; null in a round without, and in one that has ended. */
  readonly secure: { readonly stage: SecureStage; readonly waitsFor: readonly string[] } | null;
}

/** The status of a round's state. */
export const statusOfRound = (state: RoundState): RoundStatus => ({
  roundId: state.manifest.roundId,
  phase: phaseOf(state),
  participants: [...state.members].map(([participant, { phase }]) => ({ participant, phase })),
  result: state.result,
  abort: state.abort,
  secure: secureOf(state),
});

function secureOf(state: RoundState): RoundStatus['secure'] {
  if (state.manifest.secure === 'off' || isEnded(state)) return null;
  const server = state.secure?.server;
  const active = new Set<string>(participantsToOpen(state));
  const waitsFor =
    server === undefined ? [] : expectedIn(server).filter((one) => active.has(one) && !hasAnswered(server, one));
  return { stage: secureStageOf(state), waitsFor };
}

/** Who can still answer the present step. */
function expectedIn(server: ServerState): readonly string[] {
  if ('survivors' in server) return server.survivors;
  if ('sharers' in server) return server.sharers;
  return 'keyList' in server ? server.keyList.map(({ participant }) => participant) : server.round.participants;
}

/** A status as the JSON of a reply. */
export const statusWire = ({ roundId, phase, participants, result, abort, secure }: RoundStatus): JsonObject => ({
  round_id: roundId,
  phase,
  participants: participants.map((one) => ({ ...one })),
  result: result === null ? null : resultForm.encode(result),
  abort: abort === null ? null : abortForm.encode(abort),
  secure: secure === null ? null : { stage: secure.stage, waits_for: secure.waitsFor },
});

/** The latest of these refusals, for the node's own operator. */
export const refusalsWire = (refusals: readonly LoggedRefusal[]): readonly JsonObject[] =>
  refusals.slice(-mostListed).map(({ at, capability, code, sender, count }) => ({
    at: new Date(at).toISOString(),
    capability,
    code,
    sender,
    count,
  }));

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
