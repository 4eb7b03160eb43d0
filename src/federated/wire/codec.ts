/** Values and their JSON: one definition reads and writes a message, with camelCase names here and snake_case on the wire. */
import type { JsonObject, JsonValue } from '../../base/canonical-json.ts';
import { err, ok, type Result } from '../../base/result.ts';
import {
  finite,
  list,
  nullable,
  oneOf,
  record,
  count as wholeNumber,
  text as anyText,
  type Decoder,
} from '../../evidence/decoder.ts';
import { decodeBase64, encodeBase64 } from '../../notes/base64.ts';
import { signatureBytes } from '../../notes/ed25519.ts';

/** Reads and writes one kind of value. `decode` accepts nothing that `encode` would not write. */
export interface Codec<T> {
  readonly decode: Decoder<T>;
  readonly encode: (value: T) => JsonValue;
}

/** A codec of an object. */
export interface RecordCodec<T> extends Codec<T> {
  readonly encode: (value: T) => JsonObject;
}

/** `roundId` → `round_id`. */
export const wireName = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Any JSON of a message that `parseMessage` has read; whoever takes it checks it with a codec of its own. */
export const json: Codec<JsonValue> = { decode: (value) => ok(value as JsonValue), encode: (value) => value }; // parseMessage gave it

/** An object with exactly these members. */
export function recordCodec<T extends object>(fields: { readonly [K in keyof T]-?: Codec<T[K]> }): RecordCodec<T> {
  // Each codec gets the member of its own name alone, which the compiler cannot follow through entries.
  const table = fields as unknown as Readonly<Record<string, Codec<unknown>>>;
  const members = Object.entries(table).map(([name, codec]) => ({ name, wire: wireName(name), codec }));
  const onWire = record<Record<string, unknown>>(
    Object.fromEntries(members.map(({ wire, codec }) => [wire, codec.decode])),
  );
  return {
    decode(value, at) {
      const read = onWire(value, at);
      if (!read.ok) return read;
      // Every member of T was decoded by its own codec, which the compiler cannot follow through entries.
      return ok(Object.fromEntries(members.map(({ name, wire }) => [name, read.value[wire]])) as T);
    },
    encode(value) {
      const own = new Map<string, unknown>(Object.entries(value));
      return Object.fromEntries(members.map(({ name, wire, codec }) => [wire, codec.encode(own.get(name))]));
    },
  };
}

const plain = <T extends JsonValue>(decode: Decoder<T>): Codec<T> => ({ decode, encode: (value) => value });

/** Any number except NaN and infinities. */
export const number = plain(finite);

/** A whole number from 0. */
export const count = plain(wholeNumber);

/** True or false. */
export const flag: Codec<boolean> = plain((value, at) =>
  typeof value === 'boolean' ? ok(value) : err(`${at} is not true or false`),
);

/** A text of at most `most` UTF-16 code units. */
export const text = (most: number): Codec<string> =>
  plain((value, at) => {
    const read = anyText(value, at);
    return read.ok && read.value.length > most ? err(`${at} has more than ${most} characters`) : read;
  });

/** One of these texts. */
export const choice = <const T extends string>(...options: readonly T[]): Codec<T> => plain(oneOf(...options));

/** A value or null. */
export const orNull = <T>({ decode, encode }: Codec<T>): Codec<T | null> => ({
  decode: nullable(decode),
  encode: (value) => (value === null ? null : encode(value)),
});

/** A list of at most `most` values. */
export const listOf = <T>({ decode, encode }: Codec<T>, most: number): Codec<readonly T[]> => ({
  decode: list(decode, most),
  encode: (values) => values.map(encode),
});

/** SHA-256 as 64 lower-case hexadecimal digits. */
export const digest: Codec<string> = plain((value, at) =>
  typeof value === 'string' && isDigest(value) ? ok(value) : err(`${at} is not a SHA-256 in lower-case hexadecimal`),
);

/** Whether a text is a SHA-256 in lower-case hexadecimal. */
export const isDigest = (value: string): boolean => /^[0-9a-f]{64}$/.test(value);

/** An Ed25519 signature in base64. */
export const signature: Codec<Uint8Array> = {
  decode: (value, at) => {
    const bytes = typeof value === 'string' ? decodeBase64(value) : null;
    return bytes?.length === signatureBytes
      ? ok(bytes)
      : err(`${at} is not a signature of ${signatureBytes} bytes in base64`);
  },
  encode: encodeBase64,
};

/** The year 9999, after which ISO 8601 needs a sign. */
const lastInstant = 253_402_300_799_999;

/** A time in milliseconds since 1970; on the wire UTC, as `2026-01-31T12:00:00.000Z` and in no other spelling. */
export const instant: Codec<number> = {
  decode: (value, at) => {
    const time = typeof value === 'string' && value.length === 24 ? Date.parse(value) : Number.NaN;
    const isOne = time >= 0 && time <= lastInstant && new Date(time).toISOString() === value;
    return isOne ? ok(time) : err(`${at} is not a time in UTC like 2026-01-31T12:00:00.000Z`);
  },
  encode: (time) => new Date(time).toISOString(),
};

/** Objects of several kinds, told apart by their `type`. */
export function unionCodec<T extends { readonly type: string }>(kinds: {
  readonly [K in T['type']]: RecordCodec<Omit<Extract<T, { readonly type: K }>, 'type'>>;
}): RecordCodec<T> {
  const table = new Map<string, RecordCodec<object>>(Object.entries(kinds));
  return {
    decode(value, at): Result<T, string> {
      const { type, ...rest }: Readonly<Record<string, unknown>> =
        typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
      const kind = typeof type === 'string' ? table.get(type) : undefined;
      if (kind === undefined) return err(`${at}.type is not one that is known`);
      const read = kind.decode(rest, at);
      // The codec of this type gave the other members.
      return read.ok ? ok({ type, ...read.value } as T) : read;
    },
    encode(value) {
      const { type, ...rest } = value;
      const kind = table.get(type);
      return { type, ...kind?.encode(rest) };
    },
  };
}
