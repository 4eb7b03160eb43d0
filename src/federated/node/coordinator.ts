/** A node as the coordinator of its rounds. */
import type { JsonValue } from '../../base/canonical-json.ts';
import { ok, type Result } from '../../base/result.ts';
import { encodeUtf8 } from '../../base/utf8.ts';
import { refuse, type Refusal } from '../fed-code.ts';
import { openManifest } from '../open-manifest.ts';
import { manifestForm, type RoundManifest, type RoundManifestDraft } from '../manifest.ts';
import { submissionFault } from '../round/reduce.ts';
import { submissionsOf } from '../round/state.ts';
import {
  consentForm,
  revocationForm,
  submissionForm,
  tokenForm,
  type RoundResult,
  type Submission,
  type SubmitReceipt,
  type Token,
} from '../statements.ts';
import { createUlids, type RoundId } from '../ulid.ts';
import { parseMessage } from '../wire/message.ts';
import { membersOf, openSigned, sign } from '../wire/signed.ts';
import { capabilities } from './capabilities.ts';
import { endRound, previousOf } from './aggregate-round.ts';
import { claimOf } from './claim.ts';
import type { FedNode } from './fed-node.ts';
import { createTurns, type InTurn } from './turns.ts';

/** What a coordinator does. Refusals carry the codes of the specification. */
export interface RoundCoordinator {
  /** Signs and announces a round; `manifest_invalid` with the reason if the draft leaves this node's own limits. */
  readonly announceRound: (draft: RoundManifestDraft) => Promise<Result<RoundId, Refusal>>;
  /** Answers a request to join: an untrusted consent. */
  readonly join: (message: JsonValue) => Promise<Answer<Token>>;
  /** Ends joining in a round with secure aggregation: those who have joined are its participants. May be repeated. */
  readonly openSecure: (id: RoundId) => Promise<Result<void, Refusal>>;
  /** Ends a step of secure aggregation without those who have not taken it: `secure_too_few` if too few have. */
  readonly endSecureStep: (id: RoundId, step: 'keys' | 'shares') => Promise<Result<void, Refusal>>;
  /** Answers a submission: `{submission, token}`, untrusted, whose delta is a blob on the bus. */
  readonly submit: (message: JsonValue) => Promise<Answer<SubmitReceipt>>;
  /** Takes an untrusted revocation. */
  readonly revoke: (message: JsonValue) => Promise<Result<RoundId, Refusal>>;
  /** The accepted submissions, in the order of aggregation. */
  readonly collectSubmissions: (id: RoundId) => Promise<Result<readonly Submission[], Refusal>>;
  /** Closes the round, aggregates it and publishes the result; too few submissions after the deadline abort it. */
  readonly finalizeAndPublish: (id: RoundId) => Promise<Result<RoundResult, Refusal>>;
}

/** An answer; a repeated request is refused, with what the first one got. */
interface Answer<T> {
  readonly result: Result<T, Refusal>;
  readonly earlier: T | null;
}

const answer = <T>(result: Result<T, Refusal>, earlier: T | null = null): Answer<T> => ({ result, earlier });

/** The coordinator's view of a node. */
export function createRoundCoordinator(node: FedNode): RoundCoordinator {
  const { replica, journal } = node;
  const nextUlid = createUlids(node.now, node.random);
  // One delta at a time is in memory, however many come at once.
  const inTurn = createTurns();
  const guardedAnswer = async <T>(
    capability: string,
    message: JsonValue,
    work: () => Promise<Answer<T>>,
  ): Promise<Answer<T>> => {
    let earlier: T | null = null;
    const result = await node.guarded(capability, claimOf(message), async () => {
      const answered = await work();
      earlier = answered.earlier;
      return answered.result;
    });
    return { result, earlier };
  };
  return {
    announceRound: (draft) => node.guarded(capabilities.announce, null, () => announce(node, draft, nextUlid())),
    join: (message) => guardedAnswer(capabilities.join, message, () => answerJoin(node, message)),
    submit: (message) => guardedAnswer(capabilities.submit, message, () => answerSubmit(node, message, inTurn)),
    openSecure: (id) => node.guarded('fedlearn.secure', id, () => openSecure(node, id)),
    endSecureStep: (id, ends) =>
      node.guarded('fedlearn.secure', id, async () => {
        const ended = await replica.execute(id, { kind: 'end-step', ends });
        return ended.ok ? ok(undefined) : ended;
      }),
    revoke: (message) =>
      node.guarded(capabilities.revoke, claimOf(message), async () => {
        const revocation = await openSigned(revocationForm, message, node.trusts);
        if (!revocation.ok) return revocation;
        const { roundId } = revocation.value;
        const done = await replica.execute(roundId, { kind: 'revoke', revocation: revocation.value });
        return done.ok ? ok(roundId) : done;
      }),
    collectSubmissions: (id) =>
      node.guarded(capabilities.status, id, async () => {
        const state = journal.rounds.get(id);
        return state === undefined ? refuse('round_unknown') : ok(submissionsOf(state));
      }),
    finalizeAndPublish: (id) =>
      node.guarded(capabilities.finalize, id, async () => {
        const state = journal.rounds.get(id);
        if (state === undefined) return refuse('round_unknown');
        return state.manifest.coordinator === node.self ? endRound(node, id) : refuse('not_coordinator');
      }),
  };
}

async function announce(node: FedNode, draft: RoundManifestDraft, roundId: RoundId): Promise<Result<RoundId, Refusal>> {
  const { signer, self, now } = node;
  if (draft.deadline <= now()) return refuse('manifest_invalid', 'the deadline has passed');
  const unsigned: RoundManifest = {
    ...draft,
    format: 'pv-fedlearn-manifest/1',
    roundId,
    coordinator: self,
    coordinatorSig: new Uint8Array(64),
  };
  // A text from a caller may have no canonical form, which signing takes for granted.
  const fault = await unencodable(unsigned);
  if (fault !== null) return refuse('manifest_invalid', fault);
  const manifest = sign(manifestForm, unsigned, signer);
  const opened = await openManifest(manifestForm.encode(manifest), (key) => key === self, node.config);
  if (!opened.ok) return refuse('manifest_invalid', opened.error.detail);
  const announced = await node.replica.announce({ type: 'fedlearn.round.announced', manifest });
  return announced.ok ? ok(roundId) : announced;
}

async function unencodable(manifest: RoundManifest): Promise<string | null> {
  if (!Number.isSafeInteger(manifest.deadline)) return 'the deadline is not in whole milliseconds';
  const json = parseMessage(encodeUtf8(JSON.stringify(manifestForm.encode(manifest))));
  if (!json.ok) return json.error;
  const read = manifestForm.decode(json.value, 'manifest');
  return read.ok ? null : read.error;
}

async function openSecure(node: FedNode, id: RoundId): Promise<Result<void, Refusal>> {
  const state = node.journal.rounds.get(id);
  if (state === undefined) return refuse('round_unknown');
  const length = node.rules.secure.length(state.manifest);
  if (!length.ok) return refuse('secure_round_invalid', length.error);
  const opened = await node.replica.execute(id, { kind: 'open-secure', length: length.value });
  return opened.ok ? ok(undefined) : opened;
}

async function answerJoin(node: FedNode, message: JsonValue): Promise<Answer<Token>> {
  const consent = await openSigned(consentForm, message, node.trusts);
  if (!consent.ok) return answer<Token>(consent);
  const { roundId, participant } = consent.value;
  const joined = await node.replica.execute(roundId, { kind: 'join', consent: consent.value });
  const token = node.journal.rounds.get(roundId)?.members.get(participant)?.token ?? null;
  if (!joined.ok) return answer(joined, joined.error.code === 'already_joined' ? token : null);
  return answer(token === null ? refuse('round_closed') : ok(token));
}

async function answerSubmit(node: FedNode, message: JsonValue, inTurn: InTurn): Promise<Answer<SubmitReceipt>> {
  const members = membersOf(message, ['submission', 'token']);
  if (!members.ok) return answer<SubmitReceipt>(refuse('message_invalid', members.error));
  const submission = await openSigned(submissionForm, members.value.submission, node.trusts);
  if (!submission.ok) return answer<SubmitReceipt>(submission);
  const token = await openSigned(tokenForm, members.value.token, (signedBy) => signedBy === node.self);
  if (!token.ok) return answer<SubmitReceipt>(refuse('token_invalid'));
  const { roundId, participant } = submission.value;
  const delta = await inTurn(() => checkDelta(node, submission.value));
  const done = delta.ok
    ? await node.replica.execute(roundId, { kind: 'submit', submission: submission.value, token: token.value })
    : delta;
  const receipt = node.journal.rounds.get(roundId)?.members.get(participant)?.submitted?.receipt ?? null;
  if (!done.ok) return answer(done, done.error.code === 'submission_duplicate' ? receipt : null);
  return answer(receipt === null ? refuse('round_closed') : ok(receipt));
}

/** Fetches, checks and stores a delta, after everything that costs less; the decision comes later, on the state of then. */
async function checkDelta(node: FedNode, submission: Submission): Promise<Result<void, Refusal>> {
  const { replica, config, bus, blobs, rules } = node;
  const { roundId, deltaSha, deltaSize } = submission;
  const synced = await replica.sync(roundId);
  if (!synced.ok) return synced;
  const state = replica.rounds.get(roundId);
  if (state === undefined) return refuse('round_unknown');
  const fault = submissionFault(state, submission, node.now());
  if (fault !== null) return { ok: false, error: fault };
  const tooLarge = refuse('submission_too_large', `a submission may have ${config.submissionMaxBytes} bytes`);
  if (deltaSize > config.submissionMaxBytes) return tooLarge;
  const fetched = await bus.getBlob(deltaSha, config.submissionMaxBytes);
  if (!fetched.ok) {
    if (fetched.error === 'unreachable') return refuse('bus_unreachable');
    return fetched.error === 'too-large' ? tooLarge : refuse('delta_invalid', `the bus has no blob ${deltaSha}`);
  }
  if (fetched.value.length !== deltaSize)
    return refuse('submission_invalid', 'delta_size is not the size of the delta');
  // A masked delta cannot be looked into; its size is that of the round.
  const previous = state.manifest.secure === 'off' ? await previousOf(node, state.manifest) : null;
  if (previous?.ok === false) return previous;
  const invalid = previous === null ? null : rules.validate(fetched.value, state.manifest, previous.value);
  if (invalid !== null) return refuse('delta_invalid', invalid);
  const put = await blobs.put(fetched.value);
  return put.ok ? ok(undefined) : refuse('storage_failed', put.error.message);
}
