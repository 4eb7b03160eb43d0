import { defineCommand } from '../command.ts';
import { nodeFlags, type NodeFlags } from './node-flags.ts';

/** `pv fed node` and `pv fed coordinator`. */
export const node = defineCommand<NodeFlags, readonly []>({
  description:
    'Runs a node until Ctrl-C: it answers others, follows their rounds, keeps its log, ends its own rounds at their deadlines, and takes\n' +
    'every step of secure aggregation. Every node takes part in rounds and coordinates those that its operator announces, so that pv fed\n' +
    'node and pv fed coordinator are the same. The other commands of pv fed talk to it over NATS, signed with its key. Prints a line when a\n' +
    'round changes, and for what it refuses.',
  examples: [
    ['pv fed coordinator --config anna.yaml', 'With the NATS server of the settings'],
    ['pv fed node --config ben.yaml --nats nats://192.0.2.7:4222', 'With another'],
  ],
  flags: nodeFlags,
  positional: { kind: 'tuple', parameters: [] },
  run: async (cli, flags) => (await import('./run-node.ts')).runNode(cli, flags),
});
