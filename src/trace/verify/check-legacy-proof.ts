/** Checks a proof of llama2-rs, and says with the verdict what its format cannot bind. Runs in browsers. */
import { count } from '../../base/text.ts';
import { readLegacyProof, legacyProofWarnings, verifyLegacyProof, type LegacyProof } from '../legacy/proof.ts';
import type { Hash } from '../../merkle/hash.ts';
import { fail, noFindings, pass } from './check.ts';
import { nothingCovered, type Coverage } from './headline.ts';
import type { Verdict } from './verdict.ts';

/** Like the verdict on a v2 proof, as far as the legacy format goes: its roots are given or self-declared, never signed. */
export interface LegacyProofVerdict extends Verdict {
  /** `undetermined` if it leads to the given root: index, size, and whether the node is a leaf cannot be known. */
  readonly verdict: 'undetermined' | 'unanchored' | 'failed';
  readonly standing: 'given root' | 'nothing';
  /** What the proof states; null if it cannot be read. */
  readonly proof: LegacyProof | null;
}

/** Whether the leaf belongs to a step cannot be known; `legacyProofWarnings` say so. */
const openPath: Coverage = {
  shown: [],
  open: ['the path leads to the root; step, index and size not bound', 'nothing replayed'],
};

/**
 * Holds the bytes of a proof to `root`, which the verifier has from elsewhere; without one to its own arithmetic alone.
 */
export function checkLegacyProof(bytes: Uint8Array, root: Hash | undefined): LegacyProofVerdict {
  const findings = noFindings();
  const proof = readLegacyProof(bytes);
  if (!proof.ok) fail(findings, proof.error);
  else {
    const { index, siblings } = proof.value;
    pass(findings, 'proof file', `llama2-rs, of leaf ${index} by its own word`);
    const verified = verifyLegacyProof(proof.value, root ?? proof.value.root);
    if (verified.ok)
      pass(findings, 'legacy path', `The leaf leads to the root by ${count(siblings.length, 'hash', 'hashes')}.`);
    else fail(findings, verified.error);
  }
  const { checks, problems } = findings;
  const verdict = problems.length > 0 ? 'failed' : root === undefined ? 'unanchored' : 'undetermined';
  return {
    verdict,
    covers: verdict === 'undetermined' ? openPath : nothingCovered,
    checks,
    problems,
    proof: proof.ok ? proof.value : null,
    // What does not hold vouches for nothing.
    standing: verdict === 'undetermined' ? 'given root' : 'nothing',
    signedBy: [],
    unbound: legacyProofWarnings,
  };
}
