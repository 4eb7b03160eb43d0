import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fraction } from '../../../../src/numeric/rational.ts';
import { assignmentOf, parseSExpressions, rationalOf } from '../../../../src/bounded-proofs/engines/smt/answer.ts';
import type { Solver } from '../../../../src/bounded-proofs/engines/smt/solver.ts';
import { createZ3Solver, z3Version } from '../../../../src/bounded-proofs/engines/smt/z3-solver.ts';
import manifest from '../../../../package.json' with { type: 'json' };
import { z3Entry } from '../../../support/z3.ts';

const budget = { steps: 1_000_000, timeoutMs: 120_000 };
const question = (text: string, logic = 'QF_LRA', symbols: readonly string[] = []) => ({ logic, text, symbols });

let solver: Solver;
beforeAll(async () => {
  solver = createZ3Solver({ entry: await z3Entry() });
});
afterAll(() => solver.close());

describe('Z3 in its process', () => {
  it('is the version that the package pins', () => {
    expect(manifest.devDependencies['z3-solver']).toBe(z3Version);
    expect(manifest.peerDependencies['z3-solver']).toBe(z3Version);
    expect(solver.version).toContain(z3Version);
  });

  it('finds assignments, exactly', async () => {
    const text = '(declare-fun x () Real)\n(assert (= (* 3.0 x) (- 1.0)))';
    expect(await solver.ask(question(text), budget)).toMatchObject({
      kind: 'satisfiable',
      values: new Map([['x', fraction(-1n, 3n)]]),
    });
  });

  it('gives digits of what is not a fraction', async () => {
    const text = '(declare-fun x () Real)\n(assert (and (< 0.0 x) (= (* x x) 2.0)))';
    const answer = await solver.ask(question(text, 'QF_NRA'), budget);
    if (answer.kind !== 'satisfiable') throw new Error(answer.kind);
    const { numerator, denominator } = answer.values.get('x') ?? fraction(0n);
    expect(Number(numerator) / Number(denominator)).toBeCloseTo(Math.SQRT2, 12);
  });

  it('finds contradictions', async () => {
    const text = '(declare-fun x () Real)\n(assert (< x 0.0))\n(assert (< 0.0 x))';
    expect(await solver.ask(question(text), budget)).toMatchObject({ kind: 'unsatisfiable' });
  });

  it('says what it does not understand, and continues', async () => {
    const answer = await solver.ask(question('(assert (< y 0.0))'), budget);
    expect(answer).toMatchObject({ kind: 'failed', message: expect.stringContaining('y') });
    expect(await solver.ask(question('(assert false)'), budget)).toMatchObject({ kind: 'unsatisfiable' });
  });

  it('stops after its steps, always at the same one', async () => {
    const names = Array.from({ length: 9 }, (_, i) => `x${i}`);
    const hard = [
      ...names.map((name) => `(declare-fun ${name} () Real)`),
      ...names.map((name) => `(assert (and (< 1.0 ${name}) (< ${name} 2.0)))`),
      `(assert (= (* ${names.join(' ')}) (+ ${names.map((name) => `(* ${name} ${name})`).join(' ')} 7.0)))`,
      `(assert (= (+ ${names.map((name) => `(* ${name} ${name} ${name})`).join(' ')}) 31.0))`,
    ].join('\n');
    const few = { ...budget, steps: 5_000 };
    const answers = [await solver.ask(question(hard, 'QF_NRA'), few), await solver.ask(question(hard, 'QF_NRA'), few)];
    expect(answers[0]).toMatchObject({ kind: 'exhausted', budget: 'steps' });
    expect(answers[1]).toEqual(answers[0]);
  });

  it('answers 200 questions in turn, whatever their order', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        solver.ask(
          question(`(declare-fun x () Real)\n(assert (< x ${i}.0))\n(assert (< ${i % 2 === 0 ? i : 0}.0 x))`),
          budget,
        ),
      ),
    );
    expect(answers.map(({ kind }) => kind === 'unsatisfiable')).toEqual(answers.map((_, i) => i % 2 === 0));
  });

  it('does not take text that its stack cannot hold', async () => {
    const answer = await solver.ask(question(' '.repeat(5_000_000)), budget);
    expect(answer).toMatchObject({ kind: 'exhausted', budget: 'memory' });
  });
});

describe('a process that fails', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pv-solver-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const withProcess = (name: string, code: string): Solver => {
    const path = join(folder, `${name}.mjs`);
    writeFileSync(path, code);
    return createZ3Solver({ entry: pathToFileURL(path) });
  };
  const ready =
    "process.on('disconnect', () => process.kill(process.pid, 'SIGKILL')); process.send({ kind: 'ready', version: 'test' });";

  it('is distinguished from an answer when it crashes, and started again', async () => {
    const fragile = withProcess('ends', `process.on('message', () => process.exit(3)); ${ready}`);
    for (let i = 0; i < 2; i++)
      expect(await fragile.ask(question('(assert false)'), budget)).toMatchObject({
        kind: 'failed',
        message: expect.stringContaining('code 3'),
      });
    await fragile.close();
  });

  it('is out of time when it does not answer', async () => {
    const silent = withProcess('silent', `process.on('message', () => {}); ${ready}`);
    const answer = await silent.ask(question('(assert false)'), { steps: 1, timeoutMs: 50 });
    expect(answer).toMatchObject({ kind: 'exhausted', budget: 'time' });
    await silent.close();
  });

  it('is out of memory when Z3 says so', async () => {
    const full = withProcess(
      'full',
      `process.on('message', () => process.send({ kind: 'broken', reason: 'out of memory' })); ${ready}`,
    );
    expect(await full.ask(question('(assert false)'), budget)).toMatchObject({ kind: 'exhausted', budget: 'memory' });
    await full.close();
  });

  it('is absent where Z3 is not installed', async () => {
    const absent = withProcess('absent', "process.send({ kind: 'absent', reason: 'no such package' });");
    expect(await absent.ask(question('(assert false)'), budget)).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('z3-solver'),
    });
    await absent.close();
  });
});

describe('what solvers print', () => {
  it('is read as lists of words', () => {
    expect(parseSExpressions('(a (b "c d") e)')).toEqual([['a', ['b', '"c d"'], 'e']]);
    expect(parseSExpressions('(a')).toBeNull();
    expect(parseSExpressions('a)')).toBeNull();
  });

  it('has numbers as fractions', () => {
    const read = (text: string) => rationalOf(parseSExpressions(text)?.[0] ?? '');
    expect(read('(- (/ 1.0 3.0))')).toEqual(fraction(-1n, 3n));
    expect(read('2.50')).toEqual(fraction(5n, 2n));
    expect(read('1.4142?')).toEqual(fraction(14_142n, 10_000n));
    expect(read('(root-obj (+ (^ x 2) (- 2)) 2)')).toBeNull();
    expect(read('(/ 1.0 0.0)')).toBeNull();
    expect(assignmentOf('x -> 3.0\ny -> (- 2)\nz -> (root-obj (^ x 2) 1)')).toEqual(
      new Map([
        ['x', fraction(3n)],
        ['y', fraction(-2n)],
      ]),
    );
  });
});
