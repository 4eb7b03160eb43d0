/**
 * How the engine (`smt-engine.ts`, `session.ts`, `satisfiable.ts`, `counterexample.ts`) asks a solver, and what it makes of the answers.
 *
 * Holds src/bounded-proofs/engines/smt/counterexample.ts, src/bounded-proofs/engines/smt/knowledge.ts,
 * src/bounded-proofs/engines/smt/satisfiable.ts, src/bounded-proofs/engines/smt/session.ts.
 */
import { describe, expect, it } from 'vitest';
import { createInquiry } from '../../../../src/bounded-proofs/engines/smt/session.ts';
import { smtEngine } from '../../../../src/bounded-proofs/engines/smt/smt-engine.ts';
import { counterexampleTo } from '../../../../src/bounded-proofs/engines/smt/counterexample.ts';
import type { SolverAnswer } from '../../../../src/bounded-proofs/engines/smt/solver.ts';
import { Graph } from '../../../../src/bounded-proofs/expression.ts';
import { fraction } from '../../../../src/numeric/rational.ts';
import { number, problem, problemIn, truth } from '../../notation.ts';
import { fakeSolver } from './fake-solver.ts';

const budget = { steps: 1_000, timeoutMs: 1_000 };
const unsatisfiable: SolverAnswer = { kind: 'unsatisfiable', steps: 1 };
const unknown: SolverAnswer = { kind: 'unknown', reason: 'incomplete', steps: 1 };
const satisfiable = (values: Readonly<Record<string, bigint>> = {}): SolverAnswer => ({
  kind: 'satisfiable',
  values: new Map(Object.entries(values).map(([symbol, value]) => [symbol, fraction(value)])),
  steps: 1,
});

describe('a statement', () => {
  it('is proved where the solver finds no case against it, with the axioms of the question', async () => {
    const solver = fakeSolver(() => unsatisfiable);
    expect(await smtEngine(solver).decide(problem('fl(a) ≤ fl(b) + 1', { premises: ['a ≤ b'] }), budget)).toEqual({
      verdict: 'proved',
      axioms: ['rounding-exact', 'rounding-monotone'],
      detail: 'lemmas about the claim, in linear arithmetic',
    });
    expect(solver.asked).toHaveLength(1);
    expect(solver.asked[0]).toMatchObject({ steps: 200, logic: 'QF_LRA' });
  });

  it('that is true by construction asks nothing', async () => {
    const solver = fakeSolver(() => unknown);
    expect(await smtEngine(solver).decide(problem('a ≤ a'), budget)).toEqual({
      verdict: 'proved',
      axioms: [],
      detail: 'true by construction',
    });
    expect(solver.asked).toEqual([]);
  });

  it('of several parts is proved where each is, and each way is named once', async () => {
    const solver = fakeSolver((_, i) => (i === 1 ? unknown : unsatisfiable));
    const outcome = await smtEngine(solver).decide(problem('exp(a) ≤ b ∧ exp(c) · c ≤ b ∧ 2 · a ≤ b'), budget);
    expect(outcome).toMatchObject({
      verdict: 'proved',
      detail: 'lemmas about the claim, in linear arithmetic; lemmas about the claim, in nonlinear arithmetic',
    });
    const half = fakeSolver((_, i) => (i === 0 ? unsatisfiable : unknown));
    expect(await smtEngine(half).decide(problem('exp(a) ≤ b ∧ exp(c) · c ≤ b'), budget)).toMatchObject({
      verdict: 'unknown',
    });
  });

  it('is asked about in six ways, no question twice, each with its share of the steps', async () => {
    const solver = fakeSolver(() => unknown);
    const outcome = await smtEngine(solver).decide(problem('fl(a · b) ≤ a / b', { over: { b: [1, 2] } }), budget);
    expect(solver.asked.map(({ steps, logic }) => [steps, logic])).toEqual([
      [200, 'QF_LRA'],
      [300, 'QF_LRA'],
      [300, 'QF_NRA'],
      [300, 'QF_NRA'],
      [500, 'QF_LRA'],
      [1000, 'QF_NRA'],
    ]);
    expect(outcome).toEqual({
      verdict: 'unknown',
      detail: [
        'lemmas about the claim, in linear arithmetic',
        'lemmas about all that the claim depends on, in linear arithmetic',
        'lemmas about the claim, in nonlinear arithmetic',
        'lemmas about all that the claim depends on, in nonlinear arithmetic',
        'lemmas about all that the claim depends on, and rounding errors, in linear arithmetic',
        'lemmas about all that the claim depends on, and rounding errors, in nonlinear arithmetic',
      ]
        .map((stage) => `${stage}: incomplete`)
        .join('; '),
    });
    const plain = fakeSolver(() => unknown);
    await smtEngine(plain).decide(problem('a ≤ b'), budget);
    expect(plain.asked).toHaveLength(1);
  });

  it('stays open where the solver fails, and says why at once', async () => {
    const solver = fakeSolver(() => ({ kind: 'failed', message: 'it crashed' }));
    expect(await smtEngine(solver).decide(problem('exp(a) ≤ b'), budget)).toEqual({
      verdict: 'unknown',
      detail: 'it crashed',
    });
    expect(solver.asked).toHaveLength(1);
  });

  it('is exhausted where a budget ran out, by the first that did', async () => {
    const answers: readonly SolverAnswer[] = [
      unknown,
      { kind: 'exhausted', budget: 'memory', steps: 1 },
      { kind: 'exhausted', budget: 'time', steps: 1 },
    ];
    const solver = fakeSolver((_, i) => answers[i] ?? unknown);
    expect(await smtEngine(solver).decide(problem('exp(a) · b ≤ √(b)', { over: { b: [1, 2] } }), budget)).toMatchObject(
      {
        verdict: 'exhausted',
        budget: 'memory',
        detail: expect.stringContaining('in linear arithmetic: out of memory; '),
      },
    );
  });
});

describe('an assignment of the solver', () => {
  it('is a counterexample where it is one on the numbers', async () => {
    const solver = fakeSolver(() => satisfiable({ v0: 3n, v3: 2n }));
    expect(await smtEngine(solver).decide(problem('a ≤ b'), budget)).toEqual({
      verdict: 'refuted',
      model: new Map([
        ['a', 3],
        ['b', 2],
      ]),
      axioms: [],
      detail: 'lemmas about the claim, in linear arithmetic',
    });
  });

  it('says nothing where it is none', async () => {
    const solver = fakeSolver(() => satisfiable({ v0: 2n, v3: 3n }));
    expect(await smtEngine(solver).decide(problem('a ≤ b + 3'), budget)).toMatchObject({
      verdict: 'unknown',
      detail: expect.stringContaining('is not a counterexample on the numbers'),
    });
    const rounding = fakeSolver(() => satisfiable());
    expect(await smtEngine(rounding).decide(problem('fl(a) ≤ a'), budget)).toMatchObject({
      verdict: 'unknown',
      detail: expect.stringContaining('(rounding-exact, rounding-monotone)'),
    });
  });

  it('must satisfy the premises', () => {
    const posed = problem('a ≤ b', { premises: ['b < 1'] });
    const at = (a: bigint, b: bigint) =>
      counterexampleTo(
        posed,
        posed.conclusion,
        new Map([
          ['a', fraction(a)],
          ['b', fraction(b)],
        ]),
      );
    expect(at(3n, 0n)).toEqual(
      new Map([
        ['a', 3],
        ['b', 0],
      ]),
    );
    expect(at(3n, 2n)).toBeNull();
    expect(at(0n, 0n)?.get('a')).toBeUndefined();
  });

  it('gives units in the last place the values that they have', () => {
    const graph = new Graph();
    const posed = problemIn(graph, 'u ≤ a', { over: { a: [4, 8], u: [0, null, 'real'] } });
    const variables = posed.variables.map((variable) =>
      variable.name === 'u' ? { ...variable, standsFor: { kind: 'ulp32', of: number(graph, 'a') } as const } : variable,
    );
    const wrong = truth(graph, 'u ≤ 0');
    expect(counterexampleTo({ ...posed, variables }, wrong, new Map([['a', fraction(5n)]]))).toEqual(
      new Map([
        ['a', 5],
        ['u', 2 ** -21],
      ]),
    );
  });
});

describe('signs of divisors, and of what roots and logarithms are taken of', () => {
  const claim = 'a / (b − c) ≤ 1 ∧ √(b − a) ≤ 1 ∧ log(c − a) ≤ 1';

  it.each([
    ['at least 1', 0, '1 ≤ b − c'],
    ['positive', 1, '0 < b − c'],
    ['not negative', 2, '0 ≤ b − c'],
  ])('are learned: %s', async (_, at, known) => {
    const posed = problem('a / (b − c) ≤ 1');
    const solver = fakeSolver((__, i) => (i === at ? unsatisfiable : unknown));
    const inquiry = createInquiry(solver);
    await inquiry.learnSigns(posed, budget);
    expect(solver.asked.map(({ steps }) => steps)).toEqual(Array.from({ length: at + 1 }, () => 50));
    const { knowledge } = inquiry.sessionOf(posed);
    const divisor = number(posed.graph, 'b − c');
    expect(knowledge.range(divisor).low).toEqual(known.startsWith('1') ? fraction(1n) : fraction(0n));
    expect(knowledge.positive(divisor) !== null).toBe(at < 2);
  });

  it('are looked for once each, at three places', async () => {
    const posed = problem(claim, { over: { a: [-1, 1], b: [-2, 2], c: [-3, 3] } });
    const solver = fakeSolver(() => unknown);
    const inquiry = createInquiry(solver);
    await inquiry.learnSigns(posed, budget);
    expect([...inquiry.sessionOf(posed).attempted].map((node) => node.id)).toEqual(
      ['b − c', 'b − a', 'c − a'].map((text) => number(posed.graph, text).id),
    );
    const before = solver.asked.length;
    expect(before).toBe(9);
    await inquiry.learnSigns(posed, budget);
    expect(solver.asked).toHaveLength(before);
  });

  it('are not requested where they are known', async () => {
    const solver = fakeSolver(() => unknown);
    const inquiry = createInquiry(solver);
    const posed = problem('a / b ≤ √(−c) ∧ exp(a) ≤ 1', { over: { b: [1, 2], c: [0, 1] } });
    await inquiry.learnSigns(posed, budget);
    expect(solver.asked).toEqual([]);
  });
});

describe('answers', () => {
  it('are kept for equal questions, but for accidents', async () => {
    const solver = fakeSolver((_, i) => (i === 0 ? { kind: 'exhausted', budget: 'time', steps: 1 } : unsatisfiable));
    const inquiry = createInquiry(solver);
    const posed = problem('a ≤ b');
    const script = inquiry.scriptFor(posed, posed.conclusion, { reach: 'goal', nonlinear: false });
    expect(await inquiry.ask(script, budget)).toMatchObject({ kind: 'exhausted' });
    expect(await inquiry.ask(script, budget)).toEqual(unsatisfiable);
    expect(await inquiry.ask(script, budget)).toEqual(unsatisfiable);
    expect(solver.asked).toHaveLength(2);
    await inquiry.ask(script, { ...budget, steps: 2_000 });
    expect(solver.asked).toHaveLength(3);
    expect(solver.asked[0]?.symbols).toEqual(['v0', 'v3']);
  });

  it('serve all statements about the same variables and premises', () => {
    const inquiry = createInquiry(fakeSolver(() => unknown));
    const posed = problem('a ≤ b');
    const session = inquiry.sessionOf(posed);
    expect(inquiry.sessionOf({ ...posed, conclusion: posed.graph.true })).toBe(session);
    expect(inquiry.sessionOf({ ...posed, premises: [] })).not.toBe(session);
    expect(inquiry.sessionOf({ ...posed, variables: [] })).not.toBe(session);
  });
});

describe('premises', () => {
  it('that hold somewhere are satisfiable, without a question', async () => {
    const solver = fakeSolver(() => unknown);
    const found = await smtEngine(solver).checkSatisfiable(problem('true', { premises: ['a ≤ 0'] }), budget);
    expect(found).toEqual({ kind: 'satisfiable', model: new Map([['a', 0]]) });
    expect(solver.asked).toEqual([]);
  });

  it('that are false, or about no number, contradict each other', async () => {
    const engine = smtEngine(fakeSolver(() => unknown));
    const contradictory = { kind: 'contradictory', axioms: [] };
    expect(await engine.checkSatisfiable(problem('a ≤ 1', { premises: ['2 < 1'] }), budget)).toEqual(contradictory);
    expect(await engine.checkSatisfiable(problem('a ≤ 1', { over: { a: [2, 1] } }), budget)).toEqual(contradictory);
    expect(await engine.checkSatisfiable(problem('a ≤ 1', { over: { a: [2, 2] } }), budget)).toMatchObject({
      kind: 'satisfiable',
    });
  });

  it('contradict each other where the solver says so, with the axioms of the question', async () => {
    const solver = fakeSolver(() => unsatisfiable);
    const posed = problem('true', { premises: ['a < b', 'exp₃₂(b) < exp₃₂(a)'] });
    expect(await smtEngine(solver).checkSatisfiable(posed, budget)).toEqual({
      kind: 'contradictory',
      axioms: ['exp-monotone', 'exp-range', 'machine-value'],
    });
    expect(await smtEngine(solver).decide({ ...posed, conclusion: posed.graph.false }, budget)).toEqual({
      verdict: 'unknown',
      detail: 'no input satisfies the premises: a proof from them would say nothing',
    });
  });

  const far = ['3 ≤ a', 'a ≤ 4'];

  it('are satisfiable with what the solver finds, where that is an input', async () => {
    const posed = problem('true', { premises: far });
    const found = await smtEngine(fakeSolver(() => satisfiable({ v0: 3n }))).checkSatisfiable(posed, budget);
    expect(found).toEqual({ kind: 'satisfiable', model: new Map([['a', 3]]) });
    const none = await smtEngine(fakeSolver(() => satisfiable({ v0: 9n }))).checkSatisfiable(posed, budget);
    expect(none).toEqual({
      kind: 'unknown',
      detail: 'an assignment over the reals satisfies the premises, and no input near it does',
    });
  });

  it('are unknown where the solver does not decide, or fails', async () => {
    const posed = problem('true', { premises: [...far, '3 ≤ a · b'] });
    const solver = fakeSolver(() => unknown);
    expect(await smtEngine(solver).checkSatisfiable(posed, budget)).toEqual({
      kind: 'unknown',
      detail: 'the solver does not decide it',
    });
    expect(solver.asked.map(({ logic }) => logic)).toEqual(['QF_LRA', 'QF_NRA']);
    const failing = fakeSolver(() => ({ kind: 'failed', message: 'no solver' }));
    expect(await smtEngine(failing).checkSatisfiable(posed, budget)).toEqual({ kind: 'unknown', detail: 'no solver' });
  });

  it('are looked at once for all statements', async () => {
    const solver = fakeSolver(() => unknown);
    const engine = smtEngine(solver);
    const posed = problem('exp(a) ≤ 2', { premises: far });
    await engine.decide(posed, budget);
    const asked = solver.asked.length;
    await engine.decide({ ...posed, conclusion: truth(posed.graph, 'exp(a) ≤ 3') }, budget);
    expect(solver.asked.slice(asked).every(({ text }) => text.includes('(not (<= v'))).toBe(true);
  });
});

it('says whose answers they are', () => {
  const solver = fakeSolver(() => unknown);
  expect(smtEngine(solver)).toMatchObject({ id: 'smt', version: 'fake 1' });
  expect(smtEngine(solver, 'cvc5').id).toBe('cvc5');
});

it('gives up on a statement whose lemmas do not fit the graph', async () => {
  const graph = new Graph(12);
  const posed = problemIn(graph, 'a · b ≤ 2');
  expect(await smtEngine(fakeSolver(() => unknown)).decide(posed, budget)).toMatchObject({
    verdict: 'exhausted',
    budget: 'memory',
    detail: expect.stringMatching(/^the statement with its lemmas has more than 12/),
  });
});
