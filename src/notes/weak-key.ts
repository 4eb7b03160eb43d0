/** Public keys of Ed25519 under which a signature says nothing, or that platforms read differently. */
import { bytesToHex } from '@noble/hashes/utils.js';

/**
 * The y coordinates, little-endian, of the eight points whose order divides 8: y = 0, 1, −1 and the two of order 8. Under
 * such a key anyone makes a signature of any message: R among the same eight points, and s = 0. RFC 8032 does not ask
 * verifiers to refuse them: OpenSSL accepts them, other implementations do not.
 */
const smallOrderY: ReadonlySet<string> = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
]);

/**
 * Whether the little-endian number `y`, without its highest bit, is below 2²⁵⁵ − 19. RFC 8032 (section 5.1.3) refuses others, and
 * not every library does.
 */
export const isReduced = (y: Uint8Array): boolean =>
  (y[0] ?? 0) < 0xed || y[31] !== 0x7f || y.subarray(1, -1).some((byte) => byte !== 0xff);

/** Why no signature by `publicKey` (32 bytes) may count; null if it may. */
export function weaknessOf(publicKey: Uint8Array): string | null {
  const y = Uint8Array.from(publicKey);
  // The highest bit is the sign of x.
  y[31] = (y[31] ?? 0) & 0x7f;
  if (!isReduced(y)) return 'its point is not in the one form that RFC 8032 allows';
  return smallOrderY.has(bytesToHex(y)) ? 'it has a small order, so anyone can make signatures for it' : null;
}
