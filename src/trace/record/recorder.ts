/**
 * Records a generation while it goes, for any engine: one call with the logits of a position, one with the token chosen.
 *
 * Everything is hashed before a call returns, or copied where another thread hashes it, so that the caller's buffer may be
 * written to again. What the calling code does wrong is thrown as a {@link RecorderError}, and leaves the recorder as it was.
 */
import { ok, type Result } from '../../base/result.ts';
import { checkGap } from '../format/entry.ts';
import { manifestLeaf } from '../format/leaf.ts';
import { parseAndEncode } from '../format/manifest.ts';
import { admit, start, type Progress } from '../format/sequence.ts';
import type { Entry, Gap, Manifest, Step } from '../format/trace.ts';
import { wrong } from '../format/wrong.ts';
import { hashBytes, leafHash } from '../merkle/hash.ts';
import type { TraceProblem } from '../problem.ts';
import { createGrowingTree } from './growing-tree.ts';
import { keepLogits, type KeptLogits, type LogitsThread, type NonFinite } from './kept-logits.ts';
import { memorySink } from './memory-sink.ts';
import { orThrow, recorderError } from './recorder-error.ts';
import type { SignHead, TraceSink, TreeHead } from './sink.ts';

export interface RecordedTrace<T> extends TreeHead {
  /** What the signer made of the size and root; null without a signer. */
  readonly checkpoint: string | null;
  /** What the sink made of the entries: the bytes of the file, unless another sink was given. */
  readonly file: T;
}

export interface Recorder<T> {
  /**
   * Takes the raw logits after `inputToken` at `position`: hashed, and the sketch taken, before this returns.
   *
   * Positions come in order from 0 on. Refused: another length than the vocabulary, NaN and infinities, a position that
   * does not follow, an input that is not the token chosen before it.
   */
  readonly logits: (position: number, inputToken: number, logits: Float32Array) => void;
  /** Takes the token at the next position: sampled from the logits just given, or forced by the prompt. */
  readonly token: (id: number) => void;
  /** Records that `count` positions from `position` on were computed without their logits being seen. */
  readonly gap: (position: number, count: number) => void;
  /** Size and root of what is recorded so far, for checkpoints on the way; logits without a token and the gap at the end wait. */
  readonly head: () => TreeHead;
  /** Ends the trace. Logits whose token was not given are kept as a step without output token. */
  readonly finish: (signer?: SignHead) => Promise<RecordedTrace<T>>;
}

export interface RecorderOptions<T> {
  /** Takes the entries; the bytes of the file are kept in memory without it. */
  readonly sink: TraceSink<T>;
  /**
   * Hashes beside this thread (`logitsThreadFor`): a step reaches the sink with the next call but `token`, and logits that are not
   * finite (PV-8049) are told there, and that step is left out. It ends with the trace. Without it everything is hashed here, at once.
   */
  readonly thread?: LogitsThread | null;
}

/** A step whose logits may still be in work. */
interface OpenStep extends Pick<Step, 'position' | 'inputToken' | 'outputToken'> {
  readonly kept: () => Result<KeptLogits, NonFinite>;
}

/** Stands for the hash of logits while it is not known. */
const noHash = new Uint8Array(hashBytes);

/** A recorder of one generation; its trace stays in memory unless a sink takes it elsewhere. Throws for an impossible manifest. */
export function createRecorder(manifest: Manifest): Recorder<Uint8Array>;
export function createRecorder<T>(manifest: Manifest, options: RecorderOptions<T>): Recorder<T>;
export function createRecorder(
  manifest: Manifest,
  { sink, thread = null }: RecorderOptions<unknown> = { sink: memorySink() },
): Recorder<unknown> {
  const { manifest: parsed, json } = orThrow(parseAndEncode(manifest));
  const withoutSketches = { ...parsed, sketch: 0 };
  const manifestHash = leafHash(manifestLeaf(json));
  const tree = createGrowingTree(manifestHash);
  sink.begin(parsed, json);

  let progress: Progress = start;
  /** Logits whose token has not come. */
  let open: OpenStep | null = null;
  /** A whole step whose logits another thread may still be working on. */
  let waiting: OpenStep | null = null;
  /** A gap that may still grow: neighbouring gaps are one entry. */
  let gap: Gap | null = null;
  let finished = false;

  const running = (): void => {
    if (finished) throw recorderError(misuse('finished', 'The trace is finished: nothing can be added to it.'));
  };
  const write = (entry: Entry): void => {
    progress = orThrow(admit(parsed, progress, entry));
    tree.add(entry);
    sink.entry(entry);
  };
  /** The step with what its logits came to. One that is not finite is left out, as if it had been refused at once. */
  const hashed = ({ kept, ...step }: OpenStep): Step => {
    const result = kept();
    if (result.ok) return { kind: 'step', ...step, ...result.value };
    open = waiting = null;
    throw recorderError(notFinite(step.position, result.error));
  };
  const settle = (): void => {
    if (waiting !== null) write(hashed(waiting));
    waiting = null;
  };
  /** Where the next call has to go on, and what it is checked against. */
  const reached = (): Progress => (gap === null ? progress : orThrow(admit(parsed, progress, gap)));
  const closed = (): void => {
    running();
    if (open !== null) throw recorderError(tokenMissing(open.position));
    settle();
  };
  /** Holds a step to all that does not need its logits. */
  const admitted = ({ position, inputToken, outputToken }: Omit<OpenStep, 'kept'>): void => {
    const step: Step = { kind: 'step', position, inputToken, outputToken, logitsHash: noHash, sketch: null };
    orThrow(admit(withoutSketches, reached(), step));
  };
  const keep = (position: number, logits: Float32Array): OpenStep['kept'] => {
    if (thread !== null) return thread.take(logits);
    const kept = keepLogits(logits, parsed.sketch);
    if (!kept.ok) throw recorderError(notFinite(position, kept.error));
    return () => kept;
  };

  return {
    logits(position, inputToken, logits) {
      closed();
      orThrow(checkLength(logits, parsed.vocabSize, position));
      const step = { position, inputToken, outputToken: null };
      admitted(step);
      const kept = keep(position, logits);
      if (gap !== null) write(gap);
      gap = null;
      open = { ...step, kept };
    },
    token(id) {
      running();
      if (open === null)
        throw recorderError(misuse('call order', 'A token came without logits before it: call logits(…) first.'));
      const step = { ...open, outputToken: id };
      admitted(step);
      if (thread === null) write(hashed(step));
      else waiting = step;
      open = null;
    },
    gap(position, count) {
      closed();
      const added: Gap = { kind: 'gap', position, count };
      orThrow(checkGap(added));
      const before = gap;
      const grows = before !== null && before.position + before.count === position;
      const grown = grows ? { ...before, count: before.count + count } : added;
      orThrow(admit(parsed, progress, grown));
      gap = grown;
    },
    head() {
      settle();
      return tree.head();
    },
    async finish(signer) {
      running();
      settle();
      if (open !== null) write(hashed(open));
      else if (gap !== null) write(gap);
      open = gap = null;
      const head = tree.head();
      const checkpoint = signer === undefined ? null : await signer({ ...head, manifestHash });
      running();
      finished = true;
      thread?.end();
      return { ...head, checkpoint, file: await sink.finish({ ...head, checkpoint }) };
    },
  };
}

function checkLength(logits: Float32Array, vocabSize: number | null, position: number): Result<void, TraceProblem> {
  const expected = vocabSize === null ? 'a vocabulary size in the manifest' : `a Float32Array of ${vocabSize} numbers`;
  if (logits instanceof Float32Array && logits.length === vocabSize) return ok(undefined);
  return wrong('PV-8048', 'logits length', `The logits of position ${position} do not fit the vocabulary.`, {
    position,
    expected,
    actual: logits instanceof Float32Array ? `${logits.length} numbers` : typeof logits,
  });
}

const notFinite = (position: number, { index, value }: NonFinite): TraceProblem => ({
  code: 'PV-8049',
  check: 'finite logits',
  message: `The logit of token ${index} at position ${position} is ${value}.`,
  position,
  expected: 'a finite number',
  actual: String(value),
});

const tokenMissing = (position: number): TraceProblem =>
  misuse(
    'call order',
    `The token chosen from the logits of position ${position} is missing: call token(…) first.`,
    position,
  );

function misuse(check: string, message: string, position?: number): TraceProblem {
  return { code: 'PV-8048', check, message, ...(position === undefined ? {} : { position }) };
}
