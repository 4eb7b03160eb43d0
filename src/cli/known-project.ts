/** The project of an audit, read once and then remembered while its files, this build of pv and the command line are the same. */
import type { AuditedProject, AuditedProjectAnswer } from './audit-project.ts';
import { isBundledAsBefore } from '../subject/bundled-again.ts';
import type { Cli } from './cli.ts';
import { readObjects, writeObjects } from './validation/object-record.ts';
import { remembered, type Form } from './validation/remember.ts';
import { sealOf } from './validation/seal.ts';

export interface ProjectQuestion {
  readonly paths: readonly string[];
  /** The value of `--binding`. */
  readonly binding: string | undefined;
  /** Names the code that reads projects; null for code that has no name. */
  readonly build: string | null;
  /** Reads everything anew. */
  readonly fresh: boolean;
}

/**
 * What `paths` stand for. Verdicts are never remembered: only what reading, typing and resolving come to, and every verdict is
 * derived from receipts again. Nothing is in CI, where a cache could only have come with the files that are to be judged.
 */
export async function knownProject(
  cli: Cli,
  { paths, binding, build, fresh }: ProjectQuestion,
): Promise<AuditedProjectAnswer> {
  const read = async (host: Cli['host']): Promise<AuditedProjectAnswer> =>
    (await import('./audit-project.ts')).readAuditedProject({ ...cli, host }, paths, binding);
  const inCi = (cli.process.env['CI'] ?? '') !== '';
  const seal = fresh || inCi || build === null ? null : await sealOf(cli.host, cli.process.env);
  if (seal === null || build === null) return read(cli.host);
  const asked = binding === undefined ? paths : [...paths, `--binding=${binding}`];
  return remembered(cli.host, { command: 'audit', build, types: true, paths: asked, seal }, formOn(cli.host), read);
}

const formOn = (host: Cli['host']): Form<AuditedProjectAnswer, AuditedProject> => ({
  // Each may take many megabytes.
  slots: 4,
  maxBytes: 64 * 1024 * 1024,
  // That there is no binding is said each time, by looking for it; and a function that was not bundled has no text that would
  // tell whether it can be bundled now.
  record: (answer) =>
    answer.complete && answer.found.binding !== null && isBundled(answer) ? writeObjects(answer) : null,
  // The seal shows that this build of pv wrote the record, so it says what `record` was given.
  restore: async (record) => {
    const known = typeof record === 'string' ? (readObjects(record) as AuditedProject) : null;
    return known && (await isBundledAsBefore(host, known.found.moduleRoots, known.project.subjects)) ? known : null;
  },
});

function isBundled({ project }: AuditedProject): boolean {
  return project.diagnostics.every(({ code }) => code !== 'PV-5024');
}
