import { bytesToHex } from '@noble/hashes/utils.js';
import { visible } from '../../base/text.ts';
import { checkProof, type ProofVerdict } from '../../trace/verify/check-proof.ts';
import { startsLikeLegacy } from '../../trace/kind/file-kind.ts';
import { otherKind } from '../../trace/kind/other-kind.ts';
import { proofJson } from '../../trace/verify/verdict-json.ts';
import { print, say, type Cli } from '../cli.ts';
import { diagnosticPalette } from '../color.ts';
import { defineCommand } from '../command.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { integerBetween } from '../number-parsers.ts';
import { anchorFlags, readAnchor, type AnchorFlags } from './anchor-flags.ts';
import { readInput } from './input.ts';
import { jsonFlag } from './json-flag.ts';
import { runCheckLegacy } from './check-legacy.ts';
import { leafText } from './leaf-text.ts';
import { proofVerdictText } from './proof-verdict-text.ts';
import { jsonText } from '../json-text.ts';
import { exitOf, unreadableText } from './verdict-text.ts';

type Flags = AnchorFlags & { readonly iteration?: number; readonly json: boolean };

/** `pv trace check PROOF`: one step, by those who have neither the trace nor the model. */
export const check = defineCommand<Flags, readonly [string]>({
  description:
    'Checks the proof of one step: that its leaf is under the root, and that the root is the one you know: given as a hash,\n' +
    'by a checkpoint, or signed by keys that you trust. Until you say which root you trust, a proof is only its author’s\n' +
    'word: without --root, --checkpoint or --key the exit code is 5. A proof of llama2-rs never exits with 0.',
  examples: [
    ['pv trace check step50.proof --root 5f9a3c… --iteration 50', 'Step 50, under a published root'],
    ['pv trace check step50.proof --checkpoint run.checkpoint --key alice.pub', 'A checkpoint that Alice signed'],
    [
      'pv trace check step50.proof --checkpoint run.checkpoint --key a.pub --key b.pub --key c.pub --threshold 2',
      'Two of three must have signed',
    ],
  ],
  flags: {
    iteration: {
      kind: 'parsed',
      parse: integerBetween(0),
      placeholder: 'n',
      brief: 'The position of the step that the proof must be of',
      optional: true,
    },
    ...anchorFlags,
    json: jsonFlag,
  },
  positional: { kind: 'tuple', parameters: [{ brief: 'A proof file', placeholder: 'proof', parse: String }] },
  run: checkOne,
});

async function checkOne(cli: Cli, flags: Flags, path: string): Promise<ExitCode> {
  const anchor = await readAnchor(cli, flags);
  if (typeof anchor === 'number') return anchor;
  const bytes = await readInput(cli, path);
  if (bytes === null) return exitCodes.usage;
  const other = otherKind(bytes, 'proof');
  if (other !== null) {
    print(cli, unreadableText(cli, 'proof', path, other, flags.json));
    return exitCodes.findings;
  }
  // Proofs of v2 are texts, damaged ones too; those of llama2-rs start with an index of eight bytes.
  const { iteration, json } = flags;
  if (startsLikeLegacy(bytes)) {
    if (iteration === undefined) return runCheckLegacy(cli, path, bytes, anchor, json);
    say(cli, 'pv: a proof of llama2-rs does not say which step it is of: leave --iteration away');
    return exitCodes.usage;
  }
  const verdict = await checkProof(bytes, anchor, iteration);
  print(cli, json ? jsonText(proofJson(path, verdict)) : proofText(cli, path, verdict));
  return exitOf(verdict);
}

/** A root binds leaves; a checkpoint says who vouches for them. */
const originIsBound: ReadonlySet<ProofVerdict['standing']> = new Set(['signatures', 'given checkpoint']);

function proofText(cli: Cli, path: string, found: ProofVerdict): string {
  const { leaf, claim } = found;
  const facts = [
    ...(leaf === null ? [] : leafText(leaf)),
    ...(claim === null
      ? []
      : [
          `    root       ${bytesToHex(claim.root)}`,
          `    leaf       ${claim.index} of ${claim.size}`,
          `    origin     ${visible(claim.origin)}${originIsBound.has(found.standing) ? '' : ' (stated by the file)'}`,
        ]),
  ];
  return proofVerdictText(path, found, facts, diagnosticPalette(cli.process.stdout.color));
}
