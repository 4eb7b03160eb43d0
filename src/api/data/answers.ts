/**
 * What a project has answered about its data in `.pv/data.yaml`, which is checked in: values for inputs that a file does not say, and
 * violations that it accepts for a time.
 */
import { join, relative, resolve, sep } from 'node:path';
import { closest, quoted } from '../../base/text.ts';
import { parseYaml } from '../../contract/yaml/parse.ts';
import { entryOf, type YamlEntry, type YamlMapping } from '../../contract/yaml/node.ts';
import type { DataScalar, DataSet } from '../../data/read/data-set.ts';
import { diagnostic, type Staged } from '../../diagnostics/diagnostic.ts';
import { positionAt, type Range, type SourceFile } from '../../diagnostics/source.ts';
import type { Result } from '../../base/result.ts';
import type { FileProblem, Host } from '../../host/host.ts';
import { projectFiles } from '../../host/project-files.ts';
import type { DataWaiverRow } from '../../subject/binding.ts';
import { readDataWaivers } from '../../subject/read-waivers.ts';
import type { Setting } from './options.ts';

/** From the root of the project. */
const answersFile = join('.pv', 'data.yaml');
const schema = 'pv.data/1';
const beginning = `# Answers of pv check --remember: values that the files themselves do not say.\nschema: ${schema}\n`;
const kind = { name: 'a file of answers', start: 'Write one with pv check FILE --set name=value --remember.' };

/** The answers of a project for one file; null if it has none. */
export interface Answers {
  readonly root: string;
  readonly source: SourceFile | null;
  readonly byFile: ReadonlyMap<string, DataSet>;
  readonly waivers: readonly DataWaiverRow[];
}

/** The answers of the project at `root`, which may have none. A row that cannot be used is reported (PV-7060) and gives nothing. */
export async function readAnswers(host: Host, root: string): Promise<Staged<Answers>> {
  const none: Answers = { root, source: null, byFile: new Map(), waivers: [] };
  const read = await projectFiles(host, root).read(answersFile);
  if (!read.ok) {
    if (read.error.kind === 'missing' || read.error.kind === 'not-a-directory') return { value: none, diagnostics: [] };
    const message = `'${answersFile}' cannot be read: ${read.error.message}`;
    return { value: none, diagnostics: [diagnostic('PV-8001', null, message, { subject: answersFile })] };
  }
  const source: SourceFile = { path: relative(host.root, join(root, answersFile)), text: read.value };
  const { value: file, diagnostics } = parseYaml(source, kind);
  const found = [...diagnostics];
  const report: Report = (range, message, hint) =>
    void found.push(diagnostic('PV-7060', { source, range }, message, { hint }));
  const byFile = new Map<string, DataSet>();
  if (!file || !isOurs(file, report)) return { value: { ...none, source }, diagnostics: found };
  for (const [path, values] of filesIn(file, report)) byFile.set(path, answersAbout(values, source, report));
  const waivers = readDataWaivers({ source, diagnostics: found }, file);
  return { value: { root, source, byFile, waivers }, diagnostics: found };
}

type Report = (range: Range, message: string, hint: string) => void;

const keys = ['schema', 'answers', 'waivers'];

/** Whether the file is of the schema that this version reads. */
function isOurs(file: YamlMapping, report: Report): boolean {
  for (const { key, keyRange } of file.entries)
    if (!keys.includes(key)) report(keyRange, `the key ${quoted(key)} is not read`, nearest(key, keys));
  const written = entryOf(file, 'schema');
  const isKnown = written?.value.kind === 'scalar' && written.value.text === schema;
  if (!isKnown) report(written?.value.range ?? file.range, `\`schema\` must be ${schema}`, kind.start);
  return isKnown;
}

function filesIn(file: YamlMapping, report: Report): readonly (readonly [string, YamlMapping])[] {
  const answers = entryOf(file, 'answers');
  if (answers === null) return [];
  if (answers.value.kind !== 'mapping') {
    report(
      answers.value.range,
      '`answers` must be a mapping from files to values',
      'train.yaml: { num_sequences: 22079 }',
    );
    return [];
  }
  return answers.value.entries.flatMap(({ key, keyRange, value }) => {
    if (value.kind === 'mapping') return [[key, value] as const];
    report(keyRange, `${quoted(key)} has no values`, 'write name: value below it');
    return [];
  });
}

function nearest(key: string, keys: readonly string[]): string {
  const near = closest(key, keys);
  return near === null ? `known keys: ${keys.join(', ')}` : `did you mean \`${near}\`?`;
}

function answersAbout(values: YamlMapping, source: SourceFile, report: Report): DataSet {
  const scalars = values.entries.flatMap((entry) => scalarOf(entry, source, report));
  return {
    path: source.path,
    format: 'answers',
    values: new Map(scalars.map((scalar) => [scalar.key, scalar])),
    tables: new Map(),
    // What no contract reads is listed as unused, so that a misspelt answer shows.
    unused: scalars,
  };
}

function scalarOf({ key, keyRange, value }: YamlEntry, source: SourceFile, report: Report): readonly DataScalar[] {
  if (value.kind !== 'scalar' || value.value === null) {
    report(keyRange, `${key} is not a single value`, `write ${key}: 22079`);
    return [];
  }
  const { line, column } = positionAt(source, value.range.start);
  return [{ value: value.value, text: value.text, key, line, column, span: { source, range: value.range } }];
}

/** What the answers say of a file; null if nothing. */
export function answersOn({ root, byFile }: Answers, host: Host, path: string): DataSet | null {
  return byFile.get(keyOf(host, root, path)) ?? null;
}

/** The path from the root of the project, with slashes on every platform. */
export function keyOf(host: Host, root: string, path: string): string {
  return relative(resolve(host.root, root), resolve(host.root, path)).split(sep).join('/');
}

/** Adds settings to the answers about `paths`. What else is in the file stays as it is. */
export async function remember(
  host: Host,
  { root, source }: Answers,
  paths: readonly string[],
  settings: readonly Setting[],
): Promise<Result<void, FileProblem>> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(source?.text ?? beginning);
  for (const path of paths)
    for (const { name, value } of settings) document.setIn(['answers', keyOf(host, root, path), name], value);
  return projectFiles(host, root).write(answersFile, document.toString());
}
