/**
 * Leaves, files and recordings as `contracts/trace-format-v1.yaml` binds them: bytes and tokens as whole numbers.
 *
 * A trace of m steps is its m + 1 tokens `t` (fed, and chosen last) and the bytes `h` of its m logits hashes; all else is fixed.
 */
import { fromJson, toJson } from '../format/json.ts';
import { decodeLeaf, entryLeaf } from '../format/leaf.ts';
import { treeOf } from '../format/leaves.ts';
import { readTrace } from '../format/read-trace.ts';
import type { Manifest, Step, Trace } from '../format/trace.ts';
import { encodeTrace } from '../format/write-trace.ts';
import { readLegacyTrace } from '../legacy/read-trace.ts';
import { legacyEntryHash, legacyTrace, type LegacyTrace } from '../legacy/trace.ts';
import { writeLegacyTrace } from '../legacy/write-trace.ts';
import { hashBytes } from '../../merkle/hash.ts';
import { createRecorder } from '../record/recorder.ts';
import { hashLogits } from '../verify/compare-logits.ts';
import { bytesOf, flipped, numbersOf, rowsOf, wholeNumbers } from './bytes.ts';
import { valueOf } from './value-of.ts';

/** The bytes that a step's leaf commits to. */
export function stepLeaf(i: number, x: number, y: number, h: Int32Array): Int32Array {
  return numbersOf(entryLeaf(step(i, x, y, bytesOf(h))));
}

/** Position, tokens and logits hash encoded in a step's leaf; empty if it is refused. */
export function readStepLeaf(b: Int32Array): Int32Array {
  const read = decodeLeaf(bytesOf(b));
  return read.ok && read.value.kind === 'step' ? numbersOfStep(read.value) : refused;
}

/** What llama2-rs hashes of a step, which leaves out the token chosen. */
export function legacyLeaf(i: number, x: number, h: Int32Array): Int32Array {
  return numbersOf(legacyEntryHash({ position: i, token: x, text: null, logitsHash: bytesOf(h) }));
}

/** SHA-256 of logits. */
export function logitsHash(z: Float32Array): Int32Array {
  return numbersOf(hashLogits(z));
}

/** The finished file. */
export async function file(t: Int32Array, h: Int32Array): Promise<Int32Array> {
  return numbersOf(await encodeTrace(traceOf(t, h), null));
}

/** Tokens and hashes of a file with bit number `q` flipped, counted around it; of the file itself for −1. Nothing where it is refused. */
export async function readFile(b: Int32Array, q: number): Promise<Int32Array> {
  const read = await readTrace(flipped(b, q));
  return read.ok && read.value.complete ? numbersOfTrace(read.value) : refused;
}

/** The file as JSON. */
export function json(t: Int32Array, h: Int32Array): string {
  const trace = traceOf(t, h);
  const tree = treeOf(trace);
  return toJson({ ...trace, size: tree.size, root: tree.root(), checkpoint: null, complete: true, droppedBytes: 0 });
}

/** Tokens and hashes of a text in which the lowest bit of character `q` is flipped, counted around; of the text itself for −1. */
export function readJson(s: string, q: number): Int32Array {
  const at = q % s.length;
  const changed = q < 0 ? s : `${s.slice(0, at)}${String.fromCharCode(s.charCodeAt(at) ^ 1)}${s.slice(at + 1)}`;
  const read = fromJson(changed);
  return read.ok ? numbersOfTrace(read.value) : refused;
}

/** The file of llama2-rs; the token chosen last is not in it. */
export function legacyFile(t: Int32Array, h: Int32Array): Int32Array {
  return numbersOf(writeLegacyTrace(legacyTraceOf(t, h)));
}

/** The file of its later form: `x` is the prompt and the text of every other step, from the first on; the rest have none. */
export function legacyTextFile(t: Int32Array, h: Int32Array, x: string): Int32Array {
  return numbersOf(writeLegacyTrace(legacyTraceOf(t, h, { prompt: x, texts: [x, ''] })));
}

/** The text of step `i` of such a file, and the prompt for −1. */
export function legacyText(b: Int32Array, i: number): string {
  const { entries, metadata } = valueOf(readLegacyTrace(bytesOf(b)));
  return i < 0 ? metadata.prompt : (entries[i]?.text ?? 'no text');
}

/** Tokens fed, then hashes, of a file with bit `q` flipped as in {@link readFile}. */
export function readLegacyFile(b: Int32Array, q: number): Int32Array {
  const read = readLegacyTrace(flipped(b, q));
  if (!read.ok) return refused;
  const { entries } = read.value;
  return wholeNumbers([...entries.map(({ token }) => token), ...entries.flatMap((entry) => [...entry.logitsHash])]);
}

/** The file that a recorder makes of the logits `z`, a row for each step, and the tokens `t`. */
export async function recording(z: Float32Array, t: Int32Array, m: number, v: number): Promise<Int32Array> {
  const recorder = createRecorder({ ...manifest, vocabSize: v });
  for (let position = 0; position < m; position++) {
    recorder.logits(position, t[position] ?? 0, z.subarray(position * v, (position + 1) * v));
    recorder.token(t[position + 1] ?? 0);
  }
  return numbersOf((await recorder.finish()).file);
}

/** The result for a refused file. */
const refused = new Int32Array();

const manifest: Manifest = {
  format: 'pv-trace/2',
  tool: { name: 'pv', version: '0' },
  model: { name: 'model.bin', digest: null },
  tokenizer: { name: 'tokenizer.bin', digest: null },
  config: null,
  vocabSize: null,
  prompt: { tokens: null, text: null },
  steps: null,
  sampler: { kind: 'greedy' },
  profile: 'unspecified',
  sketch: 0,
};

/** The trace of the tokens `t` and the hashes `h`. */
export function traceOf(t: Int32Array, h: Int32Array): Trace {
  return { manifest, entries: stepsOf(t, h) };
}

/** The same as llama2-rs has it, without texts or with those that take turns. */
export function legacyTraceOf(
  t: Int32Array,
  h: Int32Array,
  { prompt, texts }: { readonly prompt: string; readonly texts: readonly string[] } = { prompt: '', texts: [] },
): LegacyTrace {
  const entries = stepsOf(t, h).map(({ position, inputToken, logitsHash: hash }) => ({
    position,
    token: inputToken,
    text: texts[position % texts.length] ?? null,
    logitsHash: hash,
  }));
  return valueOf(legacyTrace(entries, { modelPath: 'model.bin', prompt, steps: entries.length }));
}

function stepsOf(t: Int32Array, h: Int32Array): readonly Step[] {
  return rowsOf(bytesOf(h), hashBytes).map((hash, i) => step(i, t[i] ?? 0, t[i + 1] ?? 0, hash));
}

function step(position: number, inputToken: number, outputToken: number, hash: Uint8Array): Step {
  return { kind: 'step', position, inputToken, outputToken, logitsHash: hash, sketch: null };
}

export function numbersOfStep({ position, inputToken, outputToken, logitsHash: hash }: Step): Int32Array {
  return wholeNumbers([position, inputToken, outputToken ?? -1, ...hash]);
}

function numbersOfTrace({ entries }: Trace): Int32Array {
  const steps = entries.flatMap((entry) => (entry.kind === 'step' ? [entry] : []));
  const tokens = steps.map(({ inputToken }) => inputToken);
  const last = steps.at(-1)?.outputToken ?? -1;
  return wholeNumbers([...tokens, last, ...steps.flatMap((entry) => [...entry.logitsHash])]);
}
