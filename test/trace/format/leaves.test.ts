import { describe, expect, it } from 'vitest';
import { consistency, leafBytes, leafIndexAt, treeOf } from '../../../src/trace/format/leaves.ts';
import { decodeLeaf } from '../../../src/trace/format/leaf.ts';
import { verifyConsistency } from '../../../src/merkle/verify.ts';
import { createRecorder } from '../../../src/trace/record/recorder.ts';
import { greedyManifest, randomTrace } from '../../support/trace-cases.ts';

const trace = randomTrace(20, 24);
const size = trace.entries.length + 1;

describe('the leaves of a trace', () => {
  it('are the manifest and every entry', () => {
    expect(decodeLeaf(leafBytes(trace, 0))).toMatchObject({ value: { kind: 'manifest', manifest: trace.manifest } });
    for (const [i, entry] of trace.entries.entries()) {
      expect(decodeLeaf(leafBytes(trace, i + 1))).toEqual({ ok: true, value: entry });
    }
    expect(() => leafBytes(trace, size)).toThrow('lies within');
  });

  it('are found by position, also within a gap', () => {
    for (const [i, entry] of trace.entries.entries()) {
      const count = entry.kind === 'gap' ? entry.count : 1;
      expect(leafIndexAt(trace, entry.position)).toBe(i + 1);
      expect(leafIndexAt(trace, entry.position + count - 1)).toBe(i + 1);
    }
    const last = trace.entries[trace.entries.length - 1];
    expect(leafIndexAt(trace, (last?.position ?? 0) + 301)).toBe(null);
    expect(leafIndexAt(trace, -1)).toBe(null);
    expect(leafIndexAt(trace, Number.NaN)).toBe(null);
    expect(leafIndexAt({ ...trace, entries: [] }, 0)).toBe(null);
  });

  it('are found for a challenge of every step, without looking through all of them each time', () => {
    const entries = Array.from({ length: 200_000 }, (_, i) => ({ kind: 'gap', position: 3 * i, count: 3 }) as const);
    const long = { ...trace, entries };
    expect(entries.every(({ position }, i) => leafIndexAt(long, position + 1) === i + 1)).toBe(true);
  });
});

describe('a growing trace', () => {
  it('is shown to have only grown, between any two sizes', () => {
    for (let from = 1; from <= size; from++) {
      for (let to = from; to <= size; to++) {
        const proof = consistency(trace, from, to);
        if (!proof.ok) throw new Error(proof.error.message);
        expect(verifyConsistency(proof.value).ok).toBe(true);
        const other = treeOf(randomTrace(20, 24, { ...greedyManifest, steps: 99 })).root(from);
        expect(verifyConsistency({ ...proof.value, root1: other }).ok).toBe(false);
      }
    }
  });

  it('has no proof for sizes that it has not had', () => {
    for (const [from, to] of [
      [0, 1],
      [3, 2],
      [1, size + 1],
      [1.5, 2],
      [1, Number.NaN],
    ] as const) {
      expect(consistency(trace, from, to)).toMatchObject({ ok: false, error: { code: 'PV-8016' } });
    }
  });

  it('proves what a recorder had said while it went', async () => {
    const recorder = createRecorder({ ...greedyManifest, vocabSize: 2 });
    const early = recorder.head();
    recorder.logits(0, 1, Float32Array.of(1, 2));
    recorder.token(1);
    const { root, size: all } = await recorder.finish();
    const proof = consistency({ manifest: { ...greedyManifest, vocabSize: 2 }, entries: [] }, 1, 1);
    expect(proof.ok && proof.value.root1).toEqual(early.root);
    expect(all).toBe(2);
    expect(root).not.toEqual(early.root);
  });
});
