import { bytesToHex } from '@noble/hashes/utils.js';
import type { Anchor } from '../../trace/verify/anchor.ts';
import { checkLegacyProof } from '../../trace/verify/check-legacy-proof.ts';
import { legacyProofJson } from '../../trace/verify/verdict-json.ts';
import { print, say, type Cli } from '../cli.ts';
import { diagnosticPalette } from '../color.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { proofVerdictText } from './proof-verdict-text.ts';
import { jsonText } from '../json-text.ts';
import { exitOf } from './verdict-text.ts';

/** Checks a llama2-rs proof and reports the verdict. */
export function runCheckLegacy(
  cli: Cli,
  path: string,
  bytes: Uint8Array,
  { root, size, checkpoint, policy, origin }: Anchor,
  json: boolean,
): ExitCode {
  if (size !== undefined || checkpoint !== undefined || policy !== undefined || origin !== undefined) {
    say(cli, 'pv: a proof of llama2-rs is checked against --root alone: its format knows no sizes and no checkpoints');
    return exitCodes.usage;
  }
  const found = checkLegacyProof(bytes, root);
  const { proof } = found;
  if (json) print(cli, jsonText(legacyProofJson(path, found)));
  else {
    const facts =
      proof === null
        ? []
        : [`    leaf hash  ${bytesToHex(proof.leafHash)}`, `    root       ${bytesToHex(proof.root)}`];
    print(cli, proofVerdictText(path, found, facts, diagnosticPalette(cli.process.stdout.color)));
  }
  return exitOf(found);
}
