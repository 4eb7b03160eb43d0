/** Columns of a block: read back as they were packed, and refused wherever they are anything else. */
import { describe, expect, it } from 'vitest';
import {
  columnBytesLimits,
  hashColumn,
  packColumns,
  unpackColumns,
  type BlockShape,
} from '../../../src/trace/format/columns.ts';
import { start, type Progress } from '../../../src/trace/format/sequence.ts';
import type { Entry, Step } from '../../../src/trace/format/trace.ts';
import { greedyManifest, randomTrace } from '../../support/trace-cases.ts';

const step = (position: number, inputToken: number, outputToken: number | null): Step => ({
  kind: 'step',
  position,
  inputToken,
  outputToken,
  logitsHash: new Uint8Array(32).fill(position),
  sketch: null,
});
const shapeOf = (entries: readonly Entry[], sketch = 0): BlockShape => {
  const gaps = entries.filter((entry) => entry.kind === 'gap').length;
  return { steps: entries.length - gaps, gaps, sketch };
};
const read = (columns: Uint8Array, hashes: Uint8Array, shape: BlockShape, progress: Progress = start) => {
  const unpacked = unpackColumns(columns, hashes, shape, progress);
  return unpacked.ok ? unpacked.value : unpacked.error.code;
};

describe('the columns of a block', () => {
  it.each([
    ['steps and gaps', randomTrace(1, 200).entries, 0],
    ['sketches', randomTrace(2, 60, { ...greedyManifest, sketch: 5 }).entries, 5],
    ['an unknown output at the end', [step(0, 1, 2), step(1, 2, null)], 0],
    ['the largest tokens', [step(0, 0xffff_fffe, 0xffff_fffe)], 0],
  ])('of %s are read back, and of fewer hashes up to the first step without one', (_, entries, sketch) => {
    const [columns, hashes, shape] = [packColumns(entries, false), hashColumn(entries), shapeOf(entries, sketch)];
    expect(read(columns, hashes, shape)).toEqual(entries);
    const { least, most } = columnBytesLimits(shape);
    expect(columns.length).toBeGreaterThanOrEqual(least);
    expect(columns.length).toBeLessThanOrEqual(most);
    for (const kept of new Set([0, shape.steps >> 1, shape.steps - 1])) {
      const first = entries.findIndex(
        (entry, i) => entry.kind === 'step' && shapeOf(entries.slice(0, i)).steps === kept,
      );
      expect(read(columns, hashes.subarray(0, 32 * kept + 31), shape)).toEqual(entries.slice(0, first));
    }
  });

  it('go on behind a step whose output is their first input, and behind a gap with an input of their own', () => {
    const [before, after] = [step(0, 1, 7), step(1, 7, 3)];
    const columns = packColumns([after], true);
    expect(columns).toHaveLength(1);
    const shape = shapeOf([after]);
    const hashes = hashColumn([after]);
    expect(read(columns, hashes, shape, { position: 1, last: before })).toEqual([after]);
    expect(read(columns, hashes, shape, { position: 1, last: { ...before, outputToken: null } })).toBe('PV-8040');
    const gap = { kind: 'gap', position: 0, count: 1 } as const;
    expect(read(packColumns([after], false), hashes, shape, { position: 1, last: gap })).toEqual([after]);
  });

  it('are refused if they are truncated at any byte, or too long', () => {
    for (const [entries, sketch] of [
      [randomTrace(3, 30).entries, 0],
      [randomTrace(4, 6, { ...greedyManifest, sketch: 3 }).entries, 3],
    ] as const) {
      const [columns, hashes, shape] = [packColumns(entries, false), hashColumn(entries), shapeOf(entries, sketch)];
      for (let length = 0; length < columns.length; length++) {
        expect(read(columns.subarray(0, length), hashes, shape), `${length} bytes`).toBe('PV-8036');
      }
      expect(read(Uint8Array.of(...columns, 0), hashes, shape)).toBe('PV-8036');
    }
  });

  it('are refused if a gap lies beyond their end, or a number is malformed', () => {
    const hashes = new Uint8Array(32);
    const shape = { steps: 1, gaps: 1, sketch: 0 };
    // A gap of 3 behind no or one entry; the input of the step where it is not implied; its output.
    expect(read(Uint8Array.of(0, 3, 5, 0), hashes, shape)).toMatchObject([{ kind: 'gap' }, { inputToken: 5 }]);
    expect(read(Uint8Array.of(1, 3, 5, 0), hashes, shape)).toMatchObject([{ inputToken: 5 }, { kind: 'gap' }]);
    expect(read(Uint8Array.of(2, 3, 5, 0), hashes, shape)).toBe('PV-8036');
    expect(read(Uint8Array.of(0, 3, 0x85, 0, 0), hashes, shape)).toBe('PV-8036');
    expect(read(Uint8Array.of(0, 3, 5, 0x80), hashes, shape)).toBe('PV-8036');
  });

  it('take as many bytes as their numbers can: one to five each, and four for a float32', () => {
    expect(columnBytesLimits({ steps: 3, gaps: 0, sketch: 0 })).toEqual({ least: 3, most: 30 });
    expect(columnBytesLimits({ steps: 0, gaps: 2, sketch: 7 })).toEqual({ least: 4, most: 20 });
    expect(columnBytesLimits({ steps: 2, gaps: 1, sketch: 4 })).toEqual({
      least: 2 + 2 * (1 + 4 * 5 + 4),
      most: 10 + 2 * (10 + 4 * 9 + 4),
    });
  });
});
