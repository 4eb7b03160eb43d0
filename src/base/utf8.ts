/** The text of `bytes`; null if they are not UTF-8. A byte order mark is part of it unless it is to be dropped. */
export function decodeUtf8(bytes: Uint8Array, mark: 'kept' | 'dropped' = 'kept'): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: mark === 'kept' }).decode(bytes);
  } catch {
    // A fatal decoder throws for bytes that are not UTF-8, and for nothing else.
    return null;
  }
}

const encoder = new TextEncoder();

/** The bytes of `text`; a lone surrogate becomes U+FFFD. */
export const encodeUtf8 = (text: string): Uint8Array => encoder.encode(text);
