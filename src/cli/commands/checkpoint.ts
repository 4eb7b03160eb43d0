import type { CommandGroup } from '../command.ts';

/** `pv checkpoint …`: checkpoints of any trainer, as files. */
export const checkpoint: CommandGroup = {
  description: 'Checkpoints of any trainer, read without Python. docs/checkpoints.md describes the formats.',
  examples: [['pv checkpoint inspect output/checkpoint-1000', 'What is in this checkpoint?']],
  commands: {
    inspect: {
      brief: 'Show what a checkpoint holds: tensors, position, versions, hashes',
      load: async () => (await import('../checkpoint/inspect.ts')).inspect,
    },
  },
};
