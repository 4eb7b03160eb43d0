import { defineCommand } from '../command.ts';
import { signerFlag } from '../trace/signing.ts';
import type { TrainFlags } from '../train/run-train.ts';

/** `pv train FILE --out DIR`: every update passes a gate, and the run leaves a certificate. */
export const train = defineCommand<TrainFlags, readonly [string, string | undefined]>({
  description:
    'Trains the model that a run file describes. Each update is computed beside the weights and checked against the invariants of the\n' +
    'file; one that breaks them is refused, and no weight changes. Every attempt is a line of ledger.jsonl, chained by 82-byte\n' +
    'attestations; at the end certificate.json binds ledger, weights, configuration and data by their digests. The same file gives\n' +
    'the same bytes. Exits with 1 when the run stops on refusals, and with 130 when it is interrupted. docs/training.md.',
  examples: [
    ['pv train examples/train/gnn.yaml --out run', 'Train, and write ledger, weights and certificate to run/'],
    ['pv train show run', 'Loss, norms and refusals of a run on one page, also of one that was cut short'],
    ['pv certificate verify run --level full', 'Train again from the certificate alone, and compare every bit'],
  ],
  flags: {
    out: {
      kind: 'parsed',
      parse: String,
      placeholder: 'folder',
      brief: 'Where the run goes: a folder that is new or empty',
      optional: true,
    },
    key: { ...signerFlag, brief: 'Sign the certificate: a .key file of pv trace keygen', optional: true },
    quiet: { kind: 'boolean', brief: 'Report the end alone', default: false, withNegated: false },
  },
  positional: {
    kind: 'tuple',
    parameters: [
      { parse: String, placeholder: 'file', brief: 'A run file, YAML or JSON; or the word show' },
      { parse: String, placeholder: 'folder', brief: 'With show: the folder of a run', optional: true },
    ],
  },
  run: async (cli, flags, path, folder) => {
    if (path === 'show') return (await import('../train/run-show.ts')).runShow(cli, folder);
    return (await import('../train/run-train.ts')).runTrain(cli, flags, path);
  },
});
