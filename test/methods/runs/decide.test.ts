/** A predicate over the reals on given inputs: true, false with both sides, or undecided in the digits that there are. */
import { describe, expect, it } from 'vitest';
import type { Environment } from '../../../src/math/evaluate/value.ts';
import { REAL, type Term } from '../../../src/math/term/term.ts';
import { decide, REAL_DIGITS, type Answer } from '../../../src/methods/runs/decide.ts';
import * as b from '../../../src/math/term/build.ts';

const x = b.variable('x', REAL);
const at = (value: number): Environment => new Map([['x', value]]);
const answer = (predicate: Term, value = 0, more: { negligible?: number; digits?: readonly number[] } = {}): Answer =>
  decide(predicate, at(value), more.negligible, ...(more.digits ? [{ digits: more.digits, maxSteps: 2_000_000 }] : []));
const exp = (term: Term): Term => b.call('exp', term);
const add = (left: Term, right: Term): Term => b.call('add', left, right);

describe('what is exact', () => {
  it('holds without digits', () => {
    expect(answer(b.call('equal', add(x, x), b.integer(6)), 3)).toEqual({
      kind: 'holds',
      equalTo: null,
      hiddenUntil: 0,
      productsUntil: 0,
      isTelling: false,
      branches: expect.any(Set) as unknown,
    });
    expect(answer(b.call('less', x, b.integer(6)), 3)).toMatchObject({ kind: 'holds', branches: new Set(['< true']) });
  });

  it('fails with both sides', () => {
    expect(answer(b.call('equal', add(x, x), b.integer(7)), 3)).toEqual({
      kind: 'fails',
      why: 'over the reals, 6 = 7 is false (40 digits)',
    });
    expect(answer(b.call('less', x, b.decimal('2.5')), 3)).toMatchObject({
      why: 'over the reals, 3 < 2.5 is false (40 digits)',
    });
    expect(answer(b.boolean(false))).toEqual({
      kind: 'fails',
      why: 'over the reals, the claim is false (40 digits)',
    });
  });
});

describe('what is not exact', () => {
  it('is decided with more digits if the first ones do not separate two numbers', () => {
    expect(REAL_DIGITS).toBe(40);
    const square = b.call('multiply', exp(x), exp(x));
    expect(answer(b.call('equal', square, exp(add(x, x))), 1)).toMatchObject({
      kind: 'holds',
      equalTo: 80,
      isTelling: true,
    });
    // They differ in the 46th digit.
    const nearly = b.decimal('2.718281828459045235360287471352662497757247093');
    expect(answer(b.call('equal', exp(x), nearly), 1)).toMatchObject({
      kind: 'fails',
      why: expect.stringContaining('(80 digits)') as string,
    });
    expect(answer(b.call('not-equal', exp(x), nearly), 1).kind).toBe('holds');
  });

  it('fails with the difference where both sides look equal', () => {
    const nearly = b.decimal('2.71828182845904523536028747135266249775724709369995957496697');
    const { why } = answer(b.call('equal', exp(x), nearly), 1) as { why: string };
    expect(why).toMatch(
      /^over the reals, 2\.7\d+ = 2\.7\d+, where the left side minus the right one is -2\.37e-60, is false/u,
    );
  });

  it('fails where a side has no value, and says so', () => {
    const root = b.call('sqrt', b.integer(-1));
    expect(answer(b.call('equal', root, b.integer(1)))).toMatchObject({
      kind: 'fails',
      why: 'over the reals, NaN = 1, where a side has no value, is false (40 digits)',
    });
  });

  it('in a strict order is decided by as many digits as separate the sides', () => {
    const above = (gap: string): Term => b.call('less', exp(x), add(exp(x), b.decimal(gap)));
    expect(answer(above('1e-70'), 1).kind).toBe('holds');
    expect(answer(b.call('less', exp(x), exp(x)), 1)).toEqual({
      kind: 'open',
      why: '640 digits do not separate the sides of a comparison',
    });
    const either = b.call('or', b.call('less', exp(x), exp(x)), b.boolean(true));
    expect(answer(either, 1)).toMatchObject({ kind: 'holds', equalTo: 320 });
  });

  it('is open if no number of digits decides', () => {
    const deep = b.call('less', exp(x), add(exp(x), b.decimal('1e-700')));
    expect(answer(deep, 1).kind).not.toBe('holds');
    expect(answer(b.call('less', exp(x), exp(x)), 1, { digits: [40, 80] })).toEqual({
      kind: 'open',
      why: '80 digits do not separate the sides of a comparison',
    });
  });

  it('knows which terms are too faint for the digits that decided', () => {
    const log = b.call('log', add(b.integer(1), exp(x)));
    const faint = answer(b.call('equal', log, x), 300);
    expect(faint).toMatchObject({ kind: 'holds', isTelling: false });
    expect(faint.kind === 'holds' && faint.hiddenUntil).toBeGreaterThan(130);
    const differs = answer(b.call('not-equal', log, x), 300);
    expect(differs.kind).not.toBe('fails');
  });
});

describe('what cannot be computed', () => {
  it('is open, with the reason', () => {
    const large = b.call('sin', exp(exp(x)));
    expect(answer(b.call('less-equal', large, b.integer(1)), 9).kind).toBe('open');
  });
});
