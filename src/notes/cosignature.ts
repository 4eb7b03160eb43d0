/**
 * Timestamped Ed25519 cosignatures of checkpoints, `cosignature/v1` (C2SP tlog-cosignature, signature type 0x04): eight
 * bytes of POSIX seconds, then the signature of two header lines and the checkpoint's text.
 */
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { signatureBytes } from './ed25519.ts';

const header = 'cosignature/v1\n';
const maxTime = (1n << 63n) - 1n;

/** The bytes that a cosigner signs of a checkpoint's text (its last newline included) at `time`. */
export const cosignedMessage = (text: string, time: bigint): Uint8Array =>
  utf8ToBytes(`${header}time ${time}\n${text}`);

/** Whether `text` could be treated as a cosigned message: no key of the plain type may sign such a text. */
export const looksCosigned = (text: string): boolean => text.startsWith(header);

/** `time` in whole POSIX seconds, big-endian. */
export function timestampBytes(time: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(time));
  return bytes;
}

/** Splits what follows the key ID; null if it has another length or a time beyond 2^63 − 1. */
export function readCosignature(bytes: Uint8Array): { readonly time: bigint; readonly signature: Uint8Array } | null {
  if (bytes.length !== 8 + signatureBytes) return null;
  const time = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0);
  return time > maxTime ? null : { time, signature: bytes.subarray(8) };
}
