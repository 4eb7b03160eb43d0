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

/** Which of these claims hold with the tolerances of a class. */
type HoldIn = (accuracy: AccuracyClass, claims: readonly string[]) => Promise<readonly string[]>;

/** For each broken claim the first class after `accuracy` in which it holds, null if none. */
export async function classesMet(
  broken: readonly string[],
  accuracy: AccuracyClass,
  holdIn: HoldIn,
): Promise<ReadonlyMap<string, AccuracyClass | null>> {
  const met = new Map<string, AccuracyClass | null>(broken.map((claim) => [claim, null]));
  for (const looser of accuracyClasses.slice(accuracyClasses.indexOf(accuracy) + 1)) {
    const open = broken.filter((claim) => met.get(claim) === null);
    if (open.length > 0) for (const claim of await holdIn(looser, open)) met.set(claim, looser);
  }
  return met;
}

/** The report with `meets` in each of the first falsified claims that have a tolerance. */
export async function withAccuracyMet(report: Report, trial: ClassTrial): Promise<Report> {
  const broken = report.contracts.flatMap(({ id, claims }) =>
    claims.filter(isOfTolerance).map((claim) => `${id}/${claim.id}`),
  );
  const met = await classesMet(broken.slice(0, mostTried), trial.request.project.accuracy, (accuracy, open) =>
    holding(open, accuracy, trial),
  );
  const withMet = (contract: string, claim: ClaimReport): ClaimReport => {
    const meets = met.get(`${contract}/${claim.id}`);
    return meets === undefined ? claim : { ...claim, meets };
  };
  return {
    ...report,
    contracts: report.contracts.map((one) => ({ ...one, claims: one.claims.map((claim) => withMet(one.id, claim)) })),
  };
}

function isOfTolerance({ verdict, tolerance, source }: ClaimReport): boolean {
  return verdict === 'falsified' && source !== 'statement' && tolerance !== null && tolerance !== 'exact';
}

async function holding(
  open: readonly string[],
  accuracy: AccuracyClass,
  { contracts, request, run }: ClassTrial,
): Promise<readonly string[]> {
  const elaborated = elaborateAll(contracts.map((contract) => inAccuracyClass(contract, accuracy)));
  const project: Project = { ...request.project, elaborated, accuracy };
  const methods = new Set(['property', 'falsify'] as const);
  const held: string[] = [];
  for (const name of open) {
    const claim = name.slice(name.indexOf('/') + 1);
    const { report } = await run({ ...request, project, claim, methods, store: forgetfulStore });
    const found = report.contracts.flatMap(({ id, claims }) => claims.filter((one) => `${id}/${one.id}` === name));
    const ran = found.flatMap((one) =>
      one.methods.filter(({ method }) => method === 'property' || method === 'falsify'),
    );
    if (ran.length > 0 && ran.every(({ verdict }) => isGreen(verdict))) held.push(name);
  }
  return held;
}
