/** Statements by cases: together they say what the statement says, and no condition is left that chooses. */
import { describe, expect, it } from 'vitest';
import { float64 } from '../../src/math/evaluate/floats.ts';
import { fraction } from '../../src/numeric/rational.ts';
import { argumentsOf } from '../../src/bounded-proofs/arguments-of.ts';
import { casesOf } from '../../src/bounded-proofs/cases.ts';
import { roundingEngine } from '../../src/bounded-proofs/engines/rounding/rounding-engine.ts';
import { createEvaluator } from '../../src/bounded-proofs/evaluate.ts';
import { Graph, type Expression } from '../../src/bounded-proofs/expression.ts';
import { prove } from '../../src/bounded-proofs/prove.ts';
import { generous, number, problemOf, variables } from './graphs.ts';

const graph = new Graph();
const [x, y] = [graph.variable('x'), graph.variable('y')];
const zero = graph.integer(0);
const negative = graph.less(x, zero);
const positive = graph.less(graph.negate(x), zero);

/** x·t for negative x and x·(1 − t) else, and the same of −x: what they have in common is x. */
const t = graph.machine('exp', graph.negate(graph.absolute(x)));
const branch = (at: typeof x, condition: typeof negative) =>
  graph.if(
    condition,
    graph.round32(graph.multiply(at, t)),
    graph.round32(graph.multiply(at, graph.round32(graph.subtract(graph.integer(1), t)))),
  );
const difference = graph.subtract(branch(x, negative), branch(graph.negate(x), positive));
const nearX = (relative: number) =>
  graph.lessEqual(
    graph.absolute(graph.subtract(difference, x)),
    graph.add(number(graph, 1e-40), graph.multiply(number(graph, relative), graph.absolute(x))),
  );

function hasChoice(root: Expression): boolean {
  const seen = new Set([root]);
  for (const node of seen) for (const part of argumentsOf(node)) seen.add(part);
  return [...seen].some(({ kind }) => kind === 'if');
}

const proofOf = async (conclusion: ReturnType<typeof nearX>) =>
  prove({
    problem: problemOf(graph, variables([x], -100, 100), conclusion),
    engines: [roundingEngine()],
    budget: generous,
    remainingMs: () => 60_000,
    confirm: () => Promise.resolve(null),
  });

describe('cases', () => {
  it('choose nothing any more, and are the statement together', () => {
    const chosen = graph.if(negative, y, graph.if(graph.less(y, x), x, graph.negate(y)));
    const statement = graph.less(graph.multiply(chosen, graph.absolute(chosen)), graph.add(chosen, y));
    const cases = casesOf(graph, statement);
    expect(cases).toHaveLength(4);
    expect(cases.some(hasChoice)).toBe(false);
    const seen = new Set<boolean>();
    for (const a of [-2, -0.5, 0, 0.5, 3])
      for (const b of [-3, -0.25, 0, 1, 4]) {
        const { truth } = createEvaluator(
          float64,
          new Map([
            ['x', a],
            ['y', b],
          ]),
        );
        expect(cases.every(truth)).toBe(truth(statement));
        seen.add(truth(statement));
      }
    expect(seen.size).toBe(2);
  });

  it('do not exist without a choice, for three conditions, and where a divisor becomes zero', () => {
    expect(casesOf(graph, graph.less(x, y))).toEqual([]);
    const three = [1, 2, 3].map((i) => graph.if(graph.less(x, graph.constant(fraction(BigInt(i)))), x, y));
    expect(casesOf(graph, graph.and(three.map((one) => graph.less(one, zero))))).toEqual([]);
    expect(casesOf(graph, graph.less(graph.divide(x, graph.if(negative, zero, y)), y))).toEqual([]);
  });

  it('prove what no engine sees of choices together', async () => {
    const { outcomes } = await proofOf(nearX(5e-7));
    expect(outcomes.map(({ verdict }) => verdict)).toEqual(['proved']);
    expect(outcomes[0]?.tried.filter(({ outcome }) => outcome.verdict === 'proved').length).toBeGreaterThan(1);
    const alone = await roundingEngine().decide(problemOf(graph, variables([x], -100, 100), nearX(5e-7)), generous);
    expect(alone.verdict).not.toBe('proved');
  });

  it('leave open what is false in one of them', async () => {
    const { outcomes } = await proofOf(nearX(1e-8));
    expect(outcomes.map(({ verdict }) => verdict)).toEqual(['open']);
    const wrong = graph.lessEqual(graph.if(negative, graph.integer(2), zero), graph.integer(1));
    expect((await proofOf(wrong)).outcomes.map(({ verdict }) => verdict)).toEqual(['open']);
  });
});
