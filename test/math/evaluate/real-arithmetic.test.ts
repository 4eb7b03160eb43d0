import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as b from '../../../src/math/term/build.ts';
import { interpret } from '../../../src/math/evaluate/interpret.ts';
import { realArithmetic } from '../../../src/math/evaluate/real-arithmetic.ts';
import { REAL, type Term } from '../../../src/math/term/term.ts';

const x = b.variable('x', REAL);
const y = b.variable('y', REAL);

/** The truth of a predicate over the reals, or `open` when 40 digits do not tell. */
function truthOf(predicate: Term, values: Readonly<Record<string, number>> = {}, digits = 40): boolean | 'open' {
  const arithmetic = realArithmetic(digits);
  const found = interpret(predicate, new Map(Object.entries(values)), arithmetic);
  if (!found.ok) throw new Error(found.error);
  return arithmetic.isDoubtful() ? 'open' : found.value === true;
}

const equal = (left: Term, right: Term): Term => b.call('equal', left, right);

describe('over the reals', () => {
  it.each([
    [
      '(1/3)·3 = 1',
      equal(b.call('multiply', b.call('divide', b.integer(1), b.integer(3)), b.integer(3)), b.integer(1)),
    ],
    ['√2·√2 = 2', equal(b.call('multiply', b.call('sqrt', b.integer(2)), b.call('sqrt', b.integer(2))), b.integer(2))],
    ['exp(log 7) = 7', equal(b.call('exp', b.call('log', b.integer(7))), b.integer(7))],
    ['¬ 1 < 1', b.call('not', b.call('less', b.call('exp', b.integer(0)), b.integer(1)))],
    ['1 < 1 + 1e-25', b.call('less', b.integer(1), b.decimal('1.0000000000000000000000001'))],
    ['exp(−5000) > 0', b.call('greater', b.call('exp', b.integer(-5000)), b.integer(0))],
    [
      '∞ = ∞',
      equal(
        b.reduce('max', [{ name: 'i', from: b.integer(0), to: b.integer(0) }], x),
        b.reduce('max', [{ name: 'i', from: b.integer(0), to: b.integer(0) }], x),
      ),
    ],
  ])('%s', (_, term) => expect(truthOf(term, { x: 0 })).toBe(true));

  it('equality is not a tolerance', () => {
    expect(truthOf(equal(b.integer(1), b.decimal('1.0000000000000000000000001')))).toBe(false);
    expect(truthOf(b.call('approximately', b.integer(1), b.decimal('1.25'), b.decimal('0.25')))).toBe(true);
    expect(
      truthOf(b.call('approximately', b.integer(1), b.decimal('1.25'), b.decimal('0.2499999999999999999999'))),
    ).toBe(false);
  });

  it('cancellation is seen, not mistaken for a difference', () => {
    // (x + y) − x = y, where x is some 1e60 times larger than y: both precisions lose y.
    const lost = equal(b.call('subtract', b.call('add', x, y), x), y);
    expect(truthOf(lost, { x: 1e60, y: 1 })).toBe('open');
    expect(truthOf(lost, { x: 1e60, y: 1 }, 160)).toBe(true);
    expect(truthOf(equal(b.call('subtract', b.call('add', x, y), x), b.integer(2)), { x: 1e60, y: 1 }, 160)).toBe(
      false,
    );
  });

  it('agrees with float64 where that is exact', () => {
    const small = fc.integer({ min: -1000, max: 1000 });
    fc.assert(
      fc.property(small, small, (p, q) => {
        for (const [fn, truth] of [
          ['less', p < q],
          ['less-equal', p <= q],
          ['greater', p > q],
          ['greater-equal', p >= q],
          ['equal', p === q],
        ] as const)
          expect(truthOf(b.call(fn, x, y), { x: p, y: q })).toBe(truth);
      }),
      { numRuns: 200 },
    );
  });

  it('remembers an equality that failed rather than what failed after it', () => {
    const arithmetic = realArithmetic(40);
    interpret(
      b.call('or', equal(x, y), b.call('less', y, x)),
      new Map([
        ['x', 1],
        ['y', 2],
      ]),
      arithmetic,
    );
    expect(arithmetic.lastFailed()?.symbol).toBe('=');
  });
});

it('distinguishes a strict order that more digits may reveal from a false one', () => {
  const above = b.call('greater', b.call('exp', x), b.integer(1));
  const tied = (digits: number, predicate: Term, value: number): readonly [unknown, boolean] => {
    const arithmetic = realArithmetic(digits);
    const found = interpret(predicate, new Map([['x', value]]), arithmetic);
    return [found.ok && found.value, arithmetic.isTied()];
  };
  expect(tied(40, above, 1e-45)).toEqual([false, true]);
  expect(tied(80, above, 1e-45)).toEqual([true, false]);
  expect(tied(40, b.call('greater', x, x), 1e-34)).toEqual([false, false]);
  expect(tied(40, above, -1)).toEqual([false, false]);
});

describe('numbers that are too small or too large for every exponent', () => {
  const exp = (of: Term): Term => b.call('exp', of);
  const one = b.integer(1);
  const zero = b.integer(0);
  const product = b.call('multiply', exp(x), exp(x));

  it.each<[string, Term, number]>([
    ['sign exp x = 1', equal(b.call('sign', exp(x)), one), -2.1e16],
    ['⌈exp x⌉ = 1', equal(b.call('ceiling', exp(x)), one), -1e300],
    ['⌊exp x⌋ = 0', equal(b.call('floor', exp(x)), zero), -1e17],
    ['round exp x = 0', equal(b.call('round', exp(x)), zero), -1e17],
    ['⌈exp x · exp x⌉ = 1', equal(b.call('ceiling', product), one), -1.5e16],
    ['1 / exp −x > 0', b.call('greater', b.call('divide', one, exp(b.call('negate', x))), zero), -1e18],
    ['exp −x > exp x', b.call('greater', exp(b.call('negate', x)), exp(x)), -1e18],
  ])('%s', (_, claim, at) => expect(truthOf(claim, { x: at })).toBe(true));

  it.each<[string, Term]>([
    ['sign −exp x = 0', equal(b.call('sign', b.call('negate', exp(x))), zero)],
    ['exp x · exp −x = 0', equal(b.call('multiply', exp(x), exp(b.call('negate', x))), zero)],
    ['log exp x = 0', equal(b.call('log', exp(x)), zero)],
    ['exp −x is finite', b.call('is-finite', exp(b.call('negate', x)))],
    ['exp x / exp x is NaN', b.call('is-nan', b.call('divide', exp(x), exp(x)))],
    ['⌊sigmoid exp −x⌋ = 1', equal(b.call('floor', b.call('sigmoid', exp(b.call('negate', x)))), one)],
  ])('%s is not decided', (_, claim) => expect(truthOf(claim, { x: -1e18 })).toBe('open'));

  it('two that no exponent holds may differ', () => {
    const arithmetic = realArithmetic(320);
    const differ = b.call('not-equal', exp(x), exp(b.call('multiply', b.integer(2), x)));
    interpret(differ, new Map([['x', -1e18]]), arithmetic);
    expect(arithmetic.isTied()).toBe(true);
  });

  it('a product that vanishes keeps a bound of its own size', () => {
    const claim = equal(b.call('multiply', product, b.call('power', b.integer(10), y)), zero);
    // exp(−1e16)² is 10^(−8.7e15), times 10^(8.9e15) far above 1.
    expect(truthOf(claim, { x: -1.04e16, y: 8.9e15 })).not.toBe(true);
  });
});
