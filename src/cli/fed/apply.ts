import { capabilities } from '../../federated/node/capabilities.ts';
import type { ApplyScope } from '../../federated/statements.ts';
import { defineCommand } from '../command.ts';
import { adapterArgument } from './adapter-argument.ts';
import { nodeFlags, type NodeFlags } from './node-flags.ts';
import { applied } from './replies.ts';
import { answer } from './report.ts';
import { withNode } from './with-node.ts';

type Flags = NodeFlags & Readonly<{ scope: ApplyScope }>;

/** `pv fed apply SHA`. */
export const apply = defineCommand<Flags, readonly [string]>({
  description:
    'Applies the adapter of a round. The node fetches it by its SHA-256, aggregates the submissions of the round again, and refuses an\n' +
    'adapter that they do not give (adapter_unverified). It then writes adapters/SHA/, a PEFT folder, and names the adapter in\n' +
    'adapters/session.sha or adapters/node.sha. Nothing is applied by itself unless auto_apply_aggregated says so.',
  examples: [
    ['pv fed apply SHA', 'For the session: to try it'],
    ['pv fed apply SHA --scope node', 'As the default adapter of the node'],
  ],
  flags: {
    ...nodeFlags,
    scope: { kind: 'enum', values: ['session', 'node'], default: 'session', brief: 'Where the adapter is applied' },
  },
  positional: adapterArgument,
  run: (cli, flags, sha) =>
    withNode(cli, flags, async (node) => {
      const answered = await node.command(capabilities.apply, { sha, scope: flags.scope }, applied);
      if (typeof answered === 'number') return answered;
      const folder = `${node.settings.folder}/adapters/${sha}`;
      return answer(cli, flags.json, answered.json, `applied ${sha} to the ${flags.scope}: ${folder}`);
    }),
});
