/**
 * Proofs of llama2-rs: never verified, since their format binds neither index nor size.
 *
 * Holds src/trace/verify/check.ts.
 */
import { describe, expect, it } from 'vitest';
import { legacyProofWarnings, writeLegacyProof, type LegacyProof } from '../../../src/trace/legacy/proof.ts';
import { legacyNodeHash } from '../../../src/trace/legacy/tree.ts';
import { emptyRoot } from '../../../src/merkle/hash.ts';
import { sha256 } from '../../../src/merkle/sha256.ts';
import { checkLegacyProof } from '../../../src/trace/verify/check-legacy-proof.ts';

const [leaf, other] = [sha256(Uint8Array.of(1)), sha256(Uint8Array.of(2))];
const root = legacyNodeHash(leaf, other);
const proof: LegacyProof = { index: 0, leafHash: leaf, siblings: [{ hash: other, isRight: true }], root };
const checked = (changes: Partial<LegacyProof> = {}, given?: typeof root) =>
  checkLegacyProof(writeLegacyProof({ ...proof, ...changes }), given);

describe('a proof of llama2-rs', () => {
  it('stays undetermined where it leads to the given root, since nothing binds which leaf it is of', () => {
    expect(checked({}, root)).toMatchObject({
      verdict: 'undetermined',
      covers: { shown: [], open: [expect.stringContaining('not bound'), 'nothing replayed'] },
      checks: [
        { name: 'proof file', outcome: 'passed' },
        { name: 'legacy path', outcome: 'passed', detail: 'The leaf leads to the root by 1 hash.' },
      ],
      problems: [],
      standing: 'given root',
      signedBy: [],
      unbound: legacyProofWarnings,
      proof,
    });
  });

  it('is unanchored where no root is given', () => {
    expect(checked()).toMatchObject({
      verdict: 'unanchored',
      covers: { shown: [], open: [] },
      problems: [],
      standing: 'nothing',
      unbound: legacyProofWarnings,
    });
  });

  it.each<[string, Partial<LegacyProof>, typeof root | undefined, string]>([
    ['it names another root than the given one', {}, emptyRoot, 'declared root'],
    ['it leads to another root than the given one', { leafHash: other }, root, 'legacy path'],
    ['it leads to another root than it names', { leafHash: other }, undefined, 'legacy path'],
    ['its sibling is on the other side', { siblings: [{ hash: other, isRight: false }] }, root, 'legacy path'],
  ])('fails where %s, and then nothing binds its root', (_, changes, given, check) => {
    expect(checked(changes, given)).toMatchObject({
      verdict: 'failed',
      covers: { shown: [], open: [] },
      problems: [{ code: 'PV-8018', check }],
      standing: 'nothing',
    });
  });

  it('fails where it cannot be read', () => {
    expect(checkLegacyProof(Uint8Array.of(1, 2, 3), root)).toMatchObject({
      verdict: 'failed',
      checks: [{ outcome: 'failed' }],
      proof: null,
      standing: 'nothing',
    });
  });
});
