/** Compacted ledgers: what is kept verifies after the other lines are gone, and nothing else does. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { compactLedger, readCompacted, type CompactedLedger } from '../../../src/training/ledger/compact.ts';
import { readLedger, type LedgerFile } from '../../../src/training/ledger/read-ledger.ts';
import { trainedFiles } from '../run/small-run.ts';

let ledger: LedgerFile;
let compacted: CompactedLedger;
beforeAll(async () => {
  const read = readLedger((await trainedFiles()).ledger);
  if (!read.ok) throw new Error(read.error.message);
  ledger = read.value;
  compacted = compactLedger(ledger, [6, 12, 18, 24, 0]);
});

const read = (value: unknown) => readCompacted(JSON.stringify(value));

describe('a compacted ledger', () => {
  it('keeps the header, the refusal and the last step, and proves them', () => {
    expect(compacted).toMatchObject({ leaves: 25, root: bytesToHex(ledger.root) });
    expect(compacted.kept.map(({ index }) => index)).toEqual([0, 9, 24]);
    expect(compacted.kept[1]?.line).toContain('"verdict":"refused"');
    expect(compacted.heads.map(({ leaves }) => leaves)).toEqual([7, 13, 19]);
    expect(read(compacted)).toEqual({ ok: true, value: compacted });
    expect(JSON.stringify(compacted).length).toBeLessThan(ledger.lines.join('\n').length / 2);
  });

  it('shows for any step that the ledger grew from the one before it', () => {
    for (let step = 1; step < 24; step++) expect(read(compactLedger(ledger, [step])).ok).toBe(true);
  });

  it.each<[string, (value: CompactedLedger) => unknown]>([
    ['another line', (value) => ({ ...value, kept: value.kept.map((one) => ({ ...one, line: `${one.line} ` })) })],
    [
      'a line at another place',
      (value) => ({ ...value, kept: value.kept.map((one) => ({ ...one, index: one.index + 1 })) }),
    ],
    [
      'a path that is cut',
      (value) => ({ ...value, kept: value.kept.map((one) => ({ ...one, path: one.path.slice(1) })) }),
    ],
    ['another root', (value) => ({ ...value, root: '0'.repeat(64) })],
    ['another size', (value) => ({ ...value, leaves: 26 })],
    [
      'an earlier ledger that was another',
      (value) => ({ ...value, heads: value.heads.map((one) => ({ ...one, root: '0'.repeat(64) })) }),
    ],
    [
      'an earlier ledger of another size',
      (value) => ({ ...value, heads: value.heads.map((one) => ({ ...one, leaves: one.leaves + 1 })) }),
    ],
    ['a hash that is none', (value) => ({ ...value, root: 'x' })],
    ['an unknown key', (value) => ({ ...value, more: 1 })],
    ['no list', (value) => ({ ...value, kept: null })],
  ])('is refused with %s', (_, change) => {
    expect(read(change(compacted))).toMatchObject({ ok: false, error: { code: 'PV-8416' } });
  });
});
