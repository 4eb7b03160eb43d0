import { describe, expect, test } from 'vitest';
import { Graph, type BooleanExpression, type NumberExpression } from '../../../../src/bounded-proofs/expression.ts';
import type { Budget } from '../../../../src/bounded-proofs/engines/engine.ts';
import { roundingEngine } from '../../../../src/bounded-proofs/engines/rounding/rounding-engine.ts';
import {
  dot,
  exact,
  generous,
  largest,
  number,
  problemOf,
  rounded,
  softmax,
  sum,
  variables,
  vector,
  type Operations,
  type Statement,
} from '../../graphs.ts';

async function verdict({ make }: Statement, budget: Budget = generous): Promise<string> {
  const graph = new Graph();
  const { over, conclusion, premises } = make(graph);
  const outcome = await roundingEngine().decide(problemOf(graph, over, conclusion, premises), budget);
  return outcome.verdict;
}

/** |a − b| ≤ allowed, as `approximately` arrives. */
function within(graph: Graph, a: NumberExpression, b: NumberExpression, allowed: NumberExpression): BooleanExpression {
  return graph.lessEqual(graph.absolute(graph.subtract(a, b)), allowed);
}

function relative(graph: Graph, to: NumberExpression, share: number, floor: number): NumberExpression {
  return graph.add(graph.multiply(number(graph, share), graph.absolute(to)), number(graph, floor));
}

const first = (nodes: readonly NumberExpression[]): NumberExpression => {
  const [node] = nodes;
  if (!node) throw new Error('no node');
  return node;
};

function softmaxSum(n: number, allowed: number): Statement {
  return {
    name: `float32 softmax of ${n} sums to one within ${allowed}`,
    make: (graph) => {
      const x = vector(graph, 'x', n);
      const total = sum(exact(graph), softmax(graph, rounded(graph), x));
      return {
        over: variables(x, -1e4, 1e4),
        conclusion: within(graph, total, graph.integer(1), number(graph, allowed)),
      };
    },
  };
}

function dotProduct(n: number, allowed: number): Statement {
  return {
    name: `float32 dot product of ${n} numbers up to 1 errs by at most ${allowed}`,
    make: (graph) => {
      const [a, b] = [vector(graph, 'a', n), vector(graph, 'b', n)];
      const conclusion = within(graph, dot(rounded(graph), a, b), dot(exact(graph), a, b), number(graph, allowed));
      return { over: variables([...a, ...b], -1, 1), conclusion };
    },
  };
}

function softmaxError(n: number, size: number, allowed: number): Statement {
  return {
    name: `float32 softmax of ${n} numbers up to ${size} errs by at most ${allowed}`,
    make: (graph) => {
      const x = vector(graph, 'x', n);
      const code = first(softmax(graph, rounded(graph), x));
      const truth = first(softmax(graph, exact(graph), x));
      return { over: variables(x, -size, size), conclusion: within(graph, code, truth, number(graph, allowed)) };
    },
  };
}

/** A tolerance that is `factor` running errors, as `cond` in a contract: an expression of the inputs. */
function conditioned(n: number, factor: number): Statement {
  return {
    name: `float32 softmax of ${n} errs by at most ${factor} running errors`,
    make: (graph) => {
      const op = exact(graph);
      const x = vector(graph, 'x', n);
      const top = largest(graph, x);
      const shifts = x.map((xi) => op.subtract(xi, top));
      const powers = shifts.map((shift) => op.apply('exp', shift));
      const total = sum(op, powers);
      const truth = op.divide(first(powers), total);
      const sizes = powers.map((power) => graph.absolute(power));
      const errors = sizes.map((size, i) => op.add(op.multiply(size, graph.absolute(shifts[i] ?? size)), size));
      const ofTotal = op.add(sum(op, errors), sum(op, sizes));
      const running = sum(op, [
        op.divide(first(errors), graph.absolute(total)),
        op.divide(op.multiply(graph.absolute(truth), ofTotal), graph.absolute(total)),
        graph.absolute(truth),
      ]);
      const allowed = op.add(op.multiply(number(graph, factor * 2 ** -24), running), number(graph, 1e-44));
      const code = first(softmax(graph, rounded(graph), x));
      return { over: variables(x, -1e4, 1e4), conclusion: within(graph, code, truth, allowed) };
    },
  };
}

function shiftedSoftmax(n: number, share: number): Statement {
  return {
    name: `float32 softmax of ${n} changes by a share of at most ${share} under a shift`,
    make: (graph) => {
      const x = vector(graph, 'x', n);
      const c = graph.variable('c');
      const op = rounded(graph);
      const plain = first(softmax(graph, op, x));
      const shifted = first(
        softmax(
          graph,
          op,
          x.map((xi) => op.add(xi, c)),
        ),
      );
      return {
        over: variables([...x, c], -64, 64),
        conclusion: within(graph, shifted, plain, relative(graph, plain, share, 1e-44)),
      };
    },
  };
}

/** Attention's last step: weights and values, in the order of the kernel. */
function weightedMean(
  graph: Graph,
  op: Operations,
  x: readonly NumberExpression[],
  v: readonly NumberExpression[],
): NumberExpression {
  const top = largest(graph, x);
  const powers = x.map((xi) => op.apply('exp', op.subtract(xi, top)));
  return op.divide(dot(op, powers, v), sum(op, powers));
}

function convex(n: number, allowed: number): Statement {
  return {
    name: `a float32 weighted mean of ${n} is at most the largest value and ${allowed}`,
    make: (graph) => {
      const [x, v] = [vector(graph, 'x', n), vector(graph, 'v', n)];
      const mean = weightedMean(graph, rounded(graph), x, v);
      return {
        over: [...variables(x, -100, 100), ...variables(v, -10, 10)],
        conclusion: graph.lessEqual(mean, graph.add(largest(graph, v), number(graph, allowed))),
      };
    },
  };
}

function crossEntropy(graph: Graph, op: Operations, z: readonly NumberExpression[]): NumberExpression {
  const top = largest(graph, z);
  const total = sum(
    op,
    z.map((zi) => op.apply('exp', op.subtract(zi, top))),
  );
  return op.subtract(op.apply('log', total), op.subtract(first(z), top));
}

function crossEntropyError(n: number, allowed: number): Statement {
  return {
    name: `float32 cross-entropy of ${n} errs by at most ${allowed}`,
    make: (graph) => {
      const z = vector(graph, 'z', n);
      const code = crossEntropy(graph, rounded(graph), z);
      const truth = crossEntropy(graph, exact(graph), z);
      return { over: variables(z, -100, 100), conclusion: within(graph, code, truth, number(graph, allowed)) };
    },
  };
}

function rmsNorm(graph: Graph, op: Operations, x: readonly NumberExpression[]): NumberExpression {
  const mean = op.divide(dot(op, x, x), graph.integer(x.length));
  return op.divide(first(x), op.sqrt(op.add(mean, number(graph, 2 ** -17))));
}

function rmsNormError(n: number, share: number): Statement {
  return {
    name: `float32 RMS norm of ${n} errs by a share of at most ${share}`,
    make: (graph) => {
      const x = vector(graph, 'x', n);
      const code = rmsNorm(graph, rounded(graph), x);
      const truth = rmsNorm(graph, exact(graph), x);
      return {
        over: variables(x, -100, 100),
        conclusion: within(graph, code, truth, relative(graph, truth, share, 1e-40)),
      };
    },
  };
}

function silu(graph: Graph, op: Operations, x: NumberExpression): NumberExpression {
  return op.divide(x, op.add(graph.integer(1), op.apply('exp', graph.negate(x))));
}

function siluError(share: number): Statement {
  return {
    name: `float32 SiLU errs by a share of at most ${share}`,
    make: (graph) => {
      const x = graph.variable('x');
      const [code, truth] = [silu(graph, rounded(graph), x), silu(graph, exact(graph), x)];
      return {
        over: variables([x], -80, 80),
        conclusion: within(graph, code, truth, relative(graph, truth, share, 1e-44)),
      };
    },
  };
}

/** a·b + c in float32: two roundings of |a·b| + |c| always suffice, and come near where |c| is just under half a unit of a·b ≈ 1. */
function charged(roundings: number): Statement {
  return {
    name: `a product and a sum err by at most ${roundings} roundings of their terms`,
    make: (graph) => {
      const [a, b, c] = [graph.variable('a'), graph.variable('b'), graph.variable('c')];
      const product = graph.multiply(a, b);
      const code = graph.round32(graph.add(graph.round32(product), c));
      const terms = graph.add(graph.absolute(product), graph.absolute(c));
      return {
        over: variables([a, b, c], -1, 1),
        conclusion: within(graph, code, graph.add(product, c), relative(graph, terms, roundings * 2 ** -24, 2 ** -148)),
      };
    },
  };
}

/** fl(fl(α·a) + fl(fl(1 − α)·b)) is at most the larger of a and b and `roundings` roundings: three are needed. */
function mixture(roundings: number): Statement {
  return {
    name: `a float32 mixture of two losses is at most the larger one and ${roundings} roundings`,
    make: (graph) => {
      const op = rounded(graph);
      const [alpha, x, y] = [graph.variable('α'), graph.variable('x'), graph.variable('y')];
      const [a, b] = [op.multiply(x, x), op.multiply(y, y)];
      const mixed = op.add(op.multiply(alpha, a), op.multiply(op.subtract(graph.integer(1), alpha), b));
      const top = graph.maximum(a, b);
      return {
        over: [...variables([alpha], 0, 1), ...variables([x, y], -10, 10)],
        conclusion: graph.lessEqual(
          mixed,
          graph.add(graph.multiply(top, number(graph, 1 + roundings * 2 ** -24)), number(graph, 1e-42)),
        ),
      };
    },
  };
}

/** α·τ·(p − q) of two weights is at most α·τ and `share` of it. */
function weightGap(share: number): Statement {
  return {
    name: `a float32 gap of two weights times α·τ is at most α·τ and ${share} of it`,
    make: (graph) => {
      const op = rounded(graph);
      const [alpha, tau] = [graph.variable('α'), graph.variable('τ')];
      const [s, t] = [vector(graph, 's', 3), vector(graph, 't', 3)];
      const gap = op.subtract(first(softmax(graph, op, s)), first(softmax(graph, op, t)));
      const scale = graph.multiply(alpha, tau);
      return {
        over: [...variables([alpha], 0.125, 1), ...variables([tau], 0.5, 20), ...variables([...s, ...t], -30, 30)],
        conclusion: graph.lessEqual(
          graph.absolute(op.multiply(alpha, op.multiply(tau, gap))),
          graph.multiply(scale, number(graph, 1 + share)),
        ),
      };
    },
  };
}

const truths: readonly Statement[] = [
  mixture(3.01),
  weightGap(1.9e-7),
  softmaxSum(1, 6e-8),
  softmaxSum(4, 4 * 6e-8),
  softmaxSum(16, 16 * 6e-8),
  softmaxSum(64, 64 * 6e-8),
  // Gappa proves 1.49e-6 for n = 8; 25 half units of 2⁻²³ are 1.4901e-6.
  dotProduct(8, 1.4902e-6),
  dotProduct(4, 4.2e-7),
  dotProduct(256, 1.4e-3),
  softmaxError(8, 10, 1.4e-5),
  softmaxError(8, 10, 3e-6),
  shiftedSoftmax(16, 6e-5),
  convex(4, 2e-5),
  convex(12, 2e-5),
  crossEntropyError(16, 3e-5),
  rmsNormError(16, 2e-6),
  siluError(5e-6),
  conditioned(3, 32),
  charged(2.01),
  conditioned(6, 32),
  {
    name: 'one float32 addition errs by half a unit, also among subnormals',
    make: (graph) => {
      const [a, b] = [graph.variable('a'), graph.variable('b')];
      const total = graph.add(a, b);
      return {
        over: variables([a, b], -1e38, 1e38),
        conclusion: within(graph, graph.round32(total), total, relative(graph, total, 2 ** -24, 0)),
      };
    },
  },
  {
    name: 'an implication: where the sum is small, the error is smaller',
    make: (graph) => {
      const [a, b] = [graph.variable('a'), graph.variable('b')];
      const total = graph.add(a, b);
      const small = graph.lessEqual(graph.absolute(total), number(graph, 1e-3));
      return {
        over: variables([a, b], -1, 1),
        conclusion: graph.implies(small, within(graph, graph.round32(total), total, number(graph, 1e-10))),
      };
    },
  },
  {
    name: 'KL-like gradient: α(p − q) of two softmaxes sums to zero within 1e-6',
    make: (graph) => {
      const op = rounded(graph);
      const [s, t] = [vector(graph, 's', 6), vector(graph, 't', 6)];
      const p = softmax(graph, op, s);
      const q = softmax(graph, op, t);
      const gradient = p.map((pi, i) => op.subtract(pi, q[i] ?? pi));
      return {
        over: variables([...s, ...t], -30, 30),
        conclusion: graph.lessEqual(graph.absolute(sum(exact(graph), gradient)), number(graph, 2e-6)),
      };
    },
  },
];

const falsehoods: readonly Statement[] = [
  mixture(1.6),
  mixture(-1),
  weightGap(1.5e-7),
  weightGap(-1e-7),
  // Runs reach 1.0e-6 and 3e-7.
  dotProduct(8, 3e-7),
  softmaxSum(16, 1e-8),
  softmaxError(8, 10, 1e-7),
  shiftedSoftmax(8, 1e-7),
  crossEntropyError(16, 1e-7),
  rmsNormError(8, 1e-8),
  siluError(1e-8),
  conditioned(3, 0.1),
  charged(1.5),
  convex(4, -1e-3),
  {
    name: 'a product does not underflow',
    make: (graph) => {
      const [a, b] = [graph.variable('a'), graph.variable('b')];
      const product = graph.multiply(a, b);
      return {
        over: variables([a, b], -1, 1),
        conclusion: within(graph, graph.round32(product), product, relative(graph, product, 2 ** -20, 0)),
      };
    },
  },
  {
    name: 'a float32 softmax is the softmax of other numbers',
    make: (graph) => {
      const [x, y] = [vector(graph, 'x', 4), vector(graph, 'y', 4)];
      const code = first(softmax(graph, rounded(graph), x));
      return {
        over: variables([...x, ...y], -1, 1),
        conclusion: within(graph, code, first(softmax(graph, exact(graph), y)), number(graph, 0.5)),
      };
    },
  },
  {
    name: 'a sum that leaves out a term',
    make: (graph) => {
      const [a, b] = [vector(graph, 'a', 4), vector(graph, 'b', 4)];
      const code = dot(rounded(graph), a.slice(1), b.slice(1));
      return {
        over: variables([...a, ...b], -1, 1),
        conclusion: within(graph, code, dot(exact(graph), a, b), number(graph, 0.9)),
      };
    },
  },
  {
    name: 'cancellation keeps a relative bound',
    make: (graph) => {
      const op = rounded(graph);
      const [a, b, c] = [graph.variable('a'), graph.variable('b'), graph.variable('c')];
      const truth = graph.add(graph.add(a, b), c);
      return {
        over: variables([a, b, c], -1, 1),
        conclusion: within(graph, op.add(op.add(a, b), c), truth, relative(graph, truth, 1e-3, 1e-12)),
      };
    },
  },
  {
    name: 'adding one and taking it away gives the number back',
    make: (graph) => {
      const op = rounded(graph);
      const a = graph.variable('a');
      const back = op.subtract(op.add(a, graph.integer(1)), graph.integer(1));
      return { over: variables([a], 0, 1), conclusion: within(graph, back, a, relative(graph, a, 0.5, 0)) };
    },
  },
];

describe('bounds that hold are proved', () => {
  test.each(truths)('$name', async (statement) => {
    expect(await verdict(statement)).toBe('proved');
  });
});

describe('bounds that do not hold are not', () => {
  test.each(falsehoods)('$name', async (statement) => {
    expect(['unknown', 'exhausted']).toContain(await verdict(statement));
  });
});

test('the proof lists what it assumes of rounding and of functions', async () => {
  const graph = new Graph();
  const { over, conclusion } = softmaxSum(4, 2.4e-7).make(graph);
  const outcome = await roundingEngine().decide(problemOf(graph, over, conclusion), generous);
  expect(outcome).toEqual({
    verdict: 'proved',
    axioms: [
      'function-envelope',
      'rounding-addition',
      'rounding-exact',
      'rounding-monotone',
      'rounding-relative',
      'rounding-unit',
    ],
    detail: 'rounding errors from the results of float32 functions on, as numbers and shares of weights',
  });
});

describe('values squared again and again', () => {
  /** x ← x·x in float32 beside the exact power, within a tolerance that follows the power. */
  const squared = (times: number, high: number): Statement => ({
    name: `a number up to ${high} squared ${times} times`,
    make: (graph) => {
      const x = graph.variable('x');
      const square = (op: Operations): NumberExpression =>
        Array.from({ length: times }).reduce<NumberExpression>((power) => op.multiply(power, power), x);
      const [code, truth] = [square(rounded(graph)), square(exact(graph))];
      const allowed = relative(graph, truth, 2 ** (times + 1 - 24), 1e-40);
      return { over: variables([x], 0.5, high), conclusion: within(graph, code, truth, allowed) };
    },
  });

  test('a power of 2¹⁶ factors is proved in as many steps as it has digits', async () => {
    expect(await verdict(squared(16, 1))).toBe('proved');
  });

  test.for([
    [25, 1],
    [25, 1.1],
    [25, 3],
    [60, 1],
  ] as const)('%i squares of a number up to %d run out of steps', async ([times, high]) => {
    expect(await verdict(squared(times, high), { ...generous, steps: 50_000 })).toBe('exhausted');
  });

  test('a sum of sums, each of the two before it, is looked at once and not along every way to its terms', async () => {
    const statement: Statement = {
      name: 'the fortieth Fibonacci number of two inputs',
      make: (graph) => {
        const [x, y] = [graph.variable('x'), graph.variable('y')];
        const last = (op: Operations): NumberExpression => {
          let [a, b] = [x, y];
          for (let i = 0; i < 40; i++) [a, b] = [op.add(a, b), a];
          return a;
        };
        const [code, truth] = [last(rounded(graph)), last(exact(graph))];
        const allowed = relative(graph, truth, 41 * 2 ** -24, 1e-40);
        return { over: variables([x, y], 0.5, 1), conclusion: within(graph, code, truth, allowed) };
      },
    };
    expect(await verdict(statement)).toBe('proved');
  });
});
