/** Checks proofs of llama2-rs, and says with each verdict what their format cannot bind. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { visible } from '../../base/text.ts';
import { readLegacyProof, legacyProofWarnings, verifyLegacyProof } from '../../trace/legacy/proof.ts';
import type { Anchor } from '../../trace/verify/anchor.ts';
import { fail, noFindings, pass } from '../../trace/verify/check.ts';
import { print, say, type Cli } from '../cli.ts';
import { diagnosticPalette } from '../color.ts';
import { exitCodes, type ExitCode } from '../exit-code.ts';
import { checkLines, problemTexts, standingText, verdictJson } from './verdict-text.ts';

export function checkLegacyProof(
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
  const findings = noFindings();
  const proof = readLegacyProof(bytes);
  if (!proof.ok) fail(findings, proof.error);
  else {
    pass(findings, 'proof file', `llama2-rs, of leaf ${proof.value.index} by its own word`);
    // Without a root from elsewhere only the proof's own arithmetic is left to look at.
    const verified = verifyLegacyProof(proof.value, root ?? proof.value.root);
    if (verified.ok)
      pass(findings, 'legacy path', `The leaf leads to the root by ${proof.value.siblings.length} hashes.`);
    else fail(findings, verified.error);
  }
  const { checks, problems } = findings;
  const verdict = problems.length > 0 ? 'failed' : root === undefined ? 'unanchored' : 'verified';
  const standing = root === undefined ? 'nothing' : 'given root';
  const claim = proof.ok
    ? {
        index: proof.value.index,
        leafHash: bytesToHex(proof.value.leafHash),
        root: bytesToHex(proof.value.root),
        path: proof.value.siblings.map(({ hash }) => bytesToHex(hash)),
      }
    : null;
  const unbound = legacyProofWarnings;
  if (json)
    print(
      cli,
      verdictJson('legacy-proof', path, { verdict, checks, problems, standing, signedBy: [], unbound }, { claim }),
    );
  else {
    const palette = diagnosticPalette(cli.process.stdout.color);
    const head = {
      verified: '✓ VERIFIED, as far as the legacy format goes',
      unanchored: '✗ UNANCHORED, so not verified',
      failed: '✗ FAILED',
    }[verdict];
    const lines = [
      `${visible(path)}: ${head}`,
      ...checkLines(checks, palette),
      ...(claim === null ? [] : [`    leaf hash  ${claim.leafHash}`, `    root       ${claim.root}`]),
      `    bound      ${standingText(standing)}`,
      ...unbound.map((one) => `    not shown  ${one}`),
      ...problemTexts(problems, palette),
    ];
    print(cli, lines.join('\n'));
  }
  return verdict === 'verified' ? exitCodes.ok : exitCodes.findings;
}
