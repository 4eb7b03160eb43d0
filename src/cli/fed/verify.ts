import { defineCommand } from '../command.ts';
import type { VerifyRoundsFlags } from './run-verify-rounds.ts';

/** `pv fed verify DIR`. */
export const verify = defineCommand<VerifyRoundsFlags, readonly string[]>({
  description:
    'Verifies the rounds that the folders of nodes hold: the chain of its event log, every signature, every hash, each submission against\n' +
    'the manifest, ε, and the aggregate, which is computed again from the submissions to the same bytes. Several folders must not contradict each other,\n' +
    'and ε is added up for each participant over their rounds. Changes nothing.\n' +
    'Exits with 1 if a round does not verify, with 5 if a round has no result yet, and with 2 if a file cannot be read.',
  examples: [
    ['pv fed verify node --base base', 'Verify what a node has, whoever signed'],
    ['pv fed verify node --base base --roster roster.txt', 'Accept signatures of these identities only'],
    [
      'pv fed verify nodes/* --base base --html report.html',
      'Compare the folders of several nodes, and write a report',
    ],
  ],
  flags: {
    base: {
      kind: 'parsed',
      parse: String,
      placeholder: 'folder',
      brief: 'The run folder of the base model (certificate.json, weights.safetensors)',
    },
    roster: {
      kind: 'parsed',
      parse: String,
      placeholder: 'file',
      brief: 'Trusted node IDs (NAME+KEYID+BASE64), one on each line; without it, identities are not checked',
      optional: true,
    },
    html: {
      kind: 'parsed',
      parse: String,
      placeholder: 'file',
      optional: true,
      brief: 'Also write the report as one HTML page: events, participants, norms, refusals, ε, signatures',
    },
    json: { kind: 'boolean', brief: 'Print the verdict as JSON', default: false, withNegated: false },
  },
  positional: {
    kind: 'array',
    minimum: 1,
    parameter: { parse: String, placeholder: 'folder', brief: 'The folder of a node' },
  },
  run: async (cli, flags, ...folders) =>
    (await import('./run-verify-rounds.ts')).runVerifyRounds(cli, flags, ...folders),
});
