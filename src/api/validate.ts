/** What `pv validate` finds out about contracts. */
import type { Contract } from '../contract/contract.ts';
import { cappedPerFile, sortDiagnostics } from '../contract/validate.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Session } from './session.ts';
import { summarize, type Findings, type Summary } from './findings.ts';
import { readWithDependencies } from './project-files.ts';
import { readPaths } from './read-paths.ts';

/** The findings of `validate`, and whether anything requested was missing from them. */
export interface Analysis extends Findings {
  /** Whether everything that was requested could be read. */
  readonly complete: boolean;
}

/** Reads the contracts that `paths` stand for, and with `types` also types their mathematics. */
export async function analyse(session: Session, paths: readonly string[], types: boolean): Promise<Analysis> {
  const read = await (types ? readWithDependencies(session, paths) : readPaths(session, paths));
  const { paths: files, contracts } = read;
  const typed = types ? await typeContracts(contracts) : null;
  const diagnostics = [
    ...read.unread,
    ...sortDiagnostics([...read.findings, ...cappedPerFile(typed?.diagnostics ?? [])]),
  ];
  const summary = { ...summarize(files, contracts, diagnostics), claims: typed?.claims ?? null };
  return { paths: files, contracts, diagnostics, summary, complete: read.unread.length === 0 };
}

/** What typing finds, and how many claims it makes executable. The engine is loaded only for this. */
async function typeContracts(contracts: readonly Contract[]): Promise<{
  readonly diagnostics: readonly Diagnostic[];
  readonly claims: Summary['claims'];
}> {
  const { elaborateAll } = await import('../audit/elaborate-all.ts');
  const elaborated = elaborateAll(contracts);
  const executable = elaborated.reduce((sum, { goals }) => sum + goals.length, 0);
  const others = elaborated.flatMap(({ notGoals }) => notGoals);
  return {
    diagnostics: elaborated.flatMap(({ diagnostics }) => diagnostics),
    claims: {
      executable,
      inPart: others.filter(({ asRead }) => asRead !== undefined).length,
      declared: executable + others.length,
    },
  };
}
