import type { CommandGroup } from '../command.ts';

/** `pv resume …`: checkpoints of other trainers, before a run resumes from them. */
export const resume: CommandGroup = {
  description: 'Checks of checkpoints before training resumes from them. docs/resume.md explains each check.',
  examples: [
    ['pv resume check checkpoint-1000', 'Can training resume from this folder?'],
    ['pv resume diff checkpoint-1000 checkpoint-2000', 'What did a thousand steps change?'],
  ],
  commands: {
    check: {
      brief: 'Check that a checkpoint is complete, and that its parts belong to the same step',
      load: async () => (await import('../resume/check.ts')).check,
    },
    diff: {
      brief: 'Compare two checkpoints of one run: what moved, what is stale, what is missing',
      load: async () => (await import('../resume/diff.ts')).diff,
    },
  },
};
