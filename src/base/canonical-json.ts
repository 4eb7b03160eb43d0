/**
 * RFC 8785 canonical JSON: one text for one value, so that digests mean the same everywhere.
 */
import { invariant } from './invariant.ts';

/** What JSON can represent. `undefined` and NaN are not among its values. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object; canonical text orders its keys by UTF-16 code units. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Readers limit the depth well below this; it only bounds the recursion. */
const DEPTH_LIMIT = 1000;

/**
 * `value` as RFC 8785 text: keys sorted by UTF-16 code units, ECMAScript numbers, no white space.
 *
 * Throws PvBug for what JSON cannot say (NaN, infinities, lone surrogates): callers check their data first.
 */
export function canonicalJson(value: JsonValue, depth = 0): string {
  invariant(depth <= DEPTH_LIMIT, `canonical JSON nests at most ${DEPTH_LIMIT} deep`);
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return canonicalNumber(value);
  if (typeof value === 'string') return canonicalString(value);
  if (isArray(value)) return `[${value.map((item) => canonicalJson(item, depth + 1)).join(',')}]`;
  return canonicalObject(value, depth);
}

const isArray = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);

/** RFC 8785 §3.2.2.3: the shortest text that reads back as the same double, which is what ECMAScript prints; −0 prints as 0. */
function canonicalNumber(value: number): string {
  invariant(Number.isFinite(value), 'canonical JSON has no NaN and no infinities');
  return String(value);
}

/** RFC 8785 §3.2.2.2: the escapes of `JSON.stringify`, for well-formed strings only. */
function canonicalString(value: string): string {
  const text = JSON.stringify(value);
  // A lone surrogate is escaped, so that a text without escapes has none.
  const hasEscapes = text.length > value.length + 2;
  invariant(!hasEscapes || !/\p{Surrogate}/u.test(value), 'canonical JSON has no lone surrogates');
  return text;
}

/** RFC 8785 §3.2.3: sorted by UTF-16 code units, which is the default order of `sort`. */
function canonicalObject(object: JsonObject, depth: number): string {
  let members = '';
  for (const key of Object.keys(object).sort()) {
    const comma = members === '' ? '' : ',';
    members += `${comma}${canonicalString(key)}:${canonicalJson(object[key] ?? null, depth + 1)}`;
  }
  return `{${members}}`;
}
