/** What `pv graph` shows: which contract depends on which, with the verdicts of stored evidence. */
import { dirname, join, resolve } from 'node:path';
import type { Contract } from '../contract/contract.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { receiptsDirectory } from '../evidence/store-path.ts';
import { buildDag, type Dag } from '../graph/dag.ts';
import type { Report } from '../report/report.ts';
import { projectFolders } from './project-root.ts';
import { readPaths } from './read-paths.ts';
import type { Session } from './session.ts';
import { unverifiedReport } from './unverified-report.ts';

/** What the graph formats draw: the edges between contracts, and a report that colours the nodes. */
export interface ContractGraph {
  readonly contracts: readonly Contract[];
  readonly dag: Dag;
  /** If `verified`, the verdicts come from stored evidence; otherwise every claim is undetermined. */
  readonly report: Report;
  readonly verified: boolean;
  /** What reading the contracts found. */
  readonly findings: readonly Diagnostic[];
  /** What was requested and could not be read. */
  readonly unread: readonly Diagnostic[];
}

/** Reads contracts and their stored evidence; runs nothing. */
export async function readGraph(
  session: Session,
  paths: readonly string[],
  binding: string | undefined,
): Promise<ContractGraph> {
  const { contracts, findings, unread } = await readPaths(session, paths);
  const stored = unread.length > 0 ? null : await storedReport(session, paths, binding);
  const report = stored ?? unverifiedReport(contracts);
  return { contracts, dag: buildDag(contracts), report, verified: stored !== null, findings, unread };
}

/** What stored evidence says; null if there is none. */
async function storedReport(
  session: Session,
  paths: readonly string[],
  binding: string | undefined,
): Promise<Report | null> {
  const { host } = session;
  const { root } = await projectFolders(host, await folderOf(session, paths[0] ?? '.'));
  if ((await host.kindOf(join(root, receiptsDirectory))) !== 'directory') return null;
  const { auditPaths } = await import('./audit.ts');
  const outcome = await auditPaths(session, paths, binding === undefined ? {} : { binding }, null);
  return outcome.ok && outcome.audit.report.totals.evaluated > 0 ? outcome.audit.report : null;
}

async function folderOf({ host }: Session, path: string): Promise<string> {
  return (await host.kindOf(resolve(host.root, path))) === 'directory' ? path : dirname(path);
}
