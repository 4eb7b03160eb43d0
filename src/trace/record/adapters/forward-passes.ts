/**
 * Records an engine that computes several positions at once, as prefilling does: onnxruntime in a custom loop, and its wrappers.
 */
import { recorderError } from '../recorder-error.ts';
import type { Recorder } from '../recorder.ts';
import { float32Rows, type TensorLike } from './tensor.ts';

/** Takes what an engine computes, pass by pass. */
export interface ForwardPasses {
  /**
   * Takes one pass: the tokens fed in and the logits that came out, for all of their positions or the last of them.
   *
   * The pass starts at position `from`, by default where the one before ended. Positions that were already recorded are
   * skipped, as when an engine without a cache computes everything again; with another token they belong to another generation
   * and are refused (PV-8048). Positions whose logits the engine keeps to itself become a gap. The logits are hashed before
   * this returns.
   */
  readonly pass: (fed: readonly number[], logits: TensorLike, from?: number) => void;
  /** Takes the token chosen from the last logits, which no pass is fed with any more. */
  readonly last: (token: number) => void;
}

/** Passes into `recorder`, which nothing else records to. */
export function recordPasses(recorder: Recorder<unknown>): ForwardPasses {
  /** The tokens of all positions that have an entry. */
  const inputs: number[] = [];
  let tokenIsDue = false;
  return {
    pass(fed, logits, from = inputs.length) {
      const rows = float32Rows(logits);
      const unseen = fed.length - rows.length;
      for (const [i, token] of fed.entries()) {
        if (from + i < inputs.length) {
          checkAgain(from + i, inputs[from + i], token);
          continue;
        }
        if (tokenIsDue) recorder.token(token);
        const row = rows[i - unseen];
        tokenIsDue = row !== undefined;
        if (row === undefined) recorder.gap(from + i, 1);
        else recorder.logits(from + i, token, row);
        inputs.push(token);
      }
    },
    last(token) {
      recorder.token(token);
      tokenIsDue = false;
    },
  };
}

function checkAgain(position: number, recorded: number | undefined, token: number): void {
  if (token === recorded) return;
  throw recorderError({
    code: 'PV-8048',
    check: 'generation',
    message: `Position ${position} is computed again with another token: another generation needs another recorder.`,
    position,
    expected: String(recorded),
    actual: String(token),
  });
}
