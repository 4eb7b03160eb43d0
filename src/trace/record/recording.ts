/** A recording between the calls of a recorder: what of it is written, and what waits. */
import { manifestLeaf } from '../format/leaf.ts';
import { parseAndEncode } from '../format/manifest.ts';
import { admit, start, type Progress } from '../format/sequence.ts';
import type { Entry, Gap, Manifest, Step } from '../format/trace.ts';
import { hashBytes, leafHash, type Hash } from '../../merkle/hash.ts';
import { createGrowingTree, type GrowingTree } from './growing-tree.ts';
import { keepLogits, type BeginStep, type LogitsThread, type Outcome, type StepTokens } from './kept-logits.ts';
import { checkThread, misuse, notFinite } from './misuse.ts';
import { orThrow, recorderError } from './recorder-error.ts';
import type { TraceSink } from './sink.ts';

/** A step whose logits were accepted but whose token has not come yet. */
interface OpenStep {
  readonly tokens: StepTokens;
  readonly begin: BeginStep;
}

/** A whole step that another thread may still be working on. */
interface WaitingStep {
  readonly tokens: StepTokens;
  readonly outcome: () => Outcome;
}

/** The state between two calls. */
export interface Recording {
  readonly manifest: Manifest;
  readonly manifestHash: Hash;
  readonly sink: TraceSink<unknown>;
  readonly thread: LogitsThread | null;
  readonly tree: GrowingTree;
  /** Where the entries that are written end. */
  progress: Progress;
  open: OpenStep | null;
  waiting: WaitingStep | null;
  /** A gap that may still grow: neighbouring gaps are one entry. */
  gap: Gap | null;
  /** What the sink threw: an entry is missing, so nothing can follow it. */
  broken: { readonly error: unknown } | null;
  /** Ending: the signer or the sink has the head. Ended: nothing can be added any more. */
  state: 'running' | 'ending' | 'ended';
}

/** A recording without entries, whose sink has the manifest. */
export function startRecording(manifest: Manifest, sink: TraceSink<unknown>, thread: LogitsThread | null): Recording {
  const { manifest: parsed, json } = orThrow(parseAndEncode(manifest));
  if (thread !== null) orThrow(checkThread(thread, parsed));
  const manifestHash = leafHash(manifestLeaf(json));
  sink.begin(parsed, json);
  const tree = createGrowingTree(manifestHash);
  const nothing = { progress: start, open: null, waiting: null, gap: null, broken: null };
  return { manifest: parsed, manifestHash, sink, thread, tree, ...nothing, state: 'running' };
}

/** Throws if nothing more can be accepted: after a sink has failed, every call reports it again. */
export function checkRunning({ broken, state }: Recording): void {
  if (broken !== null) throw broken.error;
  if (state === 'ending') {
    throw recorderError(misuse('finished', 'The trace is being finished: nothing can be added to it meanwhile.'));
  }
  if (state === 'ended') throw recorderError(misuse('finished', 'The trace is finished: nothing can be added to it.'));
}

/** Takes the logits of a position. Here they are hashed at once, so that errors are reported at once. */
export function takeLogits({ thread, manifest }: Recording, position: number, given: Float32Array): BeginStep {
  // The numbers checked and the numbers hashed must be the same, even if another thread writes to them in the meantime.
  const logits = isShared(given.buffer) ? given.slice() : given;
  if (thread !== null) return thread.take(logits);
  const kept = keepLogits(logits, manifest.sketch);
  if (!kept.ok) throw recorderError(notFinite(position, kept.error));
  return () => () => ({ kept, appended: null });
}

/** Pages that are not isolated have no shared memory, and no name for it. */
const isShared = (buffer: ArrayBufferLike): boolean =>
  typeof SharedArrayBuffer !== 'undefined' && buffer instanceof SharedArrayBuffer;

/** Has the step that is open, which then has all that it will, worked out and written by who can. */
export function beginStep(recording: Recording, { tokens, begin }: OpenStep): void {
  const { sink, thread } = recording;
  const outcome = thread && sink.lend ? sink.lend((order) => begin(tokens, order)) : begin(tokens, null);
  recording.open = null;
  recording.waiting = { tokens, outcome };
}

/** Waits for the step that is in work. One whose logits are not finite is left out, as if it had been refused at once. */
export function settle(recording: Recording): void {
  if (recording.waiting === null) return;
  const { tokens, outcome } = recording.waiting;
  const { kept, appended } = outcome();
  if (!kept.ok) {
    recording.open = recording.waiting = null;
    throw recorderError(notFinite(tokens.position, kept.error));
  }
  const { position, inputToken, outputToken } = tokens;
  const { logitsHash, sketch } = kept.value;
  write(recording, { kind: 'step', position, inputToken, outputToken, logitsHash, sketch }, appended);
  recording.waiting = null;
}

/** Ends the gap that may still grow. */
export function writeGap(recording: Recording): void {
  if (recording.gap !== null) write(recording, recording.gap, null);
  recording.gap = null;
}

function write(recording: Recording, entry: Entry, appended: Outcome['appended']): void {
  const { manifest, progress, tree, sink } = recording;
  const reached = orThrow(admit(manifest, progress, entry));
  try {
    sink.entry(entry, appended);
  } catch (error) {
    recording.broken = { error };
    throw error;
  }
  recording.progress = reached;
  tree.add(entry);
}

/** Stands for the hash of logits while it is not known. */
const noHash = new Uint8Array(hashBytes);

/** Holds a step to all that does not need its logits. */
export function checkTokens(
  { manifest, progress, gap }: Recording,
  { position, inputToken, outputToken }: StepTokens,
): void {
  const reached = gap === null ? progress : orThrow(admit(manifest, progress, gap));
  const step: Step = { kind: 'step', position, inputToken, outputToken, logitsHash: noHash, sketch: null };
  orThrow(admit(manifest.sketch === 0 ? manifest : { ...manifest, sketch: 0 }, reached, step));
}

/** The gap that `added` makes with the one before it, if that is its neighbour. */
export function grownGap({ manifest, progress, gap }: Recording, added: Gap): Gap {
  const grows = gap !== null && gap.position + gap.count === added.position;
  const grown = grows ? { ...gap, count: gap.count + added.count } : added;
  orThrow(admit(manifest, progress, grown));
  return grown;
}
