import { Graph, type BooleanExpression, type NumberExpression } from '../../../../src/bounded-proofs/expression.ts';
import { fraction } from '../../../../src/numeric/rational.ts';
import type { ProofProblem, ProofVariable } from '../../../../src/bounded-proofs/problem.ts';
import {
  dot,
  exact,
  largest,
  number,
  problemOf,
  rounded,
  softmax,
  sum,
  variables,
  vector,
  type Operations,
} from '../../graphs.ts';

export interface Claim {
  readonly name: string;
  readonly problem: () => ProofProblem;
}

interface Setting {
  readonly graph: Graph;
  /** Operations of the code, each rounded to float32. */
  readonly op: Operations;
  /** The same over the reals. */
  readonly real: Operations;
  readonly zero: NumberExpression;
  readonly one: NumberExpression;
  readonly at: (value: number) => NumberExpression;
  /** New variables in a range. */
  readonly over: (
    name: string,
    n: number,
    low: number,
    high: number,
    format?: ProofVariable['format'],
  ) => readonly NumberExpression[];
  readonly assume: (premise: BooleanExpression) => void;
}

function claim(name: string, conclude: (setting: Setting) => BooleanExpression): Claim {
  return {
    name,
    problem: () => {
      const graph = new Graph();
      const all: ProofVariable[] = [];
      const premises: BooleanExpression[] = [];
      const conclusion = conclude({
        graph,
        op: rounded(graph),
        real: exact(graph),
        zero: graph.integer(0),
        one: graph.integer(1),
        at: (value) => number(graph, value),
        over: (prefix, n, low, high, format = 'f32') => {
          const made = vector(graph, prefix, n);
          const end = (value: number): number => (format === 'f32' ? Math.fround(value) : value);
          all.push(...variables(made, end(low), end(high), format));
          return made;
        },
        assume: (premise) => premises.push(premise),
      });
      return problemOf(graph, all, conclusion, premises);
    },
  };
}

const first = (all: readonly NumberExpression[]): NumberExpression => {
  const [one] = all;
  if (!one) throw new Error('an empty vector has no first element');
  return one;
};
const scalar = ({ over }: Setting, name: string, low: number, high: number, format?: ProofVariable['format']) =>
  first(over(name, 1, low, high, format));
const pair = (setting: Setting, name: string, low: number, high: number, format?: ProofVariable['format']) => {
  const [a, b] = setting.over(name, 2, low, high, format);
  if (!a || !b) throw new Error('two were asked for');
  return [a, b] as const;
};
const every = (graph: Graph, parts: readonly BooleanExpression[]) => graph.and(parts);
const between = ({ graph, at }: Setting, low: number, node: NumberExpression, high: number) =>
  graph.and([graph.lessEqual(at(low), node), graph.lessEqual(node, at(high))]);

const sigmoid = ({ graph, op, one }: Setting, x: NumberExpression) =>
  op.divide(one, op.add(one, op.apply('exp', graph.negate(x))));
/** Σ exp(x − max x), as softmax's denominator. */
const denominator = ({ graph, op }: Setting, x: readonly NumberExpression[]) => {
  const top = largest(graph, x);
  const powers = x.map((each) => op.apply('exp', op.subtract(each, top)));
  return { top, powers, total: sum(op, powers) };
};
const secondMoment = ({ op, one }: Setting, beta: NumberExpression, v: NumberExpression, g: NumberExpression) =>
  op.add(op.multiply(beta, v), op.multiply(op.multiply(op.subtract(one, beta), g), g));

const softmaxSizes = [1, 2, 5, 16];

export const trueClaims: readonly Claim[] = [
  ...softmaxSizes.flatMap((n) => [
    claim(`softmax is in [0, 1], n = ${n}`, (s) =>
      every(
        s.graph,
        softmax(s.graph, s.op, s.over('x', n, -1e4, 1e4)).map((each) => between(s, 0, each, 1)),
      ),
    ),
    claim(`softmax is positive within 80 of the maximum, n = ${n}`, ({ graph, op, over, at, zero }) => {
      const x = over('x', n, -1e4, 1e4);
      const top = largest(graph, x);
      const near = x.map((each) => graph.lessEqual(graph.subtract(top, each), at(80)));
      return every(
        graph,
        softmax(graph, op, x).map((each, i) => graph.implies(near[i] ?? graph.true, graph.less(zero, each))),
      );
    }),
    claim(`softmax keeps order, n = ${n}`, ({ graph, op, over }) => {
      const x = over('x', n, -1e4, 1e4);
      const y = softmax(graph, op, x);
      return every(
        graph,
        x.flatMap((a, i) => x.map((b, j) => graph.implies(graph.less(b, a), graph.lessEqual(y[j] ?? b, y[i] ?? a)))),
      );
    }),
    claim(`softmax's sum is in [1, n] and at least each term, n = ${n}`, (s) => {
      const { powers, total } = denominator(s, s.over('x', n, -1e4, 1e4));
      return every(s.graph, [between(s, 1, total, n), ...powers.map((each) => s.graph.lessEqual(each, total))]);
    }),
  ]),
  claim('softmax of one number is 1', ({ graph, op, over, one }) =>
    graph.equal(first(softmax(graph, op, over('x', 1, -1e4, 1e4))), one),
  ),
  claim('cross-entropy is not negative, n = 4', (s) => {
    const z = s.over('z', 4, -100, 100);
    const { top, total } = denominator(s, z);
    return s.graph.lessEqual(s.zero, s.op.add(s.op.apply('log', total), s.op.subtract(top, first(z))));
  }),
  claim('relu is at least 0 and its argument, and one of them', (s) => {
    const { graph, zero } = s;
    const x = scalar(s, 'x', -1e30, 1e30);
    const y = graph.maximum(zero, x);
    return graph.and([
      graph.lessEqual(zero, y),
      graph.lessEqual(x, y),
      graph.or([graph.equal(y, zero), graph.equal(y, x)]),
    ]);
  }),
  claim('relu keeps order', (s) => {
    const [a, b] = pair(s, 'x', -1e30, 1e30);
    const { graph, zero } = s;
    return graph.implies(graph.lessEqual(a, b), graph.lessEqual(graph.maximum(zero, a), graph.maximum(zero, b)));
  }),
  claim('clipping stays in its range', (s) =>
    between(s, -1, s.graph.minimum(s.one, s.graph.maximum(s.at(-1), scalar(s, 'x', -1e30, 1e30))), 1),
  ),
  claim('|x| by a branch is not negative', (s) => {
    const x = scalar(s, 'x', -1e30, 1e30);
    const { graph, zero } = s;
    return graph.lessEqual(zero, graph.if(graph.less(x, zero), graph.negate(x), x));
  }),
  claim('adding keeps order', (s) => {
    const [a, b] = pair(s, 'x', -1e30, 1e30);
    const c = scalar(s, 'c', -1e30, 1e30);
    return s.graph.implies(s.graph.lessEqual(a, b), s.graph.lessEqual(s.op.add(a, c), s.op.add(b, c)));
  }),
  claim('adding what is not negative gives no less', (s) => {
    const x = scalar(s, 'x', -1e30, 1e30);
    return s.graph.lessEqual(x, s.op.add(x, scalar(s, 'c', 0, 1e30)));
  }),
  claim('a share of a positive number is no larger', (s) => {
    const x = scalar(s, 'x', 0, 1e30);
    return s.graph.lessEqual(s.op.multiply(x, scalar(s, 't', 0, 1)), x);
  }),
  claim('scaling by a positive number keeps order', (s) => {
    const [a, b] = pair(s, 'x', -1e10, 1e10);
    const t = scalar(s, 't', 0, 1e10);
    return s.graph.implies(s.graph.lessEqual(a, b), s.graph.lessEqual(s.op.multiply(t, a), s.op.multiply(t, b)));
  }),
  claim('products of numbers in [−1, 1] stay there', (s) => {
    const [a, b] = pair(s, 'x', -1, 1);
    return between(s, -1, s.op.multiply(a, b), 1);
  }),
  claim('a dot product of 4 numbers in [−1, 1] stays in [−4, 4]', (s) =>
    between(s, -4, dot(s.op, s.over('a', 4, -1, 1), s.over('b', 4, -1, 1)), 4),
  ),
  claim('a sum of squares is not negative', (s) => {
    const x = s.over('x', 8, -1e4, 1e4);
    return s.graph.lessEqual(s.zero, dot(s.op, x, x));
  }),
  claim('a product is near the exact one', (s) => {
    const [a, b] = pair(s, 'x', -8, 8);
    const error = s.graph.absolute(s.graph.subtract(s.op.multiply(a, b), s.graph.multiply(a, b)));
    return s.graph.lessEqual(error, s.at(65 * 2 ** -24));
  }),
  claim('a sum of three is near the exact one', (s) => {
    const x = s.over('x', 3, -1, 1);
    const error = s.graph.absolute(s.graph.subtract(sum(s.op, x), sum(s.real, x)));
    return s.graph.lessEqual(error, s.at(6 * 2 ** -24));
  }),
  claim('rounding a float32 changes nothing', (s) => {
    const x = scalar(s, 'x', -1e30, 1e30);
    return s.graph.equal(s.graph.round32(x), x);
  }),
  claim('sigmoid is in [0, 1]', (s) => between(s, 0, sigmoid(s, scalar(s, 'x', -80, 80)), 1)),
  claim('sigmoid keeps order', (s) => {
    const [a, b] = pair(s, 'x', -80, 80);
    return s.graph.implies(s.graph.lessEqual(a, b), s.graph.lessEqual(sigmoid(s, a), sigmoid(s, b)));
  }),
  claim('sigmoid of a positive number is at least one half', (s) =>
    s.graph.lessEqual(s.at(0.5), sigmoid(s, scalar(s, 'x', 0, 80))),
  ),
  claim('silu of a positive number is at most the number', (s) => {
    const x = scalar(s, 'x', 0, 80);
    return s.graph.lessEqual(s.op.multiply(x, sigmoid(s, x)), x);
  }),
  claim('tanh is in [−1, 1] and keeps order', (s) => {
    const [a, b] = pair(s, 'x', -1e4, 1e4);
    const [y, z] = [s.op.apply('tanh', a), s.op.apply('tanh', b)];
    return s.graph.and([between(s, -1, y, 1), s.graph.implies(s.graph.lessEqual(a, b), s.graph.lessEqual(y, z))]);
  }),
  claim('tanh GELU of a positive number is between 0 and the number, up to rounding', (s) => {
    const x = scalar(s, 'x', 0, 100);
    const gate = s.op.add(s.one, s.op.apply('tanh', s.op.multiply(s.at(0.5), x)));
    const y = s.op.multiply(s.op.multiply(s.at(0.5), x), gate);
    const above = s.graph.add(s.graph.multiply(s.at(1 + 2 ** -20), x), s.at(1e-40));
    return s.graph.and([s.graph.lessEqual(s.zero, y), s.graph.lessEqual(y, above)]);
  }),
  claim("Adam's second moment is not negative", (s) =>
    s.graph.lessEqual(
      s.zero,
      secondMoment(s, scalar(s, 'β', 0, 0.9999), scalar(s, 'v', 0, 1e6), scalar(s, 'g', -1e3, 1e3)),
    ),
  ),
  claim("Adam's divisor is positive", (s) => {
    const root = s.op.sqrt(secondMoment(s, scalar(s, 'β', 0, 0.9999), scalar(s, 'v', 0, 1e6), scalar(s, 'g', -9, 9)));
    return s.graph.less(s.zero, s.op.add(root, scalar(s, 'ε', 1e-10, 1e-3)));
  }),
  claim('a step against a positive gradient does not increase a weight', (s) => {
    const w = scalar(s, 'w', -10, 10);
    const step = s.op.divide(
      s.op.multiply(scalar(s, 'η', 0, 0.1), scalar(s, 'm', 0, 100)),
      s.op.add(s.op.sqrt(scalar(s, 'v', 0, 1e4)), scalar(s, 'ε', 1e-10, 1e-3)),
    );
    return s.graph.lessEqual(s.op.subtract(w, step), w);
  }),
  claim('rmsnorm divides by a positive number', (s) => {
    const x = s.over('x', 8, -1e4, 1e4);
    const mean = s.op.divide(dot(s.op, x, x), s.at(8));
    return s.graph.less(s.zero, s.op.sqrt(s.op.add(mean, scalar(s, 'ε', 1e-6, 1e-3))));
  }),
  claim('over the reals softmax sums to 1, n = 3', (s) =>
    s.graph.equal(sum(s.real, softmax(s.graph, s.real, s.over('x', 3, -10, 10, 'real'))), s.one),
  ),
  claim('over the reals softmax keeps order strictly', (s) => {
    const x = s.over('x', 3, -10, 10, 'real');
    const y = softmax(s.graph, s.real, x);
    const [a, b] = x;
    const [p, q] = y;
    if (!a || !b || !p || !q) return s.graph.false;
    return s.graph.implies(s.graph.less(a, b), s.graph.less(p, q));
  }),
  claim('over the reals layernorm sums to 0', (s) => {
    const x = s.over('x', 6, -10, 10, 'real');
    const mean = s.graph.divide(sum(s.real, x), s.at(6));
    return s.graph.equal(
      sum(
        s.real,
        x.map((each) => s.real.subtract(each, mean)),
      ),
      s.zero,
    );
  }),
  claim('exponentials are positive', (s) =>
    s.graph.less(s.zero, s.real.apply('exp', scalar(s, 'x', -1e4, 1e4, 'real'))),
  ),
  claim('enough epochs give enough steps', (s) => {
    const [m, p] = [scalar(s, 'm', 0, 1e6, 'integer'), scalar(s, 'p', 1, 1e4, 'integer')];
    const e = scalar(s, 'e', 0, 1e6, 'integer');
    const enough = s.graph.lessEqual(s.graph.step('ceiling', s.graph.divide(m, p)), e);
    return s.graph.implies(enough, s.graph.lessEqual(m, s.graph.multiply(e, p)));
  }),
  claim('whole batches are no more than the data', (s) => {
    const n = scalar(s, 'n', 0, 1e6, 'integer');
    const whole = s.graph.step('floor', s.graph.divide(n, s.at(32)));
    return s.graph.lessEqual(s.graph.multiply(whole, s.at(32)), n);
  }),
  claim('a remainder is less than its divisor', (s) => {
    const rest = s.graph.modulo(scalar(s, 'n', -1e6, 1e6, 'integer'), s.at(7));
    return s.graph.and([s.graph.lessEqual(s.zero, rest), s.graph.less(rest, s.at(7))]);
  }),
  claim('a flat index is inside its array', (s) => {
    const [i, j] = [scalar(s, 'i', 0, 63, 'integer'), scalar(s, 'j', 0, 127, 'integer')];
    return s.graph.less(s.graph.add(s.graph.multiply(i, s.at(128)), j), s.at(64 * 128));
  }),
  claim('halving and then thirding is dividing by six', (s) => {
    const n = scalar(s, 'n', 0, 1e6, 'integer');
    const half = s.graph.step('floor', s.graph.divide(n, s.at(2)));
    const third = s.graph.step('floor', s.graph.divide(half, s.at(3)));
    return s.graph.equal(third, s.graph.step('floor', s.graph.divide(n, s.at(6))));
  }),
  claim('a premise is used', (s) => {
    const [a, b] = pair(s, 'x', -1e4, 1e4);
    s.assume(s.graph.lessEqual(a, b));
    return s.graph.lessEqual(s.op.apply('exp', a), s.op.apply('exp', b));
  }),
];

export const falseClaims: readonly Claim[] = [
  ...[2, 5].flatMap((n) => [
    claim(`softmax is positive, n = ${n}`, (s) =>
      every(
        s.graph,
        softmax(s.graph, s.op, s.over('x', n, -1e4, 1e4)).map((each) => s.graph.less(s.zero, each)),
      ),
    ),
    claim(`softmax is below 1, n = ${n}`, (s) =>
      every(
        s.graph,
        softmax(s.graph, s.op, s.over('x', n, -1e4, 1e4)).map((each) => s.graph.less(each, s.one)),
      ),
    ),
    claim(`softmax keeps order strictly, n = ${n}`, ({ graph, op, over }) => {
      const x = over('x', n, -1e4, 1e4);
      const [p, q] = softmax(graph, op, x);
      const [a, b] = x;
      return a && b && p && q ? graph.implies(graph.less(a, b), graph.less(p, q)) : graph.false;
    }),
    claim(`softmax turns order around, n = ${n}`, ({ graph, op, over }) => {
      const x = over('x', n, -10, 10);
      const [p, q] = softmax(graph, op, x);
      const [a, b] = x;
      return a && b && p && q ? graph.implies(graph.less(a, b), graph.lessEqual(q, p)) : graph.false;
    }),
    claim(`softmax's sum is above 1, n = ${n}`, (s) =>
      s.graph.less(s.one, denominator(s, s.over('x', n, -1e4, 1e4)).total),
    ),
  ]),
  claim('softmax sums to 1 exactly, n = 2', (s) =>
    s.graph.equal(sum(s.op, softmax(s.graph, s.op, s.over('x', 2, -10, 10))), s.one),
  ),
  claim('softmax without its last term in the sum is at most 1', (s) => {
    const { powers } = denominator(s, s.over('x', 4, -10, 10));
    const short = sum(s.op, powers.slice(0, -1));
    return every(
      s.graph,
      powers.map((each) => s.graph.lessEqual(s.op.divide(each, short), s.one)),
    );
  }),
  claim('softmax is positive within 200 of the maximum', ({ graph, op, over, at, zero }) => {
    const x = over('x', 3, -1e4, 1e4);
    const far = graph.lessEqual(graph.subtract(largest(graph, x), first(x)), at(200));
    return graph.implies(far, graph.less(zero, first(softmax(graph, op, x))));
  }),
  claim('cross-entropy is positive', (s) => {
    const z = s.over('z', 4, -100, 100);
    const { top, total } = denominator(s, z);
    return s.graph.less(s.zero, s.op.add(s.op.apply('log', total), s.op.subtract(top, first(z))));
  }),
  claim('cross-entropy is at most log n', (s) => {
    const z = s.over('z', 4, -100, 100);
    const { top, total } = denominator(s, z);
    return s.graph.lessEqual(s.op.add(s.op.apply('log', total), s.op.subtract(top, first(z))), s.at(1.39));
  }),
  claim('leaky relu is not negative', (s) => {
    const x = scalar(s, 'x', -1e30, 1e30);
    return s.graph.lessEqual(s.zero, s.graph.maximum(s.op.multiply(s.at(0.01), x), x));
  }),
  claim('relu is its argument', (s) => {
    const x = scalar(s, 'x', -1e30, 1e30);
    return s.graph.equal(s.graph.maximum(s.zero, x), x);
  }),
  claim('relu keeps order strictly', (s) => {
    const [a, b] = pair(s, 'x', -1e30, 1e30);
    const relu = (x: NumberExpression) => s.graph.maximum(s.zero, x);
    return s.graph.implies(s.graph.less(a, b), s.graph.less(relu(a), relu(b)));
  }),
  claim('clipping to [−1, 1] stays below 1', (s) =>
    s.graph.less(s.graph.minimum(s.one, s.graph.maximum(s.at(-1), scalar(s, 'x', -1e30, 1e30))), s.one),
  ),
  claim('adding keeps order strictly', (s) => {
    const [a, b] = pair(s, 'x', -1e30, 1e30);
    const c = scalar(s, 'c', -1e30, 1e30);
    return s.graph.implies(s.graph.less(a, b), s.graph.less(s.op.add(a, c), s.op.add(b, c)));
  }),
  claim('addition is associative', (s) => {
    const [a, b] = pair(s, 'x', -10, 10);
    const c = scalar(s, 'c', -10, 10);
    return s.graph.equal(s.op.add(s.op.add(a, b), c), s.op.add(a, s.op.add(b, c)));
  }),
  claim('adding and subtracting gives back', (s) => {
    const [a, b] = pair(s, 'x', -1e10, 1e10);
    return s.graph.equal(s.op.subtract(s.op.add(a, b), b), a);
  }),
  claim('adding a positive number gives more', (s) => {
    const x = scalar(s, 'x', -1e30, 1e30);
    return s.graph.less(x, s.op.add(x, scalar(s, 'c', 1e-3, 1)));
  }),
  claim('a share is no larger, also of negative numbers', (s) => {
    const x = scalar(s, 'x', -1e30, 1e30);
    return s.graph.lessEqual(s.op.multiply(x, scalar(s, 't', 0, 1)), x);
  }),
  claim('scaling keeps order whatever the sign', (s) => {
    const [a, b] = pair(s, 'x', -10, 10);
    const t = scalar(s, 't', -10, 10);
    return s.graph.implies(s.graph.lessEqual(a, b), s.graph.lessEqual(s.op.multiply(t, a), s.op.multiply(t, b)));
  }),
  claim('a product of positive numbers is positive', (s) => {
    const [a, b] = pair(s, 'x', 1e-40, 1);
    return s.graph.less(s.zero, s.op.multiply(a, b));
  }),
  claim('a dot product of 3 numbers in [−1, 1] is at most 2', (s) =>
    s.graph.lessEqual(dot(s.op, s.over('a', 3, -1, 1), s.over('b', 3, -1, 1)), s.at(2)),
  ),
  claim('a product is exact', (s) => {
    const [a, b] = pair(s, 'x', -8, 8);
    return s.graph.equal(s.op.multiply(a, b), s.graph.multiply(a, b));
  }),
  claim('a sum of three is within half a unit', (s) => {
    const x = s.over('x', 3, -1, 1);
    const error = s.graph.absolute(s.graph.subtract(sum(s.op, x), sum(s.real, x)));
    return s.graph.lessEqual(error, s.at(2 ** -26));
  }),
  claim('sigmoid is in (0, 1)', (s) => {
    const y = sigmoid(s, scalar(s, 'x', -80, 80));
    return s.graph.and([s.graph.less(s.zero, y), s.graph.less(y, s.one)]);
  }),
  claim('sigmoid keeps order strictly', (s) => {
    const [a, b] = pair(s, 'x', -80, 80);
    return s.graph.implies(s.graph.less(a, b), s.graph.less(sigmoid(s, a), sigmoid(s, b)));
  }),
  claim('sigmoid is at least one half', (s) => s.graph.lessEqual(s.at(0.5), sigmoid(s, scalar(s, 'x', -80, 80)))),
  claim('tanh is below 1', (s) => s.graph.less(s.op.apply('tanh', scalar(s, 'x', -1e4, 1e4)), s.one)),
  claim('tanh is not negative', (s) => s.graph.lessEqual(s.zero, s.op.apply('tanh', scalar(s, 'x', -1e4, 1e4)))),
  claim('exponentials in float32 are positive', (s) =>
    s.graph.less(s.zero, s.op.apply('exp', scalar(s, 'x', -1e4, 80))),
  ),
  claim('exponentials in float32 keep order strictly', (s) => {
    const [a, b] = pair(s, 'x', -80, 80);
    return s.graph.implies(s.graph.less(a, b), s.graph.less(s.op.apply('exp', a), s.op.apply('exp', b)));
  }),
  claim("Adam's second moment is not negative for any β", (s) =>
    s.graph.lessEqual(
      s.zero,
      secondMoment(s, scalar(s, 'β', -1, 2), scalar(s, 'v', 0, 1e6), scalar(s, 'g', -1e3, 1e3)),
    ),
  ),
  claim("Adam's divisor without ε is positive", (s) =>
    s.graph.less(s.zero, s.op.sqrt(secondMoment(s, scalar(s, 'β', 0, 1), scalar(s, 'v', 0, 1), scalar(s, 'g', -9, 9)))),
  ),
  claim('a step against a positive gradient decreases a weight', (s) => {
    const w = scalar(s, 'w', -10, 10);
    return s.graph.less(s.op.subtract(w, s.op.multiply(scalar(s, 'η', 1e-6, 0.1), scalar(s, 'm', 1e-6, 100))), w);
  }),
  claim('rmsnorm without ε divides by a positive number', (s) => {
    const x = s.over('x', 4, -1e4, 1e4);
    return s.graph.less(s.zero, s.op.sqrt(s.op.divide(dot(s.op, x, x), s.at(4))));
  }),
  claim('over the reals softmax without its last term sums to 1', (s) => {
    const y = softmax(s.graph, s.real, s.over('x', 3, -10, 10, 'real'));
    return s.graph.equal(sum(s.real, y.slice(0, -1)), s.one);
  }),
  claim('floor gives enough epochs', (s) => {
    const [m, p] = [scalar(s, 'm', 0, 1e6, 'integer'), scalar(s, 'p', 1, 1e4, 'integer')];
    const e = scalar(s, 'e', 0, 1e6, 'integer');
    const enough = s.graph.lessEqual(s.graph.step('floor', s.graph.divide(m, p)), e);
    return s.graph.implies(enough, s.graph.lessEqual(m, s.graph.multiply(e, p)));
  }),
  claim('whole batches are all the data', (s) => {
    const n = scalar(s, 'n', 0, 1e6, 'integer');
    return s.graph.equal(s.graph.multiply(s.graph.step('floor', s.graph.divide(n, s.at(32))), s.at(32)), n);
  }),
  claim('a remainder is positive', (s) =>
    s.graph.less(s.zero, s.graph.modulo(scalar(s, 'n', -1e6, 1e6, 'integer'), s.at(7))),
  ),
  claim('a flat index with the wrong stride is inside its array', (s) => {
    const [i, j] = [scalar(s, 'i', 0, 63, 'integer'), scalar(s, 'j', 0, 127, 'integer')];
    return s.graph.less(s.graph.add(s.graph.multiply(i, s.at(130)), j), s.at(64 * 128));
  }),
  claim('a third of a third is a ninth of anything real', (s) => {
    const x = scalar(s, 'x', -10, 10);
    const third = s.graph.constant(fraction(1n, 3n));
    return s.graph.equal(s.graph.round32(s.graph.multiply(third, x)), s.graph.multiply(third, x));
  }),
  claim('a premise of the wrong direction is of use', (s) => {
    const [a, b] = pair(s, 'x', -80, 80);
    s.assume(s.graph.less(b, a));
    return s.graph.lessEqual(s.op.apply('exp', a), s.op.apply('exp', b));
  }),
];
