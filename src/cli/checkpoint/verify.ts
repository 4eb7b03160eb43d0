import { defineCommand } from '../command.ts';
import type { VerifyFlags } from './run-verify.ts';

/** `pv checkpoint verify PATH`. */
export const verify = defineCommand<VerifyFlags, readonly [string]>({
  description:
    'Checks that a checkpoint is complete, that every byte is as pv checkpoint seal found it, and that its files are consistent in\n' +
    'themselves: shards against their index, safetensors headers, the checksums in files of torch.save. A checkpoint without a\n' +
    'manifest is never verified: the report says how many of its files have checksums of their own. A manifest that is not signed shows\n' +
    'nothing about who made it.\n' +
    'Exits with 1 if something is wrong, with 5 if nothing is wrong but not everything could be checked, and with 2 if there is\n' +
    'nothing at the path.',
  examples: [
    ['pv checkpoint verify output/checkpoint-1000', 'Is every byte as it was sealed?'],
    ['pv checkpoint verify output/checkpoint-1000 --key alice.pub', 'And did Alice seal it?'],
  ],
  flags: {
    key: {
      kind: 'parsed',
      variadic: true,
      parse: String,
      placeholder: 'file',
      brief: 'Who must have signed the seal: a .pub file, or the key itself; may be given several times',
      optional: true,
    },
    json: { kind: 'boolean', brief: 'Print the report as JSON', default: false, withNegated: false },
  },
  positional: {
    kind: 'tuple',
    parameters: [{ parse: String, placeholder: 'path', brief: 'The folder or file of a checkpoint' }],
  },
  run: async (cli, flags, path) => (await import('./run-verify.ts')).runVerify(cli, flags, path),
});
