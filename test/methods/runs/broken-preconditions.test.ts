import { describe, expect, it } from 'vitest';
import type { Case } from '../../../src/math/compile/compiled.ts';
import { brokenPreconditions, preconditionText } from '../../../src/methods/runs/broken-preconditions.ts';
import { REAL, type Term } from '../../../src/math/term/term.ts';
import { variable } from '../../../src/math/term/build.ts';
import { call, domain, input, numeral } from '../../runtime/domains.ts';
import { goalOf } from '../softmax-goal.ts';

const c = variable('c', REAL);
const at = (...values: readonly number[]): readonly Case[] => values.map((value) => ({ sizes: [], values: [value] }));
const above = (limit: number): Term => call('less', numeral(limit), c);

function broken(preconditions: readonly Term[], cases: readonly Case[]): Promise<string | null> {
  return brokenPreconditions(goalOf({ domain: domain([], [input('c', [])], preconditions) }), cases);
}

describe('the preconditions that filter', () => {
  it('are named with how many of the cases each breaks, the most frequent first', async () => {
    const text = (limit: number): string => preconditionText(above(limit));
    expect(await broken([above(1), above(2)], at(0.5, 1.5, 1.5))).toBe(
      `most often ${text(2)} (3 of 3 looked at) and ${text(1)} (1 of 3 looked at)`,
    );
    expect(await broken([above(2), above(1)], at(0.5, 1.5, 3, 3))).toBe(
      `most often ${text(2)} (2 of 4 looked at) and ${text(1)} (1 of 4 looked at)`,
    );
  });

  it('are not named where they hold of every case', async () => {
    expect(await broken([above(1), above(0)], at(0.5))).toBe(
      `most often ${preconditionText(above(1))} (1 of 1 looked at)`,
    );
  });

  it('do not exist where no single one explains the cases', async () => {
    expect(await broken([above(0)], at(1, 2))).toBeNull();
    expect(await broken([], at(1))).toBeNull();
  });

  it('are three at most, and the rest is counted', async () => {
    const found = await broken([1, 2, 3, 4, 5].map(above), at(0));
    expect(found?.match(/looked at/gu)).toHaveLength(3);
  });

  it('are written as notation between backquotes', () => {
    expect(preconditionText(above(1))).toMatch(/^`1 < c`$/u);
  });
});
