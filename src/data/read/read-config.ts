/** A config, or a JSON document with a log in it, as a data set. */
import { listOf } from '../../base/text.ts';
import { diagnostic, type Diagnostic, type Staged } from '../../diagnostics/diagnostic.ts';
import { positionAt, type SourceFile } from '../../diagnostics/source.ts';
import type { DataOptions, DataSet, DataTable } from './data-set.ts';
import { DEFAULT_MAX_ROWS } from './data-set.ts';
import { nameScalars } from './formats/apply.ts';
import { doubtsIn } from './formats/doubts.ts';
import { refusalsIn } from './formats/refusals.ts';
import { sectionsIn } from './formats/sections.ts';
import { frameworkDefaults } from './formats/defaults.ts';
import { trainingClasses } from './formats/hugging-face-keys.ts';
import { withoutUnread } from './formats/unread-key.ts';
import { isIrrelevant, type ConfigFormat, type ConfigSyntax } from './formats/config-format.ts';
import { chooseFormat } from './choose-format.ts';
import { withRows } from './json-history.ts';
import { knownKey } from './log-names.ts';
import { cappedFindings } from './stream/findings.ts';
import { readRecords } from './stream/record-list.ts';
import { interpolated } from './syntax/interpolate.ts';
import { flagNames, parseArguments } from './syntax/arguments.ts';
import { parseJson } from './syntax/json.ts';
import { parsePython } from './syntax/python.ts';
import { callsIn, pythonCall, type Call } from './syntax/python-call.ts';
import { pythonConfigs } from './syntax/python-configs.ts';
import { parseToml } from './syntax/toml.ts';
import { childOf, keyedScalars, type DataNode, type KeyedScalar } from './syntax/tree.ts';
import { parseYamlConfig } from './syntax/yaml.ts';

const parsers: Readonly<Record<ConfigSyntax, (source: SourceFile) => Staged<DataNode | null>>> = {
  json: parseJson,
  yaml: parseYamlConfig,
  toml: parseToml,
  python: parsePython,
  arguments: parseArguments,
};

/** The value is null if the text has no tree in `syntax`; findings are capped per code. */
export function readConfig(source: SourceFile, syntax: ConfigSyntax, options: DataOptions): Staged<DataSet | null> {
  const parsed = parsers[syntax](source);
  const root = parsed.value && syntax === 'json' ? withRows(source, parsed.value) : { ...parsed, diagnostics: [] };
  const read = root.value ? readTree(source, root.value, syntax, options) : { value: null, diagnostics: [] };
  const found = [...notUtf8(source), ...parsed.diagnostics, ...root.diagnostics, ...read.diagnostics];
  return { value: read.value, diagnostics: cappedFindings(source.path, found) };
}

/**
 * The configs that functions of a Python file return, each with the name of its function; null if there are none of a known trainer,
 * or several and not all are asked for.
 */
export function readPythonConfigs(source: SourceFile, options: DataOptions): Staged<DataSet> | null {
  const { configs, unread } = pythonConfigs(source);
  if (options.allParts !== true && configs.length + unread.length > 1) return null;
  const read = configs.flatMap(({ name, root }) => {
    const { value, diagnostics } = readTree(source, root, 'python', options);
    return value === null || value.format === 'plain' ? [] : [{ value: { ...value, part: name }, diagnostics }];
  });
  const [first, ...rest] = read;
  if (!first) return null;
  const others = rest.map(({ value }) => value);
  const known = new Set(read.map(({ value }) => value.part));
  const left = [...unread, ...configs.flatMap(({ name }) => (known.has(name) ? [] : [name]))];
  return {
    value: others.length === 0 ? first.value : { ...first.value, others },
    diagnostics: cappedFindings(source.path, [
      ...read.flatMap(({ diagnostics }) => diagnostics),
      ...notRead(source, left),
    ]),
  };
}

/** The arguments of Hugging Face's Trainer in a script that trains; null if it makes none, and an error if it makes several. */
export function readTrainingScript(source: SourceFile, options: DataOptions): Staged<DataSet | null> | null {
  const [made, other] = callsIn(source.text, trainingClasses);
  if (made && other) return { value: null, diagnostics: [severalCalls(source, made, other)] };
  const call = made ? pythonCall(source, made) : null;
  if (!call) return null;
  const { callee, root } = call;
  // What a class of TRL has as a default, TrainingArguments may not have.
  const isBase = callee.endsWith('TrainingArguments');
  const mark = {
    key: callee,
    keyRange: root.range,
    value: { kind: 'scalar', value: true, text: callee, range: root.range },
  } as const;
  const tree: DataNode = isBase ? root : { ...root, entries: [...root.entries, mark] };
  const { value, diagnostics } = readTree(source, tree, 'python', { ...options, format: 'training-arguments' });
  if (value === null) return null;
  const note = diagnostic('PV-7035', null, `Of the script, only the arguments of ${callee} are read`, {
    subject: source.path,
    hint: 'Nothing is run: what else the script changes is not known. Give it with --set.',
  });
  return { value, diagnostics: cappedFindings(source.path, [...diagnostics, note]) };
}

function severalCalls(source: SourceFile, made: Call, { start, end, callee }: Call): Diagnostic {
  const message = `The script makes ${callee} here and ${made.callee} above, and only one of them may be that of the run`;
  const hint =
    'Check a file with the arguments that the run used: those that the trainer saved, or a script with one call.';
  return diagnostic('PV-7016', { source, range: { start, end } }, message, { hint });
}

function notRead(source: SourceFile, names: readonly string[]): readonly Diagnostic[] {
  if (names.length === 0) return [];
  const message = `${names.length === 1 ? 'A function is' : 'Functions are'} not read as configs: ${listOf(names, 5)}`;
  const hint = 'They compute something, which is not run, or return what no known trainer has.';
  return [diagnostic('PV-7016', null, message, { subject: source.path, severity: 'note', hint })];
}

function readTree(
  source: SourceFile,
  root: DataNode,
  syntax: ConfigSyntax,
  options: DataOptions,
): Staged<DataSet | null> {
  const history = root.kind === 'sequence' ? root : childOf(root, 'log_history');
  const scalars = interpolated(
    keyedScalars(
      root,
      (path) => path === 'log_history' || path === 'mapping' || (root.kind === 'sequence' && path !== ''),
    ).map(flagNames),
  );
  const { format, diagnostics: asked, likely } = chooseFormat(source, root, scalars, options, history !== null);
  if (format === null) return { value: null, diagnostics: asked };
  const mapping = new Map([...mappingInside(root), ...(options.mapping ?? [])]);
  // Names of columns are mapped where the log is read.
  const isLog = history !== null && root.kind === 'sequence';
  const read = nameScalars(source, scalars, format, isLog ? new Map() : mapping);
  const named = likely ? withoutUnread(source, read, likely, mapping) : read;
  const summary = history === null ? [] : scalars.filter(countsNan);
  const table = history === null ? null : historyTables(source, history, summary, options, mapping, format);
  const doubted = isLog ? { doubts: named.doubts, diagnostics: [] } : doubtsIn(source, format, scalars, named, syntax);
  const value: DataSet = {
    path: source.path,
    format: format.name,
    ...(format.goesWith === undefined ? {} : { goesWith: format.goesWith }),
    values: named.values,
    withoutName: named.withoutName,
    tables: table?.value ?? new Map<string, DataTable>(),
    unused: named.unused
      .filter(({ key }) => !summary.some((one) => one.key === key))
      .map((one) => (isIrrelevant(format, one.key) ? { ...one, isIrrelevant: true as const } : one)),
    doubts: doubted.doubts,
    defaults: frameworkDefaults(format, syntax, scalars, named.values, doubted.doubts),
  };
  // What another file or the command line may give is not refused.
  const isWhole = sectionsIn(format, scalars, named.unused, syntax).length === 0;
  const refused = isWhole ? refusalsIn(source, format, scalars) : [];
  const empty = isLog && ![...value.tables.values()].some(({ rows }) => rows > 0) ? [noRecords(source)] : [];
  return {
    value,
    diagnostics: [
      ...doubted.diagnostics,
      ...refused,
      ...asked,
      ...named.diagnostics,
      ...(table?.diagnostics ?? []),
      ...empty,
    ],
  };
}

function noRecords(source: SourceFile): Diagnostic {
  return diagnostic('PV-7026', null, 'The list holds no record of training or evaluation', {
    subject: source.path,
    hint: 'A log in JSON is a list of objects such as {"step": 1, "loss": 2.5}.',
  });
}

/** Trainer logs the norm that clip_grad_norm_ returns: the one before clipping. */
const clippedAfterwards: ReadonlyMap<string, string> = new Map([['grad_norm', 'grad_norm_before_clip']]);

function historyTables(
  source: SourceFile,
  history: DataNode,
  summary: readonly KeyedScalar[],
  options: DataOptions,
  mapping: ReadonlyMap<string, string>,
  format: ConfigFormat,
): Staged<ReadonlyMap<string, DataTable>> {
  return readRecords(source, history, {
    maxRows: options.maxRows ?? DEFAULT_MAX_ROWS,
    mapping: new Map([...mapping].map(([name, key]) => [key, name])),
    alsoAs: format.name === 'trainer-state' ? clippedAfterwards : new Map(),
    summary: summary.map((one) => ({ ...one, key: lastPart(one.key) })),
  });
}

/** `num_nan_steps`, and `metrics.num_nan_steps`, next to the list of the log. */
function countsNan({ key }: KeyedScalar): boolean {
  return knownKey(lastPart(key)).name === 'nan_iterations';
}

function lastPart(key: string): string {
  return key.slice(key.lastIndexOf('.') + 1);
}

/** A section `mapping` whose values are all texts says which key means which name. */
function mappingInside(root: DataNode): ReadonlyMap<string, string> {
  const section = childOf(root, 'mapping');
  if (section?.kind !== 'mapping') return new Map();
  const pairs = section.entries.flatMap(({ key, value }): (readonly [string, string])[] =>
    value.kind === 'scalar' && typeof value.value === 'string' ? [[key, value.value]] : [],
  );
  return new Map(pairs);
}

function notUtf8(source: SourceFile): readonly Diagnostic[] {
  const bad = source.text.indexOf('\uFFFD');
  if (bad < 0) return [];
  const { line } = positionAt(source, bad);
  const span = { source, range: { start: bad, end: bad + 1 } };
  return [
    diagnostic('PV-7031', span, `Line ${line} has bytes that are not UTF-8`, { hint: 'Save the file as UTF-8.' }),
  ];
}
