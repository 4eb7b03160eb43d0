/** Holds src/trace/engine/coin.ts. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCoin } from '../../../src/trace/engine/coin.ts';
import { createSampler } from '../../../src/trace/engine/sampler.ts';
import type { Sampler } from '../../../src/trace/format/trace.ts';
import { greedy, topP } from './generations.ts';

function chooser(sampler: Sampler) {
  const made = createSampler(sampler);
  if (!made.ok) throw new Error(made.error.message);
  return (logits: readonly number[]) => {
    const chosen = made.value(Float32Array.from(logits));
    return chosen.ok ? chosen.value : chosen.error.check;
  };
}

describe('coins', () => {
  // From a C program with uint64_t: rotl(rotl(s, 5) * 5, 7) before s = rotl(s, 23) + 0x9e3779b97f4a7c15; and llama2.c's random_f32.
  test.each([
    ['llama2-rs/1', 42n, [0, 5638654, 8498523, 15337904, 9914747]],
    ['llama2-rs/1', 0n, [0, 5638647, 3779931, 15337904, 9914537]],
    ['llama2-rs/1', 2n ** 64n - 1n, [16777215, 5638647, 3779930, 14027184, 9914537]],
    ['xorshift64star/1', 42n, [5688906, 13124075, 13256299, 15838407, 12824397]],
    ['xorshift64star/1', 2n ** 64n - 1n, [16329929, 9434244, 3435669, 12932812, 7089509]],
  ] as const)('%s from %d are those of the original', (generator, seed, draws) => {
    const coin = createCoin(generator, seed);
    expect(draws.map(() => coin() * 2 ** 24)).toEqual(draws);
  });

  test('are float32 in [0, 1), spread evenly', () => {
    for (const generator of ['llama2-rs/1', 'xorshift64star/1'] as const) {
      const coin = createCoin(generator, 7n);
      const draws = Array.from({ length: 10_000 }, coin);
      expect(draws.every((draw) => draw >= 0 && draw < 1 && Math.fround(draw) === draw)).toBe(true);
      expect(Math.abs(draws.reduce((sum, draw) => sum + draw) / 10_000 - 0.5)).toBeLessThan(0.01);
    }
  });
});

/** What llama2.c does with logits and a coin, with arrays of pairs as it has them. */
function sampleSlowly(logits: readonly number[], temperature: number, p: number, coin: number): number {
  const { fround } = Math;
  const scaled = logits.map((logit) => fround(fround(logit) / fround(temperature)));
  const most = Math.max(...scaled);
  const powers = scaled.map((x) => fround(Math.exp(fround(x - most))));
  const sum = powers.reduce((total, power) => fround(total + power), 0);
  const probabilities = powers.map((power) => fround(power / sum));
  const draw = (from: readonly (readonly [id: number, p: number])[], r: number): number => {
    let cdf = 0;
    for (const [id, probability] of from) {
      cdf = fround(cdf + probability);
      if (r < cdf) return id;
    }
    return from.at(-1)?.[0] ?? -1;
  };
  const pairs = probabilities.map((probability, id) => [id, probability] as const);
  if (fround(p) <= 0 || fround(p) >= 1) return draw(pairs, coin);
  const cutoff = fround(fround(1 - fround(p)) / (logits.length - 1));
  const sorted = pairs.filter(([, probability]) => probability >= cutoff).toSorted((a, b) => b[1] - a[1]);
  let mass = 0;
  let last = sorted.length - 1;
  for (const [i, [, probability]] of sorted.entries()) {
    mass = fround(mass + probability);
    if (mass > fround(p)) {
      last = i;
      break;
    }
  }
  return draw(sorted.slice(0, last + 1), fround(coin * mass));
}

describe('a sampler', () => {
  test('that is greedy takes the largest logit, of equal ones the first', () => {
    expect(chooser(greedy)([1, 3, 2, 3])).toBe(1);
    expect(chooser(greedy)([-0, 0])).toBe(0);
    expect(chooser(greedy)([-5])).toBe(0);
  });

  test('chooses as llama2.c does, draw after draw', () => {
    // Whole logits make ties; sixteenths keep exp of float64 and of float32 from differing where it would matter.
    const logits = fc.array(
      fc.integer({ min: -80, max: 80 }).map((n) => n / 16),
      { minLength: 2, maxLength: 12 },
    );
    const settings = fc.record({
      temperature: fc.constantFrom(0.1, 0.5, 0.8, 1, 2),
      p: fc.constantFrom(0, 0.05, 0.3, 0.5, 0.9, 0.99, 1),
      seed: fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }),
      generator: fc.constantFrom('llama2-rs/1' as const, 'xorshift64star/1' as const),
    });
    fc.assert(
      fc.property(
        fc.array(logits, { minLength: 1, maxLength: 5 }),
        settings,
        (rows, { temperature, p, seed, generator }) => {
          const choose = chooser(topP({ temperature, topP: p, seed: `${seed}`, generator }));
          const coin = createCoin(generator, seed);
          for (const row of rows) {
            const expected = sampleSlowly(row, temperature, p, coin());
            const chosen = choose(row);
            // Below 1/n all tokens may be left out; then it is the likeliest.
            expect(chosen).toBe(expected === -1 ? row.indexOf(Math.max(...row)) : expected);
          }
        },
      ),
    );
  });

  test('with a small p takes the likeliest, even where every token is less likely than its bound', () => {
    expect(chooser(topP({ topP: 1e-6 }))([0, 1, 0])).toBe(1);
    expect(chooser(topP({ topP: 0.01 }))([2, 2, 2])).toBe(0);
    expect(chooser(topP())([7])).toBe(0);
  });

  test('keeps tokens until their sum is above p, and of equal ones the first', () => {
    for (const [p, kept] of [
      [0.49, [0, 1]],
      [0.5, [0, 1, 2]],
      [0.74, [0, 1, 2]],
      [0.76, [0, 1, 2, 3]],
    ] as const) {
      const choose = chooser(topP({ temperature: 1, topP: p }));
      const seen = new Set(Array.from({ length: 300 }, () => choose([2, 2, 2, 2])));
      expect(
        [...seen].map(Number).toSorted((a, b) => a - b),
        `p ${p}`,
      ).toEqual(kept);
    }
  });

  test('takes the more likely tokens more often', () => {
    const choose = chooser(topP({ temperature: 1, topP: 1 }));
    const counts = [0, 0, 0];
    for (let i = 0; i < 10_000; i++) {
      const token = Number(choose([Math.log(5), Math.log(3), Math.log(2)]));
      counts[token] = (counts[token] ?? 0) + 1;
    }
    [0.5, 0.3, 0.2].forEach((share, id) => expect(Math.abs((counts[id] ?? 0) / 10_000 - share)).toBeLessThan(0.02));
  });

  test('leaves the logits as they are', () => {
    const logits = Float32Array.of(1, 2, 3);
    const made = createSampler(topP());
    if (made.ok) made.value(logits);
    expect([...logits]).toEqual([1, 2, 3]);
  });

  test('says that a temperature is too small for the logits, rather than draw from NaN', () => {
    expect(chooser(topP({ temperature: 1e-38 }))([1, 100])).toBe('temperature');
  });
});

describe('a sampler is refused', () => {
  test.each([
    ['temperature', { temperature: 0 }],
    ['temperature', { temperature: -1 }],
    ['temperature', { temperature: Number.NaN }],
    ['temperature', { temperature: Infinity }],
    ['temperature', { temperature: 1e-60 }],
    ['top-p', { topP: Number.NaN }],
    ['seed', { seed: '' }],
    ['seed', { seed: '-1' }],
    ['seed', { seed: '1e3' }],
    ['seed', { seed: '007' }],
    ['seed', { seed: '18446744073709551616' }],
    ['seed', { seed: '0', generator: 'xorshift64star/1' }],
  ] as const)('for its %s: %j', (check, given) => {
    expect(createSampler(topP(given))).toMatchObject({ ok: false, error: { code: 'PV-8014', check } });
  });

  test('that was another engine’s', () => {
    expect(createSampler({ kind: 'other', description: 'beam search' })).toMatchObject({
      ok: false,
      error: { code: 'PV-8014', check: 'sampler' },
    });
  });
});
