/** Which engine is tried when, and that it changes no verdict. */
import { describe, expect, it, test } from 'vitest';
import type { Engine, EngineId, EngineOutcome } from '../../src/bounded-proofs/engines/engine.ts';
import { Graph, type BooleanExpression } from '../../src/bounded-proofs/expression.ts';
import { axiomsOf, prove, statementsOf, type ProveRequest } from '../../src/bounded-proofs/prove.ts';
import { shapeOf } from '../../src/bounded-proofs/shape.ts';
import { print, problem, truth } from './notation.ts';

const graph = new Graph();
const [x, y, z] = ['x', 'y', 'z'].map((name) => graph.variable(name));

/** An engine that decides by a function, and notes what it was asked. */
function engine(id: EngineId, decide: (statement: BooleanExpression) => EngineOutcome['verdict'], asked: string[]) {
  const outcomeOf = (verdict: EngineOutcome['verdict']): EngineOutcome => {
    switch (verdict) {
      case 'proved':
        return { verdict, axioms: [], detail: '' };
      case 'refuted':
        return { verdict, model: new Map(), axioms: [], detail: '' };
      case 'unknown':
        return { verdict, detail: '' };
      case 'exhausted':
        return { verdict, budget: 'steps', detail: '' };
    }
  };
  const made: Engine = {
    id,
    version: '1',
    decide: (problem) => {
      asked.push(`${id} ${problem.conclusion.kind}`);
      return Promise.resolve(outcomeOf(decide(problem.conclusion)));
    },
    close: () => Promise.resolve(),
  };
  return made;
}

const run = (conclusion: BooleanExpression, engines: readonly Engine[]) =>
  prove({
    problem: { graph, variables: [], premises: [], conclusion },
    engines,
    budget: { steps: 1, timeoutMs: 1 },
    remainingMs: () => 1,
    confirm: () => Promise.resolve(null),
  });

test('what looks like a proved statement starts where that one was proved, and nothing else does', async () => {
  if (!x || !y || !z) return expect.unreachable();
  const asked: string[] = [];
  const engines = [
    engine('algebra', ({ kind }) => (kind === 'equal' ? 'proved' : 'unknown'), asked),
    engine('smt', ({ kind }) => (kind === 'less' ? 'proved' : 'unknown'), asked),
  ];
  const alike = graph.and([graph.less(x, y), graph.less(y, z), graph.equal(x, z)]);
  const { outcomes } = await run(alike, engines);
  expect(outcomes.map(({ verdict }) => verdict)).toEqual(['proved', 'proved', 'proved']);
  expect(asked).toEqual(['algebra less', 'smt less', 'smt less', 'algebra equal']);
  // Another set of engines begins anew: no proof depends on those before it.
  asked.length = 0;
  await run(graph.less(z, x), [...engines]);
  expect(asked).toEqual(['algebra less', 'smt less']);
});

test('an engine that fails on what it proved before is followed by all others, and is not preferred again', async () => {
  if (!x || !y || !z) return expect.unreachable();
  const asked: string[] = [];
  const good = graph.less(x, y);
  const engines = [
    engine('algebra', () => 'unknown', asked),
    engine('smt', (statement) => (statement === good ? 'proved' : 'exhausted'), asked),
  ];
  const { outcomes } = await run(graph.and([good, graph.less(y, z), graph.less(z, x)]), engines);
  expect(outcomes.map(({ verdict }) => verdict)).toEqual(['proved', 'open', 'open']);
  expect(outcomes[1]?.tried.map(({ engine: id }) => id)).toEqual(['smt', 'algebra']);
  expect(outcomes[2]?.tried.map(({ engine: id }) => id)).toEqual(['algebra', 'smt']);
});

test('a shape distinguishes operations, but neither elements nor the length of sums', () => {
  if (!x || !y || !z) return expect.unreachable();
  const long = graph.less(graph.add(graph.add(graph.add(graph.add(x, y), z), x), y), z);
  const longer = graph.less(graph.add(graph.add(graph.add(graph.add(graph.add(y, y), z), x), y), z), x);
  expect(shapeOf(long)).toBe(shapeOf(longer));
  expect(shapeOf(graph.less(x, y))).toBe(shapeOf(graph.less(z, x)));
  expect(shapeOf(graph.less(x, y))).not.toBe(shapeOf(graph.lessEqual(x, y)));
  expect(shapeOf(graph.less(graph.apply('exp', x), y))).not.toBe(shapeOf(graph.less(graph.apply('log', x), y)));
  expect(shapeOf(graph.less(graph.sqrt(x), y))).not.toBe(shapeOf(graph.less(graph.round32(x), y)));
});

describe('a conclusion falls into statements', () => {
  it.each([
    ['x < y', ['x < y']],
    ['x < y ∧ y < z', ['x < y', 'y < z']],
    ['x < y ∧ (y < z ∨ z < x)', ['x < y', 'y < z ∨ z < x']],
    ['x = 0 ⟹ x < y ∧ y < z', ['¬(x = 0) ∨ x < y', '¬(x = 0) ∨ y < z']],
    ['x = 0 ⟹ (y = 0 ⟹ x < y ∧ y < z)', ['¬(x = 0) ∨ ¬(y = 0) ∨ x < y', '¬(x = 0) ∨ ¬(y = 0) ∨ y < z']],
    ['(x < y ∧ y < z) ∨ (z < x ∧ x = 0)', ['x < y ∧ y < z ∨ z < x ∧ x = 0']],
    ['x < y ∨ y < z', ['x < y ∨ y < z']],
  ])('%s: %o', (text, statements) => {
    const own = new Graph();
    expect(statementsOf(own, truth(own, text)).map(print)).toEqual(statements);
  });
});

describe('a proof', () => {
  const unknown: EngineOutcome = { verdict: 'unknown', detail: 'no idea' };
  const proved: EngineOutcome = { verdict: 'proved', axioms: ['rounding-exact'], detail: '' };
  const refuted: EngineOutcome = { verdict: 'refuted', model: new Map([['x', 1]]), axioms: [], detail: 'a model' };
  const engineOf = (id: EngineId, decide: Engine['decide']): Engine => ({
    id,
    version: '1',
    decide,
    close: () => Promise.resolve(),
  });
  const answering = (id: EngineId, ...outcomes: readonly EngineOutcome[]): Engine => {
    let at = 0;
    return engineOf(id, () => Promise.resolve(outcomes[Math.min(at++, outcomes.length - 1)] ?? unknown));
  };
  const attempt = (claim: string, engines: readonly Engine[], rest: Partial<ProveRequest<string>> = {}) =>
    prove<string>({
      problem: problem(claim),
      engines,
      budget: { steps: 5, timeoutMs: 100 },
      remainingMs: () => 1_000,
      confirm: () => Promise.resolve(null),
      ...rest,
    });
  const summary = ({ outcomes, counterexample }: Awaited<ReturnType<typeof attempt>>) => [
    ...outcomes.map(
      ({ verdict, tried }) =>
        `${verdict}: ${tried.map(({ engine: id, outcome }) => `${id} ${outcome.verdict}`).join(', ')}`,
    ),
    counterexample,
  ];

  it('proves what is true by construction without asking a solver', async () => {
    expect(summary(await attempt('true', [answering('smt', unknown)]))).toEqual(['proved: ', null]);
    expect(summary(await attempt('1 < 0', [answering('smt', unknown)]))).toEqual(['open: smt unknown', null]);
  });

  it('ends at a counterexample that is confirmed', async () => {
    const found = await attempt('x < y ∧ y < z', [answering('algebra', unknown), answering('smt', refuted)], {
      confirm: (model) => Promise.resolve(`x = ${model.get('x')}`),
    });
    expect(summary(found)).toEqual(['refuted: algebra unknown, smt refuted', 'x = 1']);
  });

  it('discards a model that the kernel does not confirm, and continues', async () => {
    const found = await attempt('x < y', [answering('smt', refuted), answering('interval', proved)]);
    expect(summary(found)).toEqual(['proved: smt unknown, interval proved', null]);
    expect(found.outcomes[0]?.tried[0]?.outcome.detail).toContain('a model');
  });

  it('continues after what stays open, unless it is asked to stop there', async () => {
    const claim = 'x < y ∧ x = z';
    expect(summary(await attempt(claim, [answering('smt', unknown, proved)]))).toEqual([
      'open: smt unknown',
      'proved: smt proved',
      null,
    ]);
    expect(summary(await attempt(claim, [answering('smt', unknown, proved)], { untilOpen: true }))).toEqual([
      'open: smt unknown',
      null,
    ]);
    expect(summary(await attempt(claim, [answering('smt', proved, unknown)], { untilOpen: true }))).toHaveLength(3);
  });

  it('gives each engine the remaining time, and starts none without any', async () => {
    const asked: number[] = [];
    const noting = engineOf('smt', (_, { timeoutMs, steps }) => {
      asked.push(timeoutMs, steps);
      return Promise.resolve(unknown);
    });
    await attempt('x < y', [noting], { remainingMs: () => 7 });
    await attempt('x < y', [noting], { remainingMs: () => 700 });
    expect(asked).toEqual([7, 5, 100, 5]);
    expect(summary(await attempt('x < y', [noting], { remainingMs: () => 0 }))).toEqual(['open: ', null]);
    expect(asked).toHaveLength(4);
  });

  it('decides each case of a choice, and the whole where one stays open', async () => {
    const claim = '(x < y ? x : y) ≤ z';
    expect(summary(await attempt(claim, [answering('smt', proved)]))).toEqual(['proved: smt proved, smt proved', null]);
    expect(summary(await attempt(claim, [answering('smt', proved, unknown, proved)]))).toEqual([
      'proved: smt proved',
      null,
    ]);
    const found = await attempt(claim, [answering('smt', proved, refuted)], { confirm: () => Promise.resolve('here') });
    expect(found.counterexample).toBe('here');
    expect(found.outcomes.map(({ statement }) => print(statement))).toEqual([claim]);
  });

  it('rests on the axioms of what is proved, each once', async () => {
    const other: EngineOutcome = { verdict: 'proved', axioms: ['exp-range', 'rounding-exact'], detail: '' };
    const found = await attempt('x < y ∧ x = z ∧ y ≤ z', [
      answering('smt', proved, other, { ...refuted, axioms: ['log-monotone'] }),
    ]);
    expect(axiomsOf(found.outcomes)).toEqual(['exp-range', 'rounding-exact']);
  });
});
