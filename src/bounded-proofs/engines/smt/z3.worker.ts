/**
 * The entry of a process with Z3 as WebAssembly: answers one question after another, each in a fresh context, so that no
 * answer depends on the questions before it.
 *
 * Text is passed to Z3 only by calls that return after reading it. The package's asynchronous calls
 * (`eval_smtlib2_string`) pass it on a stack that is reused while another thread is still reading.
 */
import type { Z3_context, Z3_solver, Z3LowLevel } from 'z3-solver';
import { invariant } from '../../../base/invariant.ts';
import { parentOf } from '../../../host/parent.ts';
import { z3MemoryMb, type Z3Reply, type Z3Request } from './z3-messages.ts';

type Z3 = Z3LowLevel['Z3'];

const parent = parentOf();
invariant(parent, 'this module is the entry of a child process');
const { onMessage, send } = parent;

// Without its parent, the process has nothing left to do.
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

async function answer(z3: Z3, request: Z3Request): Promise<Z3Reply> {
  try {
    const config = z3.mk_config();
    const context = z3.mk_context(config);
    z3.del_config(config);
    try {
      return await answerIn(z3, context, request);
    } finally {
      z3.del_context(context);
    }
  } catch (problem) {
    return { kind: 'broken', reason: messageOf(problem) };
  }
}

async function answerIn(z3: Z3, context: Z3_context, { logic, text, steps }: Z3Request): Promise<Z3Reply> {
  const solver = z3.mk_solver_for_logic(context, z3.mk_string_symbol(context, logic));
  z3.solver_inc_ref(context, solver);
  try {
    const parameters = z3.mk_params(context);
    z3.params_inc_ref(context, parameters);
    z3.params_set_uint(context, parameters, z3.mk_string_symbol(context, 'rlimit'), steps);
    z3.solver_set_params(context, solver, parameters);
    z3.params_dec_ref(context, parameters);
    z3.solver_from_string(context, solver, text);
    const error = z3.get_error_code(context);
    if (error) return { kind: 'misunderstood', reason: z3.get_error_msg(context, error).trim() };
    const result: number = await z3.solver_check(context, solver);
    const verdict = result === 1 ? 'satisfiable' : result === -1 ? 'unsatisfiable' : 'unknown';
    const [exact, digits] = verdict === 'satisfiable' ? printModel(z3, context, solver) : ['', ''];
    const reason = verdict === 'unknown' ? z3.solver_get_reason_unknown(context, solver) : '';
    return { kind: 'answer', verdict, exact, digits, reason, steps: stepsOf(z3, context, solver) };
  } finally {
    z3.solver_dec_ref(context, solver);
  }
}

/** Values that are not fractions are printed as roots of polynomials first, then in digits. */
function printModel(z3: Z3, context: Z3_context, solver: Z3_solver): readonly [string, string] {
  const model = z3.solver_get_model(context, solver);
  z3.model_inc_ref(context, model);
  const exact = z3.model_to_string(context, model);
  z3.global_param_set('pp.decimal', 'true');
  z3.global_param_set('pp.decimal_precision', '60');
  const digits = z3.model_to_string(context, model);
  z3.global_param_set('pp.decimal', 'false');
  z3.model_dec_ref(context, model);
  return [exact, digits];
}

function stepsOf(z3: Z3, context: Z3_context, solver: Z3_solver): number {
  const statistics = z3.solver_get_statistics(context, solver);
  z3.stats_inc_ref(context, statistics);
  const index = Array.from({ length: z3.stats_size(context, statistics) }, (_, i) => i).find(
    (i) => z3.stats_get_key(context, statistics, i) === 'rlimit count',
  );
  const steps =
    index !== undefined && z3.stats_is_uint(context, statistics, index)
      ? z3.stats_get_uint_value(context, statistics, index)
      : 0;
  z3.stats_dec_ref(context, statistics);
  return steps;
}
