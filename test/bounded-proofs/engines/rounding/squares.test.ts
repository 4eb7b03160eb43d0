/** Comparisons of squares, and of values in one unit: what they may conclude, and that a doubt ends in no. */
import { describe, expect, it } from 'vitest';
import { effortUpTo } from '../../../../src/bounded-proofs/engines/algebra/effort.ts';
import { createNormaliser } from '../../../../src/bounded-proofs/engines/algebra/normalise.ts';
import { createRanges } from '../../../../src/bounded-proofs/engines/interval/ranges.ts';
import { collapsingArithmetic } from '../../../../src/bounded-proofs/engines/rounding/bound-arithmetic.ts';
import { constantBound } from '../../../../src/bounded-proofs/engines/rounding/bound.ts';
import { exactForm, NO_UNIT, type ErrorForm } from '../../../../src/bounded-proofs/engines/rounding/error-form.ts';
import { isWithinBySquares } from '../../../../src/bounded-proofs/engines/rounding/squares.ts';
import { inOneUnit } from '../../../../src/bounded-proofs/engines/rounding/units.ts';
import { exactPower } from '../../../../src/bounded-proofs/exact-power.ts';
import { Graph, type NumberExpression } from '../../../../src/bounded-proofs/expression.ts';
import { number } from '../../graphs.ts';

const graph = new Graph();
const [x, y, t] = [graph.variable('x'), graph.variable('y'), graph.variable('t')];
const ranges = createRanges(
  new Map([
    ['x', { low: -4, high: 4 }],
    ['y', { low: -4, high: 4 }],
    ['t', { low: 1, high: 4 }],
  ]),
  [],
);
const square = (node: NumberExpression): NumberExpression => graph.multiply(node, node);
/** At least |x|. */
const norm = graph.sqrt(graph.add(square(x), square(y)));

describe('|x| ≤ √(x² + y²) by squares', () => {
  const within = (left: Partial<ErrorForm>, right: Partial<ErrorForm>, root = norm): boolean => {
    const normaliser = createNormaliser({ ranges, effort: effortUpTo(1e6), takeApart: false });
    return isWithinBySquares({ ...exactForm(x), ...left }, { ...exactForm(root), ...right }, { graph, normaliser });
  };
  const wider = graph.add(graph.multiply(norm, number(graph, 1.5)), number(graph, 0.25));

  it('holds, and of twice x does not', () => {
    expect(within({}, {})).toBe(true);
    expect(within({ exact: graph.multiply(x, graph.integer(2)) }, {})).toBe(false);
    expect(isWithinBySquares(exactForm(x), exactForm(norm), { graph, normaliser: undefined })).toBe(false);
  });

  it('holds with an error for which there is room, and with no other', () => {
    const erring = (relative: number, absolute: number) => within({ relative, absolute }, {}, wider);
    expect([erring(0.25, 0.125), erring(0.5, 0), erring(0, 0.25)]).toEqual([true, true, true]);
    expect([erring(0.75, 0), erring(0, 0.5)]).toEqual([false, false]);
    expect([erring(Infinity, 0), erring(0, Infinity)]).toEqual([false, false]);
  });

  it('says nothing of a right side that errs itself', () => {
    expect(within({}, { total: 1, absolute: 1, bound: constantBound(graph, 1) })).toBe(false);
  });
});

describe('two values in one unit', () => {
  const tools = { graph, ranges, bounds: collapsingArithmetic({ graph, ranges, triangle: false }) };
  const ofUnit = (node: NumberExpression): ErrorForm => ({ ...exactForm(node), unit: new Map([[t, 1]]) });
  const zero = exactForm(graph.integer(0));

  it('are as they are where they have it, and 0 has every one', () => {
    const [a, b] = [ofUnit(x), ofUnit(y)];
    expect(inOneUnit(a, b, tools)).toEqual([a, b]);
    expect(inOneUnit(zero, b, tools)).toEqual([{ ...zero, unit: b.unit }, b]);
    expect(inOneUnit(a, zero, tools)).toEqual([a, { ...zero, unit: a.unit }]);
  });

  it('have no common unit if theirs differ, and are multiplied by them', () => {
    const [a, b] = inOneUnit(ofUnit(x), exactForm(y), tools);
    expect([a.unit, b.unit]).toEqual([NO_UNIT, NO_UNIT]);
    expect(a.exact).toBe(graph.multiply(t, x));
    expect(b.exact).toBe(y);
  });
});

describe('a power over the reals', () => {
  it('is a product, a quotient or a root where it is one, and else a power', () => {
    expect(exactPower(graph, x, graph.integer(2))).toBe(square(x));
    expect(exactPower(graph, x, graph.integer(0))).toBe(graph.integer(1));
    expect(exactPower(graph, x, graph.integer(-2))).toBe(graph.divide(graph.integer(1), square(x)));
    expect(exactPower(graph, x, number(graph, 0.5))).toBe(graph.sqrt(x));
    expect(exactPower(graph, x, number(graph, 0.25))).toBe(graph.power(x, number(graph, 0.25)));
    expect(exactPower(graph, x, graph.integer(17))).toBe(graph.power(x, graph.integer(17)));
    expect(exactPower(graph, x, y)).toBe(graph.power(x, y));
  });
});
