import type { CommandGroup } from '../command.ts';

/** `pv fed …`: rounds in which nodes train an adapter together. */
export const fed: CommandGroup = {
  description:
    'Federated LoRA rounds: nodes train a small adapter on their own text, only adapters leave them, and anybody can check that the\n' +
    'published adapter is what the submissions average to. docs/federated.md says what is protected and what is not.',
  examples: [
    ['pv fed demo', 'Five nodes in one process, one of them hostile, and a coordinator that vanishes'],
    [
      'pv fed verify fed-demo/nodes/ben --base fed-demo/base --roster fed-demo/roster.txt',
      'Check its round as a third party',
    ],
  ],
  commands: {
    demo: {
      brief: 'Run a round in one process, with attacks and a takeover, and keep every node’s folder',
      load: async () => (await import('../fed/demo.ts')).demo,
    },
    verify: {
      brief: 'Verify the rounds in a node’s folder: signatures, hashes, and the same adapter again',
      load: async () => (await import('../fed/verify.ts')).verify,
    },
  },
};
