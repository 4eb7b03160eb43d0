/** What a step keeps of its logits, and who works it out: the thread that generates, or another one beside it. */
import { err, ok, type Result } from '../../base/result.ts';
import { firstNonFinite, littleEndianBytes } from '../float32-bytes.ts';
import type { Step } from '../format/trace.ts';
import { sha256 } from '../hash/sha256.ts';
import { takeSketch } from './sketch.ts';

export type KeptLogits = Pick<Step, 'logitsHash' | 'sketch'>;

/** A logit that commits to nothing. */
export interface NonFinite {
  readonly index: number;
  /** NaN or an infinity. */
  readonly value: number;
}

/** The hash of `logits` as little-endian float32 and a sketch of the `sketch` largest (none for 0), or the first that is not finite. */
export function keepLogits(logits: Float32Array, sketch: number): Result<KeptLogits, NonFinite> {
  const index = firstNonFinite(logits);
  if (index >= 0) return err({ index, value: logits[index] ?? Number.NaN });
  return ok({ logitsHash: sha256(littleEndianBytes(logits)), sketch: takeSketch(logits, sketch) });
}

/** Does what {@link keepLogits} does while its caller goes on, for logits of one length. */
export interface LogitsThread {
  /**
   * Copies the logits, which may be written to afterwards. The function that it returns waits for what came of them, and is
   * called once, before the next logits are taken.
   */
  readonly take: (logits: Float32Array) => () => Result<KeptLogits, NonFinite>;
  /** How many it took; others were worked out by the calling thread, since it was not ready, or gone. */
  readonly taken: () => number;
  /** Nothing is taken any more. */
  readonly end: () => void;
}
