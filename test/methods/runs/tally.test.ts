import { describe, expect, it } from 'vitest';
import type { Case } from '../../../src/math/compile/compiled.ts';
import {
  emptyTally,
  gradeTally,
  isMuchFiltered,
  isSettled,
  note,
  type Tally,
} from '../../../src/methods/runs/tally.ts';
import { emptyOutcome, type CaseOutcome } from '../../../src/runtime/check-case.ts';

const at = (size: number, value = 0): Case => ({ sizes: [size], values: [Float32Array.of(value), 1] });

/** What a run of one case gave. */
function outcome(report: Partial<CaseOutcome['report']> = {}, problem: CaseOutcome['problem'] = null): CaseOutcome {
  const empty = emptyOutcome();
  return { ...empty, report: { ...empty.report, ...report }, problem };
}

const problem = (kind: string, message = kind) => outcome({}, { kind, message });

describe('the verdict of a run that broke nothing', () => {
  const ran = (changes: Partial<Tally>): Tally => ({ ...emptyTally(), cases: 100, premiseHits: 100, ...changes });

  it.each<[Partial<Tally>, boolean, string, string | null]>([
    [{}, false, 'tested', null],
    [{ cases: 101 }, false, 'tested', null],
    [{ premiseHits: 1 }, false, 'tested', null],
    [{ premiseHits: 0 }, false, 'vacuous', 'no premise of an implication held in any of 100 cases'],
    [{ cases: 99 }, false, 'incomplete', '99 of 100 cases were run'],
    [{ filtered: 25 }, false, 'tested', null],
    [
      { filtered: 26 },
      false,
      'incomplete',
      '26 of 126 inputs (21 %) broke a precondition, at most 20 % may: state it as bounds of the domain',
    ],
    [
      { filtered: 26, filteredBy: 'x > 0' },
      false,
      'incomplete',
      '26 of 126 inputs (21 %) broke a precondition, x > 0, at most 20 % may: state it as bounds of the domain',
    ],
    [{ cases: 0 }, false, 'vacuous', 'no input satisfies the preconditions'],
    [{ cases: 0, filtered: 7 }, false, 'vacuous', 'no case was run: all 7 inputs broke a precondition'],
    [
      { cases: 0, filtered: 7, filteredBy: 'x > 0' },
      false,
      'vacuous',
      'no case was run: all 7 inputs broke a precondition, x > 0',
    ],
    [{}, true, 'incomplete', 'the time budget ended after 100 of 100 cases'],
    [{ cases: 0 }, true, 'incomplete', 'the time budget ended after 0 of 100 cases'],
    [{ undecided: 1, undecidedBy: 'too deep' }, true, 'undetermined', 'too deep, in 1 case of 101'],
    [{ undecided: 3, undecidedBy: 'too deep' }, false, 'undetermined', 'too deep, in 3 cases of 103'],
    [{ unsupported: 'no loops', undecidedBy: 'x' }, true, 'undetermined', 'no loops'],
  ])('%j, stopped: %s, is %s', (changes, stopped, verdict, reason) => {
    expect(gradeTally(ran(changes), 100, stopped)).toEqual({ verdict, reason });
  });

  it('knows when a domain was another than the declared one', () => {
    expect(isMuchFiltered(ran({ filtered: 25 }))).toBe(false);
    expect(isMuchFiltered(ran({ filtered: 26 }))).toBe(true);
    expect(isMuchFiltered(emptyTally())).toBe(false);
  });
});

describe('one case', () => {
  it('counts where it held, with its sizes, and as a hit where its premise held', () => {
    const tally = emptyTally();
    for (const [size, premise] of [
      [3, true],
      [7, false],
      [5, true],
      [2, true],
    ] as const)
      expect(note(tally, 'held', at(size), outcome({ premise }))).toBe(true);
    expect(tally).toMatchObject({ cases: 4, premiseHits: 3, sizes: [{ minimum: 2, maximum: 7 }] });
    expect(tally.combinations).toEqual(new Set(['3', '7', '5', '2']));
  });

  it('that breaks the claim counts, is kept as it was, and ends the run', () => {
    const [tally, sizes, values] = [emptyTally(), [3], Float32Array.of(1.5)];
    expect(note(tally, 'broken', { sizes, values: [values, 1] }, outcome())).toBe(false);
    [sizes[0], values[0]] = [9, 9];
    expect(tally).toMatchObject({ cases: 1, premiseHits: 1, broken: at(3, 1.5) });
  });

  it('on which the kernel throws breaks the claim, meets no premise and compares nothing', () => {
    const tally = emptyTally();
    const thrown = { ...problem('threw'), report: { ...emptyOutcome().report, ratio: 5 } };
    expect(note(tally, 'broken', at(1), thrown)).toBe(false);
    expect(tally).toMatchObject({ cases: 1, premiseHits: 0, worst: null, broken: at(1) });
  });

  it('that a precondition excludes is filtered, and the first hundred are kept as they were', () => {
    const [tally, sizes] = [emptyTally(), [0]];
    const candidate = { ...at(0), sizes };
    for (let i = 0; i < 101; i++) {
      sizes[0] = i;
      expect(note(tally, 'filtered', candidate, outcome())).toBe(true);
    }
    expect(note(tally, 'filtered', null, outcome())).toBe(true);
    expect(note(tally, 'held', null, outcome())).toBe(true);
    expect([tally.filtered, tally.cases, tally.sizes]).toEqual([103, 0, []]);
    expect(tally.filteredCases).toEqual(Array.from({ length: 100 }, (_, i) => at(i)));
  });

  it.each(['unsupported', 'device'] as const)(
    'that the backend cannot run (%s) ends the run and decides nothing',
    (kind) => {
      const tally = emptyTally();
      expect(isSettled(tally)).toBe(false);
      expect(note(tally, 'broken', at(1), problem(kind, 'why'))).toBe(false);
      expect(tally).toEqual({ ...emptyTally(), unsupported: 'why' });
      expect(isSettled(tally)).toBe(true);
    },
  );

  it('that cannot be decided leaves the run open, up to twenty of them, and the first says why', () => {
    const tally = emptyTally();
    for (let i = 1; i <= 20; i++) expect(note(tally, 'broken', at(1), problem('undecided', `why ${i}`))).toBe(i < 20);
    expect(tally).toEqual({ ...emptyTally(), undecided: 20, undecidedBy: 'why 1' });
    expect(isSettled(tally)).toBe(true);
  });

  it('is the worst where its ratio is the largest, and what is not finite is beyond every number', () => {
    const tally = emptyTally();
    const see = (ratio: number, size: number) => {
      note(tally, 'held', at(size), outcome({ ratio, error: ratio, allowed: 1 }));
      return [tally.worst?.ratio, tally.worst?.input.sizes[0]];
    };
    expect(see(-1, 1)).toEqual([undefined, undefined]);
    expect(see(0, 2)).toEqual([0, 2]);
    expect(see(0.5, 3)).toEqual([0.5, 3]);
    expect(see(0.5, 4)).toEqual([0.5, 3]);
    expect(see(0.25, 5)).toEqual([0.5, 3]);
    expect(see(Number.NaN, 6)).toEqual([Number.MAX_VALUE, 6]);
    expect(see(Infinity, 7)).toEqual([Number.MAX_VALUE, 6]);
    expect(tally.worst).toMatchObject({ error: Number.MAX_VALUE, allowed: 1 });
  });
});
