import type { JsonValue } from '../base/canonical-json.ts';
import { invariant } from '../base/invariant.ts';

/** Evidence nests a few levels; the bound only limits the recursion. */
const maxDepth = 64;

/**
 * `value` as JSON can hold it: NaN and ±∞ become the strings `"NaN"`, `"Infinity"`, `"-Infinity"`, lone surrogates U+FFFD,
 * and members that are undefined are left out.
 */
export function toJsonForm(value: unknown, depth = 0): JsonValue {
  invariant(depth <= maxDepth, `evidence nests at most ${maxDepth} deep`);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'string') return value.replace(/\p{Surrogate}/gu, '\ufffd');
  if (typeof value === 'boolean' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => toJsonForm(item, depth + 1));
  invariant(typeof value === 'object', `evidence holds no ${typeof value}`);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    members.map(([key, member]) => [key.replace(/\p{Surrogate}/gu, '\ufffd'), toJsonForm(member, depth + 1)]),
  );
}
