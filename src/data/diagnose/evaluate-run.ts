/** Every contract over data, evaluated on the files of a run that it fits. */
import { present } from '../../base/invariant.ts';
import { compareText } from '../../base/text.ts';
import type { Obligation } from '../../contract/contract.ts';
import type { ElaboratedContract } from '../../contract/goal.ts';
import { positionAt } from '../../diagnostics/source.ts';
import { checkData } from '../judge/check-data.ts';
import type { InputProblem, ObligationOnData, Place } from '../judge/data-check.ts';
import { bindInputs, type Settings } from '../judge/inputs.ts';
import type { DataSet } from '../read/data-set.ts';
import { brickOf, granularityOf, onsetOf } from './brick.ts';
import { checkCommand } from './check-command.ts';
import type { ContractUse, Disagreement, Granularity, Violation } from './diagnosis.ts';
import { firstFailure } from './first-failure.ts';
import { disagreementsOf, fittingsOf, valuesOf, type Fitting } from './fit.ts';
import { isEarlier } from './onset-order.ts';

/** The text values of a row, read again from its file. */
export type LabelOf = (place: Place) => Promise<string | null>;

/** What is known about one obligation over all files. */
export interface ObligationStatus {
  readonly contract: string;
  readonly obligation: Obligation;
  readonly granularity: Granularity;
  readonly result: ObligationOnData;
  /** Null unless it is violated somewhere. */
  readonly violation: Violation | null;
}

/** Every obligation's status on the run, before violations are joined into chains. */
export interface EvaluatedRun {
  readonly statuses: readonly ObligationStatus[];
  readonly uses: readonly ContractUse[];
  readonly problems: readonly InputProblem[];
  readonly disagreements: readonly Disagreement[];
}

/** Checks each contract on every data set that provides inputs for it. `settings` override the data. */
export async function evaluateRun(
  contracts: readonly ElaboratedContract[],
  sets: readonly DataSet[],
  settings: Settings,
  labelOf: LabelOf,
): Promise<EvaluatedRun> {
  const statuses: ObligationStatus[] = [];
  const uses: ContractUse[] = [];
  const problems = new Map<string, InputProblem>();
  const disagreements = new Map<string, Disagreement>();
  for (const elaborated of contracts) {
    const fittings = fittingsOf(elaborated, sets);
    const own: ObligationStatus[] = [];
    for (const fitting of fittings.length > 0 ? fittings : [valuesOf(sets)]) {
      const found = await evaluateOn(elaborated, fitting, settingsOf(elaborated, settings), labelOf);
      for (const problem of found.problems) problems.set(JSON.stringify(problem), problem);
      own.push(...found.statuses);
      const differing = elaborated.data ? disagreementsOf(elaborated.data, fitting) : [];
      for (const one of differing.filter(({ name }) => !settings.has(name)))
        disagreements.set(JSON.stringify(one), one);
    }
    const merged = mergedById(own);
    statuses.push(...merged);
    uses.push(useOf(elaborated, fittings, merged));
  }
  return { statuses, uses, problems: [...problems.values()], disagreements: [...disagreements.values()] };
}

/** A setting applies to a contract that reads it; settings for other contracts are ignored. */
function settingsOf({ data }: ElaboratedContract, settings: Settings): Settings {
  const known = new Set((data?.inputs ?? []).flatMap(({ name, from }) => [name, from]));
  return new Map([...settings].filter(([name]) => known.has(name)));
}

async function evaluateOn(
  elaborated: ElaboratedContract,
  fitting: Fitting,
  settings: Settings,
  labelOf: LabelOf,
): Promise<{ readonly statuses: readonly ObligationStatus[]; readonly problems: readonly InputProblem[] }> {
  const { contract, data } = elaborated;
  if (data === null) return { statuses: [], problems: [] };
  const check = await checkData(elaborated, fitting, settings);
  const bound = bindInputs(contract, data, fitting, settings);
  const statuses: ObligationStatus[] = [];
  for (const found of check.obligations) {
    // A cause that could not be evaluated remains open, whether or not the contract requires its inputs.
    const result = found.verdict === 'inapplicable' ? { ...found, verdict: 'undetermined' as const } : found;
    const obligation = present(
      contract.obligations.find(({ id }) => id === result.id),
      'a check is of the obligations of its contract',
    );
    const goal = elaborated.dataGoals.find(({ claim }) => claim === result.id);
    const granularity = granularityOf(obligation, goal, data);
    const common = { contract: contract.id, obligation, granularity, result };
    if (!goal || result.verdict !== 'violated') {
      statuses.push({ ...common, violation: null });
      continue;
    }
    const failure = await firstFailure(goal, data, bound);
    const brick = brickOf(obligation, goal, data, failure);
    const rows = brick.granularity === 'loop' ? [] : (failure?.places ?? []);
    const failing = await Promise.all(rows.map(async (place) => ({ place, label: await labelOf(place) })));
    const violation: Violation = {
      contract: contract.id,
      id: result.id,
      source: sourceOf(contract.path, obligation),
      property: result.property,
      formal: result.formal,
      path: result.places[0]?.path ?? check.path,
      numbers: result.numbers,
      places: result.places,
      ifFails: result.ifFails,
      mends: result.mends,
      brick,
      onset: onsetOf(obligation, data, failure),
      failing,
      alsoIn: [],
      command: checkCommand(contract.path, data, fitting, settings),
    };
    statuses.push({ ...common, violation });
  }
  return { statuses, problems: check.problems };
}

function sourceOf(path: string, { span }: Obligation): Place {
  return { path, position: 'line', at: positionAt(span.source, span.range.start).line, column: null };
}

const worth = { violated: 0, waived: 0, satisfied: 1, vacuous: 2, inapplicable: 3, undetermined: 3 } as const;

/** One status per obligation: a violation where there is one, the earliest; else what was decided on any file. */
function mergedById(all: readonly ObligationStatus[]): readonly ObligationStatus[] {
  const merged = new Map<string, ObligationStatus>();
  for (const one of all) {
    const known = merged.get(one.obligation.id);
    merged.set(one.obligation.id, known ? better(known, one) : one);
  }
  return [...merged.values()];
}

function better(a: ObligationStatus, b: ObligationStatus): ObligationStatus {
  const [one, other] = [a.violation, b.violation];
  if (!one || !other) return worth[b.result.verdict] < worth[a.result.verdict] ? b : a;
  const paths = new Set([one.path, ...one.alsoIn, other.path, ...other.alsoIn]);
  const [status, first] = isEarlier(other, one) ? [b, other] : [a, one];
  paths.delete(first.path);
  return { ...status, violation: { ...first, alsoIn: [...paths].toSorted(compareText) } };
}

function useOf(
  { contract }: ElaboratedContract,
  fittings: readonly Fitting[],
  statuses: readonly ObligationStatus[],
): ContractUse {
  const evaluated = statuses.filter(({ result }) => result.verdict === 'satisfied' || result.verdict === 'violated');
  const undetermined = statuses.filter(({ result }) => result.verdict === 'undetermined');
  const missing = new Map(undetermined.flatMap(({ result }) => result.missing).map((one) => [one.name, one]));
  return {
    contract: contract.id,
    path: contract.path,
    files: fittings.map(([{ path }]) => path),
    declared: statuses.length,
    evaluated: evaluated.length,
    undetermined: undetermined.length,
    missing: [...missing.values()],
  };
}
