import type { Solver, SolverAnswer, SolverQuestion } from '../../../../src/bounded-proofs/engines/smt/solver.ts';
import type { Budget } from '../../../../src/bounded-proofs/engines/engine.ts';

export interface FakeSolver extends Solver {
  /** What was asked, in order, and how many steps each question had. */
  readonly asked: readonly (SolverQuestion & { readonly steps: number })[];
}

/** A solver that answers what a test says, and remembers the questions. */
export function fakeSolver(answer: (question: SolverQuestion, index: number) => SolverAnswer): FakeSolver {
  const asked: (SolverQuestion & { readonly steps: number })[] = [];
  return {
    version: 'fake 1',
    asked,
    ask: (question: SolverQuestion, { steps }: Budget) => {
      asked.push({ ...question, steps });
      return Promise.resolve(answer(question, asked.length - 1));
    },
    close: () => Promise.resolve(),
  };
}
