import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axioms } from '../../../../src/bounded-proofs/axioms.ts';
import { Graph } from '../../../../src/bounded-proofs/expression.ts';
import { evaluateAt } from '../../../../src/bounded-proofs/engines/smt/point.ts';
import { smtEngine, type SmtEngine } from '../../../../src/bounded-proofs/engines/smt/smt-engine.ts';
import { createZ3Solver } from '../../../../src/bounded-proofs/engines/smt/z3-solver.ts';
import { z3Entry } from '../../../support/z3.ts';
import { number, problemOf, variables, vector } from '../../graphs.ts';
import { falseClaims, trueClaims } from './claims.ts';

/** Steps bound the work; the time is there for a machine that does many things at once. */
const budget = { steps: 2_000_000, timeoutMs: 120_000 };
/** A false claim uses up what it is given, unless a counterexample shows. */
const small = { steps: 100_000, timeoutMs: 120_000 };

let engine: SmtEngine;
beforeAll(async () => {
  engine = smtEngine(createZ3Solver({ entry: await z3Entry() }));
});
afterAll(() => engine.close());

describe('true claims', () => {
  it('are more than forty', () => expect(trueClaims.length).toBeGreaterThanOrEqual(40));

  it.each(trueClaims)('$name', async ({ problem }) => {
    const outcome = await engine.decide(problem(), budget);
    expect(outcome).toMatchObject({ verdict: 'proved' });
    if (outcome.verdict === 'proved') expect(outcome.axioms.every((id) => id in axioms)).toBe(true);
  });
});

describe('false claims', () => {
  let refuted = 0;

  it('are more than forty', () => expect(falseClaims.length).toBeGreaterThanOrEqual(40));

  it.each(falseClaims)('$name', async ({ problem }) => {
    const made = problem();
    const outcome = await engine.decide(made, small);
    expect(outcome.verdict).not.toBe('proved');
    if (outcome.verdict !== 'refuted') return;
    refuted += 1;
    const point = evaluateAt(outcome.model);
    expect(made.premises.every((premise) => point.truth(premise) === true)).toBe(true);
    expect(point.truth(made.conclusion)).toBe(false);
    for (const { name, format } of made.variables)
      if (format === 'f32') expect(Math.fround(outcome.model.get(name) ?? Number.NaN)).toBe(outcome.model.get(name));
  });

  it('mostly get a counterexample', () => {
    expect(refuted).toBeGreaterThanOrEqual(Math.floor(falseClaims.length * 0.6));
  });
});

describe('premises', () => {
  const contradictory = () => {
    const graph = new Graph();
    const [a, b] = vector(graph, 'x', 2);
    if (!a || !b) throw new Error('two were asked for');
    const premises = [graph.less(a, b), graph.less(graph.machine('exp', b), graph.machine('exp', a))];
    return problemOf(graph, variables([a, b], -10, 10), graph.less(number(graph, 1), number(graph, 0)), premises);
  };

  it('that contradict each other prove nothing', async () => {
    expect(await engine.decide(contradictory(), budget)).toMatchObject({ verdict: 'unknown' });
  });

  it('are reported as satisfiable with an input, or as contradictory with the axioms', async () => {
    expect(await engine.checkSatisfiable(contradictory(), budget)).toEqual({
      kind: 'contradictory',
      axioms: expect.arrayContaining(['exp-monotone']),
    });
    const graph = new Graph();
    const x = vector(graph, 'x', 2);
    const [a, b] = x;
    if (!a || !b) throw new Error('two were asked for');
    const problem = problemOf(graph, variables(x, -10, 10), graph.true, [
      graph.less(graph.add(a, number(graph, 3)), b),
    ]);
    const found = await engine.checkSatisfiable(problem, budget);
    expect(found.kind).toBe('satisfiable');
    if (found.kind === 'satisfiable')
      expect((found.model.get('x[0]') ?? 9) + 3).toBeLessThan(found.model.get('x[1]') ?? 0);
  });
});

it('gives the same outcomes in a second process', async () => {
  const again = smtEngine(createZ3Solver({ entry: await z3Entry() }));
  const some = [...trueClaims, ...falseClaims].filter((_, i) => i % 9 === 0);
  for (const { problem } of some)
    expect(await again.decide(problem(), small)).toEqual(await engine.decide(problem(), small));
  await again.close();
});
