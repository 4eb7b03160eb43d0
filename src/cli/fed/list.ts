import { visible } from '../../base/text.ts';
import { capabilities } from '../../federated/node/capabilities.ts';
import type { RoundManifest } from '../../federated/manifest.ts';
import { defineCommand } from '../command.ts';
import { nodeFlags, type NodeFlags } from './node-flags.ts';
import { listed } from './replies.ts';
import { answer } from './report.ts';
import { nameOf } from './round-text.ts';
import { withNode } from './with-node.ts';

type Flags = NodeFlags & Readonly<{ topic?: string }>;

/** `pv fed list`. */
export const listRounds = defineCommand<Flags, readonly []>({
  description: 'Lists the rounds that were announced by nodes on the roster, the latest first.',
  examples: [['pv fed list --topic village-chat', 'The rounds of one topic']],
  flags: {
    ...nodeFlags,
    topic: { kind: 'parsed', parse: String, placeholder: 'text', brief: 'Rounds with this topic only', optional: true },
  },
  positional: { kind: 'tuple', parameters: [] },
  run: (cli, flags) =>
    withNode(cli, flags, async (node) => {
      const answered = await node.command(capabilities.list, { topic: flags.topic ?? null }, listed);
      if (typeof answered === 'number') return answered;
      return answer(cli, flags.json, answered.json, answered.value.manifests.map(lineOf).join('\n'));
    }),
});

const lineOf = ({ roundId, topic, deadline, coordinator }: RoundManifest): string =>
  `${roundId}  until ${new Date(deadline).toISOString()}  by ${nameOf(coordinator)}  ${visible(topic)}`;
