/** The diagnosis of a run: checks of all contracts over its files, joined. */
import type { ElaboratedContract } from '../../contract/goal.ts';
import type { Settings } from '../judge/inputs.ts';
import type { DataSet } from '../read/data-set.ts';
import { chainsOf } from './causes.ts';
import { granularities, type Diagnosis, type GranularityCount } from './diagnosis.ts';
import { evaluateRun, type LabelOf, type ObligationStatus } from './evaluate-run.ts';
import { firstSymptomOf } from './onset-order.ts';

/** The data of one run, read and ready to be judged. */
export interface Run {
  /** As the user named it. */
  readonly path: string;
  readonly sets: readonly DataSet[];
  readonly passedOver: Diagnosis['passedOver'];
  /** Values that the user gives in addition to the files. */
  readonly settings: Settings;
  readonly labelOf: LabelOf;
}

/** Evaluates `contracts`, which are about data, on the files of a run, and follows what is violated to its causes. */
export async function diagnose(contracts: readonly ElaboratedContract[], run: Run): Promise<Diagnosis> {
  const { statuses, uses, problems, disagreements } = await evaluateRun(contracts, run.sets, run.settings, run.labelOf);
  const violations = statuses.flatMap(({ violation }) => violation ?? []);
  return {
    schema: 'pv.diagnosis/1',
    run: run.path,
    files: run.sets.map(({ path, format }) => ({ path, format })),
    passedOver: run.passedOver,
    contracts: uses,
    bricks: bricksOf(statuses),
    firstSymptom: firstSymptomOf(violations),
    violations,
    chains: chainsOf(statuses),
    problems,
    disagreements,
  };
}

function bricksOf(statuses: readonly ObligationStatus[]): readonly GranularityCount[] {
  return granularities.map((granularity) => {
    const own = statuses.filter((one) => one.granularity === granularity);
    const number = (verdict: ObligationStatus['result']['verdict']): number =>
      own.filter(({ result }) => result.verdict === verdict).length;
    const violated = number('violated');
    return { granularity, declared: own.length, evaluated: number('satisfied') + violated, violated };
  });
}
