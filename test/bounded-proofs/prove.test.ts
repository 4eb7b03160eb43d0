/** Which engine is tried when, and that it changes no verdict. */
import { expect, test } from 'vitest';
import type { Engine, EngineId, EngineOutcome } from '../../src/bounded-proofs/engines/engine.ts';
import { Graph, type BooleanExpression } from '../../src/bounded-proofs/expression.ts';
import { prove } from '../../src/bounded-proofs/prove.ts';
import { shapeOf } from '../../src/bounded-proofs/shape.ts';

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

test('a shape tells operations apart, not elements and not the length of sums', () => {
  if (!x || !y || !z) return expect.unreachable();
  const long = graph.less(graph.add(graph.add(graph.add(graph.add(x, y), z), x), y), z);
  const longer = graph.less(graph.add(graph.add(graph.add(graph.add(graph.add(y, y), z), x), y), z), x);
  expect(shapeOf(long)).toBe(shapeOf(longer));
  expect(shapeOf(graph.less(x, y))).toBe(shapeOf(graph.less(z, x)));
  expect(shapeOf(graph.less(x, y))).not.toBe(shapeOf(graph.lessEqual(x, y)));
  expect(shapeOf(graph.less(graph.apply('exp', x), y))).not.toBe(shapeOf(graph.less(graph.apply('log', x), y)));
  expect(shapeOf(graph.less(graph.sqrt(x), y))).not.toBe(shapeOf(graph.less(graph.round32(x), y)));
});
