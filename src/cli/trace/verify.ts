import { defineCommand } from '../command.ts';
import { integerBetween } from '../number-parsers.ts';
import { anchorFlags } from './anchor-flags.ts';
import { jsonFlag } from './json-flag.ts';
import { modelFlag, tokenizerFlag } from './load-model.ts';
import { samplingAliases, samplingChoices } from './sampling-flags.ts';
import { requirementNames } from '../../trace/verify/requirement.ts';
import { levelNames, requirementsOf, type VerifyFlags } from './verify-flags.ts';

/** `pv trace verify TRACE`: a replay. */
export const verify = defineCommand<VerifyFlags, readonly [string]>({
  description:
    'Replays a trace with your copy of the model and compares the result with what was recorded: tokens, and logits by their\n' +
    'hash (exact) or within a band that you request. The verdict states the level, how many of the steps were compared, and who\n' +
    'vouches for the root. Comparing all steps costs one replay, as does one. Exits with 0 only if everything required holds, with\n' +
    '1 if something does not, and with 5 if no fault was found but something was not shown. Unless --require says otherwise,\n' +
    'a v2 trace must show that the model generated it: tokens,sampler,prompt,end.\n' +
    'A v2 trace records its prompt and sampler: any that you give must be the same. A trace of llama2-rs\n' +
    'does not: prompt (by default the one in the file), seed, temperature and top-p are taken from the flags.',
  examples: [
    ['pv trace verify run.trace --model stories260K.bin --iteration 50', 'Step 50, which takes a replay of 0 to 50'],
    ['pv trace verify run.trace --model stories260K.bin --tokenizer tok512.bin --all', 'Every step'],
    ['pv trace verify run.trace --model stories260K.bin --sample 16', 'A random challenge, which it names'],
    [
      'pv trace verify run.trace --model stories260K.bin --level float-band --require logits',
      'A trace of an engine with its own sampler, by its sketch',
    ],
    [
      'pv trace verify run.legacy --model stories260K.bin --tokenizer tok512.bin -s 42 -t 0.8 --all',
      'A trace of llama2-rs',
    ],
  ],
  flags: {
    model: modelFlag,
    tokenizer: { ...tokenizerFlag, optional: true },
    iteration: {
      kind: 'parsed',
      parse: integerBetween(0),
      placeholder: 'n',
      brief: 'Compare the step at this position',
      optional: true,
    },
    all: {
      kind: 'boolean',
      brief: 'Compare every step (the default)',
      default: false,
      withNegated: false,
    },
    sample: {
      kind: 'parsed',
      parse: integerBetween(1),
      placeholder: 'k',
      brief: 'Compare k steps, drawn at random',
      optional: true,
    },
    challenge: {
      kind: 'parsed',
      parse: integerBetween(0),
      placeholder: 'n',
      brief: 'With --sample: the seed that draws the steps, to repeat a challenge; random when absent',
      optional: true,
    },
    level: {
      kind: 'enum',
      values: levelNames,
      brief: 'How closely logits must agree; exact when absent, if the trace is of this numeric profile',
      optional: true,
    },
    prompt: {
      kind: 'parsed',
      parse: String,
      placeholder: 'text',
      brief: 'The prompt that the trace must be of',
      optional: true,
    },
    ...samplingChoices,
    require: {
      kind: 'parsed',
      parse: requirementsOf,
      placeholder: 'names',
      brief: `What must be shown instead of tokens,sampler,prompt,end: a comma-separated list of ${requirementNames.join(', ')}`,
      optional: true,
    },
    incomplete: {
      kind: 'boolean',
      brief: 'Accept a trace that was cut, up to its last whole entry, or that does not show its end',
      default: false,
      withNegated: false,
    },
    ...anchorFlags,
    json: jsonFlag,
  },
  aliases: { ...samplingAliases, z: 'tokenizer', i: 'prompt' },
  positional: { kind: 'tuple', parameters: [{ brief: 'A trace', placeholder: 'trace', parse: String }] },
  run: async (cli, flags, path) => (await import('./run-verify.ts')).runVerify(cli, flags, path),
});
