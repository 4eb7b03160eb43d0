import { defineCommand } from '../command.ts';
import { signerFlag } from '../trace/signing.ts';
import type { ImportFlags } from './run-import.ts';

/** `pv certificate import FOLDER`. */
export const importRecords = defineCommand<ImportFlags, readonly [string]>({
  description:
    'Judges the steps that another trainer recorded, and writes a ledger and a certificate, as `pv train` does. The folder contains\n' +
    'steps.jsonl and weights.safetensors, as python/pv_training.py writes them in a PyTorch loop. pv measures the final weights; every\n' +
    'other number is the trainer’s word, and the certificate says so. Exits with 1 if the records are malformed, contradict\n' +
    'themselves or the weights, or show a NaN in the weights. See docs/your-own-trainer.md.',
  examples: [
    ['pv certificate import records --invariants invariants.yaml --out run', 'Judge the records, and certify the run'],
    ['pv certificate verify run', 'Check the certificate against ledger and weights'],
  ],
  flags: {
    invariants: {
      kind: 'parsed',
      parse: String,
      placeholder: 'file',
      brief: 'The invariants that each step must have kept (YAML or JSON)',
    },
    out: { kind: 'parsed', parse: String, placeholder: 'folder', brief: 'A new or empty folder for the run' },
    key: { ...signerFlag, brief: 'Sign the certificate with a .key file from pv trace keygen', optional: true },
  },
  positional: {
    kind: 'tuple',
    parameters: [{ parse: String, placeholder: 'folder', brief: 'The folder with the records' }],
  },
  run: async (cli, flags, folder) => (await import('./run-import.ts')).runImport(cli, flags, folder),
});
