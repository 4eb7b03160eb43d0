/**
 * The coordinator of one secure aggregation, as a state machine over untrusted messages.
 *
 * `receive` takes one message in the present stage; `advance` ends the stage, when the caller's deadline says so.
 */
import { bytesToHex } from '@noble/hashes/utils.js';
import { ok, type Result } from '../../base/result.ts';
import { sha256 } from '../../merkle/sha256.ts';
import { nodeCiphers, type Ciphers } from './ciphers.ts';
import { keyFault, repeatsKey } from './key-list.ts';
import { revealFault } from './reveal.ts';
import { faulty, type SecureFault } from './secure-fault.ts';
import type { SecureRound } from './secure-round.ts';
import type {
  KeysStage,
  MaskedStage,
  Received,
  ServerState,
  SharesStage,
  SurvivorsStage,
  UnmaskStage,
  WithSharers,
} from './server-state.ts';
import { openStatement, shaOfList, type ShareEnvelope } from './statement.ts';

type Next = Result<ServerState, SecureFault>;

/** A coordinator that has received nothing. */
export const openSecureServer = (round: SecureRound): KeysStage => ({ stage: 'keys', round, keys: new Map() });

/** `known` with one more; the same again changes nothing, another of the same participant is refused. */
function added<T extends { readonly participant: string }>(
  known: Received<T>,
  one: T,
  name = one.participant,
): Result<Received<T>, SecureFault> {
  const before = known.get(name);
  if (before === undefined) return ok(new Map([...known, [name, one]]));
  if (JSON.stringify(before) === JSON.stringify(one)) return ok(known);
  return faulty('secure_already_answered', 'the participant has sent another message for this step', one.participant);
}

/**
 * The state with one more message; a fault changes nothing. `vector` are the bytes that a `masked` message names: the caller keeps them,
 * since the state does not.
 */
export async function receive(
  state: ServerState,
  message: unknown,
  vector?: Uint8Array,
  ciphers: Ciphers = nodeCiphers(),
): Promise<Next> {
  if (typeOf(message) !== state.stage)
    return faulty('secure_step_closed', `the coordinator waits for ${state.stage} and takes nothing else now`);
  switch (state.stage) {
    case 'keys':
      return receiveKeys(state, message, ciphers);
    case 'shares':
      return receiveShares(state, message);
    case 'masked':
      return receiveMasked(state, message, vector);
    case 'survivors':
      return receiveAttestation(state, message);
    case 'unmask':
      return receiveUnmask(state, message);
  }
}

const typeOf = (message: unknown): unknown =>
  typeof message === 'object' && message !== null && 'type' in message ? message.type : undefined;

async function receiveKeys(state: KeysStage, message: unknown, ciphers: Ciphers): Promise<Next> {
  const read = await openStatement(state.round, 'keys', message);
  if (!read.ok) return read;
  const fault = keyFault(ciphers, read.value);
  if (fault !== null) return faulty('secure_key_invalid', fault, read.value.participant);
  const keys = added(state.keys, read.value);
  if (!keys.ok) return keys;
  return repeatsKey(keys.value.values())
    ? faulty('secure_key_invalid', 'an ephemeral key appears twice', read.value.participant)
    : ok({ ...state, keys: keys.value });
}

async function receiveShares(state: SharesStage, message: unknown): Promise<Next> {
  const read = await openStatement(state.round, 'shares', message);
  if (!read.ok) return read;
  const { participant: dealer, recipient, keyListSha } = read.value;
  const isKnown = (one: string): boolean => state.keyList.some(({ participant }) => participant === one);
  if (dealer === recipient || !isKnown(dealer) || !isKnown(recipient) || keyListSha !== shaOfList(state.keyList))
    return faulty(
      'secure_sets_differ',
      'an envelope is not between two participants of the key list, or of another key list',
      dealer,
    );
  const dealt = added(state.envelopes.get(dealer) ?? new Map<string, ShareEnvelope>(), read.value, recipient);
  return dealt.ok ? ok({ ...state, envelopes: new Map([...state.envelopes, [dealer, dealt.value]]) }) : dealt;
}

async function receiveMasked(state: MaskedStage, message: unknown, vector: Uint8Array | undefined): Promise<Next> {
  const read = await openStatement(state.round, 'masked', message);
  if (!read.ok) return read;
  const { participant, weight, vectorSha } = read.value;
  if (!state.sharers.includes(participant) || !hasSameView(state, read.value))
    return faulty('secure_sets_differ', 'the masked delta is for other keys or sharers', participant);
  if (weight < 1 || weight > state.round.maxWeight)
    return faulty(
      'secure_input_invalid',
      `the weight must be from 1 to ${state.round.maxWeight}, not ${weight}`,
      participant,
    );
  if (vector?.length !== 4 * state.round.length || bytesToHex(sha256(vector)) !== vectorSha)
    return faulty(
      'secure_input_invalid',
      'the masked delta is missing, or has not the size or the SHA-256 that was signed',
      participant,
    );
  const inputs = added(state.inputs, read.value);
  return inputs.ok ? ok({ ...state, inputs: inputs.value }) : inputs;
}

const hasSameView = (
  { keyList, sharers }: WithSharers,
  { keyListSha, sharersSha }: { readonly keyListSha: string; readonly sharersSha: string },
): boolean => keyListSha === shaOfList(keyList) && sharersSha === shaOfList(sharers);

async function receiveAttestation(state: SurvivorsStage, message: unknown): Promise<Next> {
  const read = await openStatement(state.round, 'survivors', message);
  if (!read.ok) return read;
  const { participant, survivors } = read.value;
  if (
    !state.survivors.includes(participant) ||
    !hasSameView(state, read.value) ||
    shaOfList(survivors) !== shaOfList(state.survivors)
  )
    return faulty('secure_sets_differ', 'the participant has signed other keys, sharers or survivors', participant);
  const attestations = added(state.attestations, read.value);
  return attestations.ok ? ok({ ...state, attestations: attestations.value }) : attestations;
}

async function receiveUnmask(state: UnmaskStage, message: unknown): Promise<Next> {
  const read = await openStatement(state.round, 'unmask', message);
  if (!read.ok) return read;
  const fault = revealFault(state, read.value);
  if (fault !== null) return faulty('secure_share_invalid', fault, read.value.participant);
  const answers = added(state.answers, read.value);
  return answers.ok ? ok({ ...state, answers: answers.value }) : answers;
}

const sorted = (names: Iterable<string>): readonly string[] => [...names].sort();

/** Messages, sorted by participant: as clients take them. */
export const listed = <T>(received: Received<T>): readonly T[] =>
  [...received].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);

/**
 * Ends the present stage: the next one, or `secure_too_few`. What clients then get is `keyList`; `envelopesFor` each; `survivors`; and
 * `listed(attestations)`. The stage `unmask` is the last.
 */
export function advance(state: ServerState): Next {
  switch (state.stage) {
    case 'keys':
      return endKeys(state);
    case 'shares': {
      const { round, keyList, envelopes } = state;
      const sharers = sorted(
        [...envelopes].filter(([, dealt]) => dealt.size === keyList.length - 1).map(([name]) => name),
      );
      const next: MaskedStage = { stage: 'masked', round, keyList, envelopes, sharers, inputs: new Map() };
      return enough(round, sharers.length, next);
    }
    case 'masked': {
      const survivors = sorted(state.inputs.keys());
      const next = { ...state, survivors, attestations: new Map() };
      if (state.round.scheme === 'additive_pairwise')
        return enough(state.round, survivors.length, { ...next, stage: 'unmask', answers: new Map() });
      return enough(state.round, survivors.length, { ...next, stage: 'survivors' });
    }
    case 'survivors':
      return enough(state.round, state.attestations.size, { ...state, stage: 'unmask', answers: new Map() });
    case 'unmask':
      return faulty('secure_step_closed', 'the stage unmask is the last');
  }
}

function endKeys({ round, keys }: KeysStage): Next {
  const keyList = listed(keys);
  if (round.scheme === 'double_mask')
    return enough(round, keyList.length, { stage: 'shares', round, keyList, envelopes: new Map() });
  const sharers = keyList.map(({ participant }) => participant);
  return enough(round, sharers.length, {
    stage: 'masked',
    round,
    keyList,
    envelopes: new Map(),
    sharers,
    inputs: new Map(),
  });
}

const enough = ({ threshold }: SecureRound, count: number, next: ServerState): Next =>
  count >= threshold
    ? ok(next)
    : faulty('secure_too_few', `${count} participants are left before ${next.stage}; the threshold is ${threshold}`);

/** The envelopes that sharers have sealed for a participant, sorted by dealer. */
export const envelopesFor = ({ sharers, envelopes }: MaskedStage, recipient: string): readonly ShareEnvelope[] =>
  sharers.flatMap((dealer) => envelopes.get(dealer)?.get(recipient) ?? []);
