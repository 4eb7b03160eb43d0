/**
 * The synthetic task: sequences of a Markov chain whose next token is 5·token + 1 modulo the vocabulary, nine times in
 * ten, and anything otherwise. The best possible loss is the entropy of that choice.
 */
import { streamAt, streamKey, uniformInteger, unitFloat } from '../../src/numeric/xoshiro.ts';
import type { TrainingConfig } from './config.ts';

export interface Batch {
  /** The token of each row: rows = batch_size·length, sequence after sequence. */
  readonly tokens: Int32Array;
  /** The token after it. */
  readonly targets: Int32Array;
  readonly rows: number;
}

/** The least loss that any model can reach, in nats per token. */
export function entropyOfTask(vocabulary: number): number {
  const likely = 0.9 + 0.1 / vocabulary;
  return -likely * Math.log(likely) - (vocabulary - 1) * (0.1 / vocabulary) * Math.log(0.1 / vocabulary);
}

/** Micro-batch `index` of the run, of sequences of `length` tokens; the same for the same seed. */
export function batchAt(config: TrainingConfig, index: number, length: number): Batch {
  const random = streamAt(streamKey(config.seed, 'sequences'), index);
  const rows = config.batch_size * length;
  const [tokens, targets] = [new Int32Array(rows), new Int32Array(rows)];
  const anything = (): number => uniformInteger(random, 0, config.vocab_size - 1);
  for (let row = 0, token = anything(); row < rows; row++) {
    if (row % length === 0) token = anything();
    tokens[row] = token;
    token = unitFloat(random) < 0.9 ? (5 * token + 1) % config.vocab_size : anything();
    targets[row] = token;
  }
  return { tokens, targets, rows };
}
