/**
 * Messages to a page and back as one text: JSON, in which arrays of float32 are places in a block of bytes after it. A
 * browser's own way of handing over values takes five times as long as small kernels run.
 *
 * A page gets these functions as text, so they use nothing from outside them.
 */

/** Bytes as base64 and back. */
export interface Base64 {
  readonly encode: (bytes: Uint8Array) => string;
  readonly decode: (text: string) => Uint8Array;
}

/** Of plain data: what JSON has, arrays of float32, and every number. */
export function writeMessage(message: unknown, { encode }: Base64): string {
  const arrays: Float32Array[] = [];
  let length = 0;
  const json = JSON.stringify(message, (_, value: unknown) => {
    if (value instanceof Float32Array) {
      arrays.push(value);
      length += value.length;
      return { float32: [length - value.length, length] };
    }
    // JSON has neither of these.
    if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0)))
      return { number: Object.is(value, -0) ? '-0' : String(value) };
    return value;
  });
  const block = new Float32Array(length);
  let at = 0;
  for (const array of arrays) {
    block.set(array, at);
    at += array.length;
  }
  return `${json}\n${encode(new Uint8Array(block.buffer))}`;
}

/** Restores a message from its text. Arrays of float32 share one block of bytes. */
export function readMessage(text: string, { decode }: Base64): unknown {
  const end = text.indexOf('\n');
  // A copy, because the bytes may begin anywhere in their buffer.
  const block = new Float32Array(Uint8Array.from(decode(text.slice(end + 1))).buffer);
  return JSON.parse(text.slice(0, end), (_, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    if ('float32' in value && Array.isArray(value.float32)) {
      const [from, to] = value.float32 as readonly number[];
      return block.subarray(from, to);
    }
    return 'number' in value && typeof value.number === 'string' ? Number(value.number) : value;
  });
}

/** Base64 in browsers: built-in functions since 2025, before that one character per byte. */
export function pageBase64(): Base64 {
  interface Native {
    readonly fromBase64?: (text: string) => Uint8Array;
  }
  const native = Uint8Array as unknown as Native;
  if (native.fromBase64)
    return {
      encode: (bytes) => (bytes as unknown as { readonly toBase64: () => string }).toBase64(),
      decode: (text) => native.fromBase64?.(text) ?? new Uint8Array(),
    };
  const atOnce = 8192;
  return {
    encode: (bytes) => {
      let text = '';
      for (let from = 0; from < bytes.length; from += atOnce)
        text += String.fromCharCode(...bytes.subarray(from, from + atOnce));
      return btoa(text);
    },
    decode: (text) => {
      const binary = atob(text);
      const bytes = new Uint8Array(binary.length);
      for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
      return bytes;
    },
  };
}

/** Base64 by Node's `Buffer`; pages have their own. */
export const nodeBase64: Base64 = {
  encode: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
  decode: (text) => Buffer.from(text, 'base64'),
};

/**
 * A script that lets a page answer messages with `answer`, an expression for a function of a message. A bundler may have given the
 * functions other names.
 */
export function pageMessageText(answer: string): string {
  return `(() => {
  const [write, read, base64] = [${[writeMessage, readMessage, pageBase64].map((one) => `(${String(one)})`).join(', ')}];
  const bytes = base64();
  globalThis.pvAnswer = async (text) => write(await (${answer})(read(text, bytes)), bytes);
})();`;
}
