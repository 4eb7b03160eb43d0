/**
 * Holds src/contract/exact/bounds.ts, src/contract/exact/facts.ts, src/contract/exact/ground-value.ts,
 * src/contract/exact/print-rational.ts.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundsOf, contradiction } from '../../../src/contract/exact/bounds.ts';
import { claimedLinks, type Link } from '../../../src/contract/exact/facts.ts';
import { equalAsWritten, groundValue } from '../../../src/contract/exact/ground-value.ts';
import { printRational } from '../../../src/contract/exact/print-rational.ts';
import { compareRational } from '../../../src/numeric/rational.ts';
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

describe('bits of whole numbers', () => {
  it.each([
    ['6 & 3 = 2', true],
    ['6 & 3 = 3', false],
    ['0xF0 & 0x3C = 0x30', true],
    ['6 & 3 + 1 = 4', true],
  ])('%s is %s', (text, isTrue) => {
    const { left, right } = linkOf(text);
    const [a, b] = [groundValue(left), groundValue(right)];
    expect(a && b && compareRational(a, b) === 0).toBe(isTrue);
  });

  it.each(['-7 & 3 = 1', '6.5 & 3 = 2', '1 | 6 & 3 = 3', '6 | 3 = 7', '1 << 4 = 16'])(
    '%s depends on the machine or the language',
    (text) => {
      expect(groundValue(linkOf(text).left)).toBeNull();
    },
  );
});
