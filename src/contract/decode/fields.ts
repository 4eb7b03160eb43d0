/**
 * Reading one mapping: known keys are returned, misspelt ones are corrected and reported, and the rest are listed as
 * uninterpreted. Nothing is dropped silently.
 */
import { invariant } from '../../base/invariant.ts';
import { isSlipOf } from '../../base/text.ts';
import { diagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { SourceFile, Span } from '../../diagnostics/source.ts';
import type { FieldRole, Notation } from '../../math/notation/syntax.ts';
import type { FormalText, Located } from '../contract.ts';
import { knownKeys } from '../schema/validate.generated.ts';
import { offsetMapper } from '../yaml/scalar-offsets.ts';
import type { YamlEntry, YamlMapping, YamlNode, YamlScalar } from '../yaml/node.ts';

/** Reads a formal field's text as notation. */
export type ReadNotation = (text: string, role: FieldRole) => Notation;

/** What is collected while decoding one file. */
export interface Decoder {
  readonly source: SourceFile;
  readonly readNotation: ReadNotation;
  readonly diagnostics: Diagnostic[];
  readonly uninterpreted: Set<Located<string>>;
  /** Misspelt keys by the path of the key that was meant: findings that it is missing are folded into these. */
  readonly misspelt: Map<string, Located<string>>;
}

/** What a key is read as; a misspelt key is corrected only if its value has the expected shape. */
type Shape = 'text' | 'number' | 'mapping' | 'list' | 'tolerance';

/** A mapping whose keys have been checked against the keys that its kind has. */
export interface Fields {
  readonly node: YamlMapping;
  readonly path: string;
  readonly decoder: Decoder;
  readonly entry: (key: string, shape: Shape) => YamlEntry | null;
}

/** Words that people write for a key, which are too different for edit distance. */
const synonyms: Readonly<Record<string, string>> = {
  obligations: 'proof_obligations',
  falsification: 'falsification_tests',
  falsifications: 'falsification_tests',
  kani: 'kani_harnesses',
  harnesses: 'kani_harnesses',
  citations: 'references',
  dependencies: 'depends_on',
};

/**
 * Opens a mapping of a kind of the schema (`obligation`). An unknown key is uninterpreted, unless decoding reads an absent key
 * that it misspells. Keys that decoding never reads change nothing, so custom keys are not mistaken for them.
 */
export function openFields(decoder: Decoder, node: YamlMapping, kind: string, path: string): Fields {
  const known = new Set(knownKeys[kind] ?? []);
  const present = new Map(node.entries.map((entry) => [entry.key, entry]));
  const others = new Map<YamlEntry, Located<string>>();
  for (const entry of node.entries) {
    if (known.has(entry.key)) continue;
    const at = { value: join(path, entry.key), span: { source: decoder.source, range: entry.keyRange } };
    others.set(entry, at);
    decoder.uninterpreted.add(at);
  }
  const misspelling = (key: string, shape: Shape): YamlEntry | null => {
    for (const [entry, at] of others) {
      if (!isSlipOf(entry.key, key) && synonyms[entry.key] !== key) continue;
      if (!hasShape(entry.value, shape)) continue;
      present.set(key, entry);
      others.delete(entry);
      decoder.uninterpreted.delete(at);
      decoder.misspelt.set(join(path, key), at);
      decoder.diagnostics.push(
        diagnostic('PV-2003', at.span, `There is no key '${entry.key}' here; it is read as '${key}'`, {
          hint: `Write '${key}'.`,
        }),
      );
      return entry;
    }
    return null;
  };
  const entry = (key: string, shape: Shape): YamlEntry | null => {
    invariant(known.has(key), `the schema's ${kind} describes every key that decoding reads`);
    return present.get(key) ?? misspelling(key, shape);
  };
  return { node, path, decoder, entry };
}

function hasShape(node: YamlNode, shape: Shape): boolean {
  const value = node.kind === 'scalar' ? node.value : null;
  switch (shape) {
    case 'text':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number';
    case 'mapping':
      return node.kind === 'mapping';
    // A list of one may be written without brackets.
    case 'list':
      return node.kind === 'sequence' || typeof value === 'string';
    case 'tolerance':
      return node.kind === 'mapping' || typeof value === 'number';
  }
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

/** The scalar of `key`; null if it is absent, empty or a collection (the schema has reported the latter). */
function scalarField(fields: Fields, key: string, shape: 'text' | 'number'): YamlScalar | null {
  const node = fields.entry(key, shape)?.value;
  return node?.kind === 'scalar' && node.value !== null ? node : null;
}

/** The text of the first of `keys` that has one; `keys` are a key and its other spellings. */
export function textField(fields: Fields, ...keys: readonly string[]): string | null {
  return locatedField(fields, ...keys)?.value ?? null;
}

/** The text under the first of `keys` that is present, with its place; null if none is. */
export function locatedField(fields: Fields, ...keys: readonly string[]): Located<string> | null {
  for (const key of keys) {
    const scalar = scalarField(fields, key, 'text');
    if (scalar) return located(fields.decoder, scalar);
  }
  return null;
}

/** A number, infinite ones included; null for NaN, other types and missing keys. */
export function numberField(fields: Fields, key: string): number | null {
  const value = scalarField(fields, key, 'number')?.value;
  return typeof value === 'number' && !Number.isNaN(value) ? value : null;
}

/** The texts of a list; a single text counts as a list of one. Items of other kinds are skipped (the schema has reported them). */
export function listField(fields: Fields, key: string): readonly Located<string>[] {
  return scalarsOf(fields.entry(key, 'list')?.value ?? null).map((scalar) => located(fields.decoder, scalar));
}

/** Formal text under the first of `keys` that is not blank, read as notation in `role`. */
export function formalField(fields: Fields, role: FieldRole, ...keys: readonly string[]): FormalText | null {
  for (const key of keys) {
    const scalar = scalarField(fields, key, 'text');
    if (scalar && scalar.text.trim() !== '') return formalText(fields.decoder, scalar, role);
  }
  return null;
}

/** Formal texts from a list or from a single text; anything else in the list is skipped. */
export function formalListField(fields: Fields, key: string, role: FieldRole): readonly FormalText[] {
  return scalarsOf(fields.entry(key, 'list')?.value ?? null).map((scalar) => formalText(fields.decoder, scalar, role));
}

/** The same, and texts that a list gives a name each: `- idempotent: f(f(x)) = f(x)`. */
export function namedFormalsField(fields: Fields, key: string, role: FieldRole): readonly FormalText[] {
  const node = fields.entry(key, 'list')?.value ?? null;
  const items = node?.kind === 'sequence' ? node.items : [];
  const named = items.flatMap((item) => (item.kind === 'mapping' ? item.entries.map(({ value }) => value) : [item]));
  return named.flatMap((item) =>
    item.kind === 'scalar' && typeof item.value === 'string' ? [formalText(fields.decoder, item, role)] : [],
  );
}

/** The mappings of a list, each with its path; other items are skipped (the schema has reported them). */
export function mappingsOf(
  node: YamlNode | null,
  path: string,
): readonly { readonly node: YamlMapping; readonly path: string }[] {
  if (node?.kind !== 'sequence') return [];
  return node.items.flatMap((item, i) => (item.kind === 'mapping' ? [{ node: item, path: `${path}[${i}]` }] : []));
}

/** The mapping under `key`, or null. */
export function mappingField(fields: Fields, key: string): YamlMapping | null {
  const node = fields.entry(key, 'mapping')?.value;
  return node?.kind === 'mapping' ? node : null;
}

/** The place of a node in its file. */
export function spanOfNode(decoder: Decoder, node: YamlNode): Span {
  return { source: decoder.source, range: node.range };
}

function located(decoder: Decoder, scalar: YamlScalar): Located<string> {
  return { value: scalar.text, span: spanOfNode(decoder, scalar) };
}

function scalarsOf(node: YamlNode | null): readonly YamlScalar[] {
  const items = node?.kind === 'sequence' ? node.items : node ? [node] : [];
  return items.filter((item): item is YamlScalar => item.kind === 'scalar' && item.value !== null);
}

function formalText(decoder: Decoder, scalar: YamlScalar, role: FieldRole): FormalText {
  let notation: Notation | null = null;
  return {
    text: scalar.text,
    span: spanOfNode(decoder, scalar),
    get notation() {
      return (notation ??= decoder.readNotation(scalar.text, role));
    },
    offsetInSource: offsetMapper(decoder.source.text, scalar),
  };
}
