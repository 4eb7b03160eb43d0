import { integerBetween } from '../number-parsers.ts';
import { anchorFlags } from '../trace/anchor-flags.ts';
import { defineCommand } from '../command.ts';
import type { VerifyFlags } from './run-verify.ts';

/** `pv certificate verify DIR`. */
export const verify = defineCommand<VerifyFlags, readonly [string]>({
  description:
    'Verifies the files that `pv train` wrote, one level after another, and names the level it reached:\n' +
    '  files   the certificate, the weights and the configuration match; with --key or --model-key, those keys signed them\n' +
    '  ledger  every count follows from the ledger, every verdict from its comparisons, every bound from the configuration\n' +
    '  spot    some segments between checkpoints, chosen at random, replay bit for bit\n' +
    '  full    the whole run replays bit for bit\n' +
    'Exits with 1 if it does not reach the requested level, and with 2 if a file cannot be read.',
  examples: [
    ['pv certificate verify run', 'Verify without replaying any step'],
    ['pv certificate verify run --level spot --segments 3', 'Replay three segments'],
    ['pv certificate verify run --level full --key alice.pub', 'Replay everything, and require Alice’s signature'],
  ],
  flags: {
    level: {
      kind: 'enum',
      values: ['files', 'ledger', 'spot', 'full'],
      default: 'ledger',
      brief: 'The level to reach',
    },
    segments: {
      kind: 'parsed',
      parse: integerBetween(1),
      placeholder: 'n',
      default: '2',
      brief: 'Number of segments that a spot check replays',
    },
    key: {
      ...anchorFlags.key,
      brief:
        'Require training.intoto.json to be signed by this .pub file, or the key itself; may be given several times',
    },
    modelKey: {
      kind: 'parsed',
      parse: String,
      placeholder: 'file',
      brief: 'Require model.sig to be signed by this public ECDSA key in PEM',
      optional: true,
    },
    json: { kind: 'boolean', brief: 'Print the verdict as JSON', default: false, withNegated: false },
  },
  positional: {
    kind: 'tuple',
    parameters: [{ parse: String, placeholder: 'folder', brief: 'The folder of a run' }],
  },
  run: async (cli, flags, folder) => (await import('./run-verify.ts')).runVerify(cli, flags, folder),
});
