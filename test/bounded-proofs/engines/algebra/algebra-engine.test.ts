import { describe, expect, test } from 'vitest';
import { Graph, type NumberExpression } from '../../../../src/bounded-proofs/expression.ts';
import { algebraEngine } from '../../../../src/bounded-proofs/engines/algebra/algebra-engine.ts';
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
  type Statement,
} from '../../graphs.ts';

async function verdict(statement: Statement): Promise<string> {
  const graph = new Graph();
  const { over, conclusion, premises } = statement.make(graph);
  const outcome = await algebraEngine().decide(problemOf(graph, over, conclusion, premises), generous);
  return outcome.verdict;
}

function matrix(graph: Graph, name: string, n: number): readonly (readonly NumberExpression[])[] {
  return Array.from({ length: n }, (_, i) => vector(graph, `${name}[${i}]`, n));
}

function product(
  graph: Graph,
  a: readonly (readonly NumberExpression[])[],
  b: readonly (readonly NumberExpression[])[],
): readonly (readonly NumberExpression[])[] {
  const op = exact(graph);
  return a.map((row) =>
    row.map((_, j) =>
      dot(
        op,
        row,
        b.map((other) => other[j] ?? graph.integer(0)),
      ),
    ),
  );
}

const square = (graph: Graph, a: NumberExpression): NumberExpression => graph.multiply(a, a);

const truths: readonly Statement[] = [
  {
    name: 'softmax of 64 sums to one over the reals',
    make: (graph) => {
      const op = exact(graph);
      const x = vector(graph, 'x', 64);
      return { over: variables(x, -10, 10), conclusion: graph.equal(sum(op, softmax(graph, op, x)), graph.integer(1)) };
    },
  },
  {
    name: 'softmax of 32 does not see a shift',
    make: (graph) => {
      const op = exact(graph);
      const x = vector(graph, 'x', 32);
      const c = graph.variable('c');
      const shifted = softmax(
        graph,
        op,
        x.map((xi) => graph.add(xi, c)),
      );
      const plain = softmax(graph, op, x);
      return {
        over: variables([...x, c], -10, 10),
        conclusion: graph.and(plain.map((y, i) => graph.equal(y, shifted[i] ?? y)).slice(5, 6)),
      };
    },
  },
  {
    name: 'softmax with and without its maximum, at a temperature',
    make: (graph) => {
      const op = exact(graph);
      const x = vector(graph, 'x', 8);
      const tau = graph.variable('tau');
      const top = largest(graph, x);
      const safe = x.map((xi) => op.apply('exp', op.divide(op.subtract(xi, top), tau)));
      const bare = x.map((xi) => op.apply('exp', op.divide(xi, tau)));
      const at = (powers: readonly NumberExpression[]): NumberExpression =>
        op.divide(powers[3] ?? tau, sum(op, powers));
      return { over: variables([...x, tau], 1, 2), conclusion: graph.equal(at(safe), at(bare)) };
    },
  },
  {
    name: 'the logarithm of a softmax is the difference from the log-sum-exp',
    make: (graph) => {
      const op = exact(graph);
      const x = vector(graph, 'x', 6);
      const y = softmax(graph, op, x)[2] ?? graph.integer(1);
      const powers = x.map((xi) => op.apply('exp', xi));
      const expected = op.subtract(x[2] ?? y, op.apply('log', sum(op, powers)));
      return { over: variables(x, -5, 5), conclusion: graph.equal(op.apply('log', y), expected) };
    },
  },
  {
    name: '(AB)C = A(BC), 5×5, one element',
    make: (graph) => {
      const [a, b, c] = [matrix(graph, 'A', 5), matrix(graph, 'B', 5), matrix(graph, 'C', 5)];
      const left = product(graph, product(graph, a, b), c);
      const right = product(graph, a, product(graph, b, c));
      const differences = left.flatMap((row, i) =>
        row.map((value, j) => graph.subtract(value, right[i]?.[j] ?? value)),
      );
      // Squares would be many terms; a sum of independent multiples is 0 exactly when each is.
      const weights = vector(graph, 'w', 25);
      const total = sum(
        exact(graph),
        differences.map((d, i) => graph.multiply(d, weights[i] ?? d)),
      );
      return { over: [], conclusion: graph.equal(total, graph.integer(0)) };
    },
  },
  {
    name: 'layernorm sums to zero',
    make: (graph) => {
      const op = exact(graph);
      const x = vector(graph, 'x', 16);
      const mean = op.divide(sum(op, x), graph.integer(16));
      const centred = x.map((xi) => op.subtract(xi, mean));
      const variance = op.divide(
        sum(
          op,
          centred.map((c) => square(graph, c)),
        ),
        graph.integer(16),
      );
      const scale = op.sqrt(op.add(variance, number(graph, 1e-5)));
      const total = sum(
        op,
        centred.map((c) => op.divide(c, scale)),
      );
      return { over: variables(x, -5, 5), conclusion: graph.equal(total, graph.integer(0)) };
    },
  },
  {
    name: 'RMS norm has mean square 1 − ε/(mean + ε)',
    make: (graph) => {
      const op = exact(graph);
      const x = vector(graph, 'x', 8);
      const mean = op.divide(
        sum(
          op,
          x.map((xi) => square(graph, xi)),
        ),
        graph.integer(8),
      );
      const epsilon = number(graph, 0.5);
      const root = op.sqrt(op.add(mean, epsilon));
      const after = op.divide(
        sum(
          op,
          x.map((xi) => square(graph, op.divide(xi, root))),
        ),
        graph.integer(8),
      );
      const expected = op.subtract(graph.integer(1), op.divide(epsilon, op.add(mean, epsilon)));
      return { over: variables(x, -5, 5), conclusion: graph.equal(after, expected) };
    },
  },
  {
    name: 'a rotation keeps the norm',
    make: (graph) => {
      const [x, y, t] = ['x', 'y', 't'].map((name) => graph.variable(name)) as [
        NumberExpression,
        NumberExpression,
        NumberExpression,
      ];
      const [c, s] = [graph.apply('cos', t), graph.apply('sin', t)];
      const u = graph.subtract(graph.multiply(x, c), graph.multiply(y, s));
      const v = graph.add(graph.multiply(x, s), graph.multiply(y, c));
      const norm = (a: NumberExpression, b: NumberExpression): NumberExpression =>
        graph.add(square(graph, a), square(graph, b));
      return { over: variables([x, y, t], -9, 9), conclusion: graph.equal(norm(u, v), norm(x, y)) };
    },
  },
  {
    name: 'a dot product of 256 in four lanes',
    make: (graph) => {
      const op = exact(graph);
      const [a, b] = [vector(graph, 'a', 256), vector(graph, 'b', 256)];
      const lanes = [0, 1, 2, 3].map((lane) =>
        dot(
          op,
          a.filter((_, i) => i % 4 === lane),
          b.filter((_, i) => i % 4 === lane),
        ),
      );
      return { over: [], conclusion: graph.equal(dot(op, a, b), sum(op, lanes)) };
    },
  },
  {
    name: 'a weighted mean is at most the largest value',
    make: (graph) => {
      const op = exact(graph);
      const [x, v] = [vector(graph, 'x', 8), vector(graph, 'v', 8)];
      const mean = dot(op, softmax(graph, op, x), v);
      return { over: variables([...x, ...v], -10, 10), conclusion: graph.lessEqual(mean, largest(graph, v)) };
    },
  },
  {
    name: 'a weighted mean is at least the smallest value',
    make: (graph) => {
      const op = exact(graph);
      const [x, v] = [vector(graph, 'x', 8), vector(graph, 'v', 8)];
      const mean = dot(op, softmax(graph, op, x), v);
      const least = v.reduce((a, b) => graph.minimum(a, b));
      return { over: variables([...x, ...v], -10, 10), conclusion: graph.lessEqual(least, mean) };
    },
  },
  {
    name: 'equal roundings of equal numbers',
    make: (graph) => {
      const [a, b] = [graph.variable('a'), graph.variable('b')];
      return {
        over: variables([a, b], -1, 1),
        conclusion: graph.equal(graph.round32(graph.add(a, b)), graph.round32(graph.add(b, a))),
      };
    },
  },
  {
    name: 'an implication whose premise has no part in it',
    make: (graph) => {
      const [a, b] = [graph.variable('a'), graph.variable('b')];
      const claim = graph.equal(graph.multiply(a, b), graph.multiply(b, a));
      return { over: variables([a, b], -1, 1), conclusion: graph.implies(graph.less(a, b), claim) };
    },
  },
  {
    name: 'the square of a root, also below a line',
    make: (graph) => {
      const a = graph.variable('a');
      const root = graph.sqrt(graph.add(a, graph.integer(1)));
      const inverse = graph.divide(graph.integer(1), root);
      return { over: variables([a], 0, 9), conclusion: graph.equal(graph.multiply(inverse, root), graph.integer(1)) };
    },
  },
];

const falsehoods: readonly Statement[] = [
  {
    name: 'a softmax whose sum misses a term',
    make: (graph) => {
      const op = exact(graph);
      const x = vector(graph, 'x', 8);
      const y = softmax(graph, op, x).slice(1);
      return { over: variables(x, -10, 10), conclusion: graph.equal(sum(op, y), graph.integer(1)) };
    },
  },
  {
    name: 'matrices commute',
    make: (graph) => {
      const [a, b] = [matrix(graph, 'A', 2), matrix(graph, 'B', 2)];
      const [ab, ba] = [product(graph, a, b)[0]?.[0], product(graph, b, a)[0]?.[0]];
      return { over: [], conclusion: graph.equal(ab ?? graph.integer(0), ba ?? graph.integer(1)) };
    },
  },
  {
    name: 'float32 addition is associative',
    make: (graph) => {
      const op = rounded(graph);
      const [a, b, c] = vector(graph, 'x', 3) as [NumberExpression, NumberExpression, NumberExpression];
      return {
        over: variables([a, b, c], -1, 1),
        conclusion: graph.equal(op.add(op.add(a, b), c), op.add(a, op.add(b, c))),
      };
    },
  },
  {
    name: 'softmax of float32 sums to one exactly',
    make: (graph) => {
      const op = rounded(graph);
      const x = vector(graph, 'x', 4);
      return {
        over: variables(x, -1, 1),
        conclusion: graph.equal(sum(exact(graph), softmax(graph, op, x)), graph.integer(1)),
      };
    },
  },
  {
    name: 'a weighted mean is at most a value that need not be the largest',
    make: (graph) => {
      const op = exact(graph);
      const [x, v] = [vector(graph, 'x', 4), vector(graph, 'v', 4)];
      const mean = dot(op, softmax(graph, op, x), v);
      return { over: variables([...x, ...v], -10, 10), conclusion: graph.lessEqual(mean, v[0] ?? mean) };
    },
  },
  {
    name: 'a weighted mean is at most the largest of too few values',
    make: (graph) => {
      const op = exact(graph);
      const [x, v] = [vector(graph, 'x', 4), vector(graph, 'v', 4)];
      const mean = dot(op, softmax(graph, op, x), v);
      return { over: variables([...x, ...v], -10, 10), conclusion: graph.lessEqual(mean, largest(graph, v.slice(1))) };
    },
  },
  {
    name: '|x| = x for numbers of either sign',
    make: (graph) => {
      const x = graph.variable('x');
      return { over: variables([x], -1, 1), conclusion: graph.equal(graph.absolute(x), x) };
    },
  },
  {
    name: 'a square is at least the number',
    make: (graph) => {
      const x = graph.variable('x');
      return { over: variables([x], 0, 2), conclusion: graph.lessEqual(x, square(graph, x)) };
    },
  },
  {
    name: 'a strict inequality that is an equality',
    make: (graph) => {
      const x = graph.variable('x');
      return {
        over: variables([x], 0, 2),
        conclusion: graph.less(square(graph, x), graph.add(square(graph, x), graph.multiply(x, graph.integer(0)))),
      };
    },
  },
  {
    name: '√x² = x for numbers of either sign',
    make: (graph) => {
      const x = graph.variable('x');
      return { over: variables([x], -2, 2), conclusion: graph.equal(graph.sqrt(square(graph, x)), x) };
    },
  },
  {
    name: 'sin² − cos² = 1',
    make: (graph) => {
      const t = graph.variable('t');
      const [c, s] = [graph.apply('cos', t), graph.apply('sin', t)];
      return {
        over: variables([t], -2, 2),
        conclusion: graph.equal(graph.subtract(square(graph, s), square(graph, c)), graph.integer(1)),
      };
    },
  },
  {
    name: 'exp(a·b) = exp(a)·exp(b)',
    make: (graph) => {
      const [a, b] = [graph.variable('a'), graph.variable('b')];
      return {
        over: variables([a, b], -2, 2),
        conclusion: graph.equal(
          graph.apply('exp', graph.multiply(a, b)),
          graph.multiply(graph.apply('exp', a), graph.apply('exp', b)),
        ),
      };
    },
  },
];

describe('what is true is proved', () => {
  test.each(truths)('$name', async (statement) => {
    expect(await verdict(statement)).toBe('proved');
  });
});

describe('what is false is not', () => {
  test.each(falsehoods)('$name', async (statement) => {
    expect(await verdict(statement)).toBe('unknown');
  });
});

test('terms beyond the budget end in `exhausted`, soon and always alike', async () => {
  const graph = new Graph();
  const x = vector(graph, 'x', 12);
  const total = sum(exact(graph), x);
  let power = total;
  for (let i = 0; i < 12; i++) power = graph.multiply(power, graph.add(total, graph.integer(i)));
  const problem = problemOf(graph, [], graph.equal(power, graph.integer(0)));
  const outcomes = [];
  for (let i = 0; i < 2; i++) outcomes.push(await algebraEngine().decide(problem, { steps: 200_000, timeoutMs: 1 }));
  expect(outcomes[0]).toEqual({
    verdict: 'exhausted',
    budget: 'steps',
    detail: 'more than 200000 operations on terms',
  });
  expect(outcomes[1]).toEqual(outcomes[0]);
});

test('a proof says what it rests on', async () => {
  const graph = new Graph();
  const x = graph.variable('x');
  const problem = problemOf(
    graph,
    variables([x], 1, 2),
    graph.lessEqual(graph.integer(1), graph.round32(graph.multiply(x, x))),
  );
  expect(await algebraEngine().decide(problem, generous)).toEqual({
    verdict: 'proved',
    axioms: ['rounding-monotone'],
    detail: 'by intervals on the whole domain',
  });
});

describe('powers whose exponents are too large to count', () => {
  /** x squared `times` times. */
  const squared = (graph: Graph, start: NumberExpression, times: number): NumberExpression =>
    Array.from({ length: times }).reduce<NumberExpression>((power) => graph.multiply(power, power), start);
  const ofPower = (times: number, start: (graph: Graph, x: NumberExpression) => NumberExpression): Statement => ({
    name: `a power of 2^${times} factors is not itself times x`,
    make: (graph) => {
      const x = graph.variable('x');
      const power = squared(graph, start(graph, x), times);
      return { over: variables([x], 0.5, 1), conclusion: graph.equal(graph.multiply(power, x), power) };
    },
  });

  // float64 takes 2⁵³ + 1 for 2⁵³: what counted on in it proved that x^(2⁵³ + 1) is x^(2⁵³).
  test('two exponents that float64 cannot distinguish prove nothing', async () => {
    expect(await verdict(ofPower(53, (_, x) => x))).toBe('exhausted');
    expect(
      await verdict(ofPower(53, (graph, x) => graph.divide(graph.integer(1), graph.add(x, graph.integer(1))))),
    ).toBe('exhausted');
  });

  test('a coefficient that doubles its length with each square is paid for by its length', async () => {
    expect(await verdict(ofPower(40, (graph, x) => graph.multiply(x, number(graph, 0.3))))).toBe('exhausted');
  });

  test('a constant of more than 16,384 bits is refused before its arithmetic costs seconds', () => {
    const graph = new Graph();
    expect(() => squared(graph, number(graph, 0.3), 25)).toThrow('more than 16384 bits in a constant');
  });
});
