/** What `pv audit --suggest` does: two runs of a project whose evidence is neither read nor written. */
import { suggestTolerances, type Suggestion } from '../audit/suggest.ts';
import { forgetfulStore } from '../evidence/forgetful-store.ts';
import type { RunOptions, StatusOptions } from './audit-options.ts';
import { readAuditedProject } from './audit-project.ts';
import { requestOf, runOnWorkers } from './audit.ts';
import { exitCodes, type ExitCode } from './exit-code.ts';
import type { Session } from './session.ts';

/** The suggestions, or the exit code if the project could not be read or the run was interrupted. */
export type SuggestOutcome =
  | { readonly ok: true; readonly suggestions: readonly Suggestion[] }
  | { readonly ok: false; readonly exitCode: ExitCode };

/** Suggests a tolerance for each claim of the contracts in `paths`; with `run.claim`, for that one. */
export async function suggestPaths(
  session: Session,
  paths: readonly string[],
  options: StatusOptions,
  run: RunOptions,
): Promise<SuggestOutcome> {
  const known = await readAuditedProject(session, paths, options);
  if (!known.complete) return { ok: false, exitCode: known.exitCode };
  const request = await requestOf(session, known, options, run.claim ?? null, null);
  const suggestions = await suggestTolerances(known.project, async (project, methods) => {
    const { report } = await runOnWorkers(session, { ...request, project, methods, store: forgetfulStore }, run);
    return report;
  });
  if (session.signal.aborted) return { ok: false, exitCode: exitCodes.interrupted };
  const isAsked = ({ claim }: Suggestion): boolean => run.claim === undefined || run.claim === claim;
  return { ok: true, suggestions: suggestions.filter(isAsked) };
}
