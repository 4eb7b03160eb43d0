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

  it('proves for any step that the ledger extends the earlier one', () => {
    for (let step = 1; step < 24; step++) expect(read(compactLedger(ledger, [step])).ok).toBe(true);
  });

  it.each<[string, (value: CompactedLedger) => unknown]>([
    ['another line', (value) => ({ ...value, kept: value.kept.map((one) => ({ ...one, line: `${one.line} ` })) })],
    [
      'a line at a different index',
      (value) => ({ ...value, kept: value.kept.map((one) => ({ ...one, index: one.index + 1 })) }),
    ],
    [
      'a truncated path',
      (value) => ({ ...value, kept: value.kept.map((one) => ({ ...one, path: one.path.slice(1) })) }),
    ],
    ['another root', (value) => ({ ...value, root: '0'.repeat(64) })],
    ['another size', (value) => ({ ...value, leaves: 26 })],
    [
      'a different earlier ledger',
      (value) => ({ ...value, heads: value.heads.map((one) => ({ ...one, root: '0'.repeat(64) })) }),
    ],
    [
      'an earlier ledger of a different size',
      (value) => ({ ...value, heads: value.heads.map((one) => ({ ...one, leaves: one.leaves + 1 })) }),
    ],
    ['a malformed hash', (value) => ({ ...value, root: 'x' })],
    ['an unknown key', (value) => ({ ...value, more: 1 })],
    ['no list', (value) => ({ ...value, kept: null })],
  ])('is refused with %s', (_, change) => {
    expect(read(change(compacted))).toMatchObject({ ok: false, error: { code: 'PV-8416' } });
  });
});
