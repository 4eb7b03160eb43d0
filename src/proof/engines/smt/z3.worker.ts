/**
 * The entry of a process with Z3 as WebAssembly: answers one question after another, each in a fresh context, so that no
 * answer depends on the questions before it.
 */
import type { Z3LowLevel } from 'z3-solver';
import { invariant } from '../../../base/invariant.ts';
import { parentOf } from '../../../host/parent.ts';
import { z3MemoryMb, type Z3Reply, type Z3Request } from './z3-messages.ts';

const parent = parentOf();
invariant(parent, 'this module is the entry of a child process');
const { onMessage, send } = parent;

// Nobody waits for the answers of a process whose parent is gone.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

const reply = (message: Z3Reply): void => send(message);
const messageOf = (problem: unknown): string => (problem instanceof Error ? problem.message : String(problem));

try {
  const { init } = await import('z3-solver');
  const { Z3 } = await init();
  Z3.global_param_set('memory_max_size', String(z3MemoryMb));
  onMessage((message) => {
    void answer(Z3, message as Z3Request).then(reply);
  });
  reply({ kind: 'ready', version: Z3.get_full_version() });
} catch (problem) {
  reply({ kind: 'absent', reason: messageOf(problem) });
}

async function answer(Z3: Z3LowLevel['Z3'], { check, whenSatisfiable, whenNot }: Z3Request): Promise<Z3Reply> {
  try {
    const config = Z3.mk_config();
    const context = Z3.mk_context(config);
    Z3.del_config(config);
    try {
      const verdict = await Z3.eval_smtlib2_string(context, check);
      const isSatisfiable = verdict.trimStart().startsWith('sat');
      const more = await Z3.eval_smtlib2_string(context, isSatisfiable ? whenSatisfiable : whenNot);
      return { kind: 'answer', check: verdict, more };
    } finally {
      Z3.del_context(context);
    }
  } catch (problem) {
    return { kind: 'broken', reason: messageOf(problem) };
  }
}
