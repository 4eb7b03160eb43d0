/** The parameters of one secure aggregation, which every message is bound to. */
import { canonicalJson } from '../../base/canonical-json.ts';
import { fromHex } from '../../base/hex.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { encodeUtf8 } from '../../base/utf8.ts';
import { sha256 } from '../../merkle/sha256.ts';
import { formatVerifierKey, parseVerifierKey, type VerifierKey } from '../../notes/key.ts';
import { bytesToHex } from '@noble/hashes/utils.js';
import { overflowFault, type FixedPoint } from './fixed-point.ts';
import { faulty, type SecureFault } from './secure-fault.ts';
import { mostShares } from './shamir.ts';

/** `double_mask` is Bonawitz et al. (2017); `additive_pairwise` has masks that cancel, and no participant may leave. */
export type SecureScheme = 'double_mask' | 'additive_pairwise';

/**
 * What the coordinator may do: read everything it receives (`semi-honest`), or also lie, with fewer than a third of the participants
 * on its side (`active`).
 */
export type Adversary = 'semi-honest' | 'active';

/** What a manifest and its participants decide. */
export interface SecureParameters extends FixedPoint {
  readonly scheme: SecureScheme;
  readonly roundId: string;
  /** 64 hexadecimal digits. */
  readonly manifestSha: string;
  /** The verifier keys `NAME+KEYID+BASE64` of all who joined, in any order. */
  readonly participants: readonly string[];
  /** How many must be left at every step, and how many shares give a secret. */
  readonly threshold: number;
  readonly adversary: Adversary;
  /** Entries of a delta. */
  readonly length: number;
}

/** Parameters that were checked. */
export interface SecureRound extends SecureParameters {
  /** Sorted by UTF-16 code units. The place of a participant, from 1, is the point of its shares. */
  readonly participants: readonly string[];
  readonly keys: ReadonlyMap<string, VerifierKey>;
  /** SHA-256 of all parameters, in hexadecimal: what every message names. */
  readonly context: string;
  /** The same as bytes: the salt of every derivation. */
  readonly salt: Uint8Array;
}

/** With fewer, each of two could subtract its own delta from the sum. */
const fewestParticipants = 3;
/** 256 MiB of numbers. */
const mostEntries = 2 ** 26;

/**
 * The smallest threshold for `participants`: above half of them, above two thirds against an active coordinator; all of them where
 * nobody may leave. At least 3, because the sum of two participants shows each the other's delta.
 */
export function leastThreshold(participants: number, adversary: Adversary, scheme: SecureScheme): number {
  if (scheme === 'additive_pairwise') return participants;
  const share = adversary === 'active' ? (2 * participants) / 3 : participants / 2;
  return Math.max(fewestParticipants, Math.floor(share) + 1);
}

/** Checks the parameters of a round; `secure_round_invalid` says what is wrong with them. */
export function secureRound(draft: SecureParameters): Result<SecureRound, SecureFault> {
  const keys = keysOf(draft.participants);
  if (!keys.ok) return faulty('secure_round_invalid', keys.error);
  const fault = numbersFault(draft) ?? overflowFault(keys.value.size, draft);
  if (fault !== null) return faulty('secure_round_invalid', fault);
  const { scheme, roundId, manifestSha, threshold, adversary, length, bound, maxWeight, fractionBits } = draft;
  const stated = { scheme, roundId, manifestSha, threshold, adversary, length, bound, maxWeight, fractionBits };
  const participants = [...keys.value.keys()];
  const text = canonicalJson({ ...stated, participants, protocol: 'pv-secure-aggregation/1' });
  const salt = sha256(encodeUtf8(text));
  return ok({ ...stated, participants, keys: keys.value, context: bytesToHex(salt), salt });
}

function numbersFault(draft: SecureParameters): string | null {
  const { participants, threshold, adversary, scheme, length, manifestSha, roundId } = draft;
  if (!/^[0-9A-Za-z_-]{1,64}$/.test(roundId))
    return 'roundId must have 1 to 64 letters, digits, underscores or hyphens';
  if (manifestSha.length !== 64 || fromHex(manifestSha) === null)
    return 'manifestSha must have 64 hexadecimal digits in lower case';
  if (!Number.isInteger(length) || length < 1 || length > mostEntries)
    return `length must be a whole number from 1 to ${mostEntries}, not ${length}`;
  const count = participants.length;
  const least = leastThreshold(count, adversary, scheme);
  if (!Number.isInteger(threshold) || threshold < least || threshold > count)
    return `threshold must be from ${least} to ${count} (${adversary} coordinator, ${scheme}), not ${threshold}`;
  return null;
}

/** The keys of participants, sorted by their texts. */
function keysOf(participants: readonly string[]): Result<ReadonlyMap<string, VerifierKey>, string> {
  const count = participants.length;
  if (count < fewestParticipants || count > mostShares)
    return err(`a secure round has ${fewestParticipants} to ${mostShares} participants, not ${count}`);
  const keys = new Map<string, VerifierKey>();
  for (const text of participants.toSorted((a, b) => (a < b ? -1 : 1))) {
    const key = parseVerifierKey(text);
    if (!key.ok || key.value.type !== 'ed25519' || formatVerifierKey(key.value) !== text)
      return err('a participant is not a sound Ed25519 verifier key NAME+KEYID+BASE64');
    keys.set(text, key.value);
  }
  // One key under two names would be one person with two votes.
  const distinct = new Set([...keys.values()].map(({ publicKey }) => bytesToHex(publicKey)));
  return distinct.size === count ? ok(keys) : err('two participants have the same public key');
}
