/** The memory that a generating thread and the one that hashes for it share. */
import { err, ok, type Result } from '../../base/result.ts';
import { hashBytes } from '../merkle/hash.ts';
import type { KeptLogits, NonFinite } from './kept-logits.ts';

/** The sizes and the memory; what a thread is started with. */
export interface SharedLogits {
  readonly memory: SharedArrayBuffer;
  /** Logits of a step. */
  readonly length: number;
  /** How many of them a sketch holds. */
  readonly sketch: number;
}

/** Places in {@link Exchange.control}. */
export const control = {
  /** 1 once the thread runs. */
  ready: 0,
  /** The number of the logits that are there to be hashed, from 1 on; −1 ends the thread. */
  asked: 1,
  /** The number of those that have been. */
  answered: 2,
  /** The first logit that is not finite; −1 where all are. */
  nonFinite: 3,
} as const;

export interface Exchange {
  readonly control: Int32Array;
  readonly logits: Float32Array;
  /** Writes what came of the logits. */
  readonly write: (kept: Result<KeptLogits, NonFinite>) => void;
  /** A copy of what was written. */
  readonly read: () => Result<KeptLogits, NonFinite>;
}

export function shareLogits(length: number, sketch: number): SharedLogits {
  const words = Object.keys(control).length + hashBytes / 4 + length + 2 * sketch + 1;
  return { memory: new SharedArrayBuffer(4 * words), length, sketch };
}

export function exchangeOf({ memory, length, sketch }: SharedLogits): Exchange {
  let end = 0;
  const place = (bytes: number): number => (end += bytes) - bytes;
  const words = Object.keys(control).length;
  const flags = new Int32Array(memory, place(4 * words), words);
  const hash = new Uint8Array(memory, place(hashBytes), hashBytes);
  const logits = new Float32Array(memory, place(4 * length), length);
  const ids = new Uint32Array(memory, place(4 * sketch), sketch);
  // The logits of a sketch and their log-sum-exp are float32 numbers, so that nothing is lost here.
  const largest = new Float32Array(memory, place(4 * sketch), sketch);
  const logSumExp = new Float32Array(memory, place(4), 1);
  return {
    control: flags,
    logits,
    write(kept) {
      flags[control.nonFinite] = kept.ok ? -1 : kept.error.index;
      if (!kept.ok) return;
      hash.set(kept.value.logitsHash);
      ids.set(kept.value.sketch?.ids ?? []);
      largest.set(kept.value.sketch?.logits ?? []);
      logSumExp[0] = kept.value.sketch?.logSumExp ?? 0;
    },
    read() {
      const index = flags[control.nonFinite] ?? -1;
      if (index >= 0) return err({ index, value: logits[index] ?? Number.NaN });
      const numbers = { ids: [...ids], logits: [...largest], logSumExp: logSumExp[0] ?? 0 };
      return ok({ logitsHash: Uint8Array.from(hash), sketch: sketch === 0 ? null : numbers });
    },
  };
}
