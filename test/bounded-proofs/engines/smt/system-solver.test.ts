/** Solvers of the system: really run where they are, and told as missing where they are not. */
import { describe, expect, it } from 'vitest';
import { fraction } from '../../../../src/numeric/rational.ts';
import { runProgram, type ProgramEnd } from '../../../../src/host/program.ts';
import { loadEngines } from '../../../../src/bounded-proofs/engines/load.ts';
import { openSystemSolver } from '../../../../src/bounded-proofs/engines/smt/system-solver.ts';
import type { Solver } from '../../../../src/bounded-proofs/engines/smt/solver.ts';
import { hasProgram } from '../../../support/programs.ts';

const budget = { steps: 100_000, timeoutMs: 20_000 };
const ended = (output: string): ProgramEnd => ({ kind: 'ended', code: 0, isLate: false, output });

/** x lies between the bounds. */
const between = (low: string, high: string) => ({
  logic: 'QF_LRA',
  text: `(declare-fun x () Real)\n(assert (< ${low} x))\n(assert (< x ${high}))\n(assert (= (* 2.0 x) 1.0))`,
  symbols: ['x'],
});

for (const name of ['z3', 'cvc5'] as const) {
  const isHere = hasProgram(name);
  // Registered one way or the other, so that no check is counted as skipped.
  const whereItIs = (): void => {
    const withSolver = async (look: (solver: Solver) => Promise<void>): Promise<void> => {
      const opened = await openSystemSolver(name);
      if (!opened.ok) throw new Error(opened.error);
      await look(opened.value);
      await opened.value.close();
    };

    it('names itself and its version', () =>
      withSolver((solver) => {
        expect(solver.version).toMatch(new RegExp(`^${name} \\d+\\.\\d+`));
        return Promise.resolve();
      }));

    it('refutes and gives values', () =>
      withSolver(async (solver) => {
        expect(await solver.ask(between('0.0', '1.0'), budget)).toMatchObject({
          kind: 'satisfiable',
          values: new Map([['x', fraction(1n, 2n)]]),
        });
        expect(await solver.ask(between('1.0', '2.0'), budget)).toMatchObject({ kind: 'unsatisfiable' });
      }));

    it('does not pass over what it does not understand', () =>
      withSolver(async (solver) => {
        const question = { logic: 'QF_LRA', text: '(assert (< nowhere 0.0))', symbols: [] };
        expect(await solver.ask(question, budget)).toMatchObject({ kind: 'failed' });
      }));
  };
  const whereItIsNot = (): void => {
    it('is not installed, which is reported before any question', async () => {
      expect(await loadEngines('smt', name === 'z3' ? 'z3-native' : 'cvc5')).toEqual({
        ok: false,
        error: expect.stringContaining(`apt-get install ${name}`),
      });
    });
  };
  const checks = isHere ? whereItIs : whereItIsNot;
  describe(`${name} of the system`, () => void checks());
}

describe('a solver that is not what it should be', () => {
  it('is missing, with how to get it', async () => {
    const opened = await openSystemSolver('z3', (request) => runProgram({ ...request, program: 'no-such-solver' }));
    expect(opened).toEqual({ ok: false, error: expect.stringMatching(/not installed.*apt-get install z3/) });
  });

  it('reports no version, or does not end', async () => {
    expect(await openSystemSolver('cvc5', () => Promise.resolve(ended('usage: cvc5 FILE')))).toMatchObject({
      ok: false,
    });
    const stopped: ProgramEnd = { kind: 'stopped', code: 126, isLate: true, output: 'version 1.0' };
    expect(await openSystemSolver('cvc5', () => Promise.resolve(stopped))).toMatchObject({ ok: false });
  });

  it('crashes, is late, runs out of memory: never an answer', async () => {
    const answerOf = async (end: ProgramEnd) => {
      const opened = await openSystemSolver('z3', ({ input }) =>
        Promise.resolve(input === undefined ? ended('Z3 version 4.8.12 - 64 bit') : end),
      );
      return opened.ok ? opened.value.ask(between('0.0', '1.0'), budget) : expect.unreachable();
    };
    const stopped = { kind: 'stopped', code: 126 } as const;
    expect(await answerOf({ ...stopped, isLate: true, output: 'unsat' })).toMatchObject({ budget: 'time' });
    expect(await answerOf({ ...stopped, isLate: false, output: 'unsat' })).toMatchObject({ kind: 'failed' });
    expect(await answerOf({ ...stopped, isLate: false, output: 'std::bad_alloc' })).toMatchObject({ budget: 'memory' });
    expect(await answerOf(ended('(error "out of memory")\nunsat'))).toMatchObject({ budget: 'memory' });
    expect(await answerOf({ ...ended('gone'), kind: 'missing' })).toMatchObject({ kind: 'failed' });
  });
});
