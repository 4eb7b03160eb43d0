/** Holds src/evidence/verdict.ts. */
import { describe, expect, it } from 'vitest';
import { lowerLevel, weakerVerdict } from '../../src/evidence/verdict-order.ts';
import { isGreen, isRefuted, levels, verdicts } from '../../src/evidence/verdict.ts';

describe('the order of verdicts', () => {
  it('begins with the refuted ones and ends with the green ones, and nothing else is either', () => {
    expect(verdicts.filter(isGreen)).toEqual(['tested', 'proved']);
    expect(verdicts.slice(-2)).toEqual(['tested', 'proved']);
    expect(verdicts.filter(isRefuted)).toEqual(verdicts.slice(0, 2));
    expect(new Set(verdicts.slice(0, 2))).toEqual(new Set(['falsified', 'unsound']));
  });

  it('takes the earlier of two', () => {
    verdicts.forEach((a, i) => verdicts.forEach((b, j) => expect(weakerVerdict(a, b)).toBe(verdicts[Math.min(i, j)])));
  });

  it('takes the lower of two levels', () => {
    levels.forEach((a, i) => levels.forEach((b, j) => expect(lowerLevel(a, b)).toBe(levels[Math.min(i, j)])));
  });
});
