/** Decoders for the numbers of run files, with their ranges. */
import { err, ok } from '../../base/result.ts';
import { count, finite, type Decoder } from '../../evidence/decoder.ts';

/** A whole number from `least` to `most`. */
export function whole(least: number, most: number): Decoder<number> {
  return (value, at) => {
    const decoded = count(value, at);
    if (!decoded.ok) return err(`${at} is not a whole number`);
    return decoded.value >= least && decoded.value <= most
      ? decoded
      : err(`${at} is ${decoded.value}; it must be from ${least} to ${most}`);
  };
}

/** A finite number from `least` to `most`. */
export function between(least: number, most: number): Decoder<number> {
  return (value, at) => {
    const decoded = finite(value, at);
    if (!decoded.ok) return decoded;
    return decoded.value >= least && decoded.value <= most
      ? ok(decoded.value)
      : err(`${at} is ${decoded.value}; it must be from ${least} to ${most}`);
  };
}

/** True or false. */
export const flag: Decoder<boolean> = (value, at) =>
  typeof value === 'boolean' ? ok(value) : err(`${at} is not true or false`);

/** A record whose `kind` selects its decoder. */
export function byKind<T>(kinds: Readonly<Record<string, Decoder<T>>>): Decoder<T> {
  return (value, at) => {
    const kind = typeof value === 'object' && value !== null && 'kind' in value ? value.kind : undefined;
    const decoder = typeof kind === 'string' && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
    return decoder === undefined
      ? err(`${at}.kind is not one of ${Object.keys(kinds).join(', ')}`)
      : decoder(value, at);
  };
}

/** Maps what a decoder reads. The caller must catch exceptions of `make`. */
export function mapped<A, B>(decoder: Decoder<A>, make: (value: A) => B): Decoder<B> {
  return (value, at) => {
    const decoded = decoder(value, at);
    return decoded.ok ? ok(make(decoded.value)) : decoded;
  };
}
