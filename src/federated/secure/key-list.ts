/** What must hold of ephemeral keys before anybody uses them. */
import { isReduced } from '../../notes/weak-key.ts';
import type { Result } from '../../base/result.ts';
import { secretBytes, type Ciphers } from './ciphers.ts';
import { keyBytes } from './derive.ts';
import { faulty, type SecureFault } from './secure-fault.ts';
import type { SecureRound } from './secure-round.ts';
import { openStatements, type KeyAdvertisement } from './statement.ts';

/** Any scalar shows a point of small order: they are clamped to multiples of 8. */
const anySecret = new Uint8Array(secretBytes).fill(0x5a);

/** Why keys cannot be used; null if they can. */
export function keyFault(ciphers: Ciphers, { channelKey, maskKey }: KeyAdvertisement): string | null {
  for (const key of [channelKey, maskKey].map(keyBytes)) {
    // X25519 reads 2 to 4 texts as one key; with one spelling, distinct texts are distinct keys.
    if (((key[31] ?? 0) & 0x80) !== 0 || !isReduced(key)) return 'an ephemeral key is not in its one spelling';
    if (ciphers.agree(anySecret, key) === null) return 'an ephemeral key has a small order';
  }
  return null;
}

/** Whether two of the keys are one; each of `advertisements` is another participant's. */
export function repeatsKey(advertisements: Iterable<KeyAdvertisement>): boolean {
  const keys = [...advertisements].flatMap(({ channelKey, maskKey }) => [channelKey, maskKey]);
  return new Set(keys).size < keys.length;
}

/** Reads the key list that a coordinator passes on: enough participants, sound keys, no key twice. */
export async function openKeyList(
  ciphers: Ciphers,
  round: SecureRound,
  value: unknown,
): Promise<Result<readonly KeyAdvertisement[], SecureFault>> {
  const read = await openStatements(round, 'keys', value);
  if (!read.ok) return read;
  for (const advertisement of read.value) {
    const fault = keyFault(ciphers, advertisement);
    if (fault !== null) return faulty('secure_key_invalid', fault, advertisement.participant);
  }
  if (repeatsKey(read.value)) return faulty('secure_key_invalid', 'an ephemeral key appears twice');
  const { length } = read.value;
  if (length >= round.threshold) return read;
  return faulty('secure_too_few', `${length} participants sent keys; the threshold is ${round.threshold}`);
}
