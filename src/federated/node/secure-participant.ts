/** A node's part in the secure aggregation of a round: its steps one at a time, from the state that its log gives. */
import { ok, type Result } from '../../base/result.ts';
import { refuse, refuseFor, type Refusal } from '../fed-code.ts';
import { secureStageOf, type SecureStage } from '../round/secure.ts';
import { isEnded, type RoundState, type SecureProgress } from '../round/state.ts';
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
import { createTurns } from './turns.ts';

interface Trained {
  readonly delta: Uint8Array;
  readonly numSamples: number;
}

/** What a participant does in secure rounds. Secrets are in `secure/` of its folder, which nobody else should get. */
export interface SecureParticipant {
  /** Takes every step that is due for this node but training. May be repeated; does nothing where nothing is due. */
  readonly step: (id: RoundId) => Promise<Result<SecureStage, Refusal>>;
  /**
   * Masks a valid delta; a second, other delta is refused. `keep` makes the masked numbers and their submission durable. Only then are
   * they stated to the round, by {@link step}, so that a node that is killed in between states them when it starts again.
   */
  readonly mask: <T>(
    id: RoundId,
    trained: Trained,
    keep: (masked: Uint8Array) => Promise<Result<T, Refusal>>,
  ) => Promise<Result<T, Refusal>>;
}

/** The secure aggregation of a node's rounds. */
export function createSecureParticipant(node: FedNode): SecureParticipant {
  // A client must be open once at a time.
  const inTurn = createTurns();
  return {
    step: (id) => inTurn(() => takeSteps(node, id)),
    async mask(id, trained, keep) {
      const kept = await inTurn(async () => {
        const masked = await mask(node, id, trained);
        return masked.ok ? keep(masked.value) : masked;
      });
      const said = kept.ok ? await inTurn(() => takeSteps(node, id)) : kept;
      return said.ok ? kept : said;
    },
  };
}

type Messages = Result<readonly SecureMessage[] | null, Refusal>;

async function takeSteps(node: FedNode, id: RoundId): Promise<Result<SecureStage, Refusal>> {
  for (;;) {
    const state = node.replica.rounds.get(id);
    if (state === undefined) return refuse('round_unknown');
    const due = await messagesDue(node, state);
    if (!due.ok) return due;
    if (due.value === null) return ok(secureStageOf(state));
    const said = await node.replica.execute(id, { kind: 'say', messages: due.value });
    // As many others as the step needs were faster: what is due now, the state of now says.
    const isLate = !said.ok && node.replica.rounds.get(id) !== state;
    if (!said.ok && !isLate) return said;
  }
}

/** What this node must say now; null if nothing. */
async function messagesDue(node: FedNode, state: RoundState): Promise<Messages> {
  const { secure, members } = state;
  const participant: string = node.self;
  if (secure === null || !secure.server.round.keys.has(participant)) return ok(null);
  const isOver = isEnded(state) || members.get(node.self)?.phase === 'REVOKED';
  if (!isOver && hasAnswered(secure.server, participant)) return ok(null);
  const client = await clientOf(node, secure);
  if (!client.ok) return client;
  if (!isOver) return answerTo(node, state, secure.server, client.value);
  const forgotten = await client.value.forget();
  return forgotten.ok ? ok(null) : refuseFor(forgotten.error);
}

async function answerTo(
  node: FedNode,
  { manifest, members }: RoundState,
  server: ServerState,
  client: SecureClient,
): Promise<Messages> {
  const participant: string = node.self;
  const trained = members.get(node.self)?.trained ?? null;
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
      return trained === null ? ok(null) : said(await client.stateAgain());
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

async function mask(node: FedNode, id: RoundId, trained: Trained): Promise<Result<Uint8Array, Refusal>> {
  const state = node.replica.rounds.get(id);
  if (state === undefined) return refuse('round_unknown');
  const { manifest, secure } = state;
  const stage = secure?.server.stage === 'masked' ? secure.server : null;
  if (secure === null || stage === null) return refuse('secure_step_closed', 'the round takes no masked deltas now');
  const origin = await originOf(node, manifest);
  if (!origin.ok) return origin;
  const numbers = node.rules.secure.numbersOf(trained.delta, manifest, origin.value.previous);
  if (!numbers.ok) return refuse('delta_invalid', numbers.error);
  const client = await clientOf(node, secure);
  if (!client.ok) return client;
  const masked = await maskFor(node.self, stage, client.value, { delta: numbers.value, weight: trained.numSamples });
  return masked.ok ? ok(masked.value.vector) : refuseFor(masked.error);
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
