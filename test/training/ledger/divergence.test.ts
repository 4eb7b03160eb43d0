/** Where two ledgers part. Holds src/training/ledger/divergence.ts, src/training/verify/diverging-step.ts. */
import { describe, expect, it } from 'vitest';
import { compactLedger, readCompacted } from '../../../src/training/ledger/compact.ts';
import { differencesOf, divergenceOf } from '../../../src/training/ledger/divergence.ts';
import { readLedger } from '../../../src/training/ledger/read-ledger.ts';
import { editStep, forged, recordsOf } from '../run/forged-run.ts';
import { document, trainedFiles } from '../run/small-run.ts';

const honest = await trainedFiles();

function ledgerOf(text: string) {
  const read = readLedger(text);
  if (!read.ok) throw new Error(read.error.message);
  return read.value;
}

const whole = ledgerOf(honest.ledger);
/** The run with another loss at one step, and everything that follows from it. */
const changedAt = (step: number) =>
  ledgerOf(
    forged(
      honest,
      editStep(step, (record) => ({ ...record, loss: record.loss + 1 })),
    ).ledger,
  );
const cutAfter = (step: number) =>
  ledgerOf(
    honest.ledger
      .split('\n')
      .slice(0, step + 1)
      .join('\n') + '\n',
  );

function compactedOf(ledger: typeof whole, heads: readonly number[]) {
  const read = readCompacted(JSON.stringify(compactLedger(ledger, heads)));
  if (!read.ok) throw new Error(read.error.message);
  return read.value;
}

describe('the first difference of two ledgers', () => {
  it.each(Array.from({ length: 24 }, (_, i) => i + 1))('is found at step %i, by few comparisons', (step) => {
    const divergence = divergenceOf(whole, changedAt(step));
    expect(divergence).toMatchObject({ same: step, differs: step });
    expect(divergence?.compared).toBeLessThanOrEqual(5);
  });

  it('is none in the same ledger, and the end in a shorter one', () => {
    expect(divergenceOf(whole, ledgerOf(honest.ledger))).toBeNull();
    for (const step of [0, 1, 13, 23]) {
      expect(divergenceOf(whole, cutAfter(step))).toMatchObject({ same: step + 1, differs: step + 1 });
      expect(divergenceOf(cutAfter(step), whole)).toMatchObject({ same: step + 1, differs: step + 1 });
    }
  });

  it('is the header in runs of other settings', async () => {
    const other = ledgerOf((await trainedFiles({ ...document, seed: 4 })).ledger);
    expect(divergenceOf(whole, other)).toMatchObject({ same: 0, differs: 0 });
  });

  it('lies between two proofs where a ledger was compacted, or at a line that was kept', () => {
    const heads = [6, 12, 18];
    const compacted = compactedOf(whole, heads);
    expect(divergenceOf(compacted, whole)).toBeNull();
    expect(divergenceOf(compacted, compactedOf(whole, [12, 3]))).toBeNull();
    // Lines 0, 9 and 24 are kept; the proofs are about 7, 13, 19 and 25 lines.
    expect(divergenceOf(compacted, changedAt(8))).toMatchObject({ same: 7, differs: 9 });
    expect(divergenceOf(changedAt(11), compacted)).toMatchObject({ same: 7, differs: 12 });
    expect(divergenceOf(compacted, compactedOf(changedAt(14), heads))).toMatchObject({ same: 13, differs: 18 });
    expect(divergenceOf(compacted, compactedOf(changedAt(14), [9]))).toMatchObject({ same: 0, differs: 24 });
    expect(divergenceOf(compacted, cutAfter(12))).toMatchObject({ same: 13, differs: 13 });
  });

  it('is refused where a chain is broken, since a binary search could miss it', () => {
    // The record of step 5 with the attestation of the honest one: every later line still chains to it.
    const lines = honest.ledger.split('\n');
    lines[5] = lines[5]?.replace('"rate":0.3', '"rate":0.4') ?? '';
    expect(readLedger(lines.join('\n'))).toMatchObject({ ok: false, error: { code: 'PV-8409', position: 5 } });
  });
});

describe('what differs between two records', () => {
  const record = recordsOf(honest)[8];
  if (record === undefined) throw new Error('a run has its steps');

  it('is named with both values', () => {
    expect(differencesOf(record, record)).toEqual([]);
    expect(differencesOf(record, { ...record, loss: 2, verdict: 'overridden', after: 'f'.repeat(64) })).toEqual([
      { what: 'verdict', a: 'refused', b: 'overridden' },
      { what: 'loss', a: String(record.loss), b: '2' },
      { what: 'weights after', a: record.after, b: 'f'.repeat(64) },
    ]);
  });

  it('is a comparison that only one has, another bound, or another order', () => {
    const [first, ...rest] = record.measured;
    if (first === undefined) throw new Error('a refused step has a comparison');
    const name = 'LossStabilityBound: gradient norm, at most';
    expect(differencesOf(record, { ...record, measured: rest })).toEqual([
      { what: name, a: String(first.value), b: null },
      { what: `bound of ${name}`, a: '5', b: null },
    ]);
    expect(differencesOf(record, { ...record, measured: [{ ...first, bound: 6 }, ...rest] })).toEqual([
      { what: `bound of ${name}`, a: '5', b: '6' },
    ]);
    expect(differencesOf(record, { ...record, measured: [...rest, first] })).toMatchObject([
      { what: 'order of comparisons' },
    ]);
  });
});
