import { integerBetween } from '../number-parsers.ts';
import { anchorFlags } from '../trace/anchor-flags.ts';
import { defineCommand } from '../command.ts';
import type { VerifyFlags } from './run-verify.ts';

/** `pv certificate verify DIR`. */
export const verify = defineCommand<VerifyFlags, readonly [string]>({
  description:
    'Verifies what `pv train` left in a folder, level after level, and names the level that was reached:\n' +
    '  files   the certificate, the weights and the configuration belong together; with --key, those keys signed them\n' +
    '  ledger  every count follows from the ledger, every verdict from its comparisons, every bound from the configuration\n' +
    '  spot    some stretches between checkpoints, which nobody could foresee, were trained again with the same bits\n' +
    '  full    the whole run was\n' +
    'Exits with 1 when the level that was asked for is not reached, and with 2 when a file cannot be read.',
  examples: [
    ['pv certificate verify run', 'As far as it goes without training'],
    ['pv certificate verify run --level spot --segments 3', 'Train three stretches again'],
    ['pv certificate verify run --level full --key alice.pub', 'Train everything again; Alice must have signed'],
  ],
  flags: {
    level: {
      kind: 'enum',
      values: ['files', 'ledger', 'spot', 'full'],
      default: 'ledger',
      brief: 'How far to go',
    },
    segments: {
      kind: 'parsed',
      parse: integerBetween(1),
      placeholder: 'n',
      default: '2',
      brief: 'Stretches that a spot check trains again',
    },
    key: anchorFlags.key,
    json: { kind: 'boolean', brief: 'The verdict as JSON', default: false, withNegated: false },
  },
  positional: {
    kind: 'tuple',
    parameters: [{ parse: String, placeholder: 'folder', brief: 'The folder of a run' }],
  },
  run: async (cli, flags, folder) => (await import('./run-verify.ts')).runVerify(cli, flags, folder),
});
