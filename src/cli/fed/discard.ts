import { capabilities } from '../../federated/node/capabilities.ts';
import { defineCommand } from '../command.ts';
import { adapterArgument } from './adapter-argument.ts';
import { nodeFlags, type NodeFlags } from './node-flags.ts';
import { discarded } from './replies.ts';
import { answer } from './report.ts';
import { withNode } from './with-node.ts';

/** `pv fed discard SHA`. */
export const discard = defineCommand<NodeFlags, readonly [string]>({
  description:
    'Takes an adapter out of use, in the session and in the node. Each goes back to the adapter that it had before, or to the base\n' +
    'model alone: discarding the adapter in use is how a round is rolled back.',
  examples: [['pv fed discard SHA', 'Go back to the adapter before it']],
  flags: nodeFlags,
  positional: adapterArgument,
  run: (cli, flags, sha) =>
    withNode(cli, flags, async (node) => {
      const answered = await node.command(capabilities.discard, { sha }, discarded);
      if (typeof answered === 'number') return answered;
      const { session = 'the base model alone', node: standing = 'the base model alone' } = answered.value.applied;
      return answer(cli, flags.json, answered.json, `session: ${session}\nnode: ${standing}`);
    }),
});
