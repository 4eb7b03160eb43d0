/** Holds src/bounded-proofs/arguments-of.ts. */
import { describe, expect, it } from 'vitest';
import { fraction, fromFloat } from '../../src/numeric/rational.ts';
import { Graph } from '../../src/bounded-proofs/expression.ts';
import { printProofExpression } from '../../src/bounded-proofs/print-expression.ts';

const graph = new Graph();
const [x, y, z] = [graph.variable('x[0]'), graph.variable('x[1]'), graph.variable('z')];

describe('expressions as text', () => {
  it.each([
    ['x[0] + x[1] · z', graph.add(x, graph.multiply(y, z))],
    ['(x[0] + x[1]) · z', graph.multiply(graph.add(x, y), z)],
    ['x[0] − (x[1] − z)', graph.subtract(x, graph.subtract(y, z))],
    ['−((x[0] + x[1]) / z)', graph.divide(graph.negate(graph.add(x, y)), z)],
    ['fl(exp₃₂(x[0]) · exp(x[1]))', graph.round32(graph.multiply(graph.machine('exp', x), graph.apply('exp', y)))],
    [
      '|x[0]| ≤ 0.1 ∧ (x[0] < x[1] ∨ ¬(x[1] = 1/3))',
      graph.and([
        graph.lessEqual(graph.absolute(x), graph.constant(fromFloat(Math.fround(0.1)))),
        graph.or([graph.less(x, y), graph.not(graph.equal(y, graph.constant(fraction(1n, 3n))))]),
      ]),
    ],
    [
      '(x[0] < 0 ? −1 : max(x[0], z))',
      graph.if(graph.less(x, graph.integer(0)), graph.integer(-1), graph.maximum(x, z)),
    ],
    ['1e-45', graph.constant(fraction(1n, 1n << 149n))],
  ])('%s', (text, expression) => {
    expect(printProofExpression(expression)).toBe(text);
  });

  it('name what is used more than once, with what it is worth on an input', () => {
    const sum = graph.round32(graph.add(x, y));
    const text = printProofExpression(graph.divide(sum, graph.add(sum, z)), {
      worth: (expression) => (expression === sum ? '3' : null),
    });
    expect(text).toBe('t1 / (t1 + z)\n  t1 = fl(x[0] + x[1]) = 3');
  });

  it('stay short: deep parts get names, and only the first names are printed', () => {
    let sum = x;
    for (let i = 0; i < 10_000; i++) sum = graph.round32(graph.add(sum, y));
    const lines = printProofExpression(sum, { mostLines: 5 }).split('\n');
    expect(lines).toHaveLength(7);
    expect(lines.at(-1)).toMatch(/… and \d+ more/);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(200);
  });
});
