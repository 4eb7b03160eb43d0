/**
 * Reading one mapping: known keys are handed out, misspelt ones are read as what they mean and reported,
 * the rest is listed as uninterpreted. Nothing is dropped silently.
 */
import { invariant } from '../../base/invariant.ts';
import { closest } from '../../base/text.ts';
import { diagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { SourceFile, Span } from '../../diagnostics/source.ts';
import type { FieldRole, Notation } from '../../math/notation/syntax.ts';
import type { FormalText, Located } from '../contract.ts';
import { knownKeys } from '../schema/validate.generated.ts';
import { offsetMapper } from '../yaml/scalar-offsets.ts';
import type { YamlEntry, YamlMapping, YamlNode, YamlScalar } from '../yaml/node.ts';

/** Reads a formal field's text as notation. */
export type ReadNotation = (text: string, role: FieldRole) => Notation;

/** What decoding one file collects on the way. */
export interface Decoder {
  readonly source: SourceFile;
  readonly readNotation: ReadNotation;
  readonly diagnostics: Diagnostic[];
  readonly uninterpreted: Located<string>[];
  /** Misspelt keys by the path of the key that was meant: findings that it is missing are folded into these. */
  readonly misspelt: Map<string, Located<string>>;
}

/** A mapping whose keys have been checked against the keys that its kind has. */
export interface Fields {
  readonly node: YamlMapping;
  readonly path: string;
  readonly decoder: Decoder;
  readonly entry: (key: string) => YamlEntry | null;
}

/** Words that people write for a key; too far from it for edit distance. */
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
 * Opens a mapping of a kind of the schema (`obligation`). A key that the kind does not have is taken as a
 * misspelling of one that it has, when it is near and that one is absent; otherwise it is uninterpreted.
 */
export function openFields(decoder: Decoder, node: YamlMapping, kind: string, path: string): Fields {
  const known = new Set(knownKeys[kind] ?? []);
  const present = new Map(node.entries.map((entry) => [entry.key, entry]));
  const absent = [...known].filter((key) => !present.has(key));
  for (const entry of node.entries) {
    if (known.has(entry.key)) continue;
    const meant = closest(entry.key, absent) ?? synonymOf(entry.key, absent);
    const at = { value: join(path, entry.key), span: { source: decoder.source, range: entry.keyRange } };
    if (meant === null || present.has(meant)) decoder.uninterpreted.push(at);
    else {
      present.set(meant, entry);
      decoder.misspelt.set(join(path, meant), at);
      decoder.diagnostics.push(
        diagnostic('PV-2003', at.span, `There is no key '${entry.key}' here; it is read as '${meant}'`, {
          hint: `Write '${meant}'.`,
        }),
      );
    }
  }
  const entry = (key: string): YamlEntry | null => {
    invariant(known.has(key), `the schema's ${kind} describes every key that decoding reads`);
    return present.get(key) ?? null;
  };
  return { node, path, decoder, entry };
}

function synonymOf(key: string, absent: readonly string[]): string | null {
  const meant = synonyms[key];
  return meant !== undefined && absent.includes(meant) ? meant : null;
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

/** The scalar of `key`; null when it is absent, empty or a collection (the schema has reported the latter). */
export function scalarField(fields: Fields, key: string): YamlScalar | null {
  const node = fields.entry(key)?.value;
  return node?.kind === 'scalar' && node.value !== null ? node : null;
}

/** The text of the first of `keys` that has one: a key and its other spellings. */
export function textField(fields: Fields, ...keys: readonly string[]): string | null {
  return locatedField(fields, ...keys)?.value ?? null;
}

export function locatedField(fields: Fields, ...keys: readonly string[]): Located<string> | null {
  for (const key of keys) {
    const scalar = scalarField(fields, key);
    if (scalar) return located(fields.decoder, scalar);
  }
  return null;
}

export function numberField(fields: Fields, key: string): number | null {
  const value = scalarField(fields, key)?.value;
  return typeof value === 'number' && !Number.isNaN(value) ? value : null;
}

/** The texts of a list; a single text counts as a list of one. Items of other kinds are skipped (the schema has reported them). */
export function listField(fields: Fields, key: string): readonly Located<string>[] {
  return scalarsOf(fields.entry(key)?.value ?? null).map((scalar) => located(fields.decoder, scalar));
}

export function formalField(fields: Fields, role: FieldRole, ...keys: readonly string[]): FormalText | null {
  for (const key of keys) {
    const scalar = scalarField(fields, key);
    if (scalar && scalar.text.trim() !== '') return formalText(fields.decoder, scalar, role);
  }
  return null;
}

export function formalListField(fields: Fields, key: string, role: FieldRole): readonly FormalText[] {
  return scalarsOf(fields.entry(key)?.value ?? null).map((scalar) => formalText(fields.decoder, scalar, role));
}

/** The mappings of a list, each with its path; other items are skipped (the schema has reported them). */
export function mappingsOf(
  node: YamlNode | null,
  path: string,
): readonly { readonly node: YamlMapping; readonly path: string }[] {
  if (node?.kind !== 'sequence') return [];
  return node.items.flatMap((item, i) => (item.kind === 'mapping' ? [{ node: item, path: `${path}[${i}]` }] : []));
}

export function mappingField(fields: Fields, key: string): YamlMapping | null {
  const node = fields.entry(key)?.value;
  return node?.kind === 'mapping' ? node : null;
}

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
