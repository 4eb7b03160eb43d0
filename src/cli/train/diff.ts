import { defineCommand } from '../command.ts';
import type { DiffFlags } from './run-diff.ts';

/** `pv certificate diff DIR DIR`. */
export const diff = defineCommand<DiffFlags, readonly [string, string]>({
  description:
    'Names the first step at which the ledgers of two runs differ, and what differs in it: verdict, loss, learning rate, comparisons,\n' +
    'weights. Each ledger is checked first; then a binary search over the attestations, each of which stands for all steps up to its\n' +
    'own, finds the step. Compacted ledgers are compared by their proofs, which may leave a range of steps. If the ledgers are the\n' +
    'same, certificate.json and weights.safetensors are compared too, byte by byte. Exits with 1 if anything differs or a ledger is\n' +
    'damaged, and with 2 if a file cannot be read.',
  examples: [['pv certificate diff monday tuesday', 'Where two runs part']],
  flags: { json: { kind: 'boolean', brief: 'Print the result as JSON', default: false, withNegated: false } },
  positional: {
    kind: 'tuple',
    parameters: [
      { parse: String, placeholder: 'folder', brief: 'The folder of a run' },
      { parse: String, placeholder: 'other', brief: 'The folder of another run' },
    ],
  },
  run: async (cli, flags, a, b) => (await import('./run-diff.ts')).runDiff(cli, flags, a, b),
});
