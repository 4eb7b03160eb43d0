import { defineCommand } from '../command.ts';
import { integerBetween } from '../number-parsers.ts';
import { largestU32, sketchLimit } from '../../trace/format/limits.ts';
import { modelFlag, tokenizerFlag } from './load-model.ts';
import { forceFlag } from './output-file.ts';
import type { RecordFlags } from './record-flags.ts';
import { signerFlag } from './signing.ts';
import { samplingAliases, samplingFlags } from './sampling-flags.ts';

/** `pv trace record`: generates, and commits to every step. */
export const record = defineCommand<RecordFlags, []>({
  description:
    'Generates text with a llama2.c checkpoint, in float32 with one rounding for each operation, and commits to every step: the\n' +
    'token fed in, the token chosen, the SHA-256 of all logits. The text goes to standard output while it comes; the seed, the\n' +
    'speed and the root to standard error. The same flags give the same root on every machine.\n' +
    'Ctrl-C leaves the steps so far in a file that says it is incomplete, and exits with 130.',
  examples: [
    [
      'pv trace record --model stories260K.bin --tokenizer tok512.bin -i "Once upon a time" -n 100 -s 42 --out run.trace',
      'A hundred steps, sampled with seed 42',
    ],
    [
      'pv trace record --model stories260K.bin --tokenizer tok512.bin -t 0 --format legacy --out run.legacy',
      'Greedy, in the format of llama2-rs',
    ],
  ],
  flags: {
    model: modelFlag,
    tokenizer: tokenizerFlag,
    prompt: { kind: 'parsed', parse: String, placeholder: 'text', brief: 'What the text begins with', default: '' },
    steps: {
      kind: 'parsed',
      parse: integerBetween(0, largestU32),
      placeholder: 'n',
      brief: 'Maximum number of positions; 0 for all that the model has',
      default: '256',
    },
    ...samplingFlags,
    sketch: {
      kind: 'parsed',
      parse: integerBetween(0, sketchLimit),
      placeholder: 'k',
      brief: 'Keep the k largest logits of each step next to its hash, so that other engines can compare',
      default: '0',
    },
    format: {
      kind: 'enum',
      values: ['v2', 'legacy', 'legacy-text'],
      brief: 'v2, or what llama2-rs writes: as its document has it, or with the text of each token',
      default: 'v2',
    },
    out: { kind: 'parsed', parse: String, placeholder: 'file', brief: 'The trace to write' },
    key: {
      ...signerFlag,
      brief: 'Sign the trace as it ends with this .key file; may be given several times',
      optional: true,
    },
    force: forceFlag,
  },
  aliases: { ...samplingAliases, z: 'tokenizer', i: 'prompt', n: 'steps', o: 'out' },
  positional: { kind: 'tuple', parameters: [] },
  run: async (cli, flags) => (await import('./run-record.ts')).runRecord(cli, flags),
});
