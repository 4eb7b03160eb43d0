import { bytesToHex } from '@noble/hashes/utils.js';
import { visible } from '../../base/text.ts';
import type { Anchor } from '../../trace/verify/anchor.ts';
import { checkLegacyProof } from '../../trace/verify/check-legacy-proof.ts';
import { legacyProofJson } from '../../trace/verify/verdict-json.ts';
import { print, say, type Cli } from '../cli.ts';
import { diagnosticPalette } from '../color.ts';
import { exitCodes, type ExitCode } from '../exit-code.ts';
import { checkLines, jsonText, problemTexts, standingText } from './verdict-text.ts';

/** Checks a proof of llama2-rs, and tells the verdict. */
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
  const { verdict, checks, problems, proof, standing, unbound } = found;
  if (json) print(cli, jsonText(legacyProofJson(path, found)));
  else {
    const palette = diagnosticPalette(cli.process.stdout.color);
    const head = {
      verified: '✓ VERIFIED, as far as the legacy format goes',
      unanchored: '✗ UNANCHORED, so not verified',
      failed: '✗ FAILED',
    }[verdict];
    const facts =
      proof === null
        ? []
        : [`    leaf hash  ${bytesToHex(proof.leafHash)}`, `    root       ${bytesToHex(proof.root)}`];
    const lines = [
      `${visible(path)}: ${head}`,
      ...checkLines(checks, palette),
      ...facts,
      `    bound      ${standingText(standing)}`,
      ...unbound.map((one) => `    not shown  ${one}`),
      ...problemTexts(problems, palette),
    ];
    print(cli, lines.join('\n'));
  }
  return verdict === 'verified' ? exitCodes.ok : exitCodes.findings;
}
