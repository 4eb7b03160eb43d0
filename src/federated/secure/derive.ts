/** Everything that is derived in a round. Each derivation has a purpose of its own, and the round's context as its salt. */
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js';
import { fromHex } from '../../base/hex.ts';
import { present } from '../../base/invariant.ts';
import { encodeUtf8 } from '../../base/utf8.ts';
import { sha256 } from '../../merkle/sha256.ts';
import { secretBytes, type Ciphers } from './ciphers.ts';
import type { SecureRound } from './secure-round.ts';
import { shareAt, type Share } from './shamir.ts';

type Purpose =
  | 'channel key'
  | 'mask key'
  | 'self mask'
  | 'coefficients of the mask key'
  | 'coefficients of the self mask'
  | 'channel'
  | 'pairwise mask'
  | 'own mask';

const derive = (
  { derive: hkdf }: Ciphers,
  { salt }: SecureRound,
  purpose: Purpose,
  secret: Uint8Array,
  ...parts: readonly Uint8Array[]
): Uint8Array => hkdf(secret, salt, concatBytes(encodeUtf8(`pv-secure-aggregation/1 ${purpose}\0`), ...parts));

/** What a client keeps to itself. */
export interface ClientSecrets {
  readonly channel: Uint8Array;
  readonly mask: Uint8Array;
  readonly selfMask: Uint8Array;
  /** The shares of `mask` and `selfMask` for the participant at a point. */
  readonly sharesAt: (point: number) => { readonly mask: Share; readonly selfMask: Share };
}

/**
 * The secrets of a client, all from one root of 256 random bits, which is drawn for this round and never shared. After a restart
 * they are the same, so that a repeated answer has the same bytes.
 */
export function clientSecrets(ciphers: Ciphers, round: SecureRound, root: Uint8Array): ClientSecrets {
  const own = (purpose: Purpose): Uint8Array => derive(ciphers, round, purpose, root);
  const coefficients = (purpose: Purpose): readonly Uint8Array[] => {
    const next = ciphers.keystream(own(purpose));
    return Array.from({ length: round.threshold - 1 }, () => Uint8Array.from(next(secretBytes)));
  };
  const [mask, selfMask] = [own('mask key'), own('self mask')];
  const ofMask = coefficients('coefficients of the mask key');
  const ofSelfMask = coefficients('coefficients of the self mask');
  return {
    channel: own('channel key'),
    mask,
    selfMask,
    sharesAt: (point) => ({ mask: shareAt(point, mask, ofMask), selfMask: shareAt(point, selfMask, ofSelfMask) }),
  };
}

/** The seed of the mask that two participants share: one adds it, the other subtracts it. Null for a weak key. */
export function pairSeed(ciphers: Ciphers, round: SecureRound, secret: Uint8Array, other: string): Uint8Array | null {
  const shared = ciphers.agree(secret, keyBytes(other));
  if (shared === null) return null;
  const both = [bytesToHex(ciphers.publicKeyOf(secret)), other].sort().map(keyBytes);
  return derive(ciphers, round, 'pairwise mask', shared, ...both);
}

/** The seed of a participant's own mask. */
export const ownMaskSeed = (ciphers: Ciphers, round: SecureRound, selfMask: Uint8Array): Uint8Array =>
  derive(ciphers, round, 'own mask', selfMask);

/** Who seals shares for whom, under which key list. */
export interface Channel {
  readonly keyListSha: string;
  readonly dealer: string;
  readonly recipient: string;
}

/** The key that seals one envelope and nothing else. Null for a weak key. */
export function channelKey(
  ciphers: Ciphers,
  round: SecureRound,
  { secret, other }: { readonly secret: Uint8Array; readonly other: string },
  { keyListSha, dealer, recipient }: Channel,
): Uint8Array | null {
  const shared = ciphers.agree(secret, keyBytes(other));
  if (shared === null) return null;
  const direction = Uint8Array.of(pointOf(round, dealer), pointOf(round, recipient));
  return derive(ciphers, round, 'channel', shared, keyBytes(keyListSha), direction);
}

/** Where the shares of a participant of the round are taken: from 1. */
export const pointOf = ({ participants }: SecureRound, participant: string): number =>
  participants.indexOf(participant) + 1;

/** SHA-256 commitment to a secret or a share of `dealer`; 256 random bits need no further blinding. */
export function commitmentTo(
  { salt }: SecureRound,
  what: 'self mask' | 'share of the self mask' | 'share of the mask key',
  dealer: string,
  bytes: Uint8Array,
): string {
  return bytesToHex(sha256(encodeUtf8(`pv-secure-aggregation/1 ${what}\0${dealer}\0`), salt, bytes));
}

/** The bytes of hexadecimal digits that were read before. */
export const keyBytes = (hex: string): Uint8Array => present(fromHex(hex), 'decoders let through hexadecimal alone');
