/** What `pv diagnose` found: the diagnosis, and the findings of reading the files. */
import { nameOf, rootOf, type Diagnosis, type Violation } from '../diagnose/diagnosis.ts';
import type { FindingReport, Report } from '../../report/report.ts';
import { findingAt, reportOfData } from './findings.ts';
import { mendText } from './mend-text.ts';

/** The result of `pv diagnose` as the formats receive it. */
export interface DiagnosisReport extends Diagnosis {
  /** A log that is cut, a key that is in no file. */
  readonly findings: readonly FindingReport[];
}

/** Healthy is a run on which something was evaluated, nothing is violated, and no file or input is at fault. */
export function isHealthy({ bricks, violations, problems, findings }: DiagnosisReport): boolean {
  const evaluated = bricks.some((one) => one.evaluated > 0);
  const faulty = findings.some(({ severity }) => severity === 'error');
  return evaluated && violations.length === 0 && problems.length === 0 && !faulty;
}

/** The diagnosis as findings with places, each violation once, with the obligation at the end of its whys. */
export function diagnosisFindings(report: DiagnosisReport): Report {
  const { run, bricks, violations, problems, findings } = report;
  const sum = (of: (one: Diagnosis['bricks'][number]) => number): number =>
    bricks.reduce((all, one) => all + of(one), 0);
  const [declared, evaluated] = [sum((one) => one.declared), sum((one) => one.evaluated)];
  const failed = violations.length;
  return reportOfData(
    [
      ...findings,
      ...problems.map(({ code, message, hint, place }) => findingAt({ code, message, hint, place, path: run })),
      ...violations.map((one) => violationFinding(one, report)),
    ],
    // Undecided obligations are not findings here: a folder need not contain the data of every contract.
    { subject: `the run ${run}`, declared, evaluated, byVerdict: { tested: evaluated - failed, falsified: failed } },
    isHealthy(report),
  );
}

function violationFinding(one: Violation, { chains }: DiagnosisReport): FindingReport {
  const name = nameOf(one);
  const chain = chains.find(({ whys, alsoExplains }) => whys.some((why) => why === one) || alsoExplains.includes(name));
  const root = chain && rootOf(chain);
  const follows = root === undefined || root === one ? '' : ` (a consequence of ${nameOf(root)})`;
  const [claim = one.formal] = one.numbers;
  const [mend] = one.mends;
  const [place = null] = mend?.place ? [mend.place] : one.places;
  return findingAt({
    code: 'PV-9001',
    message: `${name}: ${one.property}: ${claim}${follows}`,
    hint: mend ? mendText(mend) : one.ifFails,
    place,
    path: one.path,
  });
}
