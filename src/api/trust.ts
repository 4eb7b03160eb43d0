/** Which stored evidence a command trusts: the user's own, or in CI the evidence sealed with its secret. */
import { join } from 'node:path';
import type { Trust } from '../evidence/trust.ts';
import type { Host } from '../host/host.ts';
import { runProgram, type RunProgram } from '../host/program.ts';
import { answerOf } from '../host/inputs/answer.ts';
import { secretVariable } from '../host/inputs/variables.ts';
import type { Session } from './session.ts';
import { foldersUpTo } from './project-root.ts';
import { sealOf } from './seal.ts';

/** A shorter secret could be guessed. */
const shortestSecret = 32;

/** The trust in evidence of the project at `root`. */
export async function trustOf(session: Session, root: string): Promise<Trust> {
  const [secret, tracked] = await Promise.all([secretOf(session), trackedEvidence(session.host, root)]);
  return { secret, tracked, ask: (question) => answerOf(question, session.env) };
}

async function secretOf(session: Session): Promise<string | null> {
  const { env } = session;
  const given = env[secretVariable] ?? '';
  if (given.length >= shortestSecret) return given;
  if (given !== '')
    session.say(
      `pv: ${secretVariable} has ${given.length} characters and is not used: it needs at least ${shortestSecret}`,
    );
  // A CI machine has no user: others may be able to write to the cache that its home folder comes from.
  return (env['CI'] ?? '') === '' ? sealOf(session.host, env) : null;
}

const timeoutMs = 10_000;
const megabytes = 1024;

/**
 * Evidence under version control, by its paths from `root`. Without git, or if git fails, none is known, and only the seal
 * decides.
 */
async function trackedEvidence(host: Host, root: string, run: RunProgram = runProgram): Promise<ReadonlySet<string>> {
  const kinds = await Promise.all(foldersUpTo('', root).map((folder) => host.kindOf(join(folder, '.git'))));
  if (kinds.every((kind) => kind === 'missing')) return new Set();
  const { kind, code, output } = await run({
    program: 'git',
    arguments: ['-c', 'core.fsmonitor=false', 'ls-files', '-z', '--', '.pv'],
    folder: root,
    timeoutMs,
    memoryMb: megabytes,
    fileMb: 1,
    longestOutput: 64 * megabytes * megabytes,
  });
  return new Set(kind === 'ended' && code === 0 ? output.split('\0') : []);
}
