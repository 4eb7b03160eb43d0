/** Which steps are compared: those that were asked for, drawn without favour, and nothing that is not there. */
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/trace/format/trace.ts';
import { selectPositions, type Selection } from '../../../src/trace/verify/selection.ts';
import { codeOf, valueOf } from '../../notes/signers.ts';
import { madeStep } from './traces.ts';

const gap: Entry = { kind: 'gap', position: 2, count: 3 };
const entries: readonly Entry[] = [madeStep(0), madeStep(1), gap, madeStep(5), madeStep(6), madeStep(7)];
const select = (which: Selection, of = entries) => selectPositions(of, which);
const sample = (count: number, seed = 1) => select({ kind: 'sample', count, seed });

describe('one position', () => {
  it('is that of a step', () => {
    for (const position of [0, 1, 5, 7]) expect(valueOf(select({ kind: 'position', position }))).toEqual([position]);
  });

  it.each([
    [2, 'lies in a gap of 3 positions from 2 on'],
    [4, 'lies in a gap of 3 positions from 2 on'],
    [8, 'The trace holds no position 8'],
    [-1, 'The trace holds no position -1'],
    [0.5, 'The trace holds no position 0.5'],
  ])('that is %d is none', (position, words) => {
    const refused = select({ kind: 'position', position });
    expect(refused).toMatchObject({ error: { code: 'PV-8068', expected: '0 to 7', actual: String(position) } });
    expect(refused.ok ? '' : refused.error.message).toContain(words);
  });

  it('of nothing is nothing', () => {
    const refused = select({ kind: 'position', position: 0 }, []);
    expect(refused).toMatchObject({ error: { code: 'PV-8068', expected: 'no position' } });
  });
});

describe('all', () => {
  it('are the steps', () => {
    expect(valueOf(select({ kind: 'all' }))).toEqual([0, 1, 5, 6, 7]);
    for (const none of [[], [gap]]) expect(codeOf(select({ kind: 'all' }, none))).toBe('PV-8068');
  });
});

describe('a challenge', () => {
  it('is of as many steps as it says, each once and in order, and of all where it says more', () => {
    for (let seed = 0; seed < 50; seed++) {
      for (const count of [1, 2, 4, 5, 6, 1000]) {
        const positions = valueOf(sample(count, seed));
        expect(positions).toHaveLength(Math.min(count, 5));
        expect(positions).toEqual([...new Set(positions)].toSorted((a, b) => a - b));
        for (const position of positions) expect([0, 1, 5, 6, 7]).toContain(position);
      }
    }
  });

  it('favours no step', () => {
    const seen = new Map<number, number>();
    for (let seed = 0; seed < 2000; seed++) {
      for (const position of valueOf(sample(2, seed))) seen.set(position, (seen.get(position) ?? 0) + 1);
    }
    // 2 of 5 in 2000 rounds: 800 each, with a standard deviation of 22.
    for (const position of [0, 1, 5, 6, 7]) expect(Math.abs((seen.get(position) ?? 0) - 800)).toBeLessThan(110);
  });

  it.each([
    [0, 1],
    [-1, 1],
    [1.5, 1],
    [Number.NaN, 1],
    [1, 0.5],
    [1, 2 ** 53],
  ])('of %d steps by the seed %d is refused', (count, seed) => {
    expect(codeOf(sample(count, seed))).toBe('PV-8069');
  });
});
