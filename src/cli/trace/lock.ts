import { visible } from '../../base/text.ts';
import { say, type Cli } from '../cli.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { unwritten } from './output-file.ts';
import { sayProblem } from '../problem-text.ts';

/** Works while the files at `locks` are this process's own; PV-8098 where another process has one of them. */
export async function underLocks(cli: Cli, locks: readonly string[], work: () => Promise<ExitCode>): Promise<ExitCode> {
  const held: string[] = [];
  try {
    // In a fixed order, so that if two processes want the same locks, one gets all of them.
    for (const lock of locks.toSorted()) {
      const ended = await take(cli, lock);
      if (ended !== exitCodes.ok) return ended;
      held.push(lock);
    }
    return await work();
  } finally {
    for (const lock of held) {
      const removed = await cli.host.remove(lock);
      if (!removed.ok) say(cli, `warning: '${visible(lock)}' could not be removed: ${removed.error.message}`);
    }
  }
}

async function take(cli: Cli, lock: string): Promise<ExitCode> {
  const made = await cli.host.writeFileAtomic(lock, 'pv trace cosign is at work\n', { fresh: true });
  if (made.ok) return exitCodes.ok;
  if ((await cli.host.kindOf(lock)) === 'missing') return unwritten(cli, visible(lock), made.error);
  const message = `Another pv trace cosign signs with this key. If none is running, one was killed: remove '${visible(lock)}'.`;
  sayProblem(cli, { code: 'PV-8098', check: 'signed heads', message }, lock);
  return exitCodes.findings;
}
