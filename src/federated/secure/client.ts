/** A participant in one secure aggregation: steps one at a time, each durable before it is answered. */
import { ok, type Result } from '../../base/result.ts';
import { formatVerifierKey } from '../../notes/key.ts';
import type { Signer } from '../../notes/signer.ts';
import { nodeCiphers, type Ciphers } from './ciphers.ts';
import { newRecord, parseRecord, recordName, type ClientRecord, type ClientStore } from './client-record.ts';
import { maskDelta, maskPairwise, stateAgain, type Input, type MaskedDelta } from './mask-delta.ts';
import { faulty, type SecureFault } from './secure-fault.ts';
import type { SecureRound } from './secure-round.ts';
import { advertise, shareSecrets } from './share-secrets.ts';
import type { KeyAdvertisement, MaskedInput, ShareEnvelope, SurvivorAttestation, UnmaskShares } from './statement.ts';
import type { Self, Step } from './step.ts';
import { attestSurvivors, revealShares } from './unmask.ts';

type Answer<T> = Promise<Result<T, SecureFault>>;

/**
 * The steps in their order. Arguments of type `unknown` are what the coordinator passes on; they may be anything. A step may be
 * repeated, also after a restart: the same request has the same answer, another one is `secure_already_answered`.
 */
export interface SecureClient {
  readonly advertise: () => Answer<KeyAdvertisement>;
  /** Takes the advertisements of all, sorted by participant. `double_mask` only. */
  readonly share: (keys: unknown) => Answer<readonly ShareEnvelope[]>;
  /** Takes the envelopes for this client, sorted by dealer. `double_mask` only. */
  readonly mask: (envelopes: unknown, input: Input) => Answer<MaskedDelta>;
  /** Takes what `share` takes; the only other step of `additive_pairwise` than `advertise`. */
  readonly maskPairwise: (keys: unknown, input: Input) => Answer<MaskedDelta>;
  /** The message of the delta that was masked before, which is gone by now. */
  readonly stateAgain: () => Answer<MaskedInput>;
  /** Takes the sorted participants whose masked deltas have come. */
  readonly attest: (survivors: unknown) => Answer<SurvivorAttestation>;
  /** Takes the attestations, sorted by participant. */
  readonly unmask: (attestations: unknown) => Answer<UnmaskShares>;
  /** Deletes the secrets, for good. The client still knows that it took part, and never does so again under this manifest. */
  readonly forget: () => Answer<void>;
}

interface ClientOptions {
  readonly round: SecureRound;
  /** The key of this participant. */
  readonly signer: Signer;
  readonly store: ClientStore;
  readonly ciphers?: Ciphers;
}

/**
 * The client of one round, new or as its store remembers it. Only one may be open for a round and a store. Refused where the store has
 * another round of the same manifest: two sums that differ by one participant would show that one's delta.
 */
export async function openSecureClient({
  round,
  signer,
  store,
  ciphers = nodeCiphers(),
}: ClientOptions): Promise<Result<SecureClient, SecureFault>> {
  const participant = formatVerifierKey(signer.key);
  if (!round.keys.has(participant))
    return faulty('secure_round_invalid', 'this node is not a participant of the round');
  const name = recordName(round, participant);
  const before = await remembered(round, store, name);
  if (!before.ok) return before;
  let record = before.value ?? newRecord(round, ciphers.randomSecret());
  const save = async (next: ClientRecord): Answer<void> => {
    const saved = await store.save(name, JSON.stringify(next));
    if (!saved.ok) return faulty('storage_failed', saved.error);
    record = next;
    return ok(undefined);
  };
  const first = before.value === null ? await save(record) : ok(undefined);
  if (!first.ok) return first;

  const self: Self = { round, participant, signer, ciphers };
  let last: Promise<unknown> = Promise.resolve();
  // One at a time: of two requests at once, both would find the step open.
  const inTurn = <T>(step: (before: ClientRecord) => Step<T> | Promise<Step<T>>): Answer<T> => {
    const turn = last.then(async (): Answer<T> => {
      const done = await step(record);
      if (!done.ok) return done;
      const saved = done.value.record === record ? ok(undefined) : await save(done.value.record);
      return saved.ok ? ok(done.value.answer) : saved;
    });
    last = turn.catch(() => undefined);
    return turn;
  };
  return ok({
    advertise: () => inTurn((state) => advertise(self, state)),
    share: (keys) => inTurn((state) => shareSecrets(self, state, keys)),
    mask: (envelopes, input) => inTurn((state) => maskDelta(self, state, envelopes, input)),
    maskPairwise: (keys, input) => inTurn((state) => maskPairwise(self, state, keys, input)),
    stateAgain: () => inTurn((state) => stateAgain(self, state)),
    attest: (survivors) => inTurn((state) => attestSurvivors(self, state, survivors)),
    unmask: (attestations) => inTurn((state) => revealShares(self, state, attestations)),
    forget: () =>
      inTurn((state) =>
        ok({ record: state.root === null ? state : { ...state, root: null, received: null }, answer: undefined }),
      ),
  });
}

async function remembered(
  { context }: SecureRound,
  store: ClientStore,
  name: string,
): Promise<Result<ClientRecord | null, SecureFault>> {
  const content = await store.load(name);
  if (!content.ok) return faulty('storage_failed', content.error);
  if (content.value === null) return ok(null);
  const record = parseRecord(content.value);
  // Starting anew instead would be a second answer.
  if (!record.ok) return faulty('storage_failed', `what the client remembers of the round is damaged: ${record.error}`);
  return record.value.context === context
    ? record
    : faulty('secure_already_answered', 'the client takes part in another secure round of the same manifest');
}
