/** An installed solver, `z3` or `cvc5`: one process per question, which reads the same text from its standard input. */
import type { Budget } from '../engine.ts';
import { errorIn, parseSExpressions, undecided, valuesOf } from './answer.ts';
import type { Solver, SolverAnswer, SolverQuestion } from './solver.ts';

/** How a process ended that was given a text: with its output, or with the reason why there is none. */
export type Ran =
  | { readonly kind: 'ended'; readonly output: string }
  | { readonly kind: 'late' }
  /** A signal ended it: it has a defect, or exceeded the memory that the system allows. */
  | { readonly kind: 'crashed'; readonly output: string }
  | { readonly kind: 'absent'; readonly reason: string };

/** Runs a program with a text on its standard input; the host decides how. */
type RunProgram = (command: string, parameters: readonly string[], input: string, timeoutMs: number) => Promise<Ran>;

/** Programs that are looked for on the path. */
export type NativeSolverName = 'z3' | 'cvc5';

/** A program that was found, and how to run it. */
export interface NativeOptions {
  readonly name: NativeSolverName;
  /** As the program prints it: part of every receipt. */
  readonly version: string;
  readonly run: RunProgram;
}

const parameters: Readonly<Record<NativeSolverName, (budget: Budget) => readonly string[]>> = {
  z3: ({ steps }) => ['-in', '-smt2', `rlimit=${Math.max(1, Math.floor(steps))}`],
  cvc5: ({ steps }) => ['--lang=smt2', '--produce-models', `--rlimit=${Math.max(1, Math.floor(steps))}`],
};

/** Starts the program once per question. `steps` of a budget become its own resource limit. */
export function createNativeSolver({ name, version, run }: NativeOptions): Solver {
  return {
    version: `${name} ${version}`,
    ask: async (question, budget) => {
      const ran = await run(name, parameters[name](budget), scriptOf(question), budget.timeoutMs);
      switch (ran.kind) {
        case 'late':
          return { kind: 'exhausted', budget: 'time', steps: 0 };
        case 'crashed':
          return ranOut(ran.output) ?? { kind: 'failed', message: `${name} ended without an answer` };
        case 'absent':
          return { kind: 'failed', message: `${name} cannot be run: ${ran.reason}` };
        case 'ended':
          return readOutput(name, ran.output);
      }
    },
    close: () => Promise.resolve(),
  };
}

/** What programs print when they run out of memory. */
function ranOut(text: string): SolverAnswer | null {
  return /out of memory|bad_alloc|ran out of memory|memout/i.test(text)
    ? { kind: 'exhausted', budget: 'memory', steps: 0 }
    : null;
}

/**
 * Solvers print an error when they are asked for a reason or for values that do not exist. It is ignored; but cvc5 then
 * exits, so the values are requested first.
 */
function scriptOf({ logic, text, symbols }: SolverQuestion): string {
  const values = symbols.length === 0 ? '' : `(get-value (${symbols.join(' ')}))\n`;
  return `(set-option :produce-models true)\n(set-logic ${logic})\n${text}\n(check-sat)\n${values}(get-info :reason-unknown)\n`;
}

function readOutput(name: NativeSolverName, text: string): SolverAnswer {
  const output = parseSExpressions(text);
  if (!output) return { kind: 'failed', message: `${name} printed what is not SMT-LIB` };
  const verdictAt = output.findIndex((each) => each === 'sat' || each === 'unsat' || each === 'unknown');
  // After an error before the verdict, an assertion may be missing, and the verdict would answer another question.
  const error = errorIn(verdictAt < 0 ? output : output.slice(0, verdictAt));
  if (error !== null)
    return ranOut(error) ?? { kind: 'failed', message: `${name} does not understand the question: ${error}` };
  switch (output[verdictAt]) {
    case 'unsat':
      return { kind: 'unsatisfiable', steps: 0 };
    case 'sat':
      return { kind: 'satisfiable', values: valuesOf(output.slice(verdictAt + 1)), steps: 0 };
    case 'unknown': {
      const reason = output.find((each) => typeof each !== 'string' && each[0] === ':reason-unknown');
      return undecided(typeof reason === 'object' ? String(reason[1]).replaceAll('"', '') : '', 0);
    }
    default:
      return ranOut(text) ?? { kind: 'failed', message: `${name} printed no verdict: ${text.trim().slice(0, 80)}` };
  }
}
