/** Contracts that others wrote, from what was read of them to the report of `pv adopt`. */
import type { Contract } from '../../contract/contract.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Adoption } from '../../report/adopt/adoption.ts';
import { elaborateAll } from '../elaborate-all.ts';
import { findAcceptedVariants } from './accepted-variants.ts';
import { adoptedGoals, asMathematics, type AdoptionOptions } from './adoption-checks.ts';
import { buildAdoption } from './build-adoption.ts';
import { findDifferences } from './differences.ts';
import { judgeAdopted, type RunChecks } from './judge-adoption.ts';
import { findUnreadParts } from './unread-parts.ts';

/** The contracts of some files. */
export interface ReadFiles {
  readonly paths: readonly string[];
  readonly contracts: readonly Contract[];
  readonly findings: readonly Diagnostic[];
}

/** Judges every statement with checks that `run` runs. */
export async function adoptContracts(
  { paths, contracts, findings }: ReadFiles,
  run: RunChecks,
  options: AdoptionOptions,
): Promise<Adoption> {
  const elaborated = elaborateAll(contracts);
  const exact = elaborateAll(contracts.map(asMathematics));
  const goals = adoptedGoals({ written: elaborated, exact }, options);
  const judged = await judgeAdopted(goals, run, options);
  const differences = await findDifferences(elaborated, run, options);
  const variants = await findAcceptedVariants(elaborated, goals, judged, run, options);
  const known = new Set(contracts.map(({ path }) => path));
  // What is recognised as a binding is not meant to be a contract.
  const others = new Set(findings.flatMap(({ code, span }) => (code === 'PV-2008' && span ? [span.source.path] : [])));
  return buildAdoption({
    elaborated,
    goals,
    judged,
    differences,
    variants,
    diagnostics: [...findings, ...elaborated.flatMap(({ diagnostics }) => diagnostics)],
    unread: paths.filter((path) => !known.has(path) && !others.has(path)),
    unreadParts: findUnreadParts(contracts, findings),
    seed: options.seed,
  });
}
