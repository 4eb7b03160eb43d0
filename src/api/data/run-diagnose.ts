/** What `pv diagnose` does: reads the files of a run and the contracts over data, and finds why it failed. */
import { join } from 'node:path';
import { elaborateAll } from '../../audit/elaborate-all.ts';
import type { ElaboratedContract } from '../../contract/goal.ts';
import { codes } from '../../diagnostics/codes.ts';
import { diagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import { diagnose } from '../../data/diagnose/diagnose.ts';
import type { Diagnosis } from '../../data/diagnose/diagnosis.ts';
import { isHealthy, type DiagnosisReport } from '../../data/report/diagnosis-report.ts';
import type { FindingReport } from '../../report/report.ts';
import type { DataSet } from '../../data/read/data-set.ts';
import type { Session } from '../session.ts';
import { exitCodes, type ExitCode } from '../exit-code.ts';
import { readWithDependencies } from '../project-files.ts';
import { allowed } from './allowed.ts';
import { findDataFiles } from './data-files.ts';
import type { DiagnoseOptions } from './options.ts';
import { mayBeOverData } from './over-data.ts';
import { readFor, reads } from './read-for.ts';
import { rowLabels } from './row-labels.ts';
import { showFindings } from './show-findings.ts';
import { unmapped, withoutFlags } from './unmapped.ts';

/** The diagnosis with the exit code that it means, or only the code if contracts or data could not be read. */
export type DiagnoseOutcome =
  | { readonly ok: true; readonly report: DiagnosisReport; readonly exitCode: ExitCode }
  | { readonly ok: false; readonly exitCode: ExitCode };

/**
 * Diagnoses the run whose files are at `path`. Faults in its files, or a mapping of names that no file has, end it
 * with `usage`.
 */
export async function runDiagnose(session: Session, path: string, question: DiagnoseOptions): Promise<DiagnoseOutcome> {
  const contracts = await dataContracts(session, question.contracts ?? null);
  if (!contracts.ok) return contracts;
  const files = await findDataFiles(session.host, [path]);
  await session.show(files.diagnostics);
  if (files.diagnostics.length > 0) return { ok: false, exitCode: exitCodes.usage };
  const run = await readRun(session, files.value, question, contracts.value);
  const [first, ...others] = run.sets;
  const absent = first ? unmapped(question.map ?? [], [first, ...others]) : [];
  await session.show(absent);
  if (absent.length > 0) return { ok: false, exitCode: exitCodes.usage };
  const settings = new Map((question.set ?? []).map(({ name, value }) => [name, value]));
  const unknown = [...settings.keys()].filter((name) => !contracts.value.some((one) => reads(one, name)));
  await session.show(unknown.map(unknownSetting));
  if (unknown.length > 0) return { ok: false, exitCode: exitCodes.usage };
  const labelOf = rowLabels(session.host);
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
  /** Faults in a file of a known format. */
  readonly findings: readonly FindingReport[];
}

/** A folder contains more than data: files that fit no format are skipped and listed; broken ones are findings. */
async function readRun(
  session: Session,
  paths: readonly string[],
  question: DiagnoseOptions,
  contracts: readonly ElaboratedContract[],
): Promise<ReadRun> {
  const map = question.map ?? [];
  const options = map.length === 0 ? {} : { mapping: new Map(map.map(({ name, key }) => [name, key])) };
  const sets: DataSet[] = [];
  const passedOver: { readonly path: string; readonly reason: string }[] = [];
  const findings: FindingReport[] = [];
  for (const path of paths) {
    const { value, diagnostics } = await readFor(session, path, options, contracts);
    const found = withoutFlags(diagnostics, map);
    // No defaults of frameworks: a cause must not be a guess.
    if (value) sets.push({ ...value, defaults: new Map() });
    else passedOver.push({ path, reason: found[0]?.message ?? 'nothing can be made of it' });
    const own = allowed(found, question).filter(({ code }) => !isNoData(code, paths.length));
    findings.push(...(await showFindings(session, own)));
  }
  return { sets, passedOver, findings };
}

/** Whether a finding says that a file is not data of a run. A file given by name is meant to be. */
function isNoData(code: Diagnostic['code'], files: number): boolean {
  return files > 1 && (code === 'PV-7010' || code === 'PV-7026');
}

const isError = ({ severity }: Diagnostic): boolean => severity === 'error';

type Contracts =
  | { readonly ok: true; readonly value: readonly ElaboratedContract[] }
  | { readonly ok: false; readonly exitCode: ExitCode };

/** The given contracts; else those of the project; else those that come with pv. */
async function dataContracts(session: Session, named: readonly string[] | null): Promise<Contracts> {
  const project = 'contracts';
  if (named !== null) return readDataContracts(session, named);
  if ((await session.host.kindOf(project)) === 'directory') {
    const own = await readDataContracts(session, [project]);
    if (!own.ok || own.value.length > 0) return own;
  }
  return readDataContracts(session, [join(session.packageRoot, 'contracts')]);
}

async function readDataContracts(session: Session, paths: readonly string[]): Promise<Contracts> {
  const files = await mayBeOverData(session.host, paths);
  if (files.length === 0) return { ok: true, value: [] };
  const read = await readWithDependencies(session, files);
  await session.show(read.unread);
  if (read.unread.length > 0) return { ok: false, exitCode: exitCodes.usage };
  const about = read.contracts.filter(({ dataSection }) => dataSection !== null);
  const elaborated = elaborateAll(about);
  const sources = new Set(about.map(({ path }) => path));
  const wrong = [
    ...read.findings.filter(isError),
    // Mistakes are warnings in contracts that are not meant to be run, but one over data is.
    ...elaborated.flatMap(({ diagnostics }) => diagnostics.filter(({ code }) => codes[code].severity === 'error')),
  ];
  const errors = wrong.filter(({ span }) => span === null || sources.has(span.source.path));
  await session.show(errors);
  return errors.length > 0 ? { ok: false, exitCode: exitCodes.findings } : { ok: true, value: elaborated };
}

function unknownSetting(name: string): Diagnostic {
  return diagnostic('PV-9004', null, `No contract has an input '${name}'`, { subject: `--set ${name}` });
}
