/** bincode 1.3 with its defaults, as read-bincode.ts reads it: the bytes of one value each. */

const utf8 = new TextEncoder();

export function i32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setInt32(0, value, true);
  return bytes;
}

/** A whole number below 2⁵³, as u64. */
export function u64(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value), true);
  return bytes;
}

export function text(value: string): readonly Uint8Array[] {
  const bytes = utf8.encode(value);
  return [u64(bytes.length), bytes];
}

export function flag(value: boolean): Uint8Array {
  return Uint8Array.of(value ? 1 : 0);
}

/** The parts one after the other; a long trace has more of them than a function takes arguments. */
export function concatenated(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
