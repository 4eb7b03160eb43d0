import { capabilities } from '../../federated/node/capabilities.ts';
import { resultForm } from '../../federated/statements.ts';
import type { RoundId } from '../../federated/ulid.ts';
import { defineCommand, type CommandFactory } from '../command.ts';
import { nodeFlags, type NodeFlags } from './node-flags.ts';
import { answer } from './report.ts';
import { roundArgument } from './round-argument.ts';
import { resultText } from './round-text.ts';
import { withNode } from './with-node.ts';

const ending = (capability: string, description: string, example: readonly [string, string]): CommandFactory =>
  defineCommand<NodeFlags, readonly [RoundId]>({
    description,
    examples: [example],
    flags: nodeFlags,
    positional: roundArgument,
    run: (cli, flags, round) =>
      withNode(cli, flags, async (node) => {
        const answered = await node.command(capability, { round_id: round }, resultForm.decode);
        return typeof answered === 'number'
          ? answered
          : answer(cli, flags.json, answered.json, resultText(answered.value));
      }),
  });

/** `pv fed finalize ROUND`. */
export const finalize = ending(
  capabilities.finalize,
  'Ends a round of this node: aggregates its submissions, publishes the adapter, and prints its SHA-256. Before the deadline, everybody\n' +
    'who joined must have submitted, and enough must have joined. At the deadline a node that runs does it by itself.\n' +
    'A round of another node that does not answer is fedlearn_aggregator_unreachable: see pv fed takeover.',
  ['pv fed finalize 01KT1GW6G0VYEDNCZY18V8J49C', 'Before the deadline, once all have submitted'],
);

/** `pv fed takeover ROUND`. */
export const takeover = ending(
  capabilities.takeover,
  'Ends a round whose coordinator has vanished, after its deadline, as one of its participants. The adapter is the one that the\n' +
    'coordinator would have published; the result is signed by this node, and says that it took over.',
  ['pv fed takeover 01KT1GW6G0VYEDNCZY18V8J49C', 'Any participant may, and two at once end in one result'],
);
