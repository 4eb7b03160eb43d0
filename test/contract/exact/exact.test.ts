/**
 * Holds src/contract/exact/bounds.ts, src/contract/exact/facts.ts, src/contract/exact/ground-value.ts,
 * src/contract/exact/rational.ts.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundsOf, contradiction } from '../../../src/contract/exact/bounds.ts';
import { claimedLinks, type Link } from '../../../src/contract/exact/facts.ts';
import { equalAsWritten, groundValue } from '../../../src/contract/exact/ground-value.ts';
import {
  add,
  divide,
  floor,
  fromDecimal,
  multiply,
  power,
  printRational,
  rational,
} from '../../../src/contract/exact/rational.ts';
import { compareRational, type Rational } from '../../../src/numeric/rational.ts';
import type { FormalText } from '../../../src/contract/contract.ts';
import { readNotation } from '../../../src/math/notation/read.ts';

const source = { path: 'x', text: '' };

function formal(text: string): FormalText {
  return {
    text,
    span: { source, range: { start: 0, end: 0 } },
    notation: readNotation(text, 'proposition'),
    offsetInSource: (offset) => offset,
  };
}

/** The first relation that a text claims. */
function linkOf(text: string): Link {
  const [link] = readNotation(text, 'proposition').statements.flatMap(claimedLinks);
  if (!link) throw new Error(`${text} claims no relation`);
  return link;
}

function valueOf(text: string): string | null {
  const value = groundValue(linkOf(`${text} = 0`).left);
  return value && printRational(value);
}

describe('rational arithmetic', () => {
  const int = fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n });
  const any = fc
    .tuple(
      int,
      int.filter((n) => n !== 0n),
    )
    .map(([n, d]) => rational(n, d) as Rational);

  it('is a field, in lowest terms', () => {
    fc.assert(
      fc.property(any, any, any, (a, b, c) => {
        const left = multiply(a, add(b, c) as Rational);
        const right = add(multiply(a, b) as Rational, multiply(a, c) as Rational);
        expect(left).toEqual(right);
        if (b.numerator !== 0n) expect(multiply(divide(a, b) as Rational, b)).toEqual(a);
      }),
    );
  });

  it('orders as numbers do, and floor is below', () => {
    fc.assert(
      fc.property(any, any, (a, b) => {
        expect(Math.sign(compareRational(a, b))).toBe(-Math.sign(compareRational(b, a)) + 0);
        expect(compareRational(floor(a), a)).toBeLessThanOrEqual(0);
        expect(compareRational(add(floor(a), { numerator: 1n, denominator: 1n }) as Rational, a)).toBe(1);
      }),
    );
  });

  it('reads decimals exactly', () => {
    expect(fromDecimal('6e-8')).toEqual({ numerator: 3n, denominator: 50_000_000n });
    expect(fromDecimal('1.50')).toEqual({ numerator: 3n, denominator: 2n });
    expect([fromDecimal(''), fromDecimal('.'), fromDecimal('1e5000'), fromDecimal('x')]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  it('is bounded', () => {
    const two = { numerator: 2n, denominator: 1n };
    expect(power(two, { numerator: 5000n, denominator: 1n })).toBeNull();
    expect(power({ numerator: 10n ** 500n, denominator: 1n }, { numerator: 900n, denominator: 1n })).toBeNull();
    expect(divide(two, { numerator: 0n, denominator: 1n })).toBeNull();
    expect(power({ numerator: 0n, denominator: 1n }, { numerator: -1n, denominator: 1n })).toBeNull();
  });
});

describe('the value of expressions without names', () => {
  it.each([
    ['2 + 5 + 1', '8'],
    ['4096 / 32', '128'],
    ['2^10 - 1', '1023'],
    ['⌊7/2⌋', '3'],
    ['⌈7/2⌉', '4'],
    ['|3 - 5|', '2'],
    ['-7 mod 3', '2'],
    ['1/3 + 1/6', '0.5'],
    ['2 × (1024 + 2 × 32768)', '133120'],
    ['1/0', null],
    ['n + 1', null],
  ])('%s is %s', (text, expected) => {
    expect(valueOf(text)).toBe(expected);
  });

  it.each([
    ['1/3 = 0.333', true],
    ['1/3 = 0.33', true],
    ['2/3 = 0.66', false],
    ['2 + 2 = 5', false],
    ['2^19 = 524K', true],
    ['2^19 = 524000', false],
    ['4096 / 33 = 124', false],
  ])('%s: %s', (text, expected) => {
    const link = linkOf(text);
    const left = groundValue(link.left);
    const right = groundValue(link.right);
    expect(left && right && equalAsWritten(text, link.left, link.right, left, right)).toBe(expected);
  });

  it('deep and long expressions end soon', () => {
    for (const text of [
      `${'1+'.repeat(9000)}1 = 0`,
      `${'('.repeat(3000)}1${')'.repeat(3000)} = 0`,
      `${'-'.repeat(5000)}1 = 0`,
      `${'2^'.repeat(500)}2 = 0`,
    ]) {
      for (const statement of readNotation(text, 'proposition').statements)
        for (const link of claimedLinks(statement)) groundValue(link.left);
    }
  });
});

describe('bounds', () => {
  const conflict = (text: string): string | null => {
    const found = contradiction(boundsOf(formal(text)));
    return found && text.slice(found.later.range.start, found.later.range.end);
  };

  it.each([
    ['n ≥ 5, n ≤ 3', 'n ≤ 3'],
    ['1 ≤ n ≤ 0', 'n ≤ 0'],
    ['n > 3, n ≤ 3', 'n ≤ 3'],
    ['n = 2, n = 3', 'n = 3'],
    ['|x_i| ≤ -1', '|x_i| ≤ -1'],
    ['|x_i| < 0', '|x_i| < 0'],
    ['p ∈ [1, 0]', 'p ∈ [1, 0]'],
    ['p ∈ [0, 1], p > 1', 'p > 1'],
    ['n ≥ 3, n ≤ 3', null],
    ['n ≥ 5, m ≤ 3', null],
    ['x_i ≥ 5, x_j ≤ 3', null],
    ['|x_i| ≤ 0', null],
    ['n ≥ 5 ∨ n ≤ 3', null],
    ['n ≥ 5 ⟹ n ≤ 3', null],
  ])('%s: %s', (text, expected) => {
    expect(conflict(text)).toBe(expected);
  });

  it('finds a conflict exactly when no number is left', () => {
    const bound = fc.record({ side: fc.constantFrom('≤', '<', '≥', '>'), value: fc.integer({ min: -4, max: 4 }) });
    fc.assert(
      fc.property(fc.array(bound, { maxLength: 5 }), (bounds) => {
        const halves = Array.from({ length: 41 }, (_, i) => i / 2 - 10);
        const holds = (x: number): boolean =>
          bounds.every(({ side, value }) =>
            side === '≤' ? x <= value : side === '<' ? x < value : side === '≥' ? x >= value : x > value,
          );
        const text = bounds.map(({ side, value }) => `n ${side} ${value}`).join(', ') || 'n ≥ 0';
        expect(conflict(text) === null).toBe(halves.some(holds));
      }),
    );
  });
});
