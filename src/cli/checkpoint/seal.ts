import { defineCommand } from '../command.ts';
import { signerFlag } from '../trace/signing.ts';
import type { SealFlags } from './run-seal.ts';

/** `pv checkpoint seal PATH`. */
export const seal = defineCommand<SealFlags, readonly [string]>({
  description:
    'Writes pv-seal.json into a checkpoint folder (NAME.pv-seal.json next to a file): the size and the SHA-256 of every file, so that\n' +
    'pv checkpoint verify can tell later whether a byte has changed. It is written last, atomically and durably. Alone it\n' +
    'shows that the checkpoint is as it was sealed, not who sealed it. With --key, pv-seal.intoto.json is written too: a signed in-toto\n' +
    'Statement about the manifest and every file.\n' +
    'Exits with 1 if the checkpoint cannot be sealed, and with 2 if there is nothing at the path.',
  examples: [
    ['pv checkpoint seal output/checkpoint-1000', 'Seal a folder when the trainer has written it'],
    ['pv checkpoint seal output/checkpoint-1000 --key alice.key', 'Sign the seal with a key of pv trace keygen'],
    ['pv checkpoint seal output/checkpoint-1000 --force', 'Seal it again after a change on purpose'],
  ],
  flags: {
    key: {
      ...signerFlag,
      brief: 'Sign with a .key file from pv trace keygen; may be given several times',
      optional: true,
    },
    force: { kind: 'boolean', brief: 'Replace an existing manifest', default: false, withNegated: false },
  },
  positional: {
    kind: 'tuple',
    parameters: [{ parse: String, placeholder: 'path', brief: 'The folder or file of a checkpoint' }],
  },
  run: async (cli, flags, path) => (await import('./run-seal.ts')).runSeal(cli, flags, path),
});
