import { describe, expect, it } from 'vitest';
import { createNativeSolver, type Ran } from '../../../../src/bounded-proofs/engines/smt/native-solver.ts';
import { fraction } from '../../../../src/numeric/rational.ts';

const question = { logic: 'QF_LRA', text: '(declare-fun v0 () Real)\n(assert (< v0 0.0))', symbols: ['v0'] };
const budget = { steps: 1_000, timeoutMs: 1_000 };

/** A solver whose program prints a given text, and what it was given. */
function printing(ran: Ran) {
  const given: { command: string; parameters: readonly string[]; input: string }[] = [];
  const solver = createNativeSolver({
    name: 'z3',
    version: '4.8.12',
    run: (command, parameters, input) => {
      given.push({ command, parameters, input });
      return Promise.resolve(ran);
    },
  });
  return { solver, given };
}
const printed = (output: string) => printing({ kind: 'ended', output }).solver.ask(question, budget);

describe('a solver of the system', () => {
  it('is given the text, its logic and its limit', async () => {
    const { solver, given } = printing({ kind: 'ended', output: 'unsat\n(error "no model")\n' });
    expect(await solver.ask(question, budget)).toMatchObject({ kind: 'unsatisfiable' });
    expect(given[0]?.parameters).toContain('rlimit=1000');
    expect(given[0]?.input).toMatch(
      /\(set-logic QF_LRA\)[^]*\(assert \(< v0 0\.0\)\)[^]*\(check-sat\)[^]*\(get-value \(v0\)\)/,
    );
  });

  it('gives values', async () => {
    const answer = await printed('sat\n(:reason-unknown "")\n((v0 (- (/ 1.0 3.0))))\n');
    expect(answer).toMatchObject({ kind: 'satisfiable', values: new Map([['v0', fraction(-1n, 3n)]]) });
  });

  it('may not know, or run out', async () => {
    expect(await printed('unknown\n(:reason-unknown "incomplete")')).toMatchObject({
      kind: 'unknown',
      reason: 'incomplete',
    });
    expect(await printed('unknown\n(:reason-unknown "max. resource limit exceeded")')).toMatchObject({
      kind: 'exhausted',
      budget: 'steps',
    });
    expect(await printing({ kind: 'late' }).solver.ask(question, budget)).toMatchObject({ budget: 'time' });
  });

  it('proves nothing after an error, without a verdict, or when it is not there', async () => {
    expect(await printed('(error "unknown constant v1")\nunsat\n')).toMatchObject({ kind: 'failed' });
    expect(await printed('Segmentation fault')).toMatchObject({ kind: 'failed' });
    expect(await printed('')).toMatchObject({ kind: 'failed' });
    expect(await printed('(unsat')).toMatchObject({ kind: 'failed' });
    const { solver } = printing({ kind: 'absent', reason: 'no such file' });
    expect(await solver.ask(question, budget)).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('no such file'),
    });
  });
});
