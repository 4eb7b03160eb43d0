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
import {
  openStatement,
  shaOfList,
  signerIn,
  type KeyAdvertisement,
  type MaskedInput,
  type SecureMessage,
  type ShareEnvelope,
  type SurvivorAttestation,
  type UnmaskShares,
} from './statement.ts';

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
  if (typeOf(message) !== state.stage) return closed(state);
  const read = await openStatement(state.round, state.stage, message);
  if (!read.ok) return read;
  const { value } = read;
  const weak = value.type === 'keys' ? keyFault(ciphers, value) : null;
  if (weak !== null) return faulty('secure_key_invalid', weak, value.participant);
  const next = admit(state, value);
  const isMissing =
    value.type === 'masked' &&
    (vector?.length !== 4 * state.round.length || bytesToHex(sha256(vector)) !== value.vectorSha);
  return next.ok && isMissing
    ? faulty(
        'secure_input_invalid',
        'the masked delta is missing, or has not the size or the SHA-256 that was signed',
        value.participant,
      )
    : next;
}

const typeOf = (message: unknown): unknown =>
  typeof message === 'object' && message !== null && 'type' in message ? message.type : undefined;

const closed = ({ stage }: ServerState): Result<never, SecureFault> =>
  faulty('secure_step_closed', `the coordinator waits for ${stage} and takes nothing else now`);

/**
 * The state with a message whose signature holds, and whose keys are sound; a fault changes nothing. The bytes that a `masked` message
 * names are not looked at.
 */
export function admit(state: ServerState, message: SecureMessage): Next {
  const signer = signerIn(state.round, message);
  if (!signer.ok) return signer;
  switch (message.type) {
    case 'keys':
      return state.stage === 'keys' ? admitKeys(state, message) : closed(state);
    case 'shares':
      return state.stage === 'shares' ? admitShares(state, message) : closed(state);
    case 'masked':
      return state.stage === 'masked' ? admitMasked(state, message) : closed(state);
    case 'survivors':
      return state.stage === 'survivors' ? admitAttestation(state, message) : closed(state);
    case 'unmask':
      return state.stage === 'unmask' ? admitReveal(state, message) : closed(state);
  }
}

function admitKeys(state: KeysStage, message: KeyAdvertisement): Next {
  const keys = added(state.keys, message);
  if (!keys.ok) return keys;
  return repeatsKey(keys.value.values())
    ? faulty('secure_key_invalid', 'an ephemeral key appears twice', message.participant)
    : ok({ ...state, keys: keys.value });
}

function admitShares(state: SharesStage, message: ShareEnvelope): Next {
  const { participant: dealer, recipient, keyListSha } = message;
  const isKnown = (one: string): boolean => state.keyList.some(({ participant }) => participant === one);
  if (dealer === recipient || !isKnown(dealer) || !isKnown(recipient) || keyListSha !== shaOfList(state.keyList))
    return faulty(
      'secure_sets_differ',
      'an envelope is not between two participants of the key list, or of another key list',
      dealer,
    );
  const dealt = added(state.envelopes.get(dealer) ?? new Map<string, ShareEnvelope>(), message, recipient);
  return dealt.ok ? ok({ ...state, envelopes: new Map([...state.envelopes, [dealer, dealt.value]]) }) : dealt;
}

function admitMasked(state: MaskedStage, message: MaskedInput): Next {
  const { participant, weight } = message;
  if (!state.sharers.includes(participant) || !hasSameView(state, message))
    return faulty('secure_sets_differ', 'the masked delta is for other keys or sharers', participant);
  if (weight < 1 || weight > state.round.maxWeight)
    return faulty(
      'secure_input_invalid',
      `the weight must be from 1 to ${state.round.maxWeight}, not ${weight}`,
      participant,
    );
  const inputs = added(state.inputs, message);
  return inputs.ok ? ok({ ...state, inputs: inputs.value }) : inputs;
}

const hasSameView = (
  { keyList, sharers }: WithSharers,
  { keyListSha, sharersSha }: { readonly keyListSha: string; readonly sharersSha: string },
): boolean => keyListSha === shaOfList(keyList) && sharersSha === shaOfList(sharers);

function admitAttestation(state: SurvivorsStage, message: SurvivorAttestation): Next {
  const { participant, survivors } = message;
  if (
    !state.survivors.includes(participant) ||
    !hasSameView(state, message) ||
    shaOfList(survivors) !== shaOfList(state.survivors)
  )
    return faulty('secure_sets_differ', 'the participant has signed other keys, sharers or survivors', participant);
  const attestations = added(state.attestations, message);
  return attestations.ok ? ok({ ...state, attestations: attestations.value }) : attestations;
}

function admitReveal(state: UnmaskStage, message: UnmaskShares): Next {
  const fault = revealFault(state, message);
  if (fault !== null) return faulty('secure_share_invalid', fault, message.participant);
  const answers = added(state.answers, message);
  return answers.ok ? ok({ ...state, answers: answers.value }) : answers;
}

/** Whether a participant has answered the present stage, of shares in part at least. */
export function hasAnswered(state: ServerState, participant: string): boolean {
  switch (state.stage) {
    case 'keys':
      return state.keys.has(participant);
    case 'shares':
      return state.envelopes.has(participant);
    case 'masked':
      return state.inputs.has(participant);
    case 'survivors':
      return state.attestations.has(participant);
    case 'unmask':
      return state.answers.has(participant);
  }
}

/** The state without what a participant has sent in the present stage, which it leaves; from `survivors` on, nobody can. */
export function withoutAnswer(state: ServerState, participant: string): ServerState {
  const others = <T>(received: Received<T>): Received<T> =>
    new Map([...received].filter(([name]) => name !== participant));
  switch (state.stage) {
    case 'keys':
      return { ...state, keys: others(state.keys) };
    case 'shares':
      return { ...state, envelopes: others(state.envelopes) };
    case 'masked':
      return { ...state, inputs: others(state.inputs) };
    default:
      return state;
  }
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
