import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalArithmetic } from '../../src/math/evaluate/exact.ts';
import { float64 } from '../../src/math/evaluate/floats.ts';
import { realArithmetic } from '../../src/math/evaluate/real-arithmetic.ts';
import { float32FromOrdinal } from '../../src/numeric/float.ts';
import { fraction, fromFloat } from '../../src/numeric/rational.ts';
import { completeAssignment, createEvaluator } from '../../src/bounded-proofs/evaluate.ts';
import { elementaryFunctions, Graph } from '../../src/bounded-proofs/expression.ts';

const float32 = fc.integer({ min: -2139095039, max: 2139095039 }).map(float32FromOrdinal);
const graph = new Graph();
const [a, b] = [graph.variable('a'), graph.variable('b')];
const decimals = decimalArithmetic(60);
const input = (x: number, y = 0): ReadonlyMap<string, number> =>
  new Map([
    ['a', x],
    ['b', y],
  ]);

describe('evaluation in float64', () => {
  it('is that of JavaScript for every node', () => {
    const cases: readonly [number, ReturnType<Graph['add']>][] = [
      [6.5, graph.add(a, b)],
      [-10.5, graph.multiply(a, graph.negate(b))],
      [3.5 / 3, graph.divide(a, b)],
      [3, graph.minimum(a, b)],
      [3.5, graph.maximum(a, b)],
      [Math.fround(3.5 / 3), graph.round32(graph.divide(a, b))],
      [Math.fround(Math.exp(3.5)), graph.machine('exp', a)],
      [Math.exp(3.5), graph.apply('exp', a)],
      [3.5 ** 3, graph.power(a, b)],
      [Math.fround(3.5 ** 3), graph.machinePower(a, b)],
      [0.5, graph.modulo(a, b)],
      [2.5, graph.modulo(graph.negate(a), b)],
      [-0.5, graph.remainder(graph.negate(a), b)],
      [-3, graph.step('truncate', graph.negate(a))],
      [-4, graph.step('floor', graph.negate(a))],
      [4, graph.step('ceiling', a)],
      [4, graph.step('round-half-even', a)],
      [-3, graph.step('round-half-up', graph.negate(a))],
      [3.5, graph.absolute(graph.negate(a))],
      [Math.sqrt(3.5), graph.sqrt(a)],
    ];
    const at = createEvaluator(float64, input(3.5, 3));
    for (const [value, expression] of cases) expect(at.number(expression)).toBe(value);
  });

  it('decides every connective', () => {
    const at = createEvaluator(float64, input(1, 2));
    const [less, equal] = [graph.less(a, b), graph.equal(a, b)];
    expect(
      [less, equal, graph.lessEqual(b, a), graph.not(equal), graph.and([less, equal]), graph.or([less, equal])].map(
        at.truth,
      ),
    ).toEqual([true, false, false, true, false, true]);
  });

  it('does not look at the branch that a condition does not take', () => {
    const never = graph.divide(a, graph.variable('missing'));
    expect(createEvaluator(float64, input(1, 2)).number(graph.if(graph.less(a, b), b, never))).toBe(2);
  });

  it('takes sums of a hundred thousand terms without recursion', () => {
    const large = new Graph();
    let sum = large.variable('a');
    for (let i = 0; i < 100_000; i++) sum = large.round32(large.add(sum, large.variable('a')));
    expect(createEvaluator(float64, input(1)).number(sum)).toBe(100_001);
  });
});

describe('evaluation in decimals', () => {
  it('rounds as float32 hardware does, whatever the digits', () => {
    fc.assert(
      fc.property(float32, float32, (x, y) => {
        const at = createEvaluator(decimals, input(x, y));
        const f = Math.fround;
        const pairs: readonly (readonly [number, ReturnType<Graph['add']>])[] = [
          [f(x + y), graph.add(a, b)],
          [f(x - y), graph.subtract(a, b)],
          [f(x * y), graph.multiply(a, b)],
          ...(y === 0 ? [] : ([[f(x / y), graph.divide(a, b)]] as const)),
          [f(Math.sqrt(Math.abs(x))), graph.sqrt(graph.absolute(a))],
        ];
        for (const [value, exact] of pairs) expect(at.number(graph.round32(exact)).toNumber() + 0).toBe(value + 0);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps every digit of numbers, and of fractions as many as there are', () => {
    const at = createEvaluator(decimals, input(0.1));
    expect(at.number(graph.constant(fromFloat(0.1))).toString()).toBe(
      '0.1000000000000000055511151231257827021181583404541015625',
    );
    expect(at.number(graph.constant(fraction(1n, 3n))).toString()).toBe(`0.${'3'.repeat(60)}`);
  });

  it('has a value near that of float64 for every function, of the reals and of the machine', () => {
    const at = createEvaluator(decimals, input(0.3));
    const near = createEvaluator(float64, input(0.3));
    for (const fn of elementaryFunctions) {
      const expression = graph.apply(fn, a);
      expect(at.number(expression).toNumber()).toBeCloseTo(near.number(expression), 14);
      expect(at.number(graph.machine(fn, a)).toNumber()).toBe(Math.fround(near.number(expression)));
    }
  });

  it('shows differences that float64 does not', () => {
    const tiny = graph.constant(fraction(1n, 10n ** 30n));
    const claim = graph.less(a, graph.add(a, tiny));
    expect(createEvaluator(float64, input(1)).truth(claim)).toBe(false);
    const reals = realArithmetic(40);
    expect(createEvaluator(reals, input(1)).truth(claim)).toBe(true);
    expect(reals.isDoubtful()).toBe(false);
  });
});

describe('variables that represent something', () => {
  it('are computed from the inputs', () => {
    const unit = graph.variable('ulp:0');
    const common = { format: 'real', low: fraction(0n), high: fraction(1n), choices: null } as const;
    const variables = [
      { ...common, name: 'a', expression: a },
      { ...common, name: 'ulp:0', expression: unit, standsFor: { kind: 'ulp32', of: graph.multiply(a, a) } as const },
    ];
    expect(completeAssignment(variables, new Map([['a', 3]]), float64).get('ulp:0')).toBe(2 ** -20);
  });
});
