/** An installed z3 or cvc5: found by its name, asked for its version, run once per question. */
import type { Result } from '../../../base/result.ts';
import { runProgram, type RunProgram as RunOnHost } from '../../../host/program.ts';
import { createNativeSolver, type NativeSolverName, type Ran } from './native-solver.ts';
import type { Solver } from './solver.ts';

/** Address space of a solver, and what it may print: models of a thousand numbers have long fractions. */
const limits = { folder: '/', memoryMb: 1024, fileMb: 0, longestOutput: 8_000_000 } as const;
/** For telling its version. */
const promptMs = 10_000;

const sources: Readonly<Record<NativeSolverName, string>> = {
  z3: '`apt-get install z3` (Debian, Ubuntu), `brew install z3`, or https://github.com/Z3Prover/z3/releases',
  cvc5: '`apt-get install cvc5` (Debian, Ubuntu), or https://github.com/cvc5/cvc5/releases',
};

/** The solver, or a sentence that says why it cannot be used and how to get it. */
export async function openSystemSolver(
  name: NativeSolverName,
  run: RunOnHost = runProgram,
): Promise<Result<Solver, string>> {
  const told = await run({ ...limits, program: name, arguments: ['--version'], timeoutMs: promptMs });
  // With what a build between releases adds to the number: `1.2.1-dev.12.abc`.
  const version = /version (\d+(?:\.\d+)+[\w.+-]*)/i.exec(told.output)?.[1];
  if (told.kind === 'missing') return { ok: false, error: `${name} is not installed: ${sources[name]}` };
  if (told.kind === 'stopped' || version === undefined)
    return { ok: false, error: `\`${name} --version\` prints no version: is it the solver? ${sources[name]}` };
  return { ok: true, value: createNativeSolver({ name, version, run: through(run) }) };
}

const through =
  (run: RunOnHost) =>
  async (program: string, parameters: readonly string[], input: string, timeoutMs: number): Promise<Ran> => {
    const ended = await run({ ...limits, program, arguments: parameters, input, timeoutMs });
    if (ended.kind === 'missing') return { kind: 'absent', reason: ended.output };
    if (ended.kind === 'stopped') return ended.isLate ? { kind: 'late' } : { kind: 'crashed', output: ended.output };
    return { kind: 'ended', output: ended.output };
  };
