/**
 * Typed readers for untrusted JSON: every key must be known, every value is checked, and the first fault is reported.
 */
import { err, ok, type Result } from '../base/result.ts';

/** Reads `value`, found at `at` (e.g. `receipt.worst.error`); the error is a sentence with that place. */
export type Decoder<T> = (value: unknown, at: string) => Result<T, string>;

/** Any string. */
export const text: Decoder<string> = (value, at) =>
  typeof value === 'string' ? ok(value) : err(`${at} is not a text`);

/** Any number that is not NaN or infinite. */
export const finite: Decoder<number> = (value, at) =>
  Number.isFinite(value) ? ok(Number(value)) : err(`${at} is not a number`);

/** A whole number from 0 to 2⁵³ − 1. */
export const count: Decoder<number> = (value, at) =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? ok(Number(value)) : err(`${at} is not a count`);

const nonFinite: Readonly<Record<string, number>> = { NaN: Number.NaN, Infinity, '-Infinity': -Infinity };

/** A number, or NaN or ±∞ as text. */
export const anyNumber: Decoder<number> = (value, at) => {
  const special = typeof value === 'string' && Object.hasOwn(nonFinite, value) ? nonFinite[value] : undefined;
  return special === undefined ? finite(value, at) : ok(special);
};

/** A string that matches `pattern`; `what` names it in the error. */
export function matching(pattern: RegExp, what: string): Decoder<string> {
  return (value, at) => (typeof value === 'string' && pattern.test(value) ? ok(value) : err(`${at} is not ${what}`));
}

/** Exactly one of the given strings or numbers. */
export function oneOf<const T extends string | number>(...options: readonly T[]): Decoder<T> {
  return (value, at) => {
    const found = options.find((option) => option === value);
    return found === undefined ? err(`${at} is not one of ${options.join(', ')}`) : ok(found);
  };
}

/** The decoder's values, and null. */
export function nullable<T>(decoder: Decoder<T>): Decoder<T | null> {
  return (value, at) => (value === null ? ok(null) : decoder(value, at));
}

/** A list of at most `most` items: one that is longer is refused before any of them is read. */
export function list<T>(decoder: Decoder<T>, most: number = Infinity): Decoder<readonly T[]> {
  return (value, at) => {
    if (!Array.isArray(value)) return err(`${at} is not a list`);
    if (value.length > most) return err(`${at} has ${value.length} items, more than ${most}`);
    const items: T[] = [];
    for (const [i, item] of value.entries()) {
      const decoded = decoder(item, `${at}[${i}]`);
      if (!decoded.ok) return decoded;
      items.push(decoded.value);
    }
    return ok(items);
  };
}

/** A mapping with any keys. */
export function mapping<T>(decoder: Decoder<T>): Decoder<Readonly<Record<string, T>>> {
  return (value, at) => {
    if (!isPlainObject(value)) return err(`${at} is not a mapping`);
    const members: [string, T][] = [];
    for (const [key, member] of Object.entries(value)) {
      const decoded = decoder(member, `${at}.${key}`);
      if (!decoded.ok) return decoded;
      members.push([key, decoded.value]);
    }
    return ok(Object.fromEntries(members));
  };
}

type OptionalKey<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T];

/** A record with exactly these keys, of which those in `optional` may be absent. */
export function record<T extends object>(
  fields: { readonly [K in keyof T]-?: Decoder<T[K]> },
  optional: readonly OptionalKey<T>[] = [],
): Decoder<T> {
  const mayBeAbsent: ReadonlySet<PropertyKey> = new Set(optional);
  const decoders = Object.entries<Decoder<unknown>>(fields);
  return (value, at) => {
    if (!isPlainObject(value)) return err(`${at} is not a record`);
    for (const key of Object.keys(value)) if (!Object.hasOwn(fields, key)) return err(`${at}.${key} is unknown`);
    const members: Record<string, unknown> = {};
    for (const [key, decoder] of decoders) {
      if (!Object.hasOwn(value, key)) {
        if (mayBeAbsent.has(key)) continue;
        return err(`${at}.${key} is missing`);
      }
      const decoded = decoder(value[key], `${at}.${key}`);
      if (!decoded.ok) return decoded;
      members[key] = decoded.value;
    }
    // Every key of T that is present was decoded by its own decoder, which the compiler cannot follow through entries.
    return ok(members as T);
  };
}

/** What `content` holds, JSON of `decoder`'s shape. */
export function decodeJson<T>(content: string, decoder: Decoder<T>): Result<T, string> {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    return err('file is not JSON');
  }
  return decoder(value, 'file');
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
