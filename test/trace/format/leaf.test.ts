import { describe, expect, it } from 'vitest';
import { bytesToHex } from '@noble/hashes/utils.js';
import { entryLeaf, manifestLeaf, decodeLeaf } from '../../../src/trace/format/leaf.ts';
import { encodeManifest } from '../../../src/trace/format/manifest.ts';
import type { Step } from '../../../src/trace/format/trace.ts';
import { greedyManifest, randomTrace } from '../../support/trace-cases.ts';

const step: Step = {
  kind: 'step',
  position: 50,
  inputToken: 0x01020304,
  outputToken: null,
  logitsHash: Uint8Array.from({ length: 32 }, (_, i) => i),
  sketch: { ids: [7, 9], logits: [1.5, 1.5], logSumExp: 2.5 },
};

describe('the bytes of leaves', () => {
  it('are those of the documentation', () => {
    const hash = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f';
    const sketch = '0200070000000000c03f090000000000c03f00002040';
    expect(bytesToHex(entryLeaf(step))).toBe(`013200000004030201ffffffff${hash}${sketch}`);
    expect(bytesToHex(entryLeaf({ ...step, sketch: null, outputToken: 258 }))).toBe(
      `01320000000403020102010000${hash}0000`,
    );
    expect(bytesToHex(entryLeaf({ kind: 'gap', position: 3, count: 0x0201 }))).toBe('020300000001020000');
    expect(new TextDecoder().decode(manifestLeaf(encodeManifest(greedyManifest)))).toMatch(
      /^\0\{"config":null,"format":"pv-trace\/2","model":/,
    );
  });

  it('read back as what they were written from', () => {
    for (const sketch of [0, 3]) {
      const { manifest, entries } = randomTrace(1, 200, { ...greedyManifest, sketch });
      for (const entry of entries) expect(decodeLeaf(entryLeaf(entry))).toEqual({ ok: true, value: entry });
      expect(decodeLeaf(manifestLeaf(encodeManifest(manifest)))).toEqual({
        ok: true,
        value: { kind: 'manifest', manifest },
      });
    }
  });

  it('are refused if they are truncated at any byte, or one too long', () => {
    for (const leaf of [
      entryLeaf(step),
      entryLeaf({ kind: 'gap', position: 3, count: 2 }),
      manifestLeaf(encodeManifest(greedyManifest)),
    ]) {
      for (let length = 0; length < leaf.length; length++) expect(decodeLeaf(leaf.subarray(0, length)).ok).toBe(false);
      expect(decodeLeaf(Uint8Array.of(...leaf, 0)).ok).toBe(false);
    }
  });

  it('have one form: whatever else is read writes other bytes than it was read from', () => {
    const leaf = entryLeaf(step);
    for (let bit = 0; bit < 8 * leaf.length; bit++) {
      const changed = leaf.slice();
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const read = decodeLeaf(changed);
      if (read.ok && read.value.kind !== 'manifest') expect(entryLeaf(read.value)).toEqual(changed);
    }
  });

  it.each([
    ['an unknown kind', Uint8Array.of(3), 'PV-8037', 'leaf kind'],
    ['nothing', new Uint8Array(0), 'PV-8037', 'leaf'],
    ['a gap of nothing', entryLeaf({ kind: 'gap', position: 3, count: 0 }), 'PV-8037', 'gap length'],
    ['a gap beyond all positions', entryLeaf({ kind: 'gap', position: 3, count: 0xffffffff }), 'PV-8037', 'gap length'],
    ['the reserved token', entryLeaf({ ...step, inputToken: 0xffffffff }), 'PV-8037', 'input token'],
    [
      'a token twice',
      entryLeaf({ ...step, sketch: { ids: [7, 7], logits: [2, 1], logSumExp: 3 } }),
      'PV-8041',
      'sketch',
    ],
    [
      'equal logits in another order',
      entryLeaf({ ...step, sketch: { ids: [9, 7], logits: [1, 1], logSumExp: 3 } }),
      'PV-8041',
      'sketch',
    ],
    [
      'logits upwards',
      entryLeaf({ ...step, sketch: { ids: [7, 9], logits: [1, 2], logSumExp: 3 } }),
      'PV-8041',
      'sketch',
    ],
    ['NaN', entryLeaf({ ...step, sketch: { ids: [7], logits: [Number.NaN], logSumExp: 3 } }), 'PV-8041', 'sketch'],
    ['−0', entryLeaf({ ...step, sketch: { ids: [7], logits: [-0], logSumExp: 3 } }), 'PV-8041', 'sketch'],
    [
      'an infinite sum',
      entryLeaf({ ...step, sketch: { ids: [7], logits: [1], logSumExp: Infinity } }),
      'PV-8041',
      'sketch',
    ],
    [
      'a sum below its largest term',
      entryLeaf({ ...step, sketch: { ids: [7], logits: [1], logSumExp: 0.5 } }),
      'PV-8041',
      'sketch',
    ],
  ])('of %s are refused', (_, leaf, code, check) => {
    const read = decodeLeaf(leaf);
    expect(read).toMatchObject({ ok: false, error: { code, check } });
  });
});
