import type { CommandGroup } from '../command.ts';

/** `pv trace consistency …`: that a trace only grew. */
export const consistency: CommandGroup = {
  description:
    'Shows that a trace of some size is the beginning of the same trace at a later size, to someone who has both roots and\n' +
    'neither of the traces (RFC 9162, section 2.1.4). Sizes count leaves: the manifest is one, and each step or gap one more.',
  examples: [
    ['pv trace consistency prove run.trace --from 20 --out grown.proof', 'From 20 leaves to all there are'],
    ['pv trace consistency verify grown.proof --from-root 5f9a… --to-root a24d…', 'With the roots that you kept'],
  ],
  commands: {
    prove: {
      brief: 'Write the proof that the first leaves of a trace are the beginning of it',
      load: async () => (await import('./consistency-prove.ts')).consistencyProve,
    },
    verify: {
      brief: 'Check such a proof against two roots, or two checkpoints',
      load: async () => (await import('./consistency-verify.ts')).consistencyVerify,
    },
  },
};
