/**
 * Obeys a node's operator, whose programs send commands over the bus.
 *
 * Commands and answers are signed with the node's own key: the bus authenticates nobody, and the operator must not consent to what a
 * stranger shows. A command is good once, and for five minutes.
 */
import type { JsonValue } from '../../base/canonical-json.ts';
import { ok, type Result } from '../../base/result.ts';
import { readDraft } from '../draft.ts';
import { refuse, type Refusal } from '../fed-code.ts';
import { manifestForm } from '../manifest.ts';
import {
  answerForm,
  applyScope,
  commandForm,
  receiptForm,
  resultForm,
  tokenForm,
  type RoundResult,
} from '../statements.ts';
import { secureStageOf, unmaskable } from '../round/secure.ts';
import { isEnded, type RoundState } from '../round/state.ts';
import { unmaskedBlobs } from '../store/blobs.ts';
import { roundIdCodec, type RoundId } from '../ulid.ts';
import { count, digest, flag, json, number, orNull, recordCodec, text, type Codec } from '../wire/codec.ts';
import { openSigned, sign } from '../wire/signed.ts';
import { roundWith } from './adapters.ts';
import { capabilities, replyTo } from './capabilities.ts';
import { manifestsWire, refusalsWire, statusOfRound, statusWire } from './round-status.ts';
import type { Served } from './served.ts';

/** How far the clock of an operator's program may be from the node's. */
const commandWindowMs = 5 * 60_000;

/** The signed answer to a command that came to the node as `subject`; a refusal, which is not signed, to whoever is not the operator. */
export async function answerOperator(
  served: Served,
  subject: string,
  message: JsonValue,
): Promise<Result<JsonValue, Refusal>> {
  const { node } = served;
  const opened = await node.guarded(subject, null, () =>
    openSigned(commandForm, message, (signer) => signer === node.self),
  );
  if (!opened.ok) return opened;
  const { nonce, capability, request, issuedAt } = opened.value;
  const isFresh = await node.guarded(subject, null, async () => {
    if (subject !== capabilities.command && subject !== capability)
      return refuse('message_invalid', 'the command is for another capability');
    if (Math.abs(node.now() - issuedAt) > commandWindowMs)
      return refuse('command_replayed', 'the clock of the command is more than five minutes from that of the node');
    return node.replica.record({ type: 'fedlearn.command.used', nonce });
  });
  const done = isFresh.ok ? await obey(served, capability, request) : isFresh;
  return ok(answerForm.encode(sign(answerForm, { node: node.self, nonce, reply: replyTo(done) }, node.signer)));
}

type Obey = (served: Served, request: JsonValue) => Promise<Result<JsonValue, Refusal>>;

const obey = (served: Served, capability: string, request: JsonValue): ReturnType<Obey> =>
  commands.get(capability)?.(served, request) ??
  Promise.resolve(refuse('message_invalid', 'no command has this capability'));

/** A command whose request `codec` reads. */
const taking =
  <T>({ decode }: Codec<T>, work: (served: Served, request: T) => ReturnType<Obey>): Obey =>
  async (served, request) => {
    const read = decode(request, 'request');
    return read.ok ? work(served, read.value) : refuse('message_invalid', read.error);
  };

const aboutRound = recordCodec<{ readonly roundId: RoundId }>({ roundId: roundIdCodec });

const joining = recordCodec<{
  readonly roundId: RoundId;
  readonly manifestSha: string;
  readonly consent: boolean;
}>({ roundId: roundIdCodec, manifestSha: digest, consent: flag });

/** `delta` is a blob of the node's own store; null for what was trained before. */
const submitting = recordCodec<{
  readonly roundId: RoundId;
  readonly delta: { readonly sha: string; readonly numSamples: number; readonly trainLoss: number } | null;
}>({ roundId: roundIdCodec, delta: orNull(recordCodec({ sha: digest, numSamples: count, trainLoss: number })) });

/** The reply that `encode` makes of a success. */
const encoded = <T>(result: Result<T, Refusal>, encode: (value: T) => JsonValue): Result<JsonValue, Refusal> =>
  result.ok ? ok(encode(result.value)) : result;

const commands: ReadonlyMap<string, Obey> = new Map([
  [
    capabilities.announce,
    taking(recordCodec({ draft: json }), async ({ coordinator, node }, { draft }) => {
      const read = readDraft(draft, node.self, 'draft');
      if (!read.ok) return refuse('manifest_invalid', read.error);
      return encoded(await coordinator.announceRound(read.value), (id) => ({ round_id: id }));
    }),
  ],
  [
    capabilities.list,
    taking(recordCodec({ topic: orNull(text(256)) }), async ({ participant, node }, { topic }) => {
      await node.replica.discover();
      return encoded(await participant.listRounds(topic), (manifests) => ({ manifests: manifestsWire(manifests) }));
    }),
  ],
  [capabilities.consider, taking(aboutRound, (served, { roundId }) => consider(served, roundId))],
  [
    capabilities.join,
    taking(joining, async (served, { roundId, manifestSha, consent }) => {
      const known = await stateOf(served, roundId);
      if (known.ok && known.value.manifestSha !== manifestSha)
        return refuse('consent_required', 'the operator has consented to another manifest');
      return encoded(await served.participant.join(roundId, consent), tokenForm.encode);
    }),
  ],
  [
    capabilities.submit,
    taking(submitting, async (served, { roundId, delta }) => {
      const ready = await patiently(served, roundId, submits);
      const trained = !ready.ok || delta === null ? ready : await handIn(served, roundId, delta);
      return trained.ok ? encoded(await served.participant.submit(roundId), receiptForm.encode) : trained;
    }),
  ],
  [
    capabilities.revoke,
    taking(aboutRound, async ({ participant }, { roundId }) =>
      encoded(await participant.revoke(roundId), () => ({ round_id: roundId })),
    ),
  ],
  [
    capabilities.status,
    taking(aboutRound, async (served, { roundId }) => {
      const state = await stateOf(served, roundId);
      if (!state.ok) return state;
      const { manifest, manifestSha } = state.value;
      const about = { manifest: manifestForm.encode(manifest), manifest_sha: manifestSha };
      const refusals = refusalsWire(served.node.journal.refusedIn(roundId));
      return ok({ ...statusWire(statusOfRound(state.value)), ...about, refusals });
    }),
  ],
  [
    capabilities.finalize,
    taking(aboutRound, (served, { roundId }) => {
      const { coordinator, participant, node } = served;
      const isOwn = node.replica.rounds.get(roundId)?.manifest.coordinator === node.self;
      return ending(served, roundId, isOwn ? coordinator.finalizeAndPublish : participant.finalize);
    }),
  ],
  [
    capabilities.takeover,
    taking(aboutRound, (served, { roundId }) => ending(served, roundId, served.participant.finalizeTakeover)),
  ],
  [
    capabilities.fetch,
    taking(recordCodec({ sha: text(128) }), async ({ adapters, node }, { sha }) => {
      const manifest = roundWith(node, sha)?.manifest;
      return encoded(await adapters.fetch(sha), ({ length }) => ({
        sha,
        bytes: length,
        manifest: manifest === undefined ? null : manifestForm.encode(manifest),
      }));
    }),
  ],
  [
    capabilities.apply,
    taking(recordCodec({ sha: text(128), scope: applyScope }), async ({ adapters }, { sha, scope }) =>
      encoded(await adapters.apply(sha, scope), (receipt) => ({ ...receipt })),
    ),
  ],
  [
    capabilities.discard,
    taking(recordCodec({ sha: text(128) }), async ({ adapters }, { sha }) =>
      encoded(await adapters.discard(sha), () => ({ sha, applied: Object.fromEntries(adapters.applied()) })),
    ),
  ],
]);

/** A round as it is now on the bus. */
const stateOf = ({ node }: Served, id: RoundId): Promise<Result<RoundState, Refusal>> =>
  node.guarded(capabilities.status, id, async () => {
    await node.replica.discover();
    const synced = await node.replica.sync(id);
    if (!synced.ok) return synced;
    const state = node.replica.rounds.get(id);
    return state === undefined ? refuse('round_unknown') : ok(state);
  });

/** How long a command waits for the steps of secure aggregation that other nodes take by themselves. */
const patienceMs = 5000;
const pauseMs = 100;

/** Waits while a round is not `ready`, but not for long: the command that follows says what is missing. */
async function patiently(
  served: Served,
  id: RoundId,
  ready: (state: RoundState) => boolean,
): Promise<Result<void, Refusal>> {
  for (let waited = 0; ; waited += pauseMs) {
    const state = await stateOf(served, id);
    if (!state.ok) return state;
    if (ready(state.value) || waited >= patienceMs) return ok(undefined);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

const submits = (state: RoundState): boolean => {
  const isBefore = ['joining', 'keys', 'shares'].includes(secureStageOf(state));
  return state.manifest.secure === 'off' || !isBefore;
};

const unmasks = (state: RoundState): boolean => isEnded(state) || state.closing === null || unmaskable(state).ok;

/** Ends a round; of one with secure aggregation the first attempt closes it, so that the survivors unmask the sum. */
async function ending(
  served: Served,
  id: RoundId,
  attempt: (id: RoundId) => Promise<Result<RoundResult, Refusal>>,
): Promise<Result<JsonValue, Refusal>> {
  const first = await attempt(id);
  if (first.ok || first.error.code !== 'secure_too_few') return encoded(first, resultForm.encode);
  const ready = await patiently(served, id, unmasks);
  return ready.ok ? encoded(await attempt(id), resultForm.encode) : ready;
}

/** What the operator needs to know before consenting. */
async function consider(served: Served, id: RoundId): Promise<Result<JsonValue, Refusal>> {
  const state = await stateOf(served, id);
  if (!state.ok) return state;
  const { manifest, manifestSha } = state.value;
  const considered = await served.participant.considerRound(manifest);
  if (!considered.ok) return considered;
  const { obstacle, estimate } = considered.value;
  return ok({
    manifest: manifestForm.encode(manifest),
    manifest_sha: manifestSha,
    obstacle,
    vram_mb: estimate.vramMb,
    disk_mb: estimate.diskMb,
  });
}

/** Takes a delta that the operator's program has put into the node's store, unless it is the one that was trained already. */
async function handIn(
  { node, participant }: Served,
  id: RoundId,
  { sha, numSamples, trainLoss }: { readonly sha: string; readonly numSamples: number; readonly trainLoss: number },
): Promise<Result<void, Refusal>> {
  const own = node.replica.rounds.get(id)?.members.get(node.self);
  if ((own?.trained ?? own?.submitted?.submission)?.deltaSha === sha) return ok(undefined);
  const isSecure = node.replica.rounds.get(id)?.manifest.secure !== 'off';
  const handed = isSecure ? unmaskedBlobs(node.host, node.folder) : node.blobs;
  const bytes = await handed.get(sha, node.config.submissionMaxBytes);
  if (bytes === null)
    return refuse(
      'submission_too_large',
      `the node has no delta ${sha} of at most ${node.config.submissionMaxBytes} bytes`,
    );
  const trained = await participant.train(id, { bytes, numSamples, trainLoss });
  // What was not taken is handed over again with the next command.
  const removed = isSecure ? await handed.remove(sha) : ok(undefined);
  if (!removed.ok) return refuse('storage_failed', removed.error.message);
  return trained.ok ? ok(undefined) : trained;
}
