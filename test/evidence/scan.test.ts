import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/evidence/digest.ts';
import { emptyScan, joinScans, readScans, writeScans, type Scan } from '../../src/evidence/scan.ts';

const check = sha256('check');
const worst = (at: number, ratio: number) => ({ at, error: ratio, allowed: 1, ratio });

/** A range that was run from end to end and held. */
function ran(from: number, reached: number, changes: Partial<Scan> = {}): Scan {
  const cases = reached - from;
  return { ...emptyScan(from), reached, cases, premiseHits: cases, ...changes };
}

describe('finished ranges of inputs', () => {
  it('are added up where one begins where the other ends', () => {
    const scans = [
      ran(0, 4, { filtered: 1, premiseHits: 2, worst: worst(1, 0.5) }),
      ran(4, 10, { filtered: 2, premiseHits: 5, worst: worst(7, 0.25) }),
    ];
    expect(joinScans(scans)).toEqual(ran(0, 10, { filtered: 3, premiseHits: 7, worst: worst(1, 0.5) }));
    expect(joinScans([])).toEqual(emptyScan(0));
    expect(emptyScan(3)).toEqual(ran(3, 3));
  });

  it.each<[string, readonly Scan[], number]>([
    ['a gap', [ran(0, 4), ran(5, 9)], 4],
    ['a beginning that was not run', [ran(1, 4)], 0],
    ['an input that fails', [ran(0, 4, { failing: 3 }), ran(4, 9)], 4],
    ['an input that fails first of all', [ran(0, 1, { failing: 0 }), ran(1, 9)], 1],
    ['inputs that cannot be run', [ran(0, 4, { trouble: 'no module' }), ran(4, 9)], 4],
    ['inputs that overlap', [ran(0, 4), ran(3, 9)], 4],
  ])('count up to %s and no further', (_, scans, reached) => {
    const [first = emptyScan(0)] = scans;
    expect(joinScans(scans)).toEqual(reached === 0 ? emptyScan(0) : first);
    expect(joinScans(scans).reached).toBe(reached);
  });

  it('have the largest ratio of any as their worst, the first of equal ones, and 0 is one', () => {
    const join = (...ratios: readonly (number | null)[]) =>
      joinScans(ratios.map((ratio, i) => ran(i, i + 1, { worst: ratio === null ? null : worst(i, ratio) }))).worst;
    expect(join(null, null)).toBeNull();
    expect(join(null, 0)).toEqual(worst(1, 0));
    expect(join(0.5, null, 0.75, 0.25)).toEqual(worst(2, 0.75));
    expect(join(0.5, 0.5)).toEqual(worst(0, 0.5));
  });

  it('say the same in whichever order they were run, as all at once', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 8 }), fc.func(fc.nat()), (lengths, shuffle) => {
        let from = 0;
        const scans = lengths.map((length) => ran(from, (from += length), { worst: worst(from, from) }));
        const whole = ran(0, from, { worst: from === 0 ? null : worst(from, from) });
        expect(joinScans(scans.toSorted((a, b) => shuffle(a.from) - shuffle(b.from)))).toEqual(whole);
      }),
    );
  });
});

describe('the file of finished ranges', () => {
  const scans = [ran(0, 4, { worst: { at: 1, error: Number.NaN, allowed: 0, ratio: Infinity }, failing: 3 })];
  const written = writeScans(check, scans);

  it('is read as it was written', () => expect(readScans(written, check)).toEqual(scans));

  it.each<[string, string]>([
    ['cut off', written.slice(0, -3)],
    ['null', 'null'],
    ['a list', '[]'],
    ['without a digest', written.replace('"digest"', '"other"')],
    ['without ranges', written.replace('"file"', '"other"')],
    ['of another shape', written.replace('"cases"', '"runs"')],
    ['with more cases than ran', written.replace('"cases":4', '"cases":9')],
    ['without the failing input', written.replace('"failing":3', '"failing":null')],
    ['with another digest', written.replace(/sha256:[0-9a-f]{2}/, 'sha256:zz')],
    ['of another check', writeScans(sha256('another'), scans)],
  ])('holds none where it is %s', (_, content) => {
    expect(content).not.toBe(written);
    expect(readScans(content, check)).toEqual([]);
  });
});
