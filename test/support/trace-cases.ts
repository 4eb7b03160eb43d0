/** Traces for tests, drawn from a seed: whatever a recorder could have seen. */
import { uniformInteger, streamFor, unitFloat, type Xoshiro } from '../../src/numeric/xoshiro.ts';
import type { Entry, Manifest, Trace } from '../../src/trace/format/trace.ts';
import { sha256 } from '../../src/merkle/sha256.ts';
import { takeSketch } from '../../src/trace/record/sketch.ts';

export const greedyManifest: Manifest = {
  format: 'pv-trace/2',
  tool: { name: 'pv', version: '0.1.0' },
  model: { name: 'tiny.bin', digest: `sha256:${'ab'.repeat(32)}` },
  tokenizer: { name: 'tok.bin', digest: null },
  config: null,
  vocabSize: 512,
  prompt: { tokens: null, text: 'Once — 一度' },
  steps: 100,
  sampler: { kind: 'greedy' },
  profile: 'f32-strict/1',
  sketch: 0,
};

export function randomLogits(stream: Xoshiro, vocabSize: number): Float32Array {
  return Float32Array.from({ length: vocabSize }, () => 20 * unitFloat(stream) - 10);
}

/** A trace of `count` entries; about one in twelve is a gap where `gaps` is set. */
export function randomTrace(seed: number, count: number, manifest: Manifest = greedyManifest, gaps = true): Trace {
  const stream = streamFor(seed, 'traces for tests');
  const vocabSize = manifest.vocabSize ?? 512;
  const token = (): number => uniformInteger(stream, 0, vocabSize - 1);
  const entries: Entry[] = [];
  let position = 0;
  let input = token();
  for (let i = 0; i < count; i++) {
    const gapAllowed = gaps && entries[i - 1]?.kind !== 'gap';
    if (gapAllowed && uniformInteger(stream, 0, 11) === 0) {
      const gap: Entry = { kind: 'gap', position, count: uniformInteger(stream, 1, 300) };
      entries.push(gap);
      position += gap.count;
      input = token();
      continue;
    }
    const output = token();
    const logitsHash = sha256(Uint8Array.of(seed, i, i >> 8));
    const sketch = manifest.sketch === 0 ? null : takeSketch(randomLogits(stream, vocabSize), manifest.sketch);
    entries.push({ kind: 'step', position, inputToken: input, outputToken: output, logitsHash, sketch });
    position += 1;
    input = output;
  }
  return { manifest, entries };
}
