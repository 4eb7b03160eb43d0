/** What the rounding engine (`rounding-engine.ts`, `ways.ts`) proves and how, beside the nearest claims that it must not prove. */
import { describe, expect, it } from 'vitest';
import { roundingEngine } from '../../../../src/bounded-proofs/engines/rounding/rounding-engine.ts';
import { problem, type Domain } from '../../notation.ts';

const budget = { steps: 200_000, timeoutMs: 60_000 };

describe('how it is proved, if at all', () => {
  it.each<readonly [claim: string, over: Readonly<Record<string, Domain>>, way: string | null]>([
    ['|fl(a · b) − a · b| ≤ 1e-5', {}, 'rounding errors from the results of float32 functions on, as a total bound'],
    ['|fl(a · b) − a · b| ≤ 1e-7', {}, null],
    [
      '|fl(a · b) − a · b| ≤ 6e-8 · |a · b| + 1e-45',
      {},
      'rounding errors from the results of float32 functions on, charged to the terms of the tolerance',
    ],
    ['|fl(a · b) − a · b| ≤ 5e-8 · |a · b| + 1e-45', {}, null],
    ['|fl(a · b) − a · b| ≤ 6e-8 · |a · b|', {}, null],
    ['fl(a · b) ≤ a · b + 1e-5', {}, 'rounding errors from the results of float32 functions on, as a total bound'],
    ['fl(a · b) ≤ a · b', {}, null],
    ['fl(a · b) < a · b + 1e-5', {}, null],
    ['fl(a · b) < a · b + 1e-7', {}, null],
    [
      'fl(fl(a · b) − fl(b · a)) = 0',
      {},
      'rounding errors from roundings on of which others are a power of two times, as a total bound',
    ],
    [
      'fl(a · b) · 2 = fl(a · b) + fl(b · a)',
      {},
      'rounding errors from roundings on of which others are a power of two times, as a total bound',
    ],
    ['fl(a · b) = a · b', {}, null],
    [
      '|fl(exp₃₂(a) · b) − exp(a) · b| ≤ 2e-7 · |exp(a) · b| + 1e-44',
      { a: [1, 2], b: [1, 2], c: [1, 2] },
      'rounding errors from the inputs on, as numbers and shares of weights',
    ],
    [
      '|fl(exp₃₂(a) · b) − exp₃₂(a) · b| ≤ 7e-8 · |exp₃₂(a) · b|',
      { a: [1, 2], b: [1, 2], c: [1, 2] },
      'rounding errors from the results of float32 functions on, as numbers and shares of weights',
    ],
    [
      '|fl(fl(a · b) + fl(c · d)) − (a · b + c · d)| ≤ 2e-7 · (|a · b| + |c · d|) + 1e-44',
      {},
      'rounding errors from the results of float32 functions on, charged to the terms of the tolerance',
    ],
    ['|fl(fl(a · b) + fl(c · d)) − (a · b + c · d)| ≤ 1e-7 · (|a · b| + |c · d|) + 1e-44', {}, null],
    [
      '|fl(a / fl(a + b)) − a / (a + b)| ≤ 2e-7',
      { a: [1, 2], b: [1, 2], c: [1, 2] },
      'rounding errors from the results of float32 functions on, as a total bound',
    ],
    ['|fl(2 · fl(a · b)) − fl(2 · a · b)| ≤ 1e-44', {}, null],
    [
      '|fl(b · fl(4 · a)) − 4 · fl(b · a)| ≤ 1e-44',
      {},
      'rounding errors from roundings on of which others are a power of two times, as a total bound',
    ],
    ['|fl(fl(a + b) · c) − fl(a + b) · c| ≤ 1e-7 · |fl(a + b)|', { c: [0, 1] }, null],
    ['|fl(√(fl(a · a + b)))| ≤ 3', { a: [0, 1], b: [0, 1] }, 'by intervals on the whole domain'],
    [
      '|fl(a − b) − (a − b)| ≤ 6e-8 · (|a| + |b|)',
      {},
      'rounding errors from the results of float32 functions on, charged to the terms of the tolerance',
    ],
    ['0 < fl(a · b)', { a: [1, 2], b: [1, 2], c: [1, 2] }, 'by intervals on the whole domain'],
    [
      '|fl(exp₃₂(a) / fl(exp₃₂(a) + exp₃₂(b))) + fl(exp₃₂(b) / fl(exp₃₂(a) + exp₃₂(b))) − 1| ≤ 4e-7',
      {},
      'rounding errors from the results of float32 functions on, as numbers and shares of weights',
    ],
    ['|fl(exp₃₂(a) / fl(exp₃₂(a) + exp₃₂(b))) + fl(exp₃₂(b) / fl(exp₃₂(a) + exp₃₂(b))) − 1| ≤ 1e-8', {}, null],
    [
      '|a · b − c · d| ≤ |a| · |b| + |c| · |d|',
      { a: [null, null], b: [null, null], c: [null, null], d: [null, null] },
      'rounding errors from the results of float32 functions on, as a relative bound',
    ],
    ['|a · b − c · d| ≤ |a| · |b| + 0.9 · |c| · |d|', {}, null],
    [
      '|fl(a · fl(b − c)) − d| ≤ 1.1 · |a| · (|b| + |c|) + |d| + 1e-44',
      {},
      'rounding errors from the results of float32 functions on, term by term',
    ],
    ['|fl(a · fl(b − c)) − d| ≤ |a| · (|b| + |c|) + |d|', {}, null],
  ])('%s over %o: %s', async (claim, over, way) => {
    const outcome = await roundingEngine().decide(problem(claim, { over }), budget);
    expect(outcome.verdict === 'proved' ? outcome.detail : null).toBe(way);
  });

  it.each(['fl(a · b) ≤ a · b', '|fl(a · b) − a · b| ≤ 1e-7'])(
    '%s is left open, and it is not for want of steps',
    async (claim) => {
      expect(await roundingEngine().decide(problem(claim), budget)).toEqual({
        verdict: 'unknown',
        detail: expect.any(String),
      });
    },
  );
});
