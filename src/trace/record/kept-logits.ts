/** What a step keeps of its logits, and who computes it: the generating thread or another one. */
import { err, ok, type Result } from '../../base/result.ts';
import type { FileProblem } from '../../host/host.ts';
import { firstNonFinite, littleEndianBytes } from '../../tensors/float32-bytes.ts';
import type { WrittenSoFar } from '../format/frame.ts';
import type { Step } from '../format/trace.ts';
import { sha256 } from '../../merkle/sha256.ts';
import { takeSketch } from './sketch.ts';

export type KeptLogits = Pick<Step, 'logitsHash' | 'sketch'>;

/** What is known about a step besides its logits. */
export type StepTokens = Pick<Step, 'position' | 'inputToken' | 'outputToken'>;

/** A logit that commits to nothing. */
export interface NonFinite {
  readonly index: number;
  /** NaN or an infinity. */
  readonly value: number;
}

/**
 * The hash of `logits` as little-endian float32 and a sketch of the `sketch` largest (none for 0), or the first that is
 * not finite.
 */
export function keepLogits(logits: Float32Array, sketch: number): Result<KeptLogits, NonFinite> {
  const index = firstNonFinite(logits);
  if (index >= 0) return err({ index, value: logits[index] ?? Number.NaN });
  return ok({ logitsHash: sha256(littleEndianBytes(logits)), sketch: takeSketch(logits, sketch) });
}

/** How a thread is to write a step itself. */
export interface AppendOrder {
  /** The descriptor of the open file that the step is appended to. */
  readonly descriptor: number;
  readonly path: string;
  readonly behind: WrittenSoFar;
}

/** How far a file is written with a step that another thread has appended, or why it is not. */
export type Appended = Result<WrittenSoFar, FileProblem>;

/** The result of a step. */
export interface Outcome {
  readonly kept: Result<KeptLogits, NonFinite>;
  /** Null if the step is still to be written. */
  readonly appended: Appended | null;
}

/** Begins the work on accepted logits; the returned function waits for the result. */
export type BeginStep = (step: StepTokens, order: AppendOrder | null) => () => Outcome;

/**
 * Does what {@link keepLogits} does while its caller continues, for logits of one length, and appends steps to files on request.
 */
export interface LogitsThread {
  /** How many logits a step has. */
  readonly length: number;
  /** How many of them a sketch keeps. */
  readonly sketch: number;
  /**
   * Copies the logits, which may be written to afterwards. The function that it returns is called once or never. Logits
   * that come while those before them are still in work are worked out by the calling thread, so that recorders may
   * share a thread.
   */
  readonly take: (logits: Float32Array) => BeginStep;
  /** How many it took; the calling thread computed the others, because this one was not ready or had ended. */
  readonly taken: () => number;
  /** Nothing more is accepted. */
  readonly end: () => void;
}
