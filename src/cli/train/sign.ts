import { defineCommand } from '../command.ts';
import { signerFlag } from '../trace/signing.ts';
import type { SignFlags } from './run-sign.ts';

/** `pv certificate sign DIR --key FILE`. */
export const sign = defineCommand<SignFlags, readonly [string]>({
  description:
    'Signs the certificate of a run. With --key, writes training.intoto.json, an in-toto Statement in a DSSE envelope with the\n' +
    'certificate as its predicate. With --model-key, writes model.sig, an OpenSSF Model Signing bundle about the certificate and the\n' +
    'weights. Verify the run before you sign it: a signature says who vouches for the run, not that it happened.',
  examples: [
    ['pv trace keygen example.org/alice', 'Make a key pair: alice.key and alice.pub'],
    ['pv certificate sign run --key alice.key', 'Write run/training.intoto.json'],
    ['pv certificate sign run --model-key key.pem', 'Write run/model.sig with an ECDSA key that OpenSSL made'],
  ],
  flags: {
    key: {
      ...signerFlag,
      brief: 'Sign training.intoto.json with a .key file from pv trace keygen; may be given several times',
      optional: true,
    },
    modelKey: {
      kind: 'parsed',
      parse: String,
      placeholder: 'file',
      brief: 'A private ECDSA key in PEM, for model.sig',
      optional: true,
    },
  },
  positional: {
    kind: 'tuple',
    parameters: [{ parse: String, placeholder: 'folder', brief: 'The folder of a run' }],
  },
  run: async (cli, flags, folder) => (await import('./run-sign.ts')).runSign(cli, flags, folder),
});
