/** Logs of any size as data sets: JSON Lines, delimited text, text for people, TensorBoard event files. */
import { diagnostic, type Diagnostic, type Staged } from '../../diagnostics/diagnostic.ts';
import type { Host } from '../../host/host.ts';
import { DEFAULT_MAX_ROWS, type DataOptions, type DataScalar, type DataSet } from './data-set.ts';
import { statedValues } from './formats/stated.ts';
import { withJudgedLog } from './judged-log.ts';
import { logFindings, withNanIterations } from './log-findings.ts';
import { pushBytes } from './read-bytes.ts';
import { createCsv } from './stream/csv.ts';
import { createEventFile } from './stream/event-file.ts';
import { createFindings, type Findings } from './stream/findings.ts';
import { createJsonLines, type RecordReader } from './stream/json-lines.ts';
import { createLineReader } from './stream/lines.ts';
import { createLogRows, type LogRows } from './stream/log-rows.ts';
import { compilePattern } from './stream/pattern.ts';
import { createPatternLog, PATTERN_MS } from './stream/pattern-log.ts';
import { createSeriesRows } from './stream/series-rows.ts';
import { createTextLog, type StatedValue } from './stream/text-log.ts';

/** The kinds of logs that are read line by line. */
export type LogKind = 'json-lines' | 'csv' | 'text-log';

/** Streams the file, and reads at most `maxRows` rows. The value is null if the file has no values, or if a pattern took too long. */
export async function readLog(
  host: Host,
  path: string,
  kind: LogKind,
  options: DataOptions,
): Promise<Staged<DataSet | null>> {
  const findings = createFindings(path);
  const maxRows = options.maxRows ?? DEFAULT_MAX_ROWS;
  const rows = createLogRows({ maxRows, isText: kind === 'text-log', mapping: keysToNames(options) });
  const made = makeReader(kind, rows, findings, { ...options, now: host.monotonicMs });
  if ('code' in made) return { value: null, diagnostics: [{ ...made, subject: path }] };
  const { reader, stated, end, wasStopped } = made;
  let full = false;
  const onLine = (text: string, line: number, last: boolean): boolean => {
    const goesOn = reader.readLine(text, line, last);
    full ||= !goesOn;
    return goesOn;
  };
  const onLongLine = (line: number): boolean => {
    findings.atLine('PV-7023', line, '', 'The line has more than 4 million characters and is passed over', {
      hint: 'Is this a log?',
    });
    return true;
  };
  const lines = createLineReader({ onLine, onLongLine });
  const read = await pushBytes(host, path, (chunk) => lines.push(chunk));
  if (!full) {
    lines.end();
    if (!full && end?.() === false) full = true;
  }
  if (!read.ok) findings.add(read.error);
  if (wasStopped?.() === true) return { value: null, diagnostics: findings.list() };
  if (full && findings.list().every(({ code }) => code !== 'PV-7021')) findings.add(tooManyRows(path, maxRows));
  if (lines.notUtf8Line() > 0) findings.add(notUtf8(path, lines.notUtf8Line()));
  const values = statedValues(path, stated());
  const log = finishLog({ path, format: kind, values, tables: rows.finish('line'), unused: [] }, findings);
  // What a log says before its first row is no config without one.
  return log.value?.tables.size === 0 ? { ...log, value: null } : log;
}

interface Made {
  readonly reader: RecordReader;
  readonly stated: () => readonly StatedValue[];
  /** After the last line; false when the rows are too many. */
  readonly end?: () => boolean;
  /** Whether a user's pattern took too long. */
  readonly wasStopped?: () => boolean;
}

interface ReaderOptions extends Pick<DataOptions, 'pattern' | 'patternMs'> {
  readonly now: () => number;
}

function makeReader(
  kind: LogKind,
  rows: LogRows,
  findings: Findings,
  { pattern, patternMs = PATTERN_MS, now }: ReaderOptions,
): Made | Diagnostic {
  const none = (): readonly StatedValue[] => [];
  if (kind === 'json-lines') return { reader: createJsonLines(rows, findings), stated: none };
  if (kind === 'csv') {
    const reader = createCsv(rows, findings);
    return { reader, stated: none, end: reader.end };
  }
  if (pattern === undefined) {
    const reader = createTextLog(rows, findings);
    return { reader, stated: reader.stated, end: reader.end };
  }
  const compiled = compilePattern(pattern);
  if (compiled.ok) {
    const limits = { source: pattern, pattern: compiled.value, budgetMs: patternMs, now };
    const reader = createPatternLog(limits, rows, findings);
    return { reader, stated: none, end: reader.end, wasStopped: reader.wasStopped };
  }
  return diagnostic('PV-7025', null, `The pattern cannot be used: ${compiled.error}`, {
    hint: String.raw`Name each number: step (?<step>\d+) loss (?<loss>[0-9.eE+-]+).`,
  });
}

/** Streams a TensorBoard file; damaged frames are findings. */
export async function readEventFile(host: Host, path: string, options: DataOptions): Promise<Staged<DataSet | null>> {
  const findings = createFindings(path);
  const maxRows = options.maxRows ?? DEFAULT_MAX_ROWS;
  const rows = createSeriesRows(maxRows, keysToNames(options));
  const reader = createEventFile(rows, findings);
  const read = await pushBytes(host, path, reader.push);
  reader.end();
  if (!read.ok) findings.add(read.error);
  const tables = rows.finish();
  if ([...tables.values()].some((table) => table.rows >= maxRows)) findings.add(tooManyRows(path, maxRows));
  return finishLog(
    { path, format: 'tensorboard', values: new Map<string, DataScalar>(), tables, unused: [] },
    findings,
  );
}

/** Key → name of a mapping. */
export function keysToNames(options: DataOptions): ReadonlyMap<string, string> {
  return new Map([...(options.mapping ?? [])].map(([name, key]) => [key, name]));
}

/** The log with what its tables show; null if the file has no values. */
export function finishLog(value: DataSet, findings: Findings): Staged<DataSet | null> {
  const { path } = value;
  const { value: tables, diagnostics } = withJudgedLog(path, value.tables);
  for (const finding of [...diagnostics, ...logFindings(path, tables)]) findings.add(finding);
  const hasRows = ['log', 'eval'].some((name) => (tables.get(name)?.rows ?? 0) > 0);
  if (!hasRows) findings.add(noRows(path));
  const isEmpty = tables.size === 0 && value.values.size === 0;
  return { value: isEmpty ? null : { ...value, tables: withNanIterations(tables) }, diagnostics: findings.list() };
}

/** A finding about a log of which only a part is read. */
export function tooManyRows(path: string, maxRows: number): Diagnostic {
  return diagnostic(
    'PV-7022',
    null,
    `The log has more than ${maxRows} rows, or keys that differ from row to row; the rest is not read`,
    {
      subject: path,
      hint: 'Log less often, give the same keys in each row, or check a part of the run.',
    },
  );
}

function noRows(path: string): Diagnostic {
  const run = /^(.+)\/metrics\/./.exec(path)?.[1];
  return diagnostic('PV-7026', null, 'The log has no row of training or evaluation', {
    subject: path,
    hint:
      run === undefined
        ? 'Rows need a loss, and a step or an epoch. If the log uses other names, give them with --pattern or --map.'
        : `If this is one metric of an MLflow run, check the folder of the run: ${run}`,
  });
}

function notUtf8(path: string, line: number): Diagnostic {
  return diagnostic('PV-7031', null, `Line ${line} has bytes that are not UTF-8`, {
    subject: `${path}:${line}`,
    hint: 'Save the file as UTF-8.',
  });
}
