/** For claims that a kernel breaks: the next accuracy class whose tolerance it meets. */
import type { Audit, AuditRequest } from '../audit/audit.ts';
import { elaborateAll } from '../audit/elaborate-all.ts';
import type { Project } from '../audit/read-project.ts';
import { accuracyClasses, inAccuracyClass, type AccuracyClass } from '../contract/accuracy.ts';
import type { Contract } from '../contract/contract.ts';
import { forgetfulStore } from '../evidence/forgetful-store.ts';
import { isGreen } from '../evidence/verdict.ts';
import type { ClaimReport, Report } from '../report/report.ts';

/** More broken claims than this have one cause, which no tolerance mends. */
const mostTried = 8;

/** What the classes are tried on, and how. */
export interface ClassTrial {
  /** As they were read: with the tolerances of every class. */
  readonly contracts: readonly Contract[];
  readonly request: Omit<AuditRequest, 'run'>;
  /** Runs the checks of a request; it stores nothing. */
  readonly run: (request: Omit<AuditRequest, 'run'>) => Promise<Audit>;
}

/** The report with `meets` in each of the first falsified claims that have a tolerance. */
export async function withAccuracyMet(report: Report, trial: ClassTrial): Promise<Report> {
  const looser = accuracyClasses.slice(accuracyClasses.indexOf(trial.request.project.accuracy) + 1);
  const broken = report.contracts.flatMap(({ claims }) => claims.filter(isOfTolerance)).slice(0, mostTried);
  if (broken.length === 0 || looser.length === 0) return report;
  const met = new Map<ClaimReport, AccuracyClass | null>();
  for (const claim of broken) met.set(claim, await firstMet(claim, looser, trial));
  const withMet = (claim: ClaimReport): ClaimReport => {
    const meets = met.get(claim);
    return meets === undefined ? claim : { ...claim, meets };
  };
  return { ...report, contracts: report.contracts.map((one) => ({ ...one, claims: one.claims.map(withMet) })) };
}

function isOfTolerance({ verdict, tolerance, source }: ClaimReport): boolean {
  return verdict === 'falsified' && source !== 'statement' && tolerance !== null && tolerance !== 'exact';
}

async function firstMet(
  { id, file }: ClaimReport,
  classes: readonly AccuracyClass[],
  { contracts, request, run }: ClassTrial,
): Promise<AccuracyClass | null> {
  for (const accuracy of classes) {
    const elaborated = elaborateAll(contracts.map((contract) => inAccuracyClass(contract, accuracy)));
    const project: Project = { ...request.project, elaborated, accuracy };
    const methods = new Set(['property', 'falsify'] as const);
    const { report } = await run({ ...request, project, claim: id, methods, store: forgetfulStore });
    const claim = report.contracts.flatMap(({ claims }) => claims).find((one) => one.id === id && one.file === file);
    const ran = claim?.methods.filter(({ method }) => method === 'property' || method === 'falsify') ?? [];
    if (ran.length > 0 && ran.every(({ verdict }) => isGreen(verdict))) return accuracy;
  }
  return null;
}
