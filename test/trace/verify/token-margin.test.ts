/** Which coins could have drawn a token, held to intervals that are worked out by hand. */
import { describe, expect, it } from 'vitest';
import { couldBeDrawn, couldBeLargest } from '../../../src/trace/verify/token-margin.ts';
import { topP } from './recorded.ts';

/** Beyond the rounding that is allowed for, and below anything that a band changes. */
const near = 3e-5;

interface Question {
  readonly probabilities: readonly number[];
  readonly token: number;
  readonly share: number;
  readonly band?: number;
  readonly temperature?: number;
}

/** Expects that coins from `from` on and below `to` could have drawn the token, and no others. */
function expectCoins(question: Question, from: number, to: number): void {
  const { probabilities, token, share, band = 0, temperature = 1 } = question;
  const logits = Float32Array.from(probabilities, (p) => 3 + temperature * Math.log(p));
  const sampler = { ...topP, temperature, topP: share };
  const drawn = (coin: number): boolean => couldBeDrawn(logits, token, sampler, coin, band);
  const where = `token ${token}, top-p ${share}`;
  for (const coin of [from + near, (from + to) / 2, to - near]) expect(drawn(coin), `${where}: ${coin}`).toBe(true);
  for (const coin of [from - near, to + near]) {
    if (coin > 0 && coin < 1) expect(drawn(coin), `${where}: ${coin}`).toBe(false);
  }
}

/** The most that logits within `band` can make of a probability `mass`: its odds times exp(2·band/temperature). */
const most = (mass: number, band: number, temperature = 1): number =>
  mass / (mass + (1 - mass) * Math.exp((-2 * band) / temperature));
const least = (mass: number, band: number, temperature = 1): number => most(mass, -band, temperature);

describe('without a band', () => {
  const probabilities = [0.3, 0.5, 0.05, 0.15];

  it.each([0, 1, -1, 2])('and with a top-p of %d, tokens take their probability in the order of their ids', (share) => {
    expectCoins({ probabilities, token: 0, share }, 0, 0.3);
    expectCoins({ probabilities, token: 1, share }, 0.3, 0.8);
    expectCoins({ probabilities, token: 2, share }, 0.8, 0.85);
    expectCoins({ probabilities, token: 3, share }, 0.85, 1);
  });

  it('and with a top-p, the likeliest share what they have, and the others are never drawn', () => {
    expectCoins({ probabilities, token: 1, share: 0.7 }, 0, 0.5 / 0.8);
    expectCoins({ probabilities, token: 0, share: 0.7 }, 0.5 / 0.8, 1);
    expectCoins({ probabilities, token: 1, share: 0.4 }, 0, 1);
    const sampler = { ...topP, temperature: 1, topP: 0.7 };
    const logits = Float32Array.from(probabilities, Math.log);
    for (let coin = 0; coin < 1; coin += 1 / 64) {
      for (const token of [2, 3, 4]) expect(couldBeDrawn(logits, token, sampler, coin, 0)).toBe(false);
    }
  });

  it('tokens of one probability may have stood in either order', () => {
    const equal = [0.4, 0.4, 0.2];
    for (const token of [0, 1]) expectCoins({ probabilities: equal, token, share: 0.7 }, 0, 1);
    for (const token of [0, 1]) expectCoins({ probabilities: equal, token, share: 0.9 }, 0, 0.8);
    expectCoins({ probabilities: equal, token: 2, share: 0.9 }, 0.8, 1);
  });
});

it('a coin between two tokens may have drawn either, since float32 sums are rounded', () => {
  const logits = Float32Array.from([0.3, 0.5, 0.2], Math.log);
  const sampler = { ...topP, temperature: 1, topP: 1 };
  for (const coin of [0.3 - 5e-6, 0.3, 0.3 + 5e-6])
    expect([0, 1, 2].map((token) => couldBeDrawn(logits, token, sampler, coin, 0))).toEqual([true, true, false]);
});

describe('within a band', () => {
  const probabilities = [0.5, 0.3, 0.15, 0.05];

  it.each([
    [0.05, 1],
    [0.05, 0.5],
    [0.001, 2],
  ])(
    'of %d at a temperature of %d, the odds of what stands before and of what reaches there move',
    (band, temperature) => {
      const question = { probabilities, share: 1, band, temperature };
      expectCoins({ ...question, token: 0 }, 0, most(0.5, band, temperature));
      expectCoins({ ...question, token: 1 }, least(0.5, band, temperature), most(0.8, band, temperature));
      expectCoins({ ...question, token: 3 }, least(0.95, band, temperature), 1);
    },
  );

  it('the kept tokens may be one more or one less, where their sum is nearly the top-p', () => {
    const band = 0.01;
    const question = { probabilities, share: 0.8, band };
    // Either 0.5 and 0.3 are kept, or 0.15 with them.
    expectCoins({ ...question, token: 0 }, 0, most(0.5, band) / 0.8);
    expectCoins({ ...question, token: 1 }, least(0.5, band) / most(0.95, band), 1);
    expectCoins({ ...question, token: 2 }, least(0.8, band) / most(0.95, band), 1);
  });

  it('a token after those that are surely kept is never drawn', () => {
    const logits = Float32Array.from(probabilities, Math.log);
    const sampler = { ...topP, temperature: 1, topP: 0.7 };
    for (const coin of [0.5, 0.99, 0.9999]) expect(couldBeDrawn(logits, 2, sampler, coin, 0.01)).toBe(false);
  });

  it('the largest logit is one that is at most twice the band below, and no token that is not there', () => {
    const logits = Float32Array.of(1, 2, 1.5);
    expect(couldBeLargest(logits, 1, 0)).toBe(true);
    expect(couldBeLargest(logits, 2, 0)).toBe(false);
    expect(couldBeLargest(logits, 2, 0.25)).toBe(true);
    expect(couldBeLargest(logits, 2, 0.2499)).toBe(false);
    expect(couldBeLargest(logits, 0, 0.4999)).toBe(false);
    expect(couldBeLargest(Float32Array.of(1, 1), 0, 0)).toBe(true);
    expect(couldBeLargest(logits, 3, 100)).toBe(false);
  });
});
