/** What `pv scan` does: finds files, scans them, and applies fixes. */
import { quoted } from '../base/text.ts';
import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import type { SourceFile } from '../diagnostics/source.ts';
import { defaultRules, everyRule, scan, type Finding, type Scan, type ScanOptions } from '../scan/scan.ts';
import { noSettings, readSettings, settingsPath } from '../scan/settings.ts';
import type { RuleName } from '../scan/rules.ts';
import type { Session } from './session.ts';
import { readSources } from './contract-files.ts';
import { exitCodes, type ExitCode } from './exit-code.ts';
import { mustBeOneOf } from './must-be-one-of.ts';
import { findFiles, type FileKind } from './find-files.ts';
import { writeFixes, type Fixed } from './write-fixes.ts';
import type { ScanOutcome } from './scan-outcome.ts';
import { isAskedFor, isGenerated, isNamed } from './left-out.ts';

const code: FileKind = {
  accepts: (name) => /\.([cm]?[jt]sx?|py)$/i.test(name) && !/\.d\.[cm]?ts$|\.min\.[cm]?js$/i.test(name),
  one: 'TypeScript, JavaScript or Python (no .ts, .tsx, .mts, .cts, .js, .jsx, .mjs, .cjs or .py file)',
  many: 'source files',
  hintWhenEmpty: 'name the folder that holds the code, or a file',
  hintWhenNoFile: 'write the code to a file first',
  staysInside: true,
};

/** Which rules to apply to the files, with which information, and whether to edit them. */
export type FileScanOptions = {
  /** Only these rules; by default all but conventions (`console-diagnostics`, `optimizer-defaults`). */
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
    rules: rule ? everyRule.filter((name) => rule.includes(name)) : defaultRules,
    types,
    settings: settings.value,
    isAskedFor: rule ? () => true : (path) => isNamed(session.host, paths, path),
  };
  const first = await scanFiles(session, paths, asked, options);
  const fixed: Fixed = fix ? await writeFixes(session.host, paths, first.scanned.findings) : nothingFixed;
  // The fixed texts are scanned again, so that the findings are those of the files as they are now.
  const { scanned, unread, generatedLeftOut } =
    fixed.fixes > 0 ? await scanFiles(session, paths, asked, options) : first;
  const isNothing = scanned.counts.files === 0 && unread.length === 0 && leftOut + generatedLeftOut > 0;
  const nothing = isNothing ? [nothingScanned(paths)] : [];
  const unreadable = [...files.problems, ...nothing, ...settings.unread, ...unread, ...fixed.problems];
  const findings: readonly Finding[] = [
    ...[...unreadable, ...settings.diagnostics].map((one) => ({ diagnostic: one, fix: null })),
    ...scanned.findings,
  ];
  return {
    findings,
    strays: scanned.strays,
    counts: { ...scanned.counts, testsLeftOut: leftOut, generatedLeftOut, linksLeftOut: files.linksOut.length },
    linksLeftOut: files.linksOut,
    fixed,
    exitCode: exitCodeOf(findings, unreadable.length > 0),
  };
}

const nothingScanned = (paths: readonly string[]): Diagnostic =>
  diagnostic(
    'PV-8004',
    null,
    `${paths.map((path) => quoted(path)).join(', ')}: only tests, fixtures and generated JavaScript`,
    {
      ...(paths[0] === undefined ? {} : { subject: paths[0] }),
      hint: 'add --tests to read tests and fixtures, or name a file to read it whatever it is',
    },
  );

const nothingFixed: Fixed = { fixes: 0, files: 0, problems: [] };

function exitCodeOf(findings: readonly Finding[], unread: boolean): ExitCode {
  if (unread) return exitCodes.usage;
  return findings.length > 0 ? exitCodes.findings : exitCodes.ok;
}

async function scanFiles(
  { host }: Session,
  given: readonly string[],
  paths: readonly string[],
  options: ScanOptions,
): Promise<{ readonly scanned: Scan; readonly unread: readonly Diagnostic[]; readonly generatedLeftOut: number }> {
  const { value, diagnostics } = await readSources(host, paths);
  const sources = value.filter((source) => !isGenerated(host, given, source));
  const generatedLeftOut = value.length - sources.length;
  return { scanned: await scan(host, sources, options), unread: diagnostics, generatedLeftOut };
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
