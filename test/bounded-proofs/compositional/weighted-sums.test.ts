/** Weighted sums (`weighted-sums.ts`, `weight-premises.ts`, `quotient-sum.ts`): what is proved of them on which axioms, and what must not be. */
import { describe, expect, it } from 'vitest';
import { weightsEngine } from '../../../src/bounded-proofs/compositional/weights-engine.ts';
import { problem, type Domain } from '../notation.ts';

describe('with weights that are not negative', () => {
  it.each<
    readonly [claim: string, premises: readonly string[], over: Readonly<Record<string, Domain>>, axioms: string | null]
  >([
    ['w · a + u · b ≤ max(a, b)', ['w + u = 1'], { w: [0, 1], u: [0, 1] }, 'nothing'],
    ['w · a + u · b ≤ max(a, b)', ['w + u ≤ 1'], { w: [0, 1], u: [0, 1] }, null],
    ['w · a + u · b ≤ max(a, b)', ['|w + u − 1| ≤ 1/100'], { w: [0, 1], u: [0, 1] }, null],
    ['w · a + u · b ≤ max(a, b) + 1/5', ['|w + u − 1| ≤ 1/100'], { w: [0, 1], u: [0, 1] }, 'nothing'],
    ['min(a, b) ≤ w · a + u · b', ['w + u = 1'], { w: [0, 1], u: [0, 1] }, 'nothing'],
    ['w · a + u · b < max(a, b)', ['w + u = 1'], { w: [0, 1], u: [0, 1] }, null],
    ['w · a + u · b < max(a, b) + 1', ['w + u = 1'], { w: [0, 1], u: [0, 1] }, 'nothing'],
    ['|w · a + u · b| ≤ 10', ['w + u = 1'], { w: [0, 1], u: [0, 1] }, 'nothing'],
    ['|w · a + u · b| ≤ 9', ['w + u = 1'], { w: [0, 1], u: [0, 1] }, null],
    ['w · a + u · b ≤ 10', ['w + u = 1'], { w: [0, 1], u: [0, 1] }, 'nothing'],
    ['w · a + u · b ≤ 9', ['w + u = 1'], { w: [0, 1], u: [0, 1] }, null],
    ['w · a + u · b = a', ['w + u = 1'], { w: [0, 1], u: [0, 1] }, null],
    ['w · a + u · b ≤ max(a, b)', [], { w: [0, 1], u: [0, 1] }, null],
    ['w · a + u · c ≤ max(a, b)', ['w + u = 1'], { w: [0, 1], u: [0, 1] }, null],
    ['w · a + u · b ≤ max(a, b)', ['w + u = 2'], { w: [0, 1], u: [0, 1] }, null],
    ['w · a + u · b ≤ 2 · max(a, b)', ['w + u = 2'], { w: [0, 1], u: [0, 1] }, 'nothing'],
    ['2 · w · a + 3 · u · b ≤ max(a, b)', ['2 · w + 3 · u = 1'], { w: [0, 1], u: [0, 1] }, 'nothing'],
    ['2 · w · a + 3 · u · b ≤ max(a, b)', ['w + u = 1'], { w: [0, 1], u: [0, 1] }, null],
    ['w · a + u · b + c ≤ max(a, b) + c', ['w + u = 1'], { w: [0, 1], u: [0, 1] }, 'nothing'],
    ['w · a + u · b + c ≤ max(a, b) + 10', ['w + u = 1'], { w: [0, 1], u: [0, 1] }, 'nothing'],
    ['w · a + u · b + c ≤ max(a, b) + 9', ['w + u = 1'], { w: [0, 1], u: [0, 1] }, null],
    ['fl(fl(w · a) + fl(u · b)) ≤ max(a, b) + 1e-5', ['w + u = 1'], { w: [0, 1], u: [0, 1] }, 'rounding-relative'],
    ['fl(fl(w · a) + fl(u · b)) ≤ max(a, b) + 1e-7', ['w + u = 1'], { w: [0, 1], u: [0, 1] }, null],
    ['fl(fl(w · a) + fl(u · b)) ≤ max(a, b)', ['w + u = 1'], { w: [0, 1], u: [0, 1] }, null],
    ['|fl(fl(w · a) + fl(u · b))| ≤ 10.00001', ['w + u = 1'], { w: [0, 1], u: [0, 1] }, 'rounding-relative'],
    ['w · a − u · b ≤ 10', ['w + u = 1'], { w: [0, 1], u: [0, 1] }, 'nothing'],
    ['w · a + u · b ≤ max(a, b)', ['w + u < 1'], { w: [0, 1], u: [0, 1] }, null],
    ['w · a + u · b ≤ max(a, b)', ['w + u ≤ 1', '1 ≤ w + u'], { w: [0, 1], u: [0, 1] }, 'nothing'],
    ['w · a + u · b ≤ max(a, b)', ['1 = w + u'], { w: [0, 1], u: [0, 1] }, 'nothing'],
    ['w · a + u · b ≤ max(a, b)', ['w − u = 1'], { w: [0, 1], u: [0, 1] }, null],
    ['w · a + u · b ≤ max(a, b)', ['w + u = 1', 'x ≤ 1'], { w: [0, 1], u: [0, 1] }, 'nothing'],
    ['x ≤ 1 ∨ w · a + u · b ≤ max(a, b)', ['w + u = 1'], { w: [0, 1], u: [0, 1] }, 'nothing'],
    ['w · a ≤ max(a, b)', ['w = 1'], { w: [0, 1], u: [0, 1] }, 'nothing'],
    ['w · a + u · b ≤ w · max(a, b) + u · max(a, b)', ['w + u = 1'], { w: [0, 1], u: [0, 1] }, 'nothing'],
    ['w · a − w · max(a, b) ≤ 0', ['w + u = 1'], { w: [0, 1], u: [0, 1] }, 'nothing'],
    ['w · a + u · b ≤ w · 10 + u · 9', ['w + u = 1'], { w: [0, 1], u: [0, 1] }, null],
    [
      'fl(fl(w · a + u · b) / fl(w + u)) ≤ max(a, b) + 1e-5',
      [],
      { w: [1, 2], u: [1, 2] },
      'rounding-exact rounding-monotone rounding-relative',
    ],
    [
      'fl(fl(fl(w · a) + fl(u · b)) / fl(w + u)) ≤ max(a, b) + 1e-5',
      [],
      { w: [1, 2], u: [1, 2] },
      'rounding-exact rounding-monotone rounding-relative',
    ],
    ['fl(fl(fl(w · a) + fl(u · b)) / fl(w + u)) ≤ max(a, b) + 1e-7', [], { w: [1, 2], u: [1, 2] }, null],
    ['fl(fl(fl(w · a) + fl(u · b)) / fl(w + u)) ≤ a + 1', [], { w: [1, 2], u: [1, 2] }, null],
    ['fl(fl(fl(w · a) + fl(u · b)) / fl(w + u)) ≤ max(a, b) + 1e-5', [], { w: [0, 2], u: [0, 2] }, null],
    ['fl(fl(fl(w · a) + fl(u · b)) / fl(w − u)) ≤ max(a, b) + 1', [], { w: [3, 4], u: [1, 2] }, null],
    [
      'min(a, b) − 1e-5 ≤ fl(fl(fl(w · a) + fl(u · b)) / fl(w + u))',
      [],
      { w: [1, 2], u: [1, 2] },
      'rounding-exact rounding-monotone rounding-relative',
    ],
    [
      'fl(fl(fl(w · a) + fl(u · b)) / fl(w + u)) < max(a, b) + 1e-5',
      [],
      { w: [1, 2], u: [1, 2] },
      'rounding-exact rounding-monotone rounding-relative',
    ],
    [
      'fl(fl(fl(w · a) + fl(u · b)) / fl(w + u)) ≤ 10.0001',
      [],
      { w: [1, 2], u: [1, 2] },
      'rounding-exact rounding-monotone rounding-relative',
    ],
  ])('%s where %o, over %o: %s', async (claim, premises, over, axioms) => {
    const outcome = await weightsEngine().decide(problem(claim, { premises, over }), { steps: 1e9, timeoutMs: 1e9 });
    expect(outcome.verdict === 'proved' ? outcome.axioms.join(' ') || 'nothing' : null).toBe(axioms);
  });
});
