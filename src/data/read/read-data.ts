/**
 * A file of someone's run, read: the format is recognised from its content, or named by the user.
 */
import { ok } from '../../base/result.ts';
import { closest } from '../../base/text.ts';
import { diagnostic, type Diagnostic, type Staged } from '../../diagnostics/diagnostic.ts';
import type { SourceFile } from '../../diagnostics/source.ts';
import type { Host } from '../../host/host.ts';
import type { DataOptions, DataSet } from './data-set.ts';
import type { ConfigSyntax } from './formats/config-format.ts';
import { decodeText, readHead, readWhole } from './read-bytes.ts';
import { readConfig, readPythonConfigs, readTrainingScript } from './read-config.ts';
import { recogniseFile, type FileKind } from './recognise.ts';
import { configFormats, formatNames, streamFormats } from './registry.ts';

/**
 * The values and tables of a file; null with the reasons if it cannot be read at all. The user judges the findings: an error
 * means that something in the file was not read as written. Never throws for any content.
 */
export async function readData(host: Host, path: string, options: DataOptions = {}): Promise<Staged<DataSet | null>> {
  const unknown = unknownFormat(options.format);
  if (unknown) return { value: null, diagnostics: [unknown] };
  if ((await host.kindOf(path)) === 'directory') return readKind({ host, path, whole: null, options }, 'mlflow');
  const head = await readHead(host, path);
  if (!head.ok) return { value: null, diagnostics: [head.error] };
  // A small file is not read twice.
  const whole = head.value.isWhole ? decodeText(head.value.bytes) : null;
  return readKind({ host, path, whole, options }, kindFor(recogniseFile(head.value.bytes, path), options));
}

/** What the user states takes precedence over what the content shows; a binary file is unchanged. */
function kindFor(found: FileKind, options: DataOptions): FileKind {
  if (found === 'empty' || found === 'utf-16') return found;
  const named = streamFormats.find(({ name }) => name === options.format)?.name;
  if (named) return named;
  if (options.pattern !== undefined) return 'text-log';
  const config = configFormats.find(({ name }) => name === options.format);
  if (!config || found === 'binary') return found;
  const isSyntax = config.syntaxes.some((syntax) => syntax === found);
  return isSyntax ? found : (config.syntaxes[0] ?? found);
}

interface Request {
  readonly host: Host;
  readonly path: string;
  /** The text of a file that is small; null if it must be read. */
  readonly whole: string | null;
  readonly options: DataOptions;
}

/** Readers of logs and profiles load when there is one: a config needs none of them. */
async function readKind(request: Request, kind: FileKind): Promise<Staged<DataSet | null>> {
  const { host, path, options } = request;
  switch (kind) {
    case 'tensorboard':
      return (await import('./read-log.ts')).readEventFile(host, path, options);
    case 'mlflow':
      return (await import('./mlflow/read-run.ts')).readMlflowRun(host, path, options);
    case 'kineto':
      return (await import('./read-trace.ts')).readTrace(host, path, options);
    case 'json-lines':
    case 'csv':
    case 'text-log':
      return (await import('./read-log.ts')).readLog(host, path, kind, options);
    case 'json':
    case 'yaml':
    case 'toml':
    case 'python':
    case 'arguments':
      return readConfigFile(request, kind);
    case 'empty':
    case 'binary':
    case 'utf-16':
      return { value: null, diagnostics: [noText(path, kind)] };
  }
}

async function readConfigFile(
  { host, path, whole, options }: Request,
  syntax: ConfigSyntax,
): Promise<Staged<DataSet | null>> {
  const text = whole === null ? await readWhole(host, path) : ok(whole);
  if (!text.ok) return { value: null, diagnostics: [text.error] };
  if (text.value.includes('\0')) return { value: null, diagnostics: [noText(path, 'binary')] };
  const source = { path, text: text.value };
  const asOne = readConfig(source, syntax, options);
  const read = (syntax === 'python' && readScript(source, asOne.value, options)) || asOne;
  if (!read.value?.tables.has('log') && !read.value?.tables.has('eval')) return read;
  const { logFindings, withNanIterations } = await import('./log-findings.ts');
  const { withJudgedLog } = await import('./judged-log.ts');
  const { value: tables, diagnostics } = withJudgedLog(path, read.value.tables);
  return {
    value: { ...read.value, tables: withNanIterations(tables) },
    diagnostics: [...read.diagnostics, ...diagnostics, ...logFindings(path, tables)],
  };
}

/** A file of assignments with keys of no trainer may still make the arguments of one. */
function readScript(source: SourceFile, asOne: DataSet | null, options: DataOptions): Staged<DataSet | null> | null {
  if (asOne === null) return readPythonConfigs(source, options) ?? readTrainingScript(source, options);
  const isOpen = asOne.format === 'plain' && options.format === undefined;
  return isOpen ? readTrainingScript(source, options) : null;
}

function noText(path: string, kind: 'empty' | 'binary' | 'utf-16'): Diagnostic {
  if (kind === 'empty')
    return diagnostic('PV-7013', null, 'The data file is empty', { subject: path, hint: 'Was the run started?' });
  const message =
    kind === 'utf-16'
      ? 'The data file is text in UTF-16'
      : 'The data file is binary, and not an event file of TensorBoard';
  const hint =
    kind === 'utf-16'
      ? "Windows PowerShell's > writes it. Save it as UTF-8: iconv -f UTF-16 -t UTF-8 OLD > NEW."
      : 'Give the config or the log that the run wrote as text. Of binary files, pv check reads the event files of TensorBoard.';
  return diagnostic('PV-7012', null, message, { subject: path, hint });
}

function unknownFormat(format: string | undefined): Diagnostic | null {
  if (format === undefined || formatNames.includes(format)) return null;
  const near = closest(format, formatNames);
  return diagnostic('PV-7011', null, `There is no data format ${format}`, {
    subject: '--as',
    hint: `${near === null ? '' : `Did you mean ${near}? `}There are ${formatNames.join(', ')}.`,
  });
}
