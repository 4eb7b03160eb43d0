/** What `pv check` does: reads contracts and data, and evaluates. */
import { dirname, join } from 'node:path';
import { invariant } from '../../base/invariant.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { closest, quoted } from '../../base/text.ts';
import type { DataContract } from '../../contract/data-contract.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { checkData } from '../../data/judge/check-data.ts';
import type { DataCheck } from '../../data/judge/data-check.ts';
import type { Settings } from '../../data/judge/inputs.ts';
import { dataReport, holds, type DataReport } from '../../data/report/data-report.ts';
import type { DataOptions, DataSet } from '../../data/read/data-set.ts';
import type { FindingReport } from '../../report/report.ts';
import type { Session } from '../session.ts';
import { exitCodes, type ExitCode } from '../exit-code.ts';
import { projectFolders } from '../project-root.ts';
import { allowed } from './allowed.ts';
import { answersOn, keyOf, readAnswers, remember, type Answers } from './answers.ts';
import { adviceFor, askedFiles, contractsFor } from './asked-files.ts';
import type { CheckOptions, Mapping, Setting } from './options.ts';
import { readDataContracts, type DataContracts } from './data-contracts.ts';
import { findDataFiles } from './data-files.ts';
import { differingValues } from './differing-values.ts';
import { findingsThatMatter } from './findings-that-matter.ts';
import { showFindings } from './show-findings.ts';
import { overfitting } from './overfitting.ts';
import { unreadColumns } from './unread-columns.ts';
import { readFor } from './read-for.ts';
import { unmapped, withoutFlags } from './unmapped.ts';
import { waive } from './waive.ts';

/** The report with the exit code that its verdicts mean, or only the code if contracts or data could not be read. */
export type CheckOutcome =
  | { readonly ok: true; readonly report: DataReport; readonly exitCode: ExitCode }
  | { readonly ok: false; readonly exitCode: ExitCode };

/** Checks every data set against every contract; findings about the files go to stderr as well, but for the codes of `inReport`. */
export async function runCheck(
  session: Session,
  paths: readonly string[],
  options: CheckOptions,
  inReport: ReadonlySet<string> = new Set(),
): Promise<CheckOutcome> {
  const asked = await askedFiles(session, paths, options.data ?? []);
  const known = await contractsOf(session, asked.contracts);
  if (!known.ok) return { ok: false, exitCode: known.error };
  if (asked.data.length === 0) {
    session.say(
      `pv: there are no data to check: name a config, a log or a profile, as in pv check ${paths.join(' ')} train.yaml`,
    );
    return { ok: false, exitCode: exitCodes.usage };
  }
  const files = await findDataFiles(session.host, asked.data, options.as);
  await showFindings(session, files.diagnostics);
  // The format and the pattern apply to the data; companion files are recognised by their content.
  const map = options.map ?? [];
  const beside = await readAll(session, options.with ?? [], options, optionsOf({ map }), known.value.named);
  const ofCompanions = withoutFlags(beside.found, map);
  if (files.diagnostics.length > 0 || beside.unread) {
    await showFindings(session, ofCompanions);
    return { ok: false, exitCode: exitCodes.usage };
  }
  const { root } = await projectFolders(session.host, dirname(files.value[0] ?? '.'));
  const answers = await readAnswers(session.host, root);
  const said = [...(await showFindings(session, answers.diagnostics))];
  const found = await checkFiles(session, files.value, {
    options,
    inReport,
    beside: beside.sets,
    judges: known.value,
    answersOn: (path) => answersOn(answers.value, session.host, path),
  });
  said.push(...(await showFindings(session, findingsThatMatter(ofCompanions, found.checks, options.strict), inReport)));
  if (isUnknown(session, found, options)) return { ok: false, exitCode: exitCodes.usage };
  const kept = options.remember !== true || (await keep(session, answers.value, files.value, found.settings));
  const report = await reportOf(session, answers.value, { ...found, said: [...said, ...found.said] }, options);
  const exitCode = holds(report, options.allowUnevaluated) ? exitCodes.ok : exitCodes.findings;
  return { ok: true, report, exitCode: found.unread || !kept ? exitCodes.usage : exitCode };
}

/** What was checked, with the waivers of the project applied. */
async function reportOf(
  session: Session,
  { root, waivers }: Answers,
  { checks, claims, said }: CheckedFiles,
  { claim, without = [], strict = false }: CheckOptions,
): Promise<DataReport> {
  const { host } = session;
  const { value, diagnostics } = await waive(waivers, {
    checks,
    claims,
    keyOf: (path) => keyOf(host, root, path),
    today: new Date(host.posixSeconds() * 1000).toISOString().slice(0, 10),
    isFile: async (key) => (await host.kindOf(join(root, key))) !== 'missing',
  });
  const scope = claim === undefined && without.length === 0 ? null : { claim: claim ?? null, without };
  const findings = [...said, ...(await showFindings(session, diagnostics))];
  return dataReport(strict ? value.map(withoutAdvice) : value, findings, scope);
}

/** Says which id of the command line no contract has that judged a file. */
function isUnknown(session: Session, { claims }: CheckedFiles, { claim = [], without = [] }: CheckOptions): boolean {
  const known = [...claims.values()].flat();
  const unknown = [...claim, ...without].find((id) => !known.includes(id));
  if (unknown === undefined || claims.size === 0) return false;
  const near = closest(unknown, known);
  session.say(`pv: no contract has a claim ${quoted(unknown)}${near === null ? '' : `; did you mean '${near}'?`}`);
  return true;
}

/** The settings without those that are meant for another of the contracts that judge the file. */
function settingsFor(contract: DataContract, judging: readonly Judge[], settings: Settings): Settings {
  const knows = ({ data }: DataContract, setting: string): boolean =>
    data?.inputs.some(({ name, from }) => setting === name || setting === from) === true;
  const isMeant = (setting: string): boolean =>
    knows(contract, setting) || !judging.some((other) => knows(other.contract, setting));
  return new Map([...settings].filter(([setting]) => isMeant(setting)));
}

/** What is violated, which does not fail; nothing if all holds or is not known. */
function violatedAdvice(check: DataCheck): readonly DataCheck[] {
  const violated = check.obligations.filter(({ verdict }) => verdict === 'violated');
  const obligations = violated.map((one) => ({ ...one, severity: 'advice' as const }));
  return violated.length === 0 ? [] : [{ ...check, obligations, problems: [] }];
}

const withoutAdvice = (check: DataCheck): DataCheck => ({
  ...check,
  obligations: check.obligations.map((one) => ({ ...one, severity: 'error' })),
});

/** A launch config takes what it says is `auto` from the file that it goes with, which may also leave it at its default. */
function withoutAuto(companion: DataSet): DataSet {
  if (companion.goesWith === undefined) return companion;
  const doubts = [...(companion.doubts ?? [])].filter(([, { scalar }]) => scalar.text !== 'auto');
  return { ...companion, doubts: new Map(doubts) };
}

interface Judging {
  readonly options: CheckOptions;
  readonly inReport: ReadonlySet<string>;
  /** Read from companion files. */
  readonly beside: readonly DataSet[];
  readonly judges: ContractsOf;
  readonly answersOn: (path: string) => DataSet | null;
}

interface CheckedFiles {
  readonly checks: readonly DataCheck[];
  readonly said: readonly FindingReport[];
  /** Whether a file, or a key that a mapping names, could not be read. */
  readonly unread: boolean;
  /** Every claim of the contracts that judge the files, by the contract's id. */
  readonly claims: ReadonlyMap<string, readonly string[]>;
  /** The settings that a contract reads, by the vocabulary's names. */
  readonly settings: readonly Setting[];
}

/** One file at a time: a log may need all the memory. */
async function checkFiles(session: Session, paths: readonly string[], judging: Judging): Promise<CheckedFiles> {
  const { options, beside, judges } = judging;
  const { map = [], set = [], claim = null, without = [], strict } = options;
  const isAsked = (id: string): boolean => (claim === null || claim.includes(id)) && !without.includes(id);
  const settings: Settings = new Map(set.map(({ name, value }) => [name, value]));
  const checks: DataCheck[] = [];
  const said: FindingReport[] = [];
  const names = new Map<string, string>();
  const claims = new Map<string, readonly string[]>();
  let unread = false;
  for (const path of paths) {
    const reading = { ...optionsOf({ ...options, map }), allParts: true } as const;
    const read = await readAll(session, [path], options, reading, judges.named);
    const absent = read.sets.flatMap((data) => unmapped(map, [data, ...beside]));
    const differing = read.sets.flatMap((data) => differingValues(data, beside, settings));
    const advice = read.sets.flatMap(overfitting);
    unread ||= read.unread || absent.length > 0;
    const answered = judging.answersOn(path);
    const own: DataCheck[] = [];
    const notFinite: Diagnostic[] = [];
    const companions = [...beside.map(withoutAuto), ...(answered ? [answered] : [])];
    for (const data of absent.length > 0 ? [] : read.sets) {
      const judging = await judges.of(data, companions, settings);
      notFinite.push(
        ...unreadColumns(
          data,
          judging.map(({ contract }) => contract),
        ),
      );
      for (const { contract, isAdvice } of judging) {
        for (const { name, from } of contract.data?.inputs ?? []) names.set(name, from).set(from, from);
        const { id, obligations } = contract.contract;
        claims.set(
          id,
          obligations.map((one) => one.id),
        );
        const check = await checkData(
          contract,
          [data, ...companions],
          settingsFor(contract, judging, settings),
          isAsked,
        );
        own.push(...(isAdvice ? violatedAdvice(check) : [check]));
      }
      if (options.remember === true) sayWhatFilesSay(session, data, set, names);
    }
    const found = findingsThatMatter(withoutFlags(read.found, map), own, strict);
    said.push(
      ...(await showFindings(session, [...found, ...absent, ...differing, ...advice, ...notFinite], judging.inReport)),
    );
    checks.push(...own);
  }
  return { checks, said, unread, claims, settings: vocabulary(set, names) };
}

/** An answer does not replace what the file itself says, as a setting does. */
function sayWhatFilesSay(
  session: Session,
  { path, values }: DataSet,
  settings: readonly Setting[],
  names: ReadonlyMap<string, string>,
): void {
  for (const { name } of settings) {
    const said = values.get(names.get(name) ?? '');
    if (!said) continue;
    session.say(`pv: ${path}:${said.line} sets ${name}, so the answer has no effect without --set: change it there`);
  }
}

/** Whether the settings could be kept as answers about the files. */
async function keep(
  session: Session,
  answers: Answers,
  paths: readonly string[],
  settings: readonly Setting[],
): Promise<boolean> {
  const written = await remember(session.host, answers, paths, settings);
  if (!written.ok) session.say(`pv: ${written.error.path} ${written.error.message}: nothing was remembered`);
  return written.ok;
}

/** Settings by the vocabulary's names; one that no contract reads is left out. */
function vocabulary(settings: readonly Setting[], names: ReadonlyMap<string, string>): readonly Setting[] {
  return settings.flatMap(({ name, value }) => {
    const from = names.get(name);
    return from === undefined ? [] : [{ name: from, value }];
  });
}

/** The contracts that a data set is judged by: those that the user names, or the shipped ones that fit it. */
interface ContractsOf {
  readonly named: readonly DataContract[];
  readonly of: (data: DataSet, companions: readonly DataSet[], settings: Settings) => Promise<readonly Judge[]>;
}

interface Judge {
  readonly contract: DataContract;
  /** Only what it finds violated is shown, and does not fail. */
  readonly isAdvice: boolean;
}

async function contractsOf(session: Session, named: readonly string[]): Promise<Result<ContractsOf, ExitCode>> {
  if (named.length > 0) {
    const read = await readDataContracts(session, named);
    if (!read.complete) return err(read.exitCode);
    const judges = read.contracts.map((contract) => ({ contract, isAdvice: false }));
    return ok({ named: read.contracts, of: () => Promise.resolve(judges) });
  }
  const known = new Map<string, DataContracts>();
  const of: ContractsOf['of'] = async (data, companions, settings) => {
    const judges: Judge[] = [];
    const advice = adviceFor(data);
    for (const name of [...contractsFor(data, companions, new Set(settings.keys())), ...advice]) {
      const path = join(session.packageRoot, 'contracts', `${name}.yaml`);
      const read = known.get(name) ?? (await readDataContracts(session, [path]));
      invariant(read.complete, 'the contracts that pv ships can be read');
      known.set(name, read);
      judges.push(...read.contracts.map((contract) => ({ contract, isAdvice: advice.includes(name) })));
    }
    return judges;
  };
  return ok({ named: [], of });
}

interface Reading extends Pick<CheckOptions, 'as' | 'pattern'> {
  readonly map: readonly Mapping[];
}

function optionsOf({ as, map, pattern }: Reading): DataOptions {
  return {
    ...(as === undefined ? {} : { format: as }),
    ...(map.length === 0 ? {} : { mapping: new Map(map.map(({ name, key }) => [name, key])) }),
    ...(pattern === undefined ? {} : { pattern }),
  };
}

interface ReadSets {
  readonly sets: readonly DataSet[];
  readonly found: readonly Diagnostic[];
  /** Whether a file could not be read at all. */
  readonly unread: boolean;
}

async function readAll(
  session: Session,
  paths: readonly string[],
  { allowCut = false, allowRestarts = false }: CheckOptions,
  options: DataOptions,
  named: readonly DataContract[],
): Promise<ReadSets> {
  const sets: DataSet[] = [];
  const found: Diagnostic[] = [];
  let unread = false;
  for (const path of paths) {
    const { value, diagnostics } = await readFor(session, path, options, named);
    found.push(...allowed(diagnostics, { allowCut, allowRestarts }));
    if (value) sets.push(value, ...(value.others ?? []));
    else unread = true;
  }
  return { sets, found, unread };
}
