/** A project as an audit reads it: contracts, bindings and kernels. */
import type { PreparedProof } from '../real-proofs/prepare.ts';
import { prepareAskedProofs } from '../audit/real-proofs.ts';
import { readProject, type Project } from '../audit/read-project.ts';
import type { Contract } from '../contract/contract.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { asksForProof } from '../real-proofs/prepare.ts';
import type { StatusOptions } from './audit-options.ts';
import type { Session } from './session.ts';
import { exitCodes, type ExitCode } from './exit-code.ts';
import { findProject, type FoundProject } from './find-project.ts';
import { contractIdsBeside, readWithDependencies } from './project-files.ts';
import { readPrelude } from './read-prelude.ts';

/** What an audit judges, before any evidence is looked at. */
export interface AuditedProject {
  /** The requested contracts and those that they depend on. */
  readonly contracts: readonly Contract[];
  /** What reading the contracts found. */
  readonly findings: readonly Diagnostic[];
  readonly found: FoundProject;
  readonly project: Project;
  /** The proofs over the reals that contracts require. */
  readonly proofs: readonly PreparedProof[];
}

/**
 * The project, or the exit code of a command that could not read all of it; the diagnostics have been shown by then.
 */
export type AuditedProjectAnswer =
  (AuditedProject & { readonly complete: true }) | { readonly complete: false; readonly exitCode: ExitCode };

/** Reads the project; reports on stderr why it cannot be read. */
export async function readAuditedProject(
  session: Session,
  paths: readonly string[],
  { binding: named, accuracy }: Pick<StatusOptions, 'binding' | 'accuracy'>,
): Promise<AuditedProjectAnswer> {
  const read = await readWithDependencies(session, paths);
  await session.show(read.unread);
  if (read.unread.length > 0) return { complete: false, exitCode: exitCodes.usage };
  const found = await findProject(session, { paths, named, inside: read.bindings });
  if (!found) return { complete: false, exitCode: exitCodes.usage };
  const { binding, moduleRoots } = found;
  const { contracts, findings } = read;
  const elsewhere = await contractIdsBeside(session, [...read.paths, ...(binding ? [binding.path] : [])]);
  const project = await readProject({ host: session.host, contracts, binding, moduleRoots, elsewhere, accuracy });
  const asked = contracts.some(({ obligations }) => obligations.some(asksForProof));
  const proofs = asked ? await prepareAskedProofs(session.host, project.elaborated, await readPrelude(session)) : [];
  return { complete: true, contracts, findings, found, project, proofs };
}
