/** Seals: what only who knows a secret can say about a text. */
import { Buffer } from 'node:buffer';

/** The seal of `content` (HMAC-SHA-256, RFC 2104), in lower-case hexadecimal. */
export function sealed(secret: string, content: string | Uint8Array): string {
  return crypto().createHmac('sha256', secret).update(content).digest('hex');
}

/** Whether `found` is the seal of `content`; takes as long for a wrong one as for a correct one. */
export function isSealed(secret: string, content: string | Uint8Array, found: string): boolean {
  const right = Buffer.from(sealed(secret, content));
  const given = Buffer.from(found);
  return given.length === right.length && crypto().timingSafeEqual(given, right);
}

/** Loaded when a seal is requested: `pv --help` needs none, and this module is in bin.js. */
const crypto = () => process.getBuiltinModule('node:crypto');
