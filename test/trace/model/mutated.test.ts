/**
 * Files with bytes changed, cut or added: whatever they are, readers return a value, and never one of another size.
 *
 * Holds src/trace/model/layout.ts.
 */
import { describe, expect, test } from 'vitest';
import { streamFor, uniformInteger } from '../../../src/numeric/xoshiro.ts';
import { readModel } from '../../../src/trace/model/checkpoint.ts';
import { checkpointBytes } from '../../../src/trace/model/layout.ts';
import { tinyModel } from '../../../src/trace/model/tiny-model.ts';
import { readTokenizer } from '../../../src/trace/model/tokenizer.ts';

const stream = streamFor(11, 'mutated models');
const draw = (low: number, high: number): number => uniformInteger(stream, low, high);

/** Up to four bytes changed (three times in four in the first `head`), and one time in four another length. */
function mutated(file: Uint8Array, head: number): Uint8Array {
  const change = draw(0, 3) === 0 ? draw(-Math.min(file.length, 40), 40) : 0;
  const bytes = new Uint8Array(file.length + change);
  bytes.set(file.subarray(0, bytes.length));
  for (let edits = draw(0, 4); edits > 0 && bytes.length > 0; edits--) {
    const last = draw(0, 3) === 0 ? bytes.length - 1 : Math.min(head, bytes.length) - 1;
    bytes[draw(0, last)] = draw(0, 255);
  }
  return bytes;
}

describe('ten thousand changed files', () => {
  test('of checkpoints: those that are read are as long as their header says', () => {
    const { checkpoint } = tinyModel(1, {
      config: { dim: 4, heads: 2, kvHeads: 1, hiddenDim: 3, layers: 1, sequenceLength: 2 },
    });
    const seen = { read: 0, refused: 0 };
    for (let i = 0; i < 10_000; i++) {
      const bytes = mutated(checkpoint, 40);
      const model = readModel(bytes);
      if (!model.ok) expect(model.error.code).toMatch(/^PV-800[789]$/);
      else {
        const { config, weights } = model.value;
        expect(checkpointBytes(config, weights.classifier === weights.tokenEmbedding)).toBe(bytes.length);
        expect(weights.up.every(Number.isFinite)).toBe(true);
      }
      seen[model.ok ? 'read' : 'refused']++;
    }
    expect(Math.min(seen.read, seen.refused)).toBeGreaterThan(1000);
  });

  test('of tokenizers: those that are read have the tokens that were requested, and encode what they are given', () => {
    const { tokenizer } = tinyModel(1);
    const small = tokenizer.subarray(0, 300);
    const seen = { read: 0, refused: 0 };
    for (let i = 0; i < 10_000; i++) {
      const bytes = mutated(i % 2 ? tokenizer : small, 60);
      const read = readTokenizer(bytes, i % 2 ? 414 : undefined);
      if (!read.ok) expect(read.error.code).toMatch(/^PV-801[01]$/);
      else {
        if (i % 2) expect(read.value.vocabSize).toBe(414);
        const ids = read.value.encode('Once é');
        expect(ids.every((id) => id === 1 || (id >= 0 && id < read.value.vocabSize))).toBe(true);
      }
      seen[read.ok ? 'read' : 'refused']++;
    }
    expect(Math.min(seen.read, seen.refused)).toBeGreaterThan(100);
  });
});
