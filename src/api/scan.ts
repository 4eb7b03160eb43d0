/** What `pv scan` does: finds files, scans them, and applies fixes. */
import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
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
import { isAskedFor } from './test-files.ts';

const code: FileKind = {
  accepts: (name) => /\.([cm]?[jt]sx?|py)$/i.test(name) && !/\.d\.[cm]?ts$|\.min\.[cm]?js$/i.test(name),
  one: 'TypeScript, JavaScript or Python (no .ts, .tsx, .mts, .cts, .js, .jsx, .mjs, .cjs or .py file)',
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
  /** Whether tests and fixtures under the given folders are read too; false by default. */
  readonly tests?: boolean;
  /** Whether to write the fixes of findings to their files; false by default. */
  readonly fix?: boolean;
};

/** Scans TypeScript, JavaScript and Python files, and folders of them. */
export async function scanPaths(
  session: Session,
  paths: readonly string[],
  { rule, types = true, fix = false, tests = false }: FileScanOptions,
): Promise<ScanOutcome & { readonly exitCode: ExitCode }> {
  for (const name of rule ?? []) mustBeOneOf('rule', name, everyRule);
  const files = await findFiles(session.host, paths, code);
  const asked = tests ? files.paths : files.paths.filter((path) => isAskedFor(session.host, paths, path));
  const leftOut = files.paths.length - asked.length;
  const settings = await settingsOf(session);
  const options: ScanOptions = {
    rules: rule ? everyRule.filter((name) => rule.includes(name)) : everyRule,
    types,
    settings: settings.value,
  };
  const first = await scanFiles(session, asked, options);
  const fixed: Fixed = fix ? await writeFixes(session.host, paths, first.scanned.findings) : nothingFixed;
  // The fixed texts are scanned again, so that the findings are those of the files as they are now.
  const { scanned, unread } = fixed.fixes > 0 ? await scanFiles(session, asked, options) : first;
  const onlyTests = asked.length === 0 && leftOut > 0 ? [nothingButTests(paths)] : [];
  const unreadable = [...files.problems, ...onlyTests, ...settings.unread, ...unread, ...fixed.problems];
  const findings: readonly Finding[] = [
    ...[...unreadable, ...settings.diagnostics].map((one) => ({ diagnostic: one, fix: null })),
    ...scanned.findings,
  ];
  return {
    findings,
    counts: { ...scanned.counts, testsLeftOut: leftOut },
    fixed,
    exitCode: exitCodeOf(findings, unreadable.length > 0),
  };
}

const nothingButTests = (paths: readonly string[]): Diagnostic =>
  diagnostic('PV-8004', null, `${paths.map((path) => `'${path}'`).join(', ')}: only tests and fixtures`, {
    ...(paths[0] === undefined ? {} : { subject: paths[0] }),
    hint: 'add --tests to read them, or name their folder',
  });

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
