import { defineCommand } from '../command.ts';
import { parseNumber } from '../number-parsers.ts';
import type { AnnounceFlags } from './run-announce.ts';
import { nodeFlags } from './node-flags.ts';

/** `pv fed announce FILE`. */
export const announce = defineCommand<AnnounceFlags, readonly [string]>({
  description:
    'Announces a round and prints its ID. FILE has the fields of a manifest in YAML: the layers and the rank of the adapter, how it is\n' +
    'trained, how submissions are aggregated, the privacy, and the text that participants must accept. docs/federated.md lists them.\n' +
    'The node signs the manifest; nothing in it can be changed afterwards.',
  examples: [['pv fed announce round.yaml --minutes 60', 'A round that takes submissions for an hour']],
  flags: {
    ...nodeFlags,
    minutes: {
      kind: 'parsed',
      parse: parseNumber,
      placeholder: 'number',
      brief: 'How long submissions are taken, if the file has no deadline',
      optional: true,
    },
  },
  positional: {
    kind: 'tuple',
    parameters: [{ parse: String, placeholder: 'file', brief: 'The draft of the round, in YAML' }],
  },
  run: async (cli, flags, file) => (await import('./run-announce.ts')).runAnnounce(cli, flags, file),
});
