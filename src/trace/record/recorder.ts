/**
 * Records a running generation, for any engine: one call with the logits of a position, one with the token chosen.
 *
 * Everything is hashed before a call returns, or copied if another thread hashes it, so that the caller's buffer may be reused.
 * A mistake of the calling code throws a {@link RecorderError} and leaves the recorder unchanged.
 */
import { checkGap } from '../format/entry.ts';
import type { Gap, Manifest } from '../format/trace.ts';
import type { LogitsThread } from './kept-logits.ts';
import { memorySink } from './memory-sink.ts';
import { checkLength, misuse, tokenMissing } from './misuse.ts';
import { orThrow, recorderError } from './recorder-error.ts';
import {
  beginStep,
  checkRunning,
  checkTokens,
  grownGap,
  settle,
  startRecording,
  takeLogits,
  writeGap,
} from './recording.ts';
import type { HeadToSign, SignHead, TraceSink, TreeHead } from './sink.ts';

/** A finished recording. */
export interface RecordedTrace<T> extends TreeHead {
  /** The signer's result for the size and root; null without a signer. */
  readonly checkpoint: string | null;
  /** The sink's result: the bytes of the file, unless another sink was given. */
  readonly file: T;
}

/** Takes one generation, call by call. */
export interface Recorder<T> {
  /**
   * Takes the raw logits after `inputToken` at `position`: hashed, and the sketch taken, before this returns.
   *
   * Positions come in order from 0. Refused: another length than the vocabulary, NaN and infinities, a position that
   * does not follow, an input that is not the token chosen before it.
   */
  readonly logits: (position: number, inputToken: number, logits: Float32Array) => void;
  /** Takes the token at the next position: sampled from the logits just given, or forced by the prompt. */
  readonly token: (id: number) => void;
  /** Records that `count` positions from `position` on were computed without their logits being seen. */
  readonly gap: (position: number, count: number) => void;
  /**
   * Size and root of what is recorded so far, for intermediate checkpoints; logits without a token and a final gap are not
   * included yet.
   */
  readonly head: () => TreeHead;
  /** Ends the trace. Logits whose token was not given are kept as a step without output token. */
  readonly finish: (signer?: SignHead) => Promise<RecordedTrace<T>>;
}

/** Where a recording goes, and who hashes it. */
export interface RecorderOptions<T> {
  /** Takes the entries; the bytes of the file are kept in memory without it. */
  readonly sink: TraceSink<T>;
  /**
   * Hashes in another thread (`logitsThreadFor`), and appends steps to the file of a sink that lends it. Other sinks
   * get a step with the next call but `token`. Logits that are not finite (PV-8049), and a step that could not be
   * written (PV-8047), are reported with that call too; the former is left out. It ends with the trace. Without it
   * everything is hashed here, at once.
   */
  readonly thread?: LogitsThread | null;
}

/**
 * A recorder of one generation; its trace stays in memory unless a sink takes it elsewhere. Throws for an impossible
 * manifest.
 */
export function createRecorder(manifest: Manifest): Recorder<Uint8Array>;
export function createRecorder<T>(manifest: Manifest, options: RecorderOptions<T>): Recorder<T>;
export function createRecorder(
  manifest: Manifest,
  { sink, thread = null }: RecorderOptions<unknown> = { sink: memorySink() },
): Recorder<unknown> {
  const recording = startRecording(manifest, sink, thread);
  const { manifestHash, tree } = recording;
  const running = (): void => checkRunning(recording);
  const closed = (): void => {
    running();
    if (recording.open !== null) throw recorderError(tokenMissing(recording.open.tokens.position));
    settle(recording);
  };
  /** A signer that fails leaves the recorder unchanged: another may sign, or none. */
  const signed = async (signer: SignHead, head: HeadToSign): Promise<string> => {
    recording.state = 'ending';
    try {
      return await signer(head);
    } catch (error) {
      recording.state = 'running';
      throw error;
    }
  };
  return {
    logits(position, inputToken, logits) {
      closed();
      orThrow(checkLength(logits, recording.manifest.vocabSize, position));
      const tokens = { position, inputToken, outputToken: null };
      checkTokens(recording, tokens);
      const begin = takeLogits(recording, position, logits);
      writeGap(recording);
      recording.open = { tokens, begin };
    },
    token(id) {
      running();
      if (recording.open === null)
        throw recorderError(misuse('call order', 'A token came without logits before it: call logits(…) first.'));
      const { tokens, begin } = recording.open;
      const chosen = { position: tokens.position, inputToken: tokens.inputToken, outputToken: id };
      checkTokens(recording, chosen);
      beginStep(recording, { tokens: chosen, begin });
      if (thread === null) settle(recording);
    },
    gap(position, count) {
      closed();
      const added: Gap = { kind: 'gap', position, count };
      orThrow(checkGap(added));
      recording.gap = grownGap(recording, added);
    },
    head() {
      if (recording.state === 'running') running();
      settle(recording);
      return tree.head();
    },
    async finish(signer) {
      running();
      settle(recording);
      if (recording.open !== null) beginStep(recording, recording.open);
      settle(recording);
      writeGap(recording);
      const head = tree.head();
      const checkpoint = signer === undefined ? null : await signed(signer, { ...head, manifestHash });
      recording.state = 'ended';
      thread?.end();
      return { ...head, checkpoint, file: await sink.finish({ ...head, checkpoint }) };
    },
  };
}
