import { defineCommand } from '../command.ts';
import { integerBetween } from '../number-parsers.ts';
import { signerFlag } from '../trace/signing.ts';
import type { TrainFlags } from '../train/run-train.ts';

/** `pv train FILE --out DIR`: every update passes a gate, and the run leaves a certificate. */
export const train = defineCommand<TrainFlags, readonly [string, string | undefined]>({
  description:
    'Trains the model that a run file describes. Each update is checked against the invariants in the file before it is committed; an\n' +
    'update that breaks one is refused, and no weight changes. Every attempt is a line of ledger.jsonl, chained by 82-byte\n' +
    'attestations. At the end, certificate.json binds ledger, weights, configuration and data by their digests. The same file gives\n' +
    'the same bytes. Exits with 1 if the run stops on refusals, and with 130 if it is interrupted. See docs/training.md.',
  examples: [
    ['pv train examples/train/gnn.yaml --out run', 'Train, and write the ledger, weights and certificate to run/'],
    ['pv train resume run', 'Continue a run that was cut short, if it was started with --checkpoint-every'],
    ['pv train show run', 'Loss, norms and refusals of a run on one page, even if the run was cut short'],
    ['pv train show run --html run.html', 'The same with charts, as one page without scripts or requests'],
    ['pv certificate verify run --level full', 'Replay the run from its certificate and compare every bit'],
  ],
  flags: {
    out: {
      kind: 'parsed',
      parse: String,
      placeholder: 'folder',
      brief: 'A new or empty folder for the run',
      optional: true,
    },
    html: {
      kind: 'parsed',
      parse: String,
      placeholder: 'file',
      brief: 'With show: write the run as one HTML page',
      optional: true,
    },
    key: { ...signerFlag, brief: 'Sign the certificate with a .key file from pv trace keygen', optional: true },
    checkpointEvery: {
      kind: 'parsed',
      parse: integerBetween(1),
      placeholder: 'steps',
      brief: 'Save a checkpoint every so many steps, so that pv train resume can continue the run',
      optional: true,
    },
    quiet: { kind: 'boolean', brief: 'Report only the end of the run', default: false, withNegated: false },
  },
  positional: {
    kind: 'tuple',
    parameters: [
      { parse: String, placeholder: 'file', brief: 'A run file (YAML or JSON), or one of the words show and resume' },
      { parse: String, placeholder: 'folder', brief: 'With show and resume: the folder of a run', optional: true },
    ],
  },
  run: async (cli, flags, path, folder) => {
    if (path === 'show') return (await import('../train/run-show.ts')).runShow(cli, folder, flags.html);
    if (path === 'resume') return (await import('../train/run-resume.ts')).runResume(cli, flags, folder);
    return (await import('../train/run-train.ts')).runTrain(cli, flags, path);
  },
});
