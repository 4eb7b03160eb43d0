/** What recording, finishing and checking a trace take, and how many bytes it has. */
import { invariant } from '../../src/base/invariant.ts';
import type { Manifest, Step, Trace } from '../../src/trace/format/trace.ts';
import { hashColumn, packColumns } from '../../src/trace/format/columns.ts';
import { treeOf } from '../../src/trace/format/leaves.ts';
import { start } from '../../src/trace/format/sequence.ts';
import { encodeTrace } from '../../src/trace/format/write-trace.ts';
import { sha256 } from '../../src/trace/hash/sha256.ts';
import { createRecorder, type Recorder } from '../../src/trace/record/recorder.ts';
import { checkProof } from '../../src/trace/verify/check-proof.ts';
import { makeProof } from '../../src/trace/verify/make-proof.ts';
import { least, leastAsync } from './processor-time.ts';

const manifestOf = (vocabSize: number): Manifest => ({
  format: 'pv-trace/2',
  tool: { name: 'pv', version: '0.0.0' },
  model: { name: 'synthetic', digest: null },
  tokenizer: { name: 'synthetic', digest: null },
  config: null,
  vocabSize,
  prompt: { tokens: [1], text: null },
  steps: null,
  sampler: { kind: 'greedy' },
  profile: 'f32-strict/1',
  sketch: 0,
});

/** Microseconds that the recorder takes for one step of a generation. */
export function recordingStep(logits: Float32Array, steps: number, rounds: number): number {
  return least(rounds, () => void recorded(logits, steps)) / steps;
}

function recorded(logits: Float32Array, steps: number): Recorder<Uint8Array> {
  const recorder = createRecorder(manifestOf(logits.length));
  for (let position = 0; position < steps; position++) {
    recorder.logits(position, 1, logits);
    recorder.token(1);
  }
  return recorder;
}

/** Microseconds for the root after `steps` recorded steps, and for the whole file with it. */
export async function finishing(
  logits: Float32Array,
  steps: number,
  rounds: number,
): Promise<{ root: number; file: number }> {
  const recorder = recorded(logits, steps);
  return {
    root: least(rounds, () => void recorder.head()),
    file: await leastAsync(
      rounds,
      () => recorded(logits, steps),
      (one) => one.finish(),
    ),
  };
}

/** A trace of tokens without order, which no compression helps. */
function madeTrace(steps: number, vocabSize: number): Trace {
  const token = (position: number): number => (position === 0 ? 1 : (position * 7919) % vocabSize);
  const entries = Array.from({ length: steps }, (_, position): Step => ({
    kind: 'step',
    position,
    inputToken: token(position),
    outputToken: token(position + 1),
    logitsHash: sha256(Uint8Array.of(position & 255, position >> 8)),
    sketch: null,
  }));
  return { manifest: manifestOf(vocabSize), entries };
}

/** Microseconds for checking the proof of one step in a trace of `steps`, against a root and a size that the verifier has. */
export async function proofCheck(steps: number, rounds: number): Promise<number> {
  const trace = madeTrace(steps, 32_000);
  const tree = treeOf(trace);
  const proof = makeProof(trace, Math.floor(steps / 2), null);
  invariant(proof.ok, 'a step of the trace has a proof');
  const anchor = { root: tree.root(), size: tree.size };
  const calls = 100;
  const whole = await leastAsync(
    rounds,
    () => null,
    async () => {
      for (let call = 0; call < calls; call++) {
        const { verdict } = await checkProof(proof.value, anchor);
        invariant(verdict === 'verified', 'the proof holds');
      }
    },
  );
  return whole / calls;
}

/** Bytes a step beyond the manifest: before compression, and of the file. */
export async function bytesPerStep(steps: number): Promise<{ plain: number; file: number }> {
  const trace = madeTrace(steps, 32_000);
  const plain = packColumns(trace.entries, start).length + hashColumn(trace.entries).length;
  const empty = await encodeTrace({ ...trace, entries: [] }, null);
  const whole = await encodeTrace(trace, null);
  return { plain: plain / steps, file: (whole.length - empty.length) / steps };
}
