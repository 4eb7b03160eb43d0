import { defineCommand } from '../command.ts';
import type { DiffFlags } from './run-diff.ts';

/** `pv resume diff A B`. */
export const diff = defineCommand<DiffFlags, readonly [string, string]>({
  description:
    'Compares two checkpoints of one run, an earlier and a later one: how far the step, the learning rate, the weights and the\n' +
    'optimizer moved, which settings changed, what did not move although the step did (stale), what is missing in the later one, and\n' +
    'what no training does (weights that became zero or NaN, steps that go back). Seals and manifests of hashes are verified.\n' +
    'Exits with 1 if something is stale, missing, wrong or damaged or a file is malformed, and with 2 if a checkpoint is not there.',
  examples: [['pv resume diff checkpoint-1000 checkpoint-2000', 'What did a thousand steps change?']],
  flags: {
    all: { kind: 'boolean', brief: 'List every tensor', default: false, withNegated: false },
    json: { kind: 'boolean', brief: 'Print the comparison as JSON', default: false, withNegated: false },
  },
  positional: {
    kind: 'tuple',
    parameters: [
      { parse: String, placeholder: 'before', brief: 'The earlier checkpoint' },
      { parse: String, placeholder: 'after', brief: 'The later checkpoint' },
    ],
  },
  run: async (cli, flags, before, after) => (await import('./run-diff.ts')).runResumeDiff(cli, flags, before, after),
});
