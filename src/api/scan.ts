/** What `pv scan` does: finds files, scans them, and applies fixes. */
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { SourceFile } from '../diagnostics/source.ts';
import { everyRule, scan, type Finding, type Scan, type ScanOptions } from '../scan/scan.ts';
import { noSettings, readSettings, settingsPath } from '../scan/settings.ts';
import type { RuleName } from '../scan/rules.ts';
import type { Session } from './session.ts';
import { readSources } from './contract-files.ts';
import { exitCodes, type ExitCode } from './exit-code.ts';
import { mustBeOneOf } from './must-be-one-of.ts';
import { findFiles, type FileKind } from './find-files.ts';
import { writeFixes, type Fixed } from './write-fixes.ts';
import type { ScanOutcome } from './scan-outcome.ts';

const code: FileKind = {
  accepts: (name) => /\.([cm]?tsx?|py)$/i.test(name) && !/\.d\.[cm]?ts$/i.test(name),
  one: 'TypeScript or Python (no .ts, .tsx, .mts, .cts or .py file)',
  many: 'source files',
  hintWhenEmpty: 'name the folder that holds the code, or a file',
  hintWhenNoFile: 'write the code to a file first',
};

/** Which rules to apply to the files, with which information, and whether to edit them. */
export type FileScanOptions = {
  /** Only these rules; all by default. */
  readonly rule?: readonly RuleName[];
  /** Whether types are used, which takes longer and finds more; true by default. */
  readonly types?: boolean;
  /** Whether to write the fixes of findings to their files; false by default. */
  readonly fix?: boolean;
};

/** Scans TypeScript and Python files, and folders of them. */
export async function scanPaths(
  session: Session,
  paths: readonly string[],
  { rule, types = true, fix = false }: FileScanOptions,
): Promise<ScanOutcome & { readonly exitCode: ExitCode }> {
  for (const name of rule ?? []) mustBeOneOf('rule', name, everyRule);
  const files = await findFiles(session.host, paths, code);
  const settings = await settingsOf(session);
  const options: ScanOptions = {
    rules: rule ? everyRule.filter((name) => rule.includes(name)) : everyRule,
    types,
    settings: settings.value,
  };
  const first = await scanFiles(session, files.paths, options);
  const fixed: Fixed = fix ? await writeFixes(session.host, paths, first.scanned.findings) : nothingFixed;
  // The fixed texts are scanned again, so that the findings are those of the files as they are now.
  const { scanned, unread } = fixed.fixes > 0 ? await scanFiles(session, files.paths, options) : first;
  const unreadable = [...files.problems, ...settings.unread, ...unread, ...fixed.problems];
  const findings: readonly Finding[] = [
    ...[...unreadable, ...settings.diagnostics].map((one) => ({ diagnostic: one, fix: null })),
    ...scanned.findings,
  ];
  return { findings, counts: scanned.counts, fixed, exitCode: exitCodeOf(findings, unreadable.length > 0) };
}

const nothingFixed: Fixed = { fixes: 0, files: 0, problems: [] };

function exitCodeOf(findings: readonly Finding[], unread: boolean): ExitCode {
  if (unread) return exitCodes.usage;
  return findings.length > 0 ? exitCodes.findings : exitCodes.ok;
}

async function scanFiles(
  session: Session,
  paths: readonly string[],
  options: ScanOptions,
): Promise<{ readonly scanned: Scan; readonly unread: readonly Diagnostic[] }> {
  const sources = await readSources(session.host, paths);
  return { scanned: await scan(session.host, sources.value, options), unread: sources.diagnostics };
}

interface Settings {
  readonly value: ScanOptions['settings'];
  readonly diagnostics: readonly Diagnostic[];
  readonly unread: readonly Diagnostic[];
}

/** The settings in the folder that pv runs in, if any. */
async function settingsOf({ host }: Session): Promise<Settings> {
  if ((await host.kindOf(settingsPath)) === 'missing') return { value: noSettings, diagnostics: [], unread: [] };
  const read = await readSources(host, [settingsPath]);
  const [source]: readonly (SourceFile | undefined)[] = read.value;
  return source
    ? { ...readSettings(source), unread: [] }
    : { value: noSettings, diagnostics: [], unread: read.diagnostics };
}
