import { defineCommand } from '../command.ts';
import { integerBetween, parseNumber } from '../number-parsers.ts';
import { nodeFlags } from './node-flags.ts';
import { roundArgument } from './round-argument.ts';
import type { SubmitFlags } from './run-submit.ts';
import type { RoundId } from '../../federated/ulid.ts';

/** `pv fed submit ROUND`. */
export const submit = defineCommand<SubmitFlags, readonly [RoundId]>({
  description:
    'Trains an adapter on the data of the settings, clips it and adds noise as the manifest asks, and submits it. The text and the\n' +
    'training stay on this machine. With --adapter, submits a PEFT folder of your own instead, such as python/pv_federated.py writes;\n' +
    'without its submission.json, --samples and --loss say what it was trained on. Clip and noise it before, as the manifest asks.\n' +
    'A submission whose answer was lost can be repeated: what was trained is submitted again.',
  examples: [
    ['pv fed submit 01KT1GW6G0VYEDNCZY18V8J49C', 'Train and submit'],
    ['pv fed submit 01KT1GW6G0VYEDNCZY18V8J49C --adapter out --samples 1200 --loss 1.9', 'An adapter of your own'],
  ],
  flags: {
    ...nodeFlags,
    adapter: {
      kind: 'parsed',
      parse: String,
      placeholder: 'folder',
      brief: 'A folder with adapter_model.safetensors, instead of training',
      optional: true,
    },
    samples: {
      kind: 'parsed',
      parse: integerBetween(1, Number.MAX_SAFE_INTEGER),
      placeholder: 'number',
      brief: 'Samples that the adapter of --adapter was trained on: its weight',
      optional: true,
    },
    loss: {
      kind: 'parsed',
      parse: parseNumber,
      placeholder: 'number',
      brief: 'Its last loss, which others see and nothing depends on',
      optional: true,
    },
  },
  positional: roundArgument,
  run: async (cli, flags, round) => (await import('./run-submit.ts')).runSubmit(cli, flags, round),
});
