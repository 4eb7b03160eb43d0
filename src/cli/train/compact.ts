import { defineCommand } from '../command.ts';
import type { NoFlags } from '../cli.ts';

/** `pv certificate compact DIR`. */
export const compact = defineCommand<NoFlags, readonly [string]>({
  description:
    'Writes ledger.compacted.json: the first and the last line of the ledger and every step at which a comparison failed, each with\n' +
    'its path to the Merkle root in the certificate, and proofs that the ledger was append-only from checkpoint to checkpoint. You can\n' +
    'then delete the ledger; the verification level `full` still works, but `ledger` and `spot` do not.',
  examples: [['pv certificate compact run', 'Write run/ledger.compacted.json']],
  flags: {},
  positional: {
    kind: 'tuple',
    parameters: [{ parse: String, placeholder: 'folder', brief: 'The folder of a run' }],
  },
  run: async (cli, _, folder) => (await import('./run-compact.ts')).runCompact(cli, folder),
});
