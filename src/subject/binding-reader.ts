/** Helpers for reading the rows and the waivers of a binding file. */
import { closest, listOf, quoted } from '../base/text.ts';
import type { Located } from '../contract/contract.ts';
import { entryOf, type YamlMapping, type YamlNode } from '../contract/yaml/node.ts';
import type { Code } from '../diagnostics/codes.ts';
import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Range, SourceFile } from '../diagnostics/source.ts';

/** The file being read, and where its findings go. */
export interface Reader {
  readonly source: SourceFile;
  readonly diagnostics: Diagnostic[];
}

/** Adds a diagnostic at `range` of the binding file. */
export function report(reader: Reader, code: Code, range: Range, message: string, hint?: string): void {
  reader.diagnostics.push(
    diagnostic(code, { source: reader.source, range }, message, hint === undefined ? {} : { hint }),
  );
}

/** Reports keys that are not `known`, with the closest one that is. */
export function unknownKeys(
  reader: Reader,
  mapping: YamlMapping,
  known: readonly string[],
  code: Code = 'PV-5012',
): void {
  for (const { key, keyRange } of mapping.entries) {
    if (known.includes(key)) continue;
    const near = closest(key, known);
    report(
      reader,
      code,
      keyRange,
      `the key ${quoted(key)} is not read`,
      near === null ? `known keys: ${listOf(known)}` : `did you mean \`${near}\`?`,
    );
  }
}

/** The text of a scalar; null for other nodes and for an empty value. */
export function textOf(node: YamlNode | undefined): string | null {
  return node?.kind === 'scalar' && node.value !== null ? node.text : null;
}

/** A value with its place in the binding file. */
export function located(reader: Reader, value: string, range: Range): Located<string> {
  return { value, span: { source: reader.source, range } };
}

/** The text under `key`; PV-5004 if it is not a text, or is `required` and missing. */
export function readText(reader: Reader, row: YamlMapping, key: string, required: boolean): Located<string> | null {
  const entry = entryOf(row, key);
  const text = textOf(entry?.value);
  if (entry && text !== null && text.trim() !== '') return located(reader, text.trim(), entry.value.range);
  if (entry && entry.value.kind !== 'scalar') report(reader, 'PV-5004', entry.value.range, `\`${key}\` must be a text`);
  else if (required) report(reader, 'PV-5004', entry?.keyRange ?? row.range, `this binding has no \`${key}\``);
  return null;
}
