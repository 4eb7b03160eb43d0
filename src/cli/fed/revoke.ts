import { capabilities } from '../../federated/node/capabilities.ts';
import type { RoundId } from '../../federated/ulid.ts';
import { defineCommand } from '../command.ts';
import { nodeFlags, type NodeFlags } from './node-flags.ts';
import { roundNamed } from './replies.ts';
import { answer } from './report.ts';
import { roundArgument } from './round-argument.ts';
import { withNode } from './with-node.ts';

/** `pv fed revoke ROUND`. */
export const revoke = defineCommand<NodeFlags, readonly [RoundId]>({
  description:
    'Revokes the consent to a round that is still open, and with it what was submitted. This cannot be undone. Whoever has fetched the\n' +
    'submitted adapter still has it; it no longer counts.',
  examples: [['pv fed revoke 01KT1GW6G0VYEDNCZY18V8J49C', 'Leave a round']],
  flags: nodeFlags,
  positional: roundArgument,
  run: (cli, flags, round) =>
    withNode(cli, flags, async (node) => {
      const answered = await node.command(capabilities.revoke, { round_id: round }, roundNamed);
      return typeof answered === 'number' ? answered : answer(cli, flags.json, answered.json, `revoked ${round}`);
    }),
});
