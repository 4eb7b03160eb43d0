/**
 * Reads the binding file. Upstream's keys keep their meaning; `arguments`, `output`, `loop_max` and `backends` are
 * pv's. See docs/binding.md.
 */
import { closest, listOf, quoted } from '../base/text.ts';
import { accuracyClasses, type AccuracyClass } from '../contract/accuracy.ts';
import type { Located } from '../contract/contract.ts';
import { parseYaml } from '../contract/yaml/parse.ts';
import { entryOf, type YamlMapping, type YamlNode } from '../contract/yaml/node.ts';
import { diagnostic, type Staged } from '../diagnostics/diagnostic.ts';
import type { SourceFile } from '../diagnostics/source.ts';
import { located, readText, report, textOf, unknownKeys, type Reader } from './binding-reader.ts';
import {
  bindingKey,
  bindingKinds,
  bindingStatuses,
  type BindingFile,
  type BindingRow,
  type BindingStatus,
} from './binding.ts';
import { backendIds, type BackendId } from './kernel.ts';
import { readWaivers } from './read-waivers.ts';

const bindingFile = { name: 'a binding file', start: 'Start with `bindings:` and a list of rows.' };
const fileKeys = ['version', 'target', 'target_crate', 'accuracy', 'bindings', 'waivers', 'metadata'];
const rowKeys = [
  'contract',
  'equation',
  'module_path',
  'function',
  'signature',
  'status',
  'notes',
  'arguments',
  'output',
  'loop_max',
  'variables',
  'dispatch',
  'kind',
  'backends',
];

/** Reads a binding file; rows that lack what identifies them are reported and left out. Never throws for any text. */
export function readBindings(source: SourceFile): Staged<BindingFile> {
  const yaml = parseYaml(source, bindingFile);
  const reader: Reader = { source, diagnostics: [...yaml.diagnostics] };
  if (!yaml.value)
    return {
      value: { version: null, target: null, accuracy: null, rows: [], waivers: [] },
      diagnostics: reader.diagnostics,
    };
  unknownKeys(reader, yaml.value, fileKeys);
  const list = entryOf(yaml.value, 'bindings')?.value;
  if (list?.kind !== 'sequence')
    report(reader, 'PV-5004', list?.range ?? yaml.value.range, '`bindings` is missing or is not a list');
  const items = list?.kind === 'sequence' ? list.items : [];
  const rows = items.map((item) => readRow(reader, item)).filter((row) => row !== null);
  const target = entryOf(yaml.value, 'target') ?? entryOf(yaml.value, 'target_crate');
  return {
    value: {
      version: textOf(entryOf(yaml.value, 'version')?.value),
      target: textOf(target?.value),
      accuracy: readAccuracy(reader, yaml.value),
      rows: withoutRepeats(reader, rows),
      waivers: readWaivers(reader, yaml.value),
    },
    diagnostics: reader.diagnostics,
  };
}

function readAccuracy(reader: Reader, file: YamlMapping): AccuracyClass | null {
  const entry = entryOf(file, 'accuracy');
  if (!entry) return null;
  const text = textOf(entry.value);
  const known = accuracyClasses.find((name) => name === text);
  if (known) return known;
  report(
    reader,
    'PV-5004',
    entry.value.range,
    `${quoted(text ?? '')} is not an accuracy class`,
    `one of ${listOf(accuracyClasses)}`,
  );
  return null;
}

function readRow(reader: Reader, node: YamlNode): BindingRow | null {
  if (node.kind !== 'mapping') {
    report(reader, 'PV-5004', node.range, 'a binding is a mapping with contract, equation, module_path and function');
    return null;
  }
  unknownKeys(reader, node, rowKeys);
  const contract = readText(reader, node, 'contract', true);
  const equation = readText(reader, node, 'equation', true);
  if (!contract || !equation) return null;
  const row: BindingRow = {
    contract: { ...contract, value: contract.value.replace(/\.ya?ml$/u, '') },
    equation,
    modulePath: readText(reader, node, 'module_path', false),
    functionName: readText(reader, node, 'function', false),
    signature: readText(reader, node, 'signature', false)?.value ?? null,
    status: readStatus(reader, node),
    notes: readText(reader, node, 'notes', false)?.value ?? null,
    arguments: readTexts(reader, node, 'arguments'),
    output: readTexts(reader, node, 'output'),
    loopMax: readLoopMax(reader, node),
    kind: readKind(reader, node),
    variables: readVariables(reader, node),
    dispatch: readTexts(reader, node, 'dispatch'),
    backends: readBackends(reader, node),
    span: { source: reader.source, range: node.range },
  };
  checkStatus(reader, row);
  return row;
}

function readTexts(reader: Reader, row: YamlMapping, key: string): readonly Located<string>[] | null {
  const node = entryOf(row, key)?.value;
  if (!node || (node.kind === 'scalar' && node.value === null)) return null;
  if (node.kind !== 'sequence') {
    report(reader, 'PV-5004', node.range, `\`${key}\` is a list`, `write ${key}: [x, n]`);
    return null;
  }
  return node.items.flatMap((item) => {
    const text = textOf(item);
    if (text === null) report(reader, 'PV-5004', item.range, `an item of \`${key}\` is a text`);
    return text === null ? [] : [located(reader, text, item.range)];
  });
}

function readVariables(reader: Reader, row: YamlMapping): BindingRow['variables'] {
  const node = entryOf(row, 'variables')?.value;
  if (!node || (node.kind === 'scalar' && node.value === null)) return null;
  if (node.kind !== 'mapping') {
    report(
      reader,
      'PV-5004',
      node.range,
      '`variables` is a mapping',
      'write variables: { logits: x, probabilities: output }',
    );
    return null;
  }
  const texts = node.entries.map(({ key, value }) => {
    const text = textOf(value);
    const own = text === null ? readTexts(reader, node, key) : [located(reader, text, value.range)];
    if (own === null ? value.kind === 'scalar' : own.length === 0)
      report(
        reader,
        'PV-5004',
        value.range,
        `nothing fills \`${key}\``,
        'write a parameter, a size or an expression of them',
      );
    return [key, own ?? []] as const;
  });
  return new Map(texts.filter(([, own]) => own.length > 0));
}

function readKind(reader: Reader, row: YamlMapping): BindingRow['kind'] {
  const entry = entryOf(row, 'kind');
  if (!entry) return null;
  const text = textOf(entry.value);
  const kind = bindingKinds.find((known) => known === text);
  if (kind) return { ...located(reader, kind, entry.value.range), value: kind };
  const said = quoted(text ?? '');
  report(reader, 'PV-5004', entry.value.range, `${said} is not a kind of kernel`, `one of ${listOf(bindingKinds)}`);
  return null;
}

function readStatus(reader: Reader, row: YamlMapping): BindingStatus {
  const entry = entryOf(row, 'status');
  const text = textOf(entry?.value);
  const status = bindingStatuses.find((known) => known === text);
  if (status) return status;
  if (entry) {
    const near = closest(text ?? '', bindingStatuses);
    report(
      reader,
      'PV-5004',
      entry.value.range,
      `${quoted(text ?? '')} is not a status`,
      near ? `did you mean \`${near}\`?` : `one of ${listOf(bindingStatuses)}`,
    );
  }
  return entryOf(row, 'function') ? 'implemented' : 'pending';
}

function readLoopMax(reader: Reader, row: YamlMapping): number | null {
  const node = entryOf(row, 'loop_max')?.value;
  if (!node) return null;
  const value = node.kind === 'scalar' ? node.value : null;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 2 ** 30) return value;
  report(reader, 'PV-5004', node.range, '`loop_max` is a whole number from 1 to 1073741824');
  return null;
}

function readBackends(reader: Reader, row: YamlMapping): readonly BackendId[] | null {
  const names = readTexts(reader, row, 'backends');
  return (
    names &&
    names.flatMap(({ value, span }) => {
      const id = backendIds.find((known) => known === value);
      if (!id)
        report(reader, 'PV-5004', span.range, `${quoted(value)} is not a backend`, `one of ${listOf(backendIds)}`);
      return id ? [id] : [];
    })
  );
}

/** A row that says "implemented" without saying where, or names a function and says there is none. */
function checkStatus(reader: Reader, row: BindingRow): void {
  const absent = row.status === 'not_implemented' || row.status === 'pending';
  const { functionName, modulePath } = row;
  if (absent && functionName && modulePath) {
    report(
      reader,
      'PV-5011',
      functionName.span.range,
      `the status is ${row.status}, yet \`${functionName.value}\` is named as the implementation`,
      'set status: implemented, or remove function and module_path',
    );
  }
  if (!absent && (!functionName || !modulePath)) {
    const missing = functionName ? 'module_path' : modulePath ? 'function' : 'module_path and function';
    report(
      reader,
      'PV-5011',
      row.equation.span.range,
      `the status is ${row.status}, but there is no ${missing}`,
      'name the function, or set status: not_implemented',
    );
  }
}

function withoutRepeats(reader: Reader, rows: readonly BindingRow[]): readonly BindingRow[] {
  const first = new Map<string, BindingRow>();
  for (const row of rows) {
    const key = bindingKey(row);
    const earlier = first.get(key);
    if (!earlier) first.set(key, row);
    else
      reader.diagnostics.push(
        diagnostic('PV-5003', row.equation.span, `${key} is bound twice`, {
          hint: 'keep one of the two rows',
          related: [{ message: 'first here', span: earlier.equation.span }],
        }),
      );
  }
  return [...first.values()];
}
