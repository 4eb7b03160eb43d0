/** A node as a participant of others' rounds. */
import { ok, type Result } from '../../base/result.ts';
import { compareText } from '../../base/text.ts';
import type { JsonValue } from '../../base/canonical-json.ts';
import { refuse, type FedCode, type Refusal } from '../fed-code.ts';
import { manifestForm, type RoundManifest } from '../manifest.ts';
import {
  consentForm,
  receiptForm,
  revocationForm,
  submissionForm,
  tokenForm,
  type RoundResult,
  type Submission,
  type SubmitReceipt,
  type Token,
} from '../statements.ts';
import { maskedFault, type SecureStage } from '../round/secure.ts';
import { isOpen, type RoundState } from '../round/state.ts';
import type { RoundId } from '../ulid.ts';
import { holdsSignature, openSigned, sign, statementSha } from '../wire/signed.ts';
import { endRound, previousOf } from './aggregate-round.ts';
import { ask, capabilities, type RemoteRefusal } from './capabilities.ts';
import type { FedNode } from './fed-node.ts';
import { createSecureParticipant, type SecureParticipant } from './secure-participant.ts';
import { statusOfRound, type RoundStatus } from './round-status.ts';
import { estimateResources, type LocalModel, type ResourceEstimate } from './resources.ts';

/** What a participant's training gives. */
export interface TrainedDelta {
  readonly bytes: Uint8Array;
  readonly numSamples: number;
  readonly trainLoss: number;
}

/** What only this node has: its model and its data. Raw data never leaves it. */
export interface ParticipantParts {
  readonly model: LocalModel;
  /** Trains on the node's own data; an error says why it did not. */
  readonly train: (manifest: RoundManifest) => Promise<Result<TrainedDelta, string>>;
}

/** Whether a node could join a round, and what its operator must be asked. */
interface Consideration {
  /** Null if nothing but the operator's consent is missing. */
  readonly obstacle: FedCode | null;
  readonly consentText: string;
  readonly estimate: ResourceEstimate;
}

/** What a participant does. */
export interface RoundParticipant {
  /** The manifests of known rounds, the latest first; of one topic if it is given. */
  readonly listRounds: (topic: string | null) => Promise<Result<readonly RoundManifest[], Refusal>>;
  readonly roundStatus: (id: RoundId) => Promise<Result<RoundStatus, Refusal>>;
  readonly considerRound: (manifest: RoundManifest) => Promise<Result<Consideration, Refusal>>;
  /** Joins. `consent` says that the operator has read the manifest's consent text and accepts it. */
  readonly join: (id: RoundId, consent: boolean) => Promise<Result<Token, Refusal>>;
  /**
   * Trains, or takes what the operator has trained elsewhere, and keeps the signed submission, so that a node that restarts can still
   * submit it. With secure aggregation, once all have shared their secrets: what is kept and submitted is the masked delta, and the
   * delta itself is forgotten.
   */
  readonly train: (id: RoundId, own?: TrainedDelta) => Promise<Result<Submission, Refusal>>;
  /** Takes the steps of secure aggregation that are due for this node; the caller repeats it when the round changes. */
  readonly secureStep: (id: RoundId) => Promise<Result<SecureStage, Refusal>>;
  /** Submits what was trained. */
  readonly submit: (id: RoundId) => Promise<Result<SubmitReceipt, Refusal>>;
  /** Withdraws from a round that is still open, and with it what was submitted. */
  readonly revoke: (id: RoundId) => Promise<Result<void, Refusal>>;
  /** Ends a round whose coordinator has vanished, after its deadline. */
  readonly finalizeTakeover: (id: RoundId) => Promise<Result<RoundResult, Refusal>>;
  /** What finalising a round of somebody else gives: `fedlearn_aggregator_unreachable` if its coordinator does not answer. */
  readonly finalize: (id: RoundId) => Promise<Result<RoundResult, Refusal>>;
}

/** The participant's view of a node. */
export function createRoundParticipant(node: FedNode, parts: ParticipantParts): RoundParticipant {
  const secure = createSecureParticipant(node);
  const on = <T>(
    capability: string,
    id: RoundId,
    work: (state: RoundState) => Promise<Result<T, Refusal>>,
  ): Promise<Result<T, Refusal>> =>
    node.guarded(capability, id, async () => {
      const synced = await node.replica.sync(id);
      if (!synced.ok) return synced;
      const state = node.replica.rounds.get(id);
      return state === undefined ? refuse('round_unknown') : work(state);
    });
  return {
    listRounds: (topic) => node.guarded(capabilities.list, null, async () => ok(manifestsOf(node, topic))),
    roundStatus: (id) =>
      node.guarded(capabilities.status, id, async () => {
        const state = node.replica.rounds.get(id);
        return state === undefined ? refuse('round_unknown') : ok(statusOfRound(state));
      }),
    considerRound: (manifest) =>
      node.guarded(capabilities.status, manifest.roundId, async () => {
        const obstacle = await obstacleOf(node, parts, manifest);
        return ok({
          obstacle: obstacle?.code ?? null,
          consentText: manifest.consentText,
          estimate: estimateResources(manifest, parts.model),
        });
      }),
    join: (id, consent) => on(capabilities.join, id, (state) => join(node, parts, state, consent)),
    train: (id, own) =>
      on('fedlearn.train', id, (state) =>
        train(node, { ...parts, ...(own && { train: async () => ok(own) }) }, secure, state),
      ),
    secureStep: (id) => on('fedlearn.secure', id, () => secure.step(id)),
    submit: (id) =>
      on(capabilities.submit, id, async (state) => {
        // A node that was killed after training has not stated what it has masked.
        const isStated = state.manifest.secure === 'off' || state.members.get(node.self)?.phase !== 'TRAINED';
        const stepped = isStated ? null : await secure.step(id);
        return stepped?.ok === false ? stepped : submit(node, node.replica.rounds.get(id) ?? state);
      }),
    revoke: (id) => on(capabilities.revoke, id, (state) => revoke(node, state)),
    finalizeTakeover: (id) =>
      on(capabilities.takeover, id, async ({ manifest }) =>
        manifest.coordinator === node.self
          ? refuse('not_aggregator', 'the coordinator finalises its own round')
          : endRound(node, id),
      ),
    finalize: (id) => on(capabilities.finalize, id, (state) => finalizeOfAnother(node, state)),
  };
}

const manifestsOf = ({ replica }: FedNode, topic: string | null): readonly RoundManifest[] =>
  [...replica.rounds.values()]
    .map(({ manifest }) => manifest)
    .filter((manifest) => topic === null || manifest.topic === topic)
    .toSorted((a, b) => compareText(b.roundId, a.roundId));

/** What prevents joining, in the order of the specification, section 5.3. */
async function obstacleOf(
  node: FedNode,
  { model }: ParticipantParts,
  manifest: RoundManifest,
): Promise<Refusal | null> {
  if (!(await holdsSignature(manifestForm, manifest, node.trusts))) return refuse('signature_invalid').error;
  if (model.sha !== manifest.baseModelSha)
    return refuse(
      'base_model_mismatch',
      `the base model here is ${model.sha}, the manifest names ${manifest.baseModelSha}`,
    ).error;
  const { vramMb, diskMb } = estimateResources(manifest, model);
  const { trainingVramBudgetMb, trainingDiskBudgetMb } = node.config;
  if (vramMb > trainingVramBudgetMb)
    return refuse(
      'insufficient_resources',
      `training needs about ${vramMb.toFixed(1)} MB of memory, the budget is ${trainingVramBudgetMb}`,
    ).error;
  if (diskMb > trainingDiskBudgetMb)
    return refuse(
      'insufficient_resources',
      `training needs about ${diskMb.toFixed(1)} MB on disk, the budget is ${trainingDiskBudgetMb}`,
    ).error;
  return node.privacy.joinFault(manifest);
}

const withoutValue = ({ code, detail }: RemoteRefusal): { readonly ok: false; readonly error: Refusal } =>
  refuse(code, detail);

async function join(
  node: FedNode,
  parts: ParticipantParts,
  { manifest, manifestSha: sha }: RoundState,
  consents: boolean,
): Promise<Result<Token, Refusal>> {
  if (!consents) return refuse('consent_required', 'the operator has not accepted the consent text');
  const obstacle = await obstacleOf(node, parts, manifest);
  if (obstacle !== null) return { ok: false, error: obstacle };
  const consent = sign(
    consentForm,
    {
      roundId: manifest.roundId,
      manifestSha: sha,
      participant: node.self,
      baseModelSha: parts.model.sha,
      grantedAt: node.now(),
    },
    node.signer,
  );
  const stored = await node.replica.record({ type: 'fedlearn.consent.granted', consent });
  if (!stored.ok) return stored;
  const replied = await ask(node.bus, capabilities.join, manifest.coordinator, consentForm.encode(consent));
  const offered = replied.ok ? replied.value : replied.error.code === 'already_joined' ? replied.error.value : null;
  if (!replied.ok && offered === null) return withoutValue(replied.error);
  const token = await openFrom(manifest.coordinator, tokenForm, offered);
  if (!token.ok) return token;
  const synced = await node.replica.sync(manifest.roundId);
  if (!synced.ok) return synced;
  const own = node.replica.rounds.get(manifest.roundId)?.members.get(node.self)?.token;
  const isListed = own !== undefined && statementSha(tokenForm, own) === statementSha(tokenForm, token.value);
  return isListed ? token : refuse('token_invalid', 'the round does not list the token of the reply');
}

/** A statement in a coordinator's reply. */
const openFrom = <T, K extends keyof T & string>(
  coordinator: RoundManifest['coordinator'],
  form: Parameters<typeof openSigned<T, K>>[0],
  value: JsonValue | null,
): Promise<Result<T, Refusal>> => openSigned(form, value, (signer) => signer === coordinator);

async function train(
  node: FedNode,
  parts: ParticipantParts,
  secure: SecureParticipant,
  state: RoundState,
): Promise<Result<Submission, Refusal>> {
  const { manifest } = state;
  const member = state.members.get(node.self);
  if (member === undefined) return refuse('not_participant');
  if (member.phase === 'REVOKED') return refuse('consent_revoked');
  // Whether the deadline has passed, the coordinator's clock decides.
  if (!isOpen(state)) return refuse('round_closed');
  const overspent = node.privacy.releaseFault(manifest);
  if (overspent !== null) return { ok: false, error: overspent };
  const isSecure = manifest.secure !== 'off';
  if (isSecure && state.secure?.server.stage !== 'masked')
    return refuse('secure_step_closed', 'training begins when all have shared their secrets');
  const trained = await parts.train(manifest);
  if (!trained.ok) return refuse('delta_invalid', trained.error);
  const { bytes: delta, numSamples, trainLoss } = trained.value;
  if (delta.length > node.config.submissionMaxBytes) return refuse('submission_too_large');
  if (!Number.isFinite(trainLoss)) return refuse('submission_invalid', 'the training loss is not a number');
  const previous = await previousOf(node, manifest);
  if (!previous.ok) return previous;
  const invalid = node.rules.validate(delta, manifest, previous.value);
  if (invalid !== null) return refuse('delta_invalid', invalid);
  const keep = (bytes: Uint8Array): Promise<Result<Submission, Refusal>> =>
    keepTrained(node, state, bytes, { numSamples, trainLoss });
  return isSecure ? secure.mask(manifest.roundId, { delta, numSamples }, keep) : keep(delta);
}

/** Makes what will be submitted durable, and the submission with it. */
async function keepTrained(
  node: FedNode,
  { manifest, manifestSha }: RoundState,
  bytes: Uint8Array,
  stated: Omit<TrainedDelta, 'bytes'>,
): Promise<Result<Submission, Refusal>> {
  const put = await node.blobs.put(bytes);
  if (!put.ok) return refuse('storage_failed', put.error.message);
  const submission = sign(
    submissionForm,
    {
      roundId: manifest.roundId,
      manifestSha,
      participant: node.self,
      deltaSha: put.value,
      deltaSize: bytes.length,
      ...stated,
      submittedAt: node.now(),
    },
    node.signer,
  );
  const recorded = await node.replica.record({ type: 'fedlearn.round.trained', submission });
  return recorded.ok ? ok(submission) : recorded;
}

async function submit(node: FedNode, state: RoundState): Promise<Result<SubmitReceipt, Refusal>> {
  const { manifest } = state;
  const member = state.members.get(node.self);
  if (member === undefined) return refuse('not_participant');
  const submission = member.trained ?? member.submitted?.submission ?? null;
  if (submission === null) return refuse('submission_invalid', 'nothing was trained for this round');
  // Nothing leaves the node that is not masked where the round says so.
  const unmasked = member.submitted === null ? maskedFault(state, submission) : null;
  if (unmasked !== null) return { ok: false, error: unmasked };
  const bytes = await node.blobs.get(submission.deltaSha, submission.deltaSize);
  if (bytes === null) return refuse('delta_missing', 'the trained delta is gone or damaged');
  const released = await node.privacy.release(manifest, submission.deltaSha);
  if (!released.ok) return released;
  const put = await node.bus.putBlob(bytes);
  if (!put.ok) return refuse('bus_unreachable');
  const replied = await ask(node.bus, capabilities.submit, manifest.coordinator, {
    submission: submissionForm.encode(submission),
    token: tokenForm.encode(member.token),
  });
  const offered = replied.ok
    ? replied.value
    : replied.error.code === 'submission_duplicate'
      ? replied.error.value
      : null;
  if (!replied.ok && offered === null) return withoutValue(replied.error);
  const receipt = await openFrom(manifest.coordinator, receiptForm, offered);
  if (!receipt.ok) return receipt;
  // A receipt for something else that this node has signed before is still a refusal of this.
  if (receipt.value.submissionSha !== statementSha(submissionForm, submission)) return refuse('submission_duplicate');
  const synced = await node.replica.sync(manifest.roundId);
  return synced.ok ? receipt : synced;
}

async function revoke(node: FedNode, { manifest, manifestSha: sha }: RoundState): Promise<Result<void, Refusal>> {
  const revocation = sign(
    revocationForm,
    { roundId: manifest.roundId, manifestSha: sha, participant: node.self, revokedAt: node.now() },
    node.signer,
  );
  // It needs nobody's approval, so that it is published even while the coordinator is away.
  const done = await node.replica.execute(manifest.roundId, { kind: 'revoke', revocation });
  return done.ok ? ok(undefined) : done;
}

async function finalizeOfAnother(
  node: FedNode,
  { manifest, result }: RoundState,
): Promise<Result<RoundResult, Refusal>> {
  if (result !== null) return ok(result);
  if (manifest.coordinator === node.self) return refuse('not_aggregator', 'the coordinator finalises its own round');
  const alive = await ask(node.bus, capabilities.status, manifest.coordinator, { round_id: manifest.roundId });
  const isAway = !alive.ok && alive.error.code === 'fedlearn_aggregator_unreachable';
  return refuse(isAway ? 'fedlearn_aggregator_unreachable' : 'not_coordinator');
}
