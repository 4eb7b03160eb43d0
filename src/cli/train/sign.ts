import { defineCommand } from '../command.ts';
import { signerFlag } from '../trace/signing.ts';

type Flags = { readonly key: readonly string[] };

/** `pv certificate sign DIR --key FILE`. */
export const sign = defineCommand<Flags, readonly [string]>({
  description:
    'Signs the certificate of a run: writes training.intoto.json, an in-toto Statement in a DSSE envelope with the certificate as its\n' +
    'predicate. Verify the run before you sign it: a signature says who vouches for the run, not that it happened.',
  examples: [
    ['pv trace keygen example.org/alice', 'Make a key pair: alice.key and alice.pub'],
    ['pv certificate sign run --key alice.key', 'Write run/training.intoto.json'],
  ],
  flags: { key: signerFlag },
  positional: {
    kind: 'tuple',
    parameters: [{ parse: String, placeholder: 'folder', brief: 'The folder of a run' }],
  },
  run: async (cli, { key }, folder) => {
    const { readSigners } = await import('../trace/signing.ts');
    const signers = await readSigners(cli, key);
    if (typeof signers === 'number') return signers;
    return (await import('./sign-run.ts')).signRun(cli, folder, signers);
  },
});
