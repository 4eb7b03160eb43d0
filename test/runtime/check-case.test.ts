import { describe, expect, it } from 'vitest';
import type { CheckReport, CompiledGoal } from '../../src/math/compile/compiled.ts';
import { emptyOutcome, explain } from '../../src/runtime/check-case.ts';

const compiled: CompiledGoal = {
  comparisons: ['f(x)_i = x_i'],
  precondition: () => true,
  applications: [],
  check: () => false,
};

const explained = (report: Partial<CheckReport>): string =>
  explain(compiled, { ...emptyOutcome(), report: { ...emptyOutcome().report, comparison: 0, ...report } });

describe('what a broken claim says', () => {
  it.each<[string, Partial<CheckReport>, string]>([
    ['the sides', { left: 1, right: 2 }, 'f(x)_i = x_i: left = 1, right = 2'],
    ['the index', { left: 1, right: 2, at: [97] }, 'f(x)_i = x_i: left = 1, right = 2 at index 97'],
    ['several indices', { left: 1, right: 2, at: [3, 0] }, 'f(x)_i = x_i: left = 1, right = 2 at indices 3, 0'],
    ['texts', { left: 'a', right: 'b' }, 'f(x)_i = x_i: left = "a", right = "b"'],
    [
      'the code points of texts that look alike',
      { left: '\u00e9', right: 'e\u0301' },
      'f(x)_i = x_i: left = "\u00e9" (U+00E9), right = "e\u0301" (U+0065 U+0301)',
    ],
  ])('%s', (_, report, text) => {
    expect(explained({ ratio: -1, ...report })).toBe(text);
  });

  it('no code points beyond the first 32', () => {
    expect(explained({ left: 'ä'.repeat(40), right: 'b' })).toMatch(/ U\+00E4 …\), right/);
  });
});
