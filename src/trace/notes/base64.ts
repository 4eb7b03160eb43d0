/** Base64 as RFC 4648 section 4 has it: padded, in one spelling for each sequence of bytes. */

const alphabet = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The bytes of `text`; null where it is not base64, or not the spelling that `encodeBase64` gives those bytes. */
export function decodeBase64(text: string): Uint8Array | null {
  if (!alphabet.test(text)) return null;
  const binary = atob(text);
  // `Uint8Array.from` with a function took nearly half of the time of checking a proof (bench/trace).
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  // Unused bits of the last character must be zero: two texts for one signature would be two proofs of one fact.
  return encodeBase64(bytes) === text ? bytes : null;
}

export function encodeBase64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
