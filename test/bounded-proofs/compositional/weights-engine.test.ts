/**
 * Weighted means: what is proved of them, and what must not be.
 *
 * Holds src/bounded-proofs/compositional/quotient-sum.ts, src/bounded-proofs/compositional/weight-premises.ts.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fraction, fromFloat } from '../../../src/numeric/rational.ts';
import { weightsEngine } from '../../../src/bounded-proofs/compositional/weights-engine.ts';
import type { EngineOutcome } from '../../../src/bounded-proofs/engines/engine.ts';
import { Graph, type NumberExpression } from '../../../src/bounded-proofs/expression.ts';
import type { ProofVariable } from '../../../src/bounded-proofs/problem.ts';

interface Mean {
  readonly n: number;
  /** What the mean may exceed the largest value by. */
  readonly room: number;
  readonly leastWeight?: number;
  /** The least first weight of a quotient, and the largest of all. */
  readonly firstWeight?: number;
  readonly largestWeight?: number;
  /** |Σ w − 1| ≤ this; null says nothing of the sum. */
  readonly sum?: number | null;
  readonly side?: 'max' | 'min' | 'number';
  /** Divide by the float32 sum of the weights. */
  readonly quotient?: boolean;
  /** Leave the last value out of the maximum. */
  readonly missing?: boolean;
}

/** RN(… RN(RN(w₀v₀) + RN(w₁v₁)) …) against the largest (or least) v, or against 10, for |v| ≤ 10. */
function decide({
  n,
  room,
  leastWeight = 0,
  firstWeight = 1,
  largestWeight = 1,
  sum = 6e-8 * n,
  side = 'max',
  quotient = false,
  missing = false,
}: Mean): Promise<EngineOutcome> {
  const graph = new Graph();
  const variable = (name: string, low: number, high: number): ProofVariable => ({
    expression: graph.variable(name),
    name,
    format: 'f32',
    low: fromFloat(low),
    high: fromFloat(high),
    choices: null,
  });
  const indices = Array.from({ length: n }, (_, i) => i);
  const w = indices.map((i) => variable(`w[${i}]`, quotient && i === 0 ? firstWeight : leastWeight, largestWeight));
  const v = indices.map((i) => variable(`v[${i}]`, -10, 10));
  const folded = (
    terms: readonly NumberExpression[],
    join: (a: NumberExpression, b: NumberExpression) => NumberExpression,
  ) => terms.slice(1).reduce(join, terms[0] ?? graph.integer(0));
  const float32 = (a: NumberExpression, b: NumberExpression): NumberExpression => graph.round32(graph.add(a, b));
  const weights = w.map(({ expression }) => expression);
  const values = v.map(({ expression }) => expression);
  const products = weights.map((weight, i) => graph.round32(graph.multiply(weight, values[i] ?? weight)));
  const total = folded(products, float32);
  const mean = quotient ? graph.round32(graph.divide(total, folded(weights, float32))) : total;
  const compared = missing ? values.slice(0, -1) : values;
  const extra = graph.constant(fromFloat(room));
  const largest = side === 'number' ? graph.integer(10) : folded(compared, (a, b) => graph.maximum(a, b));
  const conclusion =
    side === 'min'
      ? graph.lessEqual(
          graph.subtract(
            folded(compared, (a, b) => graph.minimum(a, b)),
            extra,
          ),
          mean,
        )
      : graph.lessEqual(mean, graph.add(largest, extra));
  const exact = folded(weights, (a, b) => graph.add(a, b));
  const premises =
    sum === null || quotient
      ? []
      : [graph.lessEqual(graph.absolute(graph.subtract(exact, graph.integer(1))), graph.constant(fromFloat(sum)))];
  const problem = { graph, variables: [...w, ...v], premises, conclusion };
  return weightsEngine().decide(problem, { steps: 1e9, timeoutMs: 1e9 });
}

/** (n·6e-8 of the weights' sum + n·2⁻²⁴ of rounding)·10. */
const needed = (n: number): number => 1.2e-6 * n;

describe('the engine for weighted means', () => {
  it.each([2, 16, 256])('proves that a mean of %i values stays between them, to its rounding', async (n) => {
    for (const side of ['max', 'min', 'number'] as const)
      expect(await decide({ n, side, room: 1.1 * needed(n) })).toMatchObject({
        verdict: 'proved',
        axioms: expect.arrayContaining(['rounding-relative']),
      });
  });

  it.each([
    ['more than rounding allows', { n: 16, room: needed(16) / 2 }],
    ['negative weights', { n: 16, room: 1, leastWeight: -1 }],
    ['weights of whose sum nothing is known', { n: 16, room: 1, sum: null }],
    ['weights whose sum is only roughly 1', { n: 16, room: 0.5, sum: 0.1 }],
    ['a maximum that lacks a value', { n: 16, room: 1, missing: true }],
    ['a quotient with a maximum that lacks a value', { n: 16, room: 1, missing: true, quotient: true }],
    ['a quotient to less than its rounding', { n: 16, room: 1e-9, quotient: true }],
  ] as const)('proves nothing of %s', async (_, mean) => {
    expect((await decide(mean)).verdict).toBe('unknown');
  });

  it('proves it of a quotient by the sum of the weights, of which nothing else is known', async () => {
    for (const side of ['max', 'min', 'number'] as const)
      expect((await decide({ n: 64, side, room: 1e-3, quotient: true })).verdict).toBe('proved');
  });

  // Where all weights are subnormal, products round by as much as the weights are, and means may leave the values far behind.
  it.each([3, 8, 64])('what it proves of weights of %i × 2⁻¹⁴⁹ holds wherever it is tried', async (scale) => {
    const quotient = { quotient: true, firstWeight: scale * 2 ** -149, largestWeight: 2 * scale * 2 ** -149 };
    for (const n of [2, 3]) {
      const proved = await leastProved({ ...quotient, n });
      expect(proved).toBeLessThan(20);
      expect(worstOf(quotient, n)).toBeLessThanOrEqual(proved);
    }
  });

  it('leaves equalities to others', async () => {
    const graph = new Graph();
    const x = graph.variable('x');
    const conclusion = graph.equal(x, graph.constant(fraction(1n, 3n)));
    const problem = { graph, variables: [], premises: [], conclusion };
    expect((await weightsEngine().decide(problem, { steps: 1, timeoutMs: 1 })).verdict).toBe('unknown');
  });
});

/** The least room among powers of 1.1 that is proved; infinite where none is. */
async function leastProved(mean: Omit<Mean, 'room'>): Promise<number> {
  let [refused, proved] = [-80, 80];
  while (proved - refused > 1) {
    const middle = Math.floor((refused + proved) / 2);
    if ((await decide({ ...mean, room: 1.1 ** middle })).verdict === 'proved') proved = middle;
    else refused = middle;
  }
  return proved === 80 ? Infinity : 1.1 ** proved;
}

/** By how much quotients of random weights and values exceed the largest value, at most. */
function worstOf({ firstWeight, largestWeight }: { firstWeight: number; largestWeight: number }, n: number): number {
  let worst = Number.NEGATIVE_INFINITY;
  const points = fc.tuple(
    fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: n, maxLength: n }),
    fc.array(fc.double({ min: -10, max: 10, noNaN: true }), { minLength: n, maxLength: n }),
    fc.boolean(),
  );
  for (const [shares, draws, alike] of fc.sample(points, { numRuns: 2_000, seed: 1 })) {
    const weights = shares.map((share, i) => Math.fround(i === 0 ? firstWeight : share * largestWeight));
    const values = draws.map((value) => Math.fround(alike ? (draws[0] ?? value) : value));
    const sum = (terms: readonly number[]): number => terms.reduce((all, term) => Math.fround(all + term));
    const total = sum(weights.map((weight, i) => Math.fround(weight * (values[i] ?? 0))));
    worst = Math.max(worst, Math.fround(total / sum(weights)) - Math.max(...values));
  }
  return worst;
}
