/** `pv diagnose`: reads the files of a run and the contracts over data, and shows why it failed. */
import { elaborateAll } from '../../audit/elaborate-all.ts';
import type { ElaboratedContract } from '../../contract/goal.ts';
import { codes } from '../../diagnostics/codes.ts';
import { diagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import { diagnose } from '../../diagnose/diagnose.ts';
import type { Diagnosis } from '../../diagnose/diagnosis.ts';
import { diagnosisFindings, isHealthy, type DiagnosisReport } from '../../report/data/diagnosis-report.ts';
import type { FindingReport } from '../../report/report.ts';
import type { DataOptions, DataSet } from '../../subject/data/data-set.ts';
import { readData } from '../../subject/data/read-data.ts';
import type { Cli } from '../cli.ts';
import { exitCodes, type ExitCode } from '../exit-code.ts';
import { readWithDependencies } from '../project-files.ts';
import { sayDiagnostics } from '../say-diagnostics.ts';
import { allowed } from './allowed.ts';
import { findDataFiles } from './data-files.ts';
import type { DiagnoseFlags } from './diagnose-flags.ts';
import { mayBeOverData } from './over-data.ts';
import { rowLabels } from './row-labels.ts';
import { sayFindings } from './say-findings.ts';
import { unmapped, withoutFlags } from './unmapped.ts';

export type DiagnoseOutcome =
  | { readonly ok: true; readonly report: DiagnosisReport; readonly exitCode: ExitCode }
  | { readonly ok: false; readonly exitCode: ExitCode };

export async function runDiagnose(cli: Cli, path: string, flags: DiagnoseFlags): Promise<DiagnoseOutcome> {
  const contracts = await dataContracts(cli, flags.contracts ?? null);
  if (!contracts.ok) return contracts;
  const files = await findDataFiles(cli.host, [path]);
  sayDiagnostics(cli, files.diagnostics);
  if (files.diagnostics.length > 0) return { ok: false, exitCode: exitCodes.usage };
  const run = await readRun(cli, files.value, flags, contracts.value);
  const [first, ...others] = run.sets;
  const absent = first ? unmapped(flags.map ?? [], [first, ...others]) : [];
  sayDiagnostics(cli, absent);
  if (absent.length > 0) return { ok: false, exitCode: exitCodes.usage };
  const settings = new Map((flags.set ?? []).map(({ name, value }) => [name, value]));
  const unknown = [...settings.keys()].filter((name) => !contracts.value.some((one) => reads(one, name)));
  sayDiagnostics(cli, unknown.map(unknownSetting));
  if (unknown.length > 0) return { ok: false, exitCode: exitCodes.usage };
  const labelOf = rowLabels(cli.host);
  const diagnosis = await diagnose(contracts.value, {
    path,
    sets: run.sets,
    passedOver: run.passedOver,
    settings,
    labelOf,
  });
  const report = { ...diagnosis, findings: run.findings };
  return { ok: true, report, exitCode: isHealthy(report) ? exitCodes.ok : exitCodes.findings };
}

interface ReadRun {
  readonly sets: readonly DataSet[];
  readonly passedOver: Diagnosis['passedOver'];
  /** What in a file of a known format is not what it should be. */
  readonly findings: readonly FindingReport[];
}

/** A folder holds more than data: what no format fits is passed over and said; what is broken is a finding. */
async function readRun(
  cli: Cli,
  paths: readonly string[],
  flags: DiagnoseFlags,
  contracts: readonly ElaboratedContract[],
): Promise<ReadRun> {
  const map = flags.map ?? [];
  const options = map.length === 0 ? {} : { mapping: new Map(map.map(({ name, key }) => [name, key])) };
  const sets: DataSet[] = [];
  const passedOver: { readonly path: string; readonly reason: string }[] = [];
  const findings: FindingReport[] = [];
  for (const path of paths) {
    const { value, diagnostics } = await readOne(cli, path, options, contracts);
    const found = withoutFlags(diagnostics, map);
    // What no file of the run says is asked for: a cause must not be a guess at what the framework took.
    if (value) sets.push({ ...value, defaults: new Map() });
    else passedOver.push({ path, reason: found[0]?.message ?? 'nothing can be made of it' });
    const own = allowed(found, flags).filter(({ code }) => !isNoData(code, paths.length));
    findings.push(...(await sayFindings(cli, own)));
  }
  return { sets, passedOver, findings };
}

/** A file of no known format is data all the same when it has a key that some contract reads. */
async function readOne(
  cli: Cli,
  path: string,
  options: DataOptions,
  contracts: readonly ElaboratedContract[],
): ReturnType<typeof readData> {
  const read = await readData(cli.host, path, options);
  if (read.value !== null || read.diagnostics.every(({ code }) => code !== 'PV-7010')) return read;
  const plain = await readData(cli.host, path, { ...options, format: 'plain' });
  const keys = [...(plain.value?.values.keys() ?? []), ...(plain.value?.unused ?? []).map(({ key }) => key)];
  return contracts.some((contract) => keys.some((key) => reads(contract, key))) ? plain : read;
}

/** Whether a finding says that a file is none of a run's data. A file that was named alone is meant to be. */
function isNoData(code: Diagnostic['code'], files: number): boolean {
  return files > 1 && (code === 'PV-7010' || code === 'PV-7026');
}

const isError = ({ severity }: Diagnostic): boolean => severity === 'error';

type Contracts =
  | { readonly ok: true; readonly value: readonly ElaboratedContract[] }
  | { readonly ok: false; readonly exitCode: ExitCode };

/** The contracts that were named; else those of the project; else those that come with pv. */
async function dataContracts(cli: Cli, named: readonly string[] | null): Promise<Contracts> {
  const project = 'contracts';
  if (named !== null) return readDataContracts(cli, named);
  if ((await cli.host.kindOf(project)) === 'directory') {
    const own = await readDataContracts(cli, [project]);
    if (!own.ok || own.value.length > 0) return own;
  }
  return readDataContracts(cli, [`${cli.packageRoot}/contracts`]);
}

async function readDataContracts(cli: Cli, paths: readonly string[]): Promise<Contracts> {
  const files = await mayBeOverData(cli.host, paths);
  if (files.length === 0) return { ok: true, value: [] };
  const read = await readWithDependencies(cli, files);
  sayDiagnostics(cli, read.unread);
  if (read.unread.length > 0) return { ok: false, exitCode: exitCodes.usage };
  const about = read.contracts.filter(({ dataSection }) => dataSection !== null);
  const elaborated = elaborateAll(about);
  const sources = new Set(about.map(({ path }) => path));
  const wrong = [
    ...read.findings.filter(isError),
    // Of contracts that are not meant to be run, mistakes are warnings; one over data is.
    ...elaborated.flatMap(({ diagnostics }) => diagnostics.filter(({ code }) => codes[code].severity === 'error')),
  ];
  const errors = wrong.filter(({ span }) => span === null || sources.has(span.source.path));
  sayDiagnostics(cli, errors);
  return errors.length > 0 ? { ok: false, exitCode: exitCodes.findings } : { ok: true, value: elaborated };
}

function reads({ data }: ElaboratedContract, name: string): boolean {
  return (data?.inputs ?? []).some((input) => input.name === name || input.from === name);
}

function unknownSetting(name: string): Diagnostic {
  return diagnostic('PV-9004', null, `No contract has an input '${name}'`, { subject: `--set ${name}` });
}

/** The diagnosis in a format; colours only in text. */
export async function showDiagnosis(
  cli: Cli,
  diagnosis: DiagnosisReport,
  format: DiagnoseFlags['format'],
): Promise<string> {
  if (format === 'json') return `${JSON.stringify(diagnosis, null, 2)}\n`;
  if (format === 'sarif') {
    const { formatReport } = await import('../../report/formats.ts');
    return formatReport('sarif', diagnosisFindings(diagnosis));
  }
  if (format === 'markdown') {
    const { diagnosisAsMarkdown } = await import('../../report/data/diagnosis-markdown.ts');
    return diagnosisAsMarkdown(diagnosis);
  }
  const { diagnosisAsText } = await import('../../report/data/diagnosis-text.ts');
  const { reportPaint } = await import('../report-paint.ts');
  return diagnosisAsText(diagnosis, reportPaint(cli.process.stdout.color));
}
