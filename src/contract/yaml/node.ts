/**
 * A YAML document as a tree with places: what every later stage of reading a contract works on.
 */
import type { JsonObject, JsonValue } from '../../base/canonical-json.ts';
import type { Range } from '../../diagnostics/source.ts';

/** How a scalar is written; block scalars are `literal` (`|`) or `folded` (`>`). */
export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal' | 'folded';

/** A leaf of the tree, with its text and the value that YAML 1.2 gives it. */
export interface YamlScalar {
  readonly kind: 'scalar';
  /** The decoded text, before `1e-5` became a number. */
  readonly text: string;
  /** By the YAML 1.2 core schema: `1e-5` is a number, `yes` is a string. */
  readonly value: string | number | boolean | null;
  readonly style: ScalarStyle;
  /** The content without quotes, block headers and surrounding white space; the key's range when a value is missing. */
  readonly range: Range;
  /** Columns of indentation that are not part of a block scalar's text; −1 for other styles. */
  readonly indent: number;
}

/** A key of a mapping with its value. */
export interface YamlEntry {
  readonly key: string;
  readonly keyRange: Range;
  readonly value: YamlNode;
}

/** A mapping; of repeated keys, only one is kept. */
export interface YamlMapping {
  readonly kind: 'mapping';
  /** In the order of the file, keys unique. */
  readonly entries: readonly YamlEntry[];
  readonly range: Range;
}

/** A list, in block or flow style. */
export interface YamlSequence {
  readonly kind: 'sequence';
  readonly items: readonly YamlNode[];
  readonly range: Range;
}

/** Aliases share the node of their anchor; the builder bounds how often, so walks are finite and small. */
export type YamlNode = YamlScalar | YamlMapping | YamlSequence;

/** The entry of `key`, or null. */
export function entryOf(mapping: YamlMapping, key: string): YamlEntry | null {
  return mapping.entries.find((entry) => entry.key === key) ?? null;
}

/**
 * The node as plain data without prototypes, so that a key such as `__proto__` is only a key.
 * Numbers that JSON cannot say (`.inf`, `.nan`) become their text.
 */
export function plainData(node: YamlNode): JsonValue {
  if (node.kind === 'scalar') return jsonScalar(node);
  if (node.kind === 'sequence') return node.items.map(plainData);
  return plainObject(node);
}

/** The mapping as plain data without places. It has no prototype, so that a key `__proto__` is an ordinary key. */
export function plainObject(node: YamlMapping): JsonObject {
  const object: Record<string, JsonValue> = Object.create(null);
  for (const entry of node.entries) object[wellFormed(entry.key)] = plainData(entry.value);
  return object;
}

function jsonScalar(node: YamlScalar): JsonValue {
  if (typeof node.value === 'string') return wellFormed(node.value);
  return typeof node.value === 'number' && !Number.isFinite(node.value) ? node.text : node.value;
}

/** Only an escape such as `"\ud800"` can make half a surrogate pair; JSON has no place for it. */
function wellFormed(text: string): string {
  return /[\uD800-\uDFFF]/.test(text) ? text.replace(/\p{Surrogate}/gu, '\uFFFD') : text;
}

/** A step from a node to a child: a mapping's key or a sequence's index. */
export type PathStep = string | number;

/** The node at `path`, with the entry that holds it when its parent is a mapping; null if there is none. */
export function nodeAt(
  root: YamlNode,
  path: readonly PathStep[],
): { readonly node: YamlNode; readonly entry: YamlEntry | null } | null {
  let node: YamlNode = root;
  let entry: YamlEntry | null = null;
  for (const step of path) {
    if (node.kind === 'mapping') {
      entry = entryOf(node, String(step));
      if (!entry) return null;
      node = entry.value;
    } else if (node.kind === 'sequence') {
      const item: YamlNode | undefined = node.items[Number(step)];
      if (!item) return null;
      node = item;
      entry = null;
    } else return null;
  }
  return { node, entry };
}
