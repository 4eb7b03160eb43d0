import { refuse } from '../../federated/fed-code.ts';
import { capabilities } from '../../federated/node/capabilities.ts';
import { tokenForm } from '../../federated/statements.ts';
import type { RoundId } from '../../federated/ulid.ts';
import { defineCommand } from '../command.ts';
import { print, type Cli } from '../cli.ts';
import { jsonText } from '../json-text.ts';
import type { ExitCode } from '../../api/exit-code.ts';
import { nodeFlags, type NodeFlags } from './node-flags.ts';
import { considered } from './replies.ts';
import { answer, refusalJson, reportRefusal } from './report.ts';
import { roundArgument } from './round-argument.ts';
import { considerationText } from './round-text.ts';
import { withNode, type OwnNode } from './with-node.ts';

type Flags = NodeFlags & Readonly<{ consent: boolean; manifest?: string }>;

/** `pv fed join ROUND`. */
export const join = defineCommand<Flags, readonly [RoundId]>({
  description:
    'Shows what a round asks of this node: the consent text, the manifest, the base model, the estimated resources, the privacy. Joins\n' +
    'only with --consent, which says that you have read this and accept it; without it exits with 1 (consent_required).\n' +
    'With --manifest, consents only to the manifest with this SHA-256.',
  examples: [
    ['pv fed join 01KT1GW6G0VYEDNCZY18V8J49C', 'Read what the round asks'],
    ['pv fed join 01KT1GW6G0VYEDNCZY18V8J49C --consent', 'Accept it'],
  ],
  flags: {
    ...nodeFlags,
    consent: { kind: 'boolean', brief: 'Accept what the round asks', default: false, withNegated: false },
    manifest: {
      kind: 'parsed',
      parse: String,
      placeholder: 'sha',
      brief: 'Accept this manifest alone',
      optional: true,
    },
  },
  positional: roundArgument,
  run: (cli, flags, round) => withNode(cli, flags, (node) => joinRound(cli, flags, node, round)),
});

async function joinRound(cli: Cli, flags: Flags, node: OwnNode, round: RoundId): Promise<ExitCode> {
  const asked = await node.command(capabilities.consider, { round_id: round }, considered);
  if (typeof asked === 'number') return asked;
  const { manifest_sha: sha, obstacle } = asked.value;
  if (!flags.json) print(cli, considerationText(asked.value));
  const refusal = refuse(
    'consent_required',
    obstacle === null ? 'to accept what is shown, add --consent' : `joining would be refused: ${obstacle}`,
  ).error;
  if (!flags.consent && flags.json) print(cli, jsonText({ ...refusalJson(refusal), asked: asked.json }));
  if (!flags.consent) return flags.json ? 1 : reportRefusal(cli, false, refusal);
  const request = { round_id: round, manifest_sha: flags.manifest ?? sha, consent: true };
  const joined = await node.command(capabilities.join, request, tokenForm.decode);
  return typeof joined === 'number' ? joined : answer(cli, flags.json, joined.json, `joined ${round}`);
}
