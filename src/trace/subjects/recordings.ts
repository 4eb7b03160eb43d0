/**
 * Recordings as `contracts/trace-recording-v1.yaml` binds them: a file that grows, cut and finished, its heads, sketches and levels.
 *
 * `z` has a row of logits for each of m steps, `t` the m + 1 tokens (fed, and chosen last), and `s` is how many logits a step keeps.
 */
import { createMemoryHost } from '../../host/memory-host.ts';
import type { Engine } from '../engine/engine.ts';
import { consistency, treeOf } from '../format/leaves.ts';
import { readTrace } from '../format/read-trace.ts';
import type { Manifest, TraceFile } from '../format/trace.ts';
import { createFileSink } from '../record/file-sink.ts';
import { createRecorder, type Recorder } from '../record/recorder.ts';
import { takeSketch } from '../record/sketch.ts';
import { levels } from '../verify/level.ts';
import { replay } from '../verify/replay.ts';
import { sourceOf } from '../verify/source.ts';
import { bytesOf, numbersOf, wholeNumbers } from './bytes.ts';
import { valueOf } from './value-of.ts';

/** The file as the last step left it, unfinished. */
export async function growing(z: Float32Array, t: Int32Array, s: number, m: number, v: number): Promise<Int32Array> {
  const { file } = await growingFile(z, t, s, m, v);
  return numbersOf(file());
}

/** Bytes in the file before the first step and after each. */
export async function sizes(z: Float32Array, t: Int32Array, s: number, m: number, v: number): Promise<Int32Array> {
  const lengths: number[] = [];
  await growingFile(z, t, s, m, v, (file) => void lengths.push(file.length));
  return wholeNumbers(lengths);
}

/** The root that the recorder gives after `j` steps. */
export async function head(
  z: Float32Array,
  t: Int32Array,
  s: number,
  j: number,
  m: number,
  v: number,
): Promise<Int32Array> {
  const roots: Uint8Array[] = [];
  await growingFile(z, t, s, m, v, (_, root) => void roots.push(root));
  return numbersOf(roots[j] ?? new Uint8Array());
}

/** The finished file. */
export async function finished(z: Float32Array, t: Int32Array, s: number, m: number, v: number): Promise<Int32Array> {
  const { recorder, file } = await growingFile(z, t, s, m, v);
  await recorder.finish();
  return numbersOf(file());
}

/** Leaves and root of the first `c` bytes of a file, the manifest counted; nothing where they are refused. */
export async function readCut(b: Int32Array, c: number): Promise<Int32Array> {
  const read = await readTrace(bytesOf(b).subarray(0, c));
  return read.ok ? Int32Array.of(read.value.size, ...read.value.root) : new Int32Array();
}

/** The path that shows the first `j` steps of a file to be the beginning of all. */
export async function growth(b: Int32Array, j: number): Promise<Int32Array> {
  const trace = await fileOf(b);
  const proof = trace && consistency(trace, j + 1, trace.size);
  return proof?.ok === true ? numbersOf(...proof.value.path) : new Int32Array();
}

/** The path that shows step `i` to be in a file. */
export async function stepPath(b: Int32Array, i: number): Promise<Int32Array> {
  const trace = await fileOf(b);
  return trace === null || i >= trace.entries.length
    ? new Int32Array()
    : numbersOf(...treeOf(trace).inclusionPath(i + 1));
}

/** The tokens of all `v` logits, by logit. */
export function largest(z: Float32Array, v: number): Float32Array {
  return Float32Array.from(takeSketch(z, v)?.ids ?? []);
}

/** Number `a` of what step `i` of a file keeps: tokens, then their logits, then the log-sum-exp. NaN where there is none. */
export async function kept(b: Int32Array, i: number, a: number): Promise<number> {
  const entry = (await fileOf(b))?.entries[i];
  if (entry?.kind !== 'step' || entry.sketch === null) return NaN;
  const { ids, logits, logSumExp } = entry.sketch;
  return [...ids, ...logits, logSumExp][a] ?? NaN;
}

/** 1 where a replay that gives the logits `y` agrees with the recording of `z` at level `a` (0: exact, 1: float band, 2: engine band), else 0. */
export async function agrees(
  z: Float32Array,
  y: Float32Array,
  t: Int32Array,
  s: number,
  a: number,
  m: number,
  v: number,
): Promise<number> {
  const level = levels[a];
  if (level === undefined) throw new RangeError(`there is no level ${a}`);
  const trace = await fileOf(await growing(z, t, s, m, v));
  if (trace === null) throw new Error('a recording is read');
  const engine: Engine = {
    config: { dim: 1, hiddenDim: 1, layers: 1, heads: 1, kvHeads: 1, vocabSize: v, sequenceLength: m },
    profile: 'of no engine',
    forward: (_, position) => y.subarray(position * v, (position + 1) * v),
  };
  const chosen = Array.from({ length: m }, (_, position) => position);
  return replay(sourceOf(trace), engine, chosen, level).problems.length === 0 ? 1 : 0;
}

interface Growing {
  readonly recorder: Recorder<unknown>;
  readonly file: () => Uint8Array;
}

/** Records all steps into a file, which is shown with its root before the first step and after each. */
async function growingFile(
  z: Float32Array,
  t: Int32Array,
  s: number,
  m: number,
  v: number,
  show?: (file: Uint8Array, root: Uint8Array) => void,
): Promise<Growing> {
  const host = createMemoryHost();
  const sink = valueOf(await createFileSink(host, path));
  const recorder = createRecorder(manifestOf(v, s), { sink });
  const file = (): Uint8Array => host.files.get(path) ?? new Uint8Array();
  show?.(file(), recorder.head().root);
  for (let position = 0; position < m; position++) {
    recorder.logits(position, t[position] ?? 0, z.subarray(position * v, (position + 1) * v));
    recorder.token(t[position + 1] ?? 0);
    show?.(file(), recorder.head().root);
  }
  return { recorder, file };
}

const path = '/run.trace';

async function fileOf(b: Int32Array): Promise<TraceFile | null> {
  const read = await readTrace(bytesOf(b));
  return read.ok ? read.value : null;
}

/** A manifest that says as little as one can. */
export const manifestOf = (vocabSize: number, sketch: number): Manifest => ({
  format: 'pv-trace/2',
  tool: { name: 'pv', version: '0' },
  model: { name: 'model.bin', digest: null },
  tokenizer: { name: 'tokenizer.bin', digest: null },
  config: null,
  vocabSize,
  prompt: { tokens: null, text: null },
  steps: null,
  sampler: { kind: 'greedy' },
  profile: 'unspecified',
  sketch,
});
