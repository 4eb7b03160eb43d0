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
    ['pv fed coordinator --config anna.yaml', 'Run a node over NATS, which the other commands talk to'],
  ],
  commands: {
    demo: {
      brief: 'Run a round in one process, with attacks and a takeover, and keep every node’s folder',
      load: async () => (await import('../fed/demo.ts')).demo,
    },
    coordinator: {
      brief: 'Run a node that coordinates rounds, until Ctrl-C (the same as pv fed node)',
      load: async () => (await import('../fed/node.ts')).node,
    },
    node: {
      brief: 'Run a node that takes part in rounds, until Ctrl-C (the same as pv fed coordinator)',
      load: async () => (await import('../fed/node.ts')).node,
    },
    announce: {
      brief: 'Sign and announce a round, and print its ID',
      load: async () => (await import('../fed/announce.ts')).announce,
    },
    list: {
      brief: 'List the rounds that were announced',
      load: async () => (await import('../fed/list.ts')).listRounds,
    },
    join: {
      brief: 'Show what a round asks, and join it with --consent',
      load: async () => (await import('../fed/join.ts')).join,
    },
    submit: {
      brief: 'Train an adapter on this node’s data, or take your own, and submit it',
      load: async () => (await import('../fed/submit.ts')).submit,
    },
    revoke: {
      brief: 'Withdraw from a round that is still open',
      load: async () => (await import('../fed/revoke.ts')).revoke,
    },
    status: {
      brief: 'Show the phase, the participants and the result of a round',
      load: async () => (await import('../fed/status.ts')).status,
    },
    finalize: {
      brief: 'End a round of this node: aggregate and publish',
      load: async () => (await import('../fed/end-round.ts')).finalize,
    },
    takeover: {
      brief: 'End a round whose coordinator has vanished, after its deadline',
      load: async () => (await import('../fed/end-round.ts')).takeover,
    },
    fetch: {
      brief: 'Write an adapter as a PEFT folder, after checking its hash',
      load: async () => (await import('../fed/fetch.ts')).fetch,
    },
    apply: {
      brief: 'Check an adapter against its round, and apply it to the session or the node',
      load: async () => (await import('../fed/apply.ts')).apply,
    },
    discard: {
      brief: 'Take an adapter out of use, and go back to the one before it',
      load: async () => (await import('../fed/discard.ts')).discard,
    },
    verify: {
      brief: 'Verify the rounds in a node’s folder: signatures, hashes, and the same adapter again',
      load: async () => (await import('../fed/verify.ts')).verify,
    },
  },
};
