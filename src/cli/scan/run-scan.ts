/** `pv scan`: finds files, scans them, mends what may be mended, shows the rest. */
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { SourceFile } from '../../diagnostics/source.ts';
import { everyRule, scan, type Finding, type Scan, type ScanOptions } from '../../scan/scan.ts';
import { noSettings, readSettings, settingsPath } from '../../scan/settings.ts';
import type { Cli } from '../cli.ts';
import { readSources } from '../contract-files.ts';
import { exitCodes, type ExitCode } from '../exit-code.ts';
import { findFiles, type FileKind } from '../find-files.ts';
import { writeFixes, type Fixed } from './write-fixes.ts';
import type { ScanFlags } from './scan-flags.ts';
import type { ScanOutcome } from './scan-outcome.ts';
import { scanAsText } from './show-scan.ts';

const code: FileKind = {
  accepts: (name) => /\.[cm]?tsx?$/i.test(name) && !/\.d\.[cm]?ts$/i.test(name),
  one: 'TypeScript (no .ts, .tsx, .mts or .cts file)',
  many: 'TypeScript files',
  hintWhenEmpty: 'name the folder that holds the code, or a file',
  hintWhenNoFile: 'write the code to a file first',
};

/** Everything that a run says, and its exit code. */
export async function runScan(
  cli: Cli,
  paths: readonly string[],
  flags: ScanFlags,
): Promise<{ readonly output: string; readonly exitCode: ExitCode }> {
  const files = await findFiles(cli.host, paths, code);
  const settings = await settingsOf(cli);
  const options: ScanOptions = {
    rules: flags.rule ? everyRule.filter((name) => flags.rule?.includes(name)) : everyRule,
    types: flags.types,
    settings: settings.value,
  };
  const first = await scanFiles(cli, files.paths, options);
  const fixed: Fixed = flags.fix ? await writeFixes(cli.host, paths, first.scanned.findings) : nothingFixed;
  // The mended texts are looked at again: what is reported is what stands in the files now.
  const { scanned, unread } = fixed.fixes > 0 ? await scanFiles(cli, files.paths, options) : first;
  const unreadable = [...files.problems, ...settings.unread, ...unread, ...fixed.problems];
  const findings: readonly Finding[] = [
    ...[...unreadable, ...settings.diagnostics].map((one) => ({ diagnostic: one, fix: null })),
    ...scanned.findings,
  ];
  const outcome: ScanOutcome = { findings, counts: scanned.counts, fixed };
  const output = await show(cli, flags, outcome);
  return { output, exitCode: exitCodeOf(findings, unreadable.length > 0) };
}

const nothingFixed: Fixed = { fixes: 0, files: 0, problems: [] };

function exitCodeOf(findings: readonly Finding[], unread: boolean): ExitCode {
  if (unread) return exitCodes.usage;
  return findings.length > 0 ? exitCodes.findings : exitCodes.ok;
}

async function scanFiles(
  cli: Cli,
  paths: readonly string[],
  options: ScanOptions,
): Promise<{ readonly scanned: Scan; readonly unread: readonly Diagnostic[] }> {
  const sources = await readSources(cli.host, paths);
  return { scanned: await scan(cli.host, sources.value, options), unread: sources.diagnostics };
}

interface Settings {
  readonly value: ScanOptions['settings'];
  readonly diagnostics: readonly Diagnostic[];
  readonly unread: readonly Diagnostic[];
}

/** The settings beside which pv runs; a project without any has none. */
async function settingsOf({ host }: Cli): Promise<Settings> {
  if ((await host.kindOf(settingsPath)) === 'missing') return { value: noSettings, diagnostics: [], unread: [] };
  const read = await readSources(host, [settingsPath]);
  const [source]: readonly (SourceFile | undefined)[] = read.value;
  return source
    ? { ...readSettings(source), unread: [] }
    : { value: noSettings, diagnostics: [], unread: read.diagnostics };
}

async function show(cli: Cli, { format, quiet }: ScanFlags, outcome: ScanOutcome): Promise<string> {
  if (format === 'text') return scanAsText(outcome, cli.process.stdout.color, quiet);
  if (format === 'json') return (await import('./json.ts')).scanAsJson(outcome);
  const diagnostics = outcome.findings.map((one) => one.diagnostic);
  if (format === 'github') return (await import('../findings/github.ts')).findingsAsGithub({ diagnostics });
  const { unverifiedReport } = await import('../unverified-report.ts');
  return (await import('../../report/formats.ts')).formatReport(format, unverifiedReport([], diagnostics));
}
