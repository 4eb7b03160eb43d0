import { capabilities } from '../../federated/node/capabilities.ts';
import type { RoundId } from '../../federated/ulid.ts';
import { defineCommand } from '../command.ts';
import { nodeFlags, type NodeFlags } from './node-flags.ts';
import { roundAnswer } from './replies.ts';
import { answer } from './report.ts';
import { roundArgument } from './round-argument.ts';
import { statusText } from './round-text.ts';
import { withNode } from './with-node.ts';

/** `pv fed status ROUND`. */
export const status = defineCommand<NodeFlags, readonly [RoundId]>({
  description: 'Shows the phase of a round, its participants, and its result.',
  examples: [['pv fed status 01KT1GW6G0VYEDNCZY18V8J49C', 'A round by its ID']],
  flags: nodeFlags,
  positional: roundArgument,
  run: (cli, flags, round) =>
    withNode(cli, flags, async (node) => {
      const answered = await node.command(capabilities.status, { round_id: round }, roundAnswer);
      return typeof answered === 'number'
        ? answered
        : answer(cli, flags.json, answered.json, statusText(answered.value));
    }),
});
