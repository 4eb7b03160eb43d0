import type { CommandGroup } from '../command.ts';

/** `pv checkpoint …`: checkpoints of any trainer, as files. */
export const checkpoint: CommandGroup = {
  description: 'Checkpoints of any trainer, read without Python. docs/checkpoints.md describes the formats.',
  examples: [
    ['pv checkpoint inspect output/checkpoint-1000', 'What is in this checkpoint?'],
    ['pv checkpoint seal output/checkpoint-1000', 'Record the hash of every file'],
    ['pv checkpoint verify output/checkpoint-1000', 'Is every byte as it was sealed?'],
  ],
  commands: {
    inspect: {
      brief: 'Show what a checkpoint holds: tensors, position, versions, hashes',
      load: async () => (await import('../checkpoint/inspect.ts')).inspect,
    },
    verify: {
      brief: 'Check that a checkpoint is complete, as it was sealed, and consistent in itself',
      load: async () => (await import('../checkpoint/verify.ts')).verify,
    },
    seal: {
      brief: 'Add a manifest of hashes to a checkpoint that another trainer wrote',
      load: async () => (await import('../checkpoint/seal.ts')).seal,
    },
  },
};
