/**
 * Prints the merges of `src/kernels/bpe-tokenizer.ts`, trained on `bpe-training-text.ts`: `node scripts/run.mjs scripts/train-bpe.ts`.
 */
import { trainMerges } from '../src/kernels/bpe-tokenizer.ts';
import { mergeCount, trainingText } from './bpe-training-text.ts';

const rows = trainMerges(trainingText, mergeCount).map(([left, right]) => `  [${left}, ${right}],`);
process.stdout.write(`${rows.join('\n')}\n`);
