/** Damaged proofs and checkpoints: nothing throws, and nothing is verified that says something else. */
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { expect, it } from 'vitest';
import { treeOf } from '../../../src/trace/format/leaves.ts';
import { parseVerifierKey, formatVerifierKey } from '../../../src/notes/key.ts';
import { parseNote } from '../../../src/notes/note.ts';
import { openNote } from '../../../src/notes/open.ts';
import { parseSignerKey } from '../../../src/notes/signer.ts';
import { signTreeHead } from '../../../src/notes/tree-head.ts';
import type { Anchor } from '../../../src/trace/verify/anchor.ts';
import { checkProof, type ProofVerdict } from '../../../src/trace/verify/check-proof.ts';
import { makeProof } from '../../../src/trace/verify/make-proof.ts';
import { fuzzPart, mutations, patience } from '../mutations.ts';
import { generated, seededSigner, valueOf } from '../../notes/signers.ts';
import { madeTrace } from './traces.ts';

const alice = seededSigner('example.org/alice', 1);
const witness = seededSigner('example.org/witness', 2, 'cosignature/v1');
const policy = { keys: [alice.key, witness.key], threshold: 2 };
const trace = madeTrace(6);
const tree = treeOf(trace);
const head = { size: tree.size, root: tree.root() };
const signed = valueOf(signTreeHead(head, 'example.org/log', [alice, witness], 1_700_000_000));

/** All that a verified proof says. */
const meaning = ({ leaf, claim }: ProofVerdict): string =>
  JSON.stringify([leaf, claim?.index, claim?.size, claim && bytesToHex(claim.root)]);

it.each<[string, string | null, Anchor, number]>([
  ['a root and a size', null, head, fuzzPart(4)],
  ['signatures', signed, { policy }, fuzzPart(10)],
])(
  'proofs under %s: damaged ones are verified only where they say the same',
  async (name, checkpoint, anchor, count) => {
    const proofs = [0, 3, 6].map((index) => utf8ToBytes(valueOf(makeProof(trace, index, checkpoint))));
    const said = await Promise.all(proofs.map(async (proof) => meaning(await checkProof(proof, anchor))));
    const outcomes = { verified: 0, unanchored: 0, failed: 0 };
    for (const { bytes } of mutations(`proofs under ${name}`, proofs, count)) {
      const verdict = await checkProof(bytes, anchor);
      outcomes[verdict.verdict]++;
      if (verdict.verdict === 'verified') expect(said).toContain(meaning(verdict));
      else expect(verdict.problems.length).toBeGreaterThan(0);
    }
    // Nothing but the unsigned origin, a signature of nobody known, or no change at all passes.
    expect(outcomes.verified).toBeLessThan(count / 5);
    expect(outcomes.unanchored).toBe(0);
  },
  patience,
);

it('checkpoints: a damaged one is signed only where its text is the same', { timeout: patience }, async () => {
  const notes = [utf8ToBytes(signed)];
  const text = valueOf(parseNote(signed)).text;
  for (const { bytes } of mutations('checkpoints', notes, fuzzPart(10))) {
    const note = parseNote(bytes);
    if (!note.ok) continue;
    const opened = await openNote(note.value, policy);
    if (opened.ok) expect(note.value.text).toBe(text);
  }
});

it('keys: a damaged one is refused, or is the same', { timeout: patience }, () => {
  const { signerKey, verifierKey } = generated('example.org/alice', 'ed25519', new Uint8Array(32).fill(3));
  const texts = [signerKey, verifierKey].map(utf8ToBytes);
  for (const { bytes } of mutations('keys', texts, fuzzPart(10))) {
    const text = new TextDecoder().decode(bytes);
    const signer = parseSignerKey(text);
    if (signer.ok) expect(formatVerifierKey(signer.value.key)).toBe(verifierKey);
    const verifier = parseVerifierKey(text);
    if (verifier.ok) expect(formatVerifierKey(verifier.value)).toBe(verifierKey);
  }
});
