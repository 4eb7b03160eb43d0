import { defineCommand } from '../command.ts';
import type { InspectFlags } from './run-inspect.ts';

/** `pv checkpoint inspect PATH`. */
export const inspect = defineCommand<InspectFlags, readonly [string]>({
  description:
    'Shows what a checkpoint holds on one page: its format, tensors, position, versions, and what loading it would import. Reads\n' +
    'headers and pickles, never the numbers, and executes nothing. Knows folders of the Hugging Face Trainer, safetensors (one\n' +
    'file or shards with an index), files of torch.save, Lightning checkpoints, PEFT adapters and folders of\n' +
    'torch.distributed.checkpoint.\n' +
    'Exits with 1 if a file is malformed or weights are missing, and with 2 if there is nothing at the path.',
  examples: [
    ['pv checkpoint inspect output/checkpoint-1000', 'A folder'],
    ['pv checkpoint inspect last.ckpt --all', 'One file, with every tensor'],
    ['pv checkpoint inspect model --hash --json', 'With the SHA-256 of every file, for programs'],
  ],
  flags: {
    all: { kind: 'boolean', brief: 'List every tensor and file', default: false, withNegated: false },
    hash: { kind: 'boolean', brief: 'Compute the SHA-256 of every file', default: false, withNegated: false },
    json: { kind: 'boolean', brief: 'Print the page as JSON, with every tensor', default: false, withNegated: false },
  },
  positional: {
    kind: 'tuple',
    parameters: [{ parse: String, placeholder: 'path', brief: 'The folder or file of a checkpoint' }],
  },
  run: async (cli, flags, path) => (await import('./run-inspect.ts')).runInspect(cli, flags, path),
});
