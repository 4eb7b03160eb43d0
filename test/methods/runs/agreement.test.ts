/** How far numbers were compared that a claim takes for equal, and when that says nothing. */
import { describe, expect, it } from 'vitest';
import { createAgreement } from '../../../src/methods/runs/agreement.ts';
import type { Answer, Holds } from '../../../src/methods/runs/decide.ts';

const held = (more: Partial<Holds> = {}): Holds => ({
  kind: 'holds',
  equalTo: 40,
  hiddenUntil: 0,
  productsUntil: 0,
  isTelling: true,
  branches: new Set(),
  ...more,
});
const fails: Answer = { kind: 'fails', why: 'false' };
const open: Answer = { kind: 'open', why: 'doubtful' };

/** The answer after more digits, and in how many it was asked for again. */
function settled(answer: Answer, again: (digits: number) => Answer, agreement = createAgreement()) {
  const asked: number[] = [];
  const found = agreement.settled(answer, (digits) => {
    asked.push(digits);
    return again(digits);
  });
  return { found, asked, agreement };
}

const never = (): Answer => {
  throw new Error('no more digits are needed');
};

describe('a case in which all terms show', () => {
  it('is decided by the first digits', () => {
    expect(settled(held(), never).found).toEqual(held());
    expect(settled(fails, never).found).toBe(fails);
    expect(settled(open, never).found).toBe(open);
  });

  it('leaves nothing open, and says to how many digits numbers were equal', () => {
    const agreement = createAgreement();
    expect([agreement.equalTo(), agreement.open()]).toEqual([null, null]);
    settled(held({ equalTo: null }), never, agreement);
    expect(agreement.equalTo()).toBeNull();
    settled(held({ equalTo: 160 }), never, agreement);
    settled(held({ equalTo: 80 }), never, agreement);
    settled(held({ equalTo: 320 }), never, agreement);
    settled(fails, never, agreement);
    expect([agreement.equalTo(), agreement.open()]).toEqual([80, null]);
  });
});

describe('a case in which a term is too faint', () => {
  it('is looked at in the digits in which it shows, rounded up to hundreds', () => {
    const shown = held({ equalTo: 500 });
    const { found, asked } = settled(held({ hiddenUntil: 412 }), () => shown);
    expect([found, asked]).toEqual([shown, [500]]);
    expect(settled(held({ hiddenUntil: 500 }), () => shown).asked).toEqual([500]);
    expect(settled(held({ hiddenUntil: 1000 }), () => shown).asked).toEqual([1000]);
  });

  it('is looked at in more where it turns out to be fainter, then where its products show', () => {
    const answers: Answer[] = [held({ hiddenUntil: 600, productsUntil: 700 }), held({ productsUntil: 900 }), held()];
    const { asked, found } = settled(held({ hiddenUntil: 300, productsUntil: 350 }), () => answers.shift() ?? open);
    expect([asked, found.kind]).toEqual([[300, 600, 900], 'holds']);
    expect(settled(held({ hiddenUntil: 300, productsUntil: 290 }), () => held({ hiddenUntil: 300 })).asked).toEqual([
      300,
    ]);
  });

  it('is broken where more digits break it', () => {
    expect(settled(held({ hiddenUntil: 300 }), () => fails).found).toBe(fails);
  });

  it('keeps its answer where more digits decide nothing', () => {
    const first = held({ hiddenUntil: 300 });
    const { found, asked, agreement } = settled(first, () => open);
    expect([found, asked]).toEqual([first, [300]]);
    expect(agreement.open()).toContain('would show in 300 digits');
  });

  it('is not looked at again beyond a thousand digits', () => {
    const { asked, agreement } = settled(held({ hiddenUntil: 1001 }), never);
    expect(asked).toEqual([]);
    expect(agreement.open()).toBe(
      'the sides are equal to 40 digits, but a term of them would show in 1,001 digits, and 1,000 are computed at most: bound the inputs so that it shows, or compare with a tolerance (≈)',
    );
    const lost = settled(held({ hiddenUntil: Infinity, equalTo: null }), never).agreement;
    expect(lost.open()).toContain('equal to 0 digits, but a term of them is smaller than every decimal number:');
    // Its products alone may be affordable, and it is not they that count.
    expect(settled(held({ hiddenUntil: 1001, productsUntil: 900 }), () => held({ hiddenUntil: 1001 })).asked).toEqual([
      900,
    ]);
  });

  it('is looked at again at most four times, until one of them is broken', () => {
    const agreement = createAgreement();
    const faint = held({ hiddenUntil: 300 });
    const looks = () => settled(faint, () => held(), agreement).asked.length;
    expect([looks(), looks(), looks(), looks(), looks(), looks()]).toEqual([1, 1, 1, 1, 0, 0]);
    const broken = createAgreement();
    const breaking = () => settled(faint, () => fails, broken).asked.length;
    expect(Array.from({ length: 7 }, breaking)).toEqual([1, 1, 1, 1, 1, 1, 1]);
    expect(Array.from({ length: 7 }, () => settled(faint, () => held(), broken).asked.length)).toEqual(
      Array.from({ length: 7 }, () => 1),
    );
    const plain = createAgreement();
    for (let i = 0; i < 9; i++) settled(held(), never, plain);
    expect(settled(faint, () => held(), plain).asked).toEqual([300]);
  });
});

describe('what stays too faint', () => {
  const faint = (...branches: readonly string[]): Holds => held({ hiddenUntil: 2000, branches: new Set(branches) });
  const shown = (...branches: readonly string[]): Holds => held({ branches: new Set(branches) });
  const openAfter = (...answers: readonly Holds[]): boolean => {
    const agreement = createAgreement();
    for (const answer of answers) settled(answer, never, agreement);
    return agreement.open() !== null;
  };

  it('is covered by a case that took the same branches, whichever came first', () => {
    expect(openAfter(faint())).toBe(true);
    expect(openAfter(faint(), shown())).toBe(false);
    expect(openAfter(shown(), faint())).toBe(false);
    expect(openAfter(shown('< true'), faint('< true'))).toBe(false);
    expect(openAfter(shown('< true'), faint('< false'))).toBe(true);
    expect(openAfter(shown('< true'), shown('≤ false'), faint('≤ false', '< true'))).toBe(false);
    expect(openAfter(shown('< true'), faint('< true', '≤ true'))).toBe(true);
  });

  it('is not covered by cases that compared nothing inexact', () => {
    expect(openAfter(faint(), held({ isTelling: false }))).toBe(true);
    expect(openAfter(faint('a'), held({ isTelling: false, branches: new Set(['a']) }), shown())).toBe(true);
  });

  it('reports the first that nothing covers', () => {
    const agreement = createAgreement();
    settled(held({ hiddenUntil: 2000, branches: new Set(['a']) }), never, agreement);
    settled(held({ hiddenUntil: 3000, branches: new Set(['b']) }), never, agreement);
    settled(held({ hiddenUntil: 4000, branches: new Set(['b']) }), never, agreement);
    expect(agreement.open()).toContain('2,000 digits');
    settled(shown('a'), never, agreement);
    expect(agreement.open()).toContain('3,000 digits');
    settled(shown('b'), never, agreement);
    expect(agreement.open()).toBeNull();
  });
});
