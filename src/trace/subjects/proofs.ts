/**
 * Proofs and signed checkpoints as `contracts/trace-proof-v1.yaml` binds them: their bytes as whole numbers.
 *
 * A trace is its tokens `t` and the bytes `h` of its logits hashes, as in `formats.ts`; a key is the number `w` that its secret is made of.
 */
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { treeOf } from '../format/leaves.ts';
import { legacyProof as proofOf, writeLegacyProof } from '../legacy/proof.ts';
import { parseVerifierKey } from '../../notes/key.ts';
import { parseNote } from '../../notes/note.ts';
import { openNote, type SignaturePolicy } from '../../notes/open.ts';
import { generateSigner, parseSignerKey, type Signer } from '../../notes/signer.ts';
import { readCheckpoint, signTreeHead } from '../../notes/tree-head.ts';
import type { Anchor } from '../verify/anchor.ts';
import { checkLegacyProof } from '../verify/check-legacy-proof.ts';
import { checkProof } from '../verify/check-proof.ts';
import { makeProof } from '../verify/make-proof.ts';
import { bytesOf, flipped, numbersOf } from './bytes.ts';
import { legacyTraceOf, numbersOfStep, traceOf } from './formats.ts';
import { valueOf } from './value-of.ts';

/** The root of the trace. */
export function traceRoot(t: Int32Array, h: Int32Array): Int32Array {
  return numbersOf(treeOf(traceOf(t, h)).root());
}

/** The proof of step `i`, with a checkpoint that key `w` has signed. */
export function stepProof(t: Int32Array, h: Int32Array, i: number, w: number): Int32Array {
  const trace = traceOf(t, h);
  const tree = treeOf(trace);
  const checkpoint = valueOf(signTreeHead({ size: tree.size, root: tree.root() }, origin, [signer(w)], 0));
  return numbersOf(utf8ToBytes(valueOf(makeProof(trace, i + 1, checkpoint))));
}

/** Position, tokens and logits hash that a proof with bit `q` flipped shows to one who trusts key `w`; nothing where it is not verified. */
export function provedBySigner(b: Int32Array, q: number, w: number): Promise<Int32Array> {
  return proved(flipped(b, q), { policy: trusted(w) });
}

/** The same to one who has the root `r` from elsewhere. */
export function provedByRoot(b: Int32Array, q: number, r: Int32Array): Promise<Int32Array> {
  return proved(flipped(b, q), { root: bytesOf(r) });
}

/** The proof of entry `i` that llama2-rs makes. */
export function legacyProof(t: Int32Array, h: Int32Array, i: number): Int32Array {
  return numbersOf(writeLegacyProof(proofOf(legacyTraceOf(t, h), i)));
}

/**
 * The leaf hash from which such a proof with bit `q` flipped leads to the root `r`; nothing if it is refused. A proof of
 * llama2-rs is `undetermined` at best.
 */
export function provedLegacy(b: Int32Array, q: number, r: Int32Array): Int32Array {
  const { verdict, proof: read } = checkLegacyProof(flipped(b, q), bytesOf(r));
  return verdict === 'undetermined' && read !== null ? numbersOf(read.leafHash) : refused;
}

/** A checkpoint over `n` leaves and the root `r`, signed by key `w`. */
export function signedNote(n: number, r: Int32Array, w: number): Int32Array {
  return numbersOf(utf8ToBytes(valueOf(signTreeHead({ size: n, root: bytesOf(r) }, origin, [signer(w)], 0))));
}

/** Size and root of a checkpoint with bit `q` flipped, to one who trusts key `w`; nothing where it is refused. */
export async function opened(b: Int32Array, q: number, w: number): Promise<Int32Array> {
  const bytes = flipped(b, q);
  const read = parseNote(bytes);
  if (!read.ok || !(await openNote(read.value, trusted(w))).ok) return refused;
  const found = readCheckpoint(new TextDecoder().decode(bytes));
  return found.ok ? Int32Array.of(found.value.checkpoint.size, ...found.value.checkpoint.root) : refused;
}

const refused = new Int32Array();
const origin = 'contract.example/trace';

async function proved(bytes: Uint8Array, anchor: Anchor): Promise<Int32Array> {
  const { verdict, leaf } = await checkProof(bytes, anchor);
  return verdict === 'verified' && leaf?.kind === 'step' ? numbersOfStep(leaf) : refused;
}

interface Key {
  readonly signer: Signer;
  readonly trusted: SignaturePolicy;
}

// Ten thousand cases ask for the same few keys.
const keys = new Map<number, Key>();

function keyOf(w: number): Key {
  const known = keys.get(w);
  if (known !== undefined) return known;
  const texts = valueOf(generateSigner('contract.example', 'ed25519', new Uint8Array(32).fill(w)));
  const trusted = { keys: [valueOf(parseVerifierKey(texts.verifierKey))], threshold: 1 };
  const key = { signer: valueOf(parseSignerKey(texts.signerKey)), trusted };
  keys.set(w, key);
  return key;
}

const signer = (w: number): Signer => keyOf(w).signer;
const trusted = (w: number): SignaturePolicy => keyOf(w).trusted;
