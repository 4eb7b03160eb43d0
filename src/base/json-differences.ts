/** Compares two JSON values. */
import { canonicalJson, type JsonValue } from './canonical-json.ts';

/** Two values in the same place, as JSON; null for a value that is missing. */
interface JsonDifference {
  /** A path with dots. */
  readonly what: string;
  readonly a: string | null;
  readonly b: string | null;
}

/** The innermost values that differ, each named by its path from `path`. */
export function jsonDifferences(
  path: string,
  a: JsonValue | undefined,
  b: JsonValue | undefined,
): readonly JsonDifference[] {
  const [textA, textB] = [a, b].map((value) => (value === undefined ? null : canonicalJson(value)));
  if (textA === textB) return [];
  if (
    typeof a !== 'object' ||
    typeof b !== 'object' ||
    a === null ||
    b === null ||
    Array.isArray(a) !== Array.isArray(b)
  )
    return [{ what: path, a: textA ?? null, b: textB ?? null }];
  const [ofA, ofB] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
  return [...new Set([...ofA.keys(), ...ofB.keys()])].flatMap((key) =>
    jsonDifferences(`${path}.${key}`, ofA.get(key), ofB.get(key)),
  );
}
