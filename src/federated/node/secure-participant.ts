/** A node's part in the secure aggregation of a round: its steps one at a time, from the state that its log gives. */
import { ok, type Result } from '../../base/result.ts';
import { refuse, refuseFor, type Refusal } from '../fed-code.ts';
import type { RoundState, SecureProgress } from '../round/state.ts';
import { fileClientStore } from '../secure/client-record.ts';
import { openSecureClient, type SecureClient } from '../secure/client.ts';
import type { MaskedDelta } from '../secure/mask-delta.ts';
import type { SecureFault } from '../secure/secure-fault.ts';
import { envelopesFor, hasAnswered, listed } from '../secure/server.ts';
import type { MaskedStage, ServerState } from '../secure/server-state.ts';
import type { SecureMessage } from '../secure/statement.ts';
import type { RoundId } from '../ulid.ts';
import { originOf } from './aggregate-round.ts';
import type { FedNode } from './fed-node.ts';
import { createTurns, type InTurn } from './turns.ts';

/** Where a round's secure aggregation is: `joining` until the coordinator fixes the participants. */
export type SecureStage = 'joining' | ServerState['stage'] | 'ended';

/** What a participant does in secure rounds. Secrets are in `secure/` of its folder, which nobody else should get. */
export interface SecureParticipant {
  /** Takes every step that is due for this node but training. May be repeated; does nothing where nothing is due. */
  readonly step: (id: RoundId) => Promise<Result<SecureStage, Refusal>>;
  /** Masks a valid delta and states it to the round. Returns its masked numbers; a second, other delta is refused. */
  readonly mask: (id: RoundId, delta: Uint8Array, numSamples: number) => Promise<Result<Uint8Array, Refusal>>;
}

/** The secure aggregation of a node's rounds. */
export function createSecureParticipant(node: FedNode): SecureParticipant {
  // A client must be open once at a time.
  const inTurn = createTurns();
  return {
    step: (id) => inTurn(() => takeSteps(node, id)),
    mask: (id, delta, numSamples) => mask(node, inTurn, id, { delta, numSamples }),
  };
}

type Messages = Result<readonly SecureMessage[] | null, Refusal>;

async function takeSteps(node: FedNode, id: RoundId): Promise<Result<SecureStage, Refusal>> {
  for (;;) {
    const state = node.replica.rounds.get(id);
    if (state === undefined) return refuse('round_unknown');
    const due = await messagesDue(node, state);
    if (!due.ok) return due;
    if (due.value === null) return ok(stageOf(state));
    const said = await node.replica.execute(id, { kind: 'say', messages: due.value });
    if (!said.ok) return said;
  }
}

function stageOf({ secure, result, abort }: RoundState): SecureStage {
  if (result !== null || abort !== null) return 'ended';
  return secure === null ? 'joining' : secure.server.stage;
}

/** What this node must say now; null if nothing. */
async function messagesDue(node: FedNode, state: RoundState): Promise<Messages> {
  const { secure, members } = state;
  const participant: string = node.self;
  if (secure === null || !secure.server.round.keys.has(participant)) return ok(null);
  const client = await clientOf(node, secure);
  if (!client.ok) return client;
  if (stageOf(state) === 'ended' || members.get(node.self)?.phase === 'REVOKED') {
    const forgotten = await client.value.forget();
    return forgotten.ok ? ok(null) : refuseFor(forgotten.error);
  }
  if (hasAnswered(secure.server, participant)) return ok(null);
  return answerTo(node, state, secure.server, client.value);
}

async function answerTo(
  node: FedNode,
  { manifest }: RoundState,
  server: ServerState,
  client: SecureClient,
): Promise<Messages> {
  const participant: string = node.self;
  switch (server.stage) {
    case 'keys': {
      const length = node.rules.secure.length(manifest);
      if (!length.ok || length.value !== server.round.length)
        return refuse('secure_round_invalid', 'the opening has another length than the adapter of the manifest');
      return said(await client.advertise());
    }
    case 'shares': {
      const { keyList } = server;
      const isListed = keyList.some((keys) => keys.participant === participant);
      const envelopes = isListed ? await client.share(keyList) : ok(null);
      return envelopes.ok ? envelopes : refuseFor(envelopes.error);
    }
    case 'masked':
      return ok(null);
    case 'survivors':
      return server.survivors.includes(participant) ? said(await client.attest(server.survivors)) : ok(null);
    case 'unmask': {
      const { round, survivors, answers, attestations } = server;
      const isNeeded = round.scheme === 'double_mask' && answers.size < round.threshold;
      if (!isNeeded || !survivors.includes(participant)) return ok(null);
      // Others were enough to end the last step, but this client must have signed the same set before it reveals anything.
      const attested = await client.attest(survivors);
      return attested.ok ? said(await client.unmask(listed(attestations))) : refuseFor(attested.error);
    }
  }
}

const said = (message: Result<SecureMessage, SecureFault>): Messages =>
  message.ok ? ok([message.value]) : refuseFor(message.error);

async function clientOf(node: FedNode, { server }: SecureProgress): Promise<Result<SecureClient, Refusal>> {
  const store = fileClientStore(node.host, `${node.folder}/secure`);
  const client = await openSecureClient({ round: server.round, signer: node.signer, store });
  return client.ok ? client : refuseFor(client.error);
}

interface Trained {
  readonly delta: Uint8Array;
  readonly numSamples: number;
}

async function mask(
  node: FedNode,
  inTurn: InTurn,
  id: RoundId,
  trained: Trained,
): Promise<Result<Uint8Array, Refusal>> {
  const state = node.replica.rounds.get(id);
  if (state === undefined) return refuse('round_unknown');
  const { manifest } = state;
  const origin = await originOf(node, manifest);
  if (!origin.ok) return origin;
  const numbers = node.rules.secure.numbersOf(trained.delta, manifest, origin.value.previous);
  if (!numbers.ok) return refuse('delta_invalid', numbers.error);
  return inTurn(async () => {
    const { secure } = node.replica.rounds.get(id) ?? state;
    const stage = secure?.server.stage === 'masked' ? secure.server : null;
    if (secure === null || stage === null) return refuse('secure_step_closed', 'the round takes no masked deltas now');
    const client = await clientOf(node, secure);
    if (!client.ok) return client;
    const masked = await maskFor(node.self, stage, client.value, { delta: numbers.value, weight: trained.numSamples });
    if (!masked.ok) return refuseFor(masked.error);
    const { message, vector } = masked.value;
    if (!hasAnswered(stage, node.self)) {
      const stated = await node.replica.execute(id, { kind: 'say', messages: [message] });
      if (!stated.ok) return stated;
    }
    return ok(vector);
  });
}

const maskFor = (
  self: string,
  stage: MaskedStage,
  client: SecureClient,
  input: Parameters<SecureClient['mask']>[1],
): Promise<Result<MaskedDelta, SecureFault>> =>
  stage.round.scheme === 'double_mask'
    ? client.mask(envelopesFor(stage, self), input)
    : client.maskPairwise(stage.keyList, input);
