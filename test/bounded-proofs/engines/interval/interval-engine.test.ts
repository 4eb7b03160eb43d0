/** Holds src/bounded-proofs/engines/interval/whole-ranges.ts. */
import { describe, expect, test } from 'vitest';
import { fraction } from '../../../../src/numeric/rational.ts';
import { float64 } from '../../../../src/math/evaluate/floats.ts';
import { createEvaluator } from '../../../../src/bounded-proofs/evaluate.ts';
import { Graph, type BooleanExpression, type NumberExpression } from '../../../../src/bounded-proofs/expression.ts';
import type { ProofProblem, ProofVariable } from '../../../../src/bounded-proofs/problem.ts';
import { intervalEngine } from '../../../../src/bounded-proofs/engines/interval/interval-engine.ts';
import { exact, generous, largest, number, problemOf, rounded, softmax, sum, variables, vector } from '../../graphs.ts';

interface Statement {
  readonly name: string;
  readonly make: (graph: Graph) => {
    readonly over: readonly ProofVariable[];
    readonly conclusion: BooleanExpression;
    readonly premises?: readonly BooleanExpression[];
  };
}

function problem({ make }: Statement): ProofProblem {
  const graph = new Graph();
  const { over, conclusion, premises } = make(graph);
  return problemOf(graph, over, conclusion, premises);
}

function ofOne(
  name: string,
  [low, high]: readonly [number, number],
  make: (graph: Graph, x: NumberExpression) => BooleanExpression,
  format: ProofVariable['format'] = 'f32',
): Statement {
  return {
    name,
    make: (graph) => {
      const x = graph.variable('x');
      return { over: variables([x], low, high, format), conclusion: make(graph, x) };
    },
  };
}

const silu = (graph: Graph, x: NumberExpression): NumberExpression =>
  graph.divide(x, graph.add(graph.integer(1), graph.apply('exp', graph.negate(x))));

const silu32 = (graph: Graph, x: NumberExpression): NumberExpression => {
  const op = rounded(graph);
  return op.divide(x, op.add(graph.integer(1), op.apply('exp', graph.negate(x))));
};

/** Outputs of a float32 softmax within `distance` of the maximum are positive: the premise is about max − x, the code about x − max. */
const positiveNearMaximum = (name: string, length: number, distance: number): Statement => ({
  name,
  make: (graph) => {
    const x = vector(graph, 'x', length);
    const [first = graph.integer(0)] = x;
    const [y = graph.integer(0)] = softmax(graph, rounded(graph), x);
    return {
      over: variables(x, -200, 200),
      premises: [graph.lessEqual(graph.subtract(largest(graph, x), first), graph.integer(distance))],
      conclusion: graph.less(graph.integer(0), y),
    };
  },
});

const truths: readonly Statement[] = [
  positiveNearMaximum('softmax is positive within 80 of the maximum, for any number of inputs', 12, 80),
  ofOne('SiLU is above −0.279 over the reals', [-700, 700], (graph, x) =>
    graph.less(number(graph, -0.279), silu(graph, x)),
  ),
  ofOne('float32 SiLU is above −0.279', [-80, 80], (graph, x) => graph.less(number(graph, -0.279), silu32(graph, x))),
  ofOne('tanh stays within one, in float32 too', [-1e30, 1e30], (graph, x) =>
    graph.lessEqual(graph.absolute(graph.machine('tanh', x)), graph.integer(1)),
  ),
  ofOne('x·(1 − x) is at most 0.2501 on [0, 1]', [0, 1], (graph, x) =>
    graph.lessEqual(graph.multiply(x, graph.subtract(graph.integer(1), x)), number(graph, 0.2501)),
  ),
  ofOne('sin is at most x + 0.001 for x in [0, 3]', [0, 3], (graph, x) =>
    graph.lessEqual(graph.apply('sin', x), graph.add(x, number(graph, 1e-3))),
  ),
  ofOne(
    '⌊n/4⌋·4 is at most n for whole n',
    [0, 200],
    (graph, n) => {
      const quarter = graph.step('floor', graph.divide(n, graph.integer(4)));
      return graph.lessEqual(graph.multiply(quarter, graph.integer(4)), graph.add(n, graph.integer(3)));
    },
    'integer',
  ),
  {
    name: 'the sum of a softmax is at least one before the division, for any number of inputs',
    make: (graph) => {
      const x = vector(graph, 'x', 50);
      const top = largest(graph, x);
      const op = exact(graph);
      const total = sum(
        op,
        x.map((xi) => graph.machine('exp', graph.round32(graph.subtract(xi, top)))),
      );
      return { over: variables(x, -1e4, 1e4), conclusion: graph.lessEqual(graph.integer(1), total) };
    },
  },
  {
    name: 'a softmax is at most one over the reals',
    make: (graph) => {
      const x = vector(graph, 'x', 20);
      const [y = graph.integer(2)] = softmax(graph, exact(graph), x);
      return { over: variables(x, -10, 10), conclusion: graph.lessEqual(y, graph.integer(1)) };
    },
  },
  {
    name: 'a premise narrows the box',
    make: (graph) => {
      const [x, y] = [graph.variable('x'), graph.variable('y')];
      return {
        over: variables([x, y], -10, 10),
        premises: [graph.lessEqual(graph.absolute(x), graph.integer(2)), graph.less(y, x)],
        conclusion: graph.lessEqual(graph.add(x, y), graph.integer(4)),
      };
    },
  },
  ofOne('an implication', [-10, 10], (graph, x) =>
    graph.implies(graph.less(graph.integer(3), x), graph.less(graph.integer(9), graph.multiply(x, x))),
  ),
];

const falsehoods: readonly Statement[] = [
  positiveNearMaximum('softmax is positive within 180 of the maximum', 2, 180),
  ofOne('SiLU is above −0.278', [-700, 700], (graph, x) => graph.less(number(graph, -0.278), silu(graph, x))),
  ofOne('float32 SiLU is never negative', [-80, 80], (graph, x) => graph.lessEqual(graph.integer(0), silu32(graph, x))),
  ofOne('exp is positive in float32', [-200, 0], (graph, x) => graph.less(graph.integer(0), graph.machine('exp', x))),
  ofOne('x·(1 − x) is at most 0.2499', [0, 1], (graph, x) =>
    graph.lessEqual(graph.multiply(x, graph.subtract(graph.integer(1), x)), number(graph, 0.2499)),
  ),
  ofOne(
    'all whole numbers up to 200 are below 150',
    [0, 200],
    (graph, n) => graph.less(n, graph.integer(150)),
    'integer',
  ),
  {
    name: 'x < y follows from x ≤ y',
    make: (graph) => {
      const [x, y] = [graph.variable('x'), graph.variable('y')];
      return {
        over: variables([x, y], 0, 10),
        premises: [graph.lessEqual(x, y)],
        conclusion: graph.less(x, graph.multiply(y, number(graph, 0.75))),
      };
    },
  },
];

describe('what holds is proved', () => {
  test.each(truths)('$name', async (statement) => {
    const outcome = await intervalEngine().decide(problem(statement), generous);
    expect(outcome.verdict).toBe('proved');
  });
});

describe('what does not hold is refuted at a point where it fails', () => {
  test.each(falsehoods)('$name', async (statement) => {
    const posed = problem(statement);
    const outcome = await intervalEngine().decide(posed, generous);
    expect(outcome.verdict).toBe('refuted');
    if (outcome.verdict !== 'refuted') return;
    const { truth } = createEvaluator(float64, outcome.model);
    expect(posed.premises.every(truth)).toBe(true);
    expect(truth(posed.conclusion)).toBe(false);
  });
});

test('choices are the only points that are tried', async () => {
  const graph = new Graph();
  const x = graph.variable('x');
  const [variable] = variables([x], 1, 2);
  if (!variable) throw new Error('no variable');
  const over = [{ ...variable, choices: [fraction(1n), fraction(2n)] }];
  const between = graph.or([graph.lessEqual(x, graph.integer(1)), graph.lessEqual(graph.integer(2), x)]);
  const outcome = await intervalEngine().decide(problemOf(graph, over, between), { steps: 500, timeoutMs: 1 });
  expect(outcome.verdict).not.toBe('refuted');
});

test('an equality at the edge stays open, within the budget', async () => {
  const graph = new Graph();
  const x = graph.variable('x');
  const square = graph.multiply(graph.subtract(x, graph.integer(1)), graph.subtract(x, graph.integer(1)));
  const claim = graph.lessEqual(graph.integer(0), graph.subtract(square, graph.multiply(square, square)));
  const posed = problemOf(graph, variables([x], 0, 2), claim);
  const outcome = await intervalEngine().decide(posed, { steps: 300, timeoutMs: 1 });
  expect(outcome).toEqual({ verdict: 'exhausted', budget: 'steps', detail: 'undecided after 300 boxes' });
});

test('many inputs are left to other engines', async () => {
  const graph = new Graph();
  const x = vector(graph, 'x', 6);
  const total = sum(exact(graph), x);
  const posed = problemOf(graph, variables(x, -1, 1), graph.lessEqual(total, graph.integer(5)));
  expect((await intervalEngine().decide(posed, generous)).verdict).toBe('unknown');
});
