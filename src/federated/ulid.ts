/** ULIDs (github.com/ulid/spec): 48 bits of milliseconds and 80 random bits, as 26 characters of Crockford's base 32. */
import { invariant } from '../base/invariant.ts';
import type { Codec } from './wire/codec.ts';
import { err, ok } from '../base/result.ts';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const timeDigits = 10;
const randomDigits = 16;
const randomBytes = 10;
const maxTime = 2 ** 48 - 1;

declare const roundId: unique symbol;
/** The ID of a round: a ULID. */
export type RoundId = string & { readonly [roundId]: true };

/** Fills a fresh array of so many bytes. */
export type RandomBytes = (length: number) => Uint8Array;

/** From the system's cryptographic source. */
export const systemRandom: RandomBytes = (length) => globalThis.crypto.getRandomValues(new Uint8Array(length));

function digits(value: bigint, length: number): string {
  let text = '';
  for (let rest = value, i = 0; i < length; i++, rest >>= 5n) text = (alphabet[Number(rest & 31n)] ?? '') + text;
  return text;
}

/**
 * A source of increasing ULIDs, also within a millisecond and while the clock goes back: then the last one is incremented. `now` is in
 * milliseconds since 1970.
 */
export function createUlids(now: () => number, random: RandomBytes = systemRandom): () => RoundId {
  let [time, tail] = [-1, 0n];
  return () => {
    const present = Math.floor(now());
    invariant(present >= 0 && present <= maxTime, 'a ULID has 48 bits for the time');
    if (present > time) {
      time = present;
      tail = random(randomBytes).reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
    } else {
      tail += 1n;
      // After 2⁸⁰ of them, which only a random part near the end can reach: the next millisecond, so that order is kept.
      if (tail >= 1n << 80n) [time, tail] = [time + 1, 0n];
    }
    // The digits are of the alphabet and of the length that parseUlid demands.
    return (digits(BigInt(time), timeDigits) + digits(tail, randomDigits)) as RoundId;
  };
}

/** The text as an ID; null unless it is a ULID in its one spelling: upper case, at most 48 bits of time. */
export const parseUlid = (text: string): RoundId | null =>
  // The pattern is what makes a text a RoundId.
  /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text) ? (text as RoundId) : null;

/** The time in a ULID, in milliseconds since 1970. */
export const ulidTime = (id: RoundId): number =>
  Array.from(id.slice(0, timeDigits), (digit) => alphabet.indexOf(digit)).reduce((sum, digit) => sum * 32 + digit, 0);

/** The ID on the wire. */
export const roundIdCodec: Codec<RoundId> = {
  decode: (value, at) => {
    const id = typeof value === 'string' ? parseUlid(value) : null;
    return id === null ? err(`${at} is not a ULID`) : ok(id);
  },
  encode: (id) => id,
};
