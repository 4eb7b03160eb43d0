/**
 * What every inference engine of a trace offers: logits, one position after the other.
 */
import type { ModelConfig } from '../model/model.ts';

/** A decoder that computes the logits of one sequence at a time. */
export interface Engine {
  readonly config: ModelConfig;
  /** The definition of its arithmetic, with a version: two engines of one profile return the same bits. */
  readonly profile: string;
  /**
   * The raw float32 logits (vocabSize of them) after `token` has been fed in at `position`, before any temperature.
   *
   * Positions are fed in order, from 0 or from where the engine was last rewound to. The array is the engine's own and
   * holds until the next call.
   */
  readonly forward: (token: number, position: number) => Float32Array;
  /** The same for several positions at once. Absent where an engine takes one after the other. */
  readonly block?: EngineBlock;
}

/**
 * Tokens that are known beforehand, as those of a trace are: an engine may then read its weights once for all of them.
 */
export interface EngineBlock {
  /** How many it takes at most. */
  readonly positions: number;
  /**
   * The logits after each of `tokens` (one at least) fed in from `position` on, bit for bit as by one `forward` after
   * the other. The arrays are the engine's own and hold until the next call of either.
   */
  readonly forward: (tokens: readonly number[], position: number) => readonly Float32Array[];
}

/**
 * Strict float32, version 1: every operation rounds once, sums run from left to right, elementary functions are our
 * own.
 */
export const strictFloat32 = 'f32-strict/1';
