/** Checks the proof of one leaf. Needs neither the trace nor the model, and runs in browsers. */
import { ok, type Result } from '../../base/result.ts';
import { count } from '../../base/text.ts';
import { decodeLeaf, type Leaf } from '../format/leaf.ts';
import { leafHash, type Hash } from '../../merkle/hash.ts';
import { verifyInclusion } from '../../merkle/verify.ts';
import type { Problem } from '../../base/problem.ts';
import { parseProof, type ProofFile } from '../../notes/proof-file.ts';
import { readCheckpoint } from '../../notes/tree-head.ts';
import { checkAnchor, type Anchor, type Standing } from './anchor.ts';
import { fail, noFindings, pass, type Findings } from './check.ts';
import { nothingCovered, type Coverage } from './headline.ts';
import { signaturesUnread, type Verdict } from './verdict.ts';

/** The verdict on the proof of a leaf. */
export interface ProofVerdict extends Verdict {
  /**
   * `verified`: every check passed, and the root is bound by something that the verifier brought. `unanchored`: every
   * check passed, and the root is the file's own word. `failed`: at least one check did not pass.
   */
  readonly verdict: 'verified' | 'unanchored' | 'failed';
  /** What the proof discloses; null if it cannot be read. */
  readonly leaf: Leaf | null;
  /** What the proof states; null if it cannot be read. */
  readonly claim: ProofClaim | null;
}

/** Where the leaf is, for drawing the path. */
export interface ProofClaim {
  readonly index: number;
  readonly size: number;
  readonly root: Hash;
  readonly leafHash: Hash;
  readonly path: readonly Hash[];
  /** The checkpoint that was used: the given one, else the file's. */
  readonly origin: string;
}

/**
 * Holds `input` to everything that it states, to the `anchor`, and to the `position` of the step that it must be of, if
 * one is given.
 */
export async function checkProof(
  input: string | Uint8Array,
  anchor: Anchor,
  position: number | null = null,
): Promise<ProofVerdict> {
  const findings = noFindings();
  const read = readClaim(input, findings);
  if (!read.ok) {
    fail(findings, read.error);
    return { ...outcome(findings, 'nothing', null), leaf: null, claim: null, signedBy: [], unbound: [] };
  }
  const { file, claim, bytes } = read.value;
  const included = verifyInclusion(claim);
  if (included.ok) {
    const hashes = count(claim.path.length, 'hash', 'hashes');
    pass(findings, 'inclusion path', `Leaf ${claim.index} of ${claim.size} leads to the root by ${hashes}.`);
  } else fail(findings, included.error);
  const leaf = decodeLeaf(bytes);
  if (leaf.ok) {
    checkPlace(leaf.value, claim.index, findings);
    if (position !== null) checkPosition(leaf.value, position, findings);
  } else fail(findings, leaf.error);
  const declared = { size: claim.size, root: claim.root, checkpoint: file.checkpoint };
  const { standing, opened, origin } = await checkAnchor(declared, anchor, findings);
  const known = leaf.ok ? leaf.value : null;
  const unbound = unboundBy(standing, known);
  // Whoever made the proof can write any origin into it: what counts is the checkpoint that was looked at.
  const stated = { ...claim, origin: origin ?? claim.origin };
  return {
    ...outcome(findings, standing, known),
    leaf: known,
    claim: stated,
    signedBy: opened?.signedBy ?? [],
    unbound,
  };
}

function outcome(
  { checks, problems }: Findings,
  standing: Standing,
  leaf: Leaf | null,
): Pick<ProofVerdict, 'verdict' | 'covers' | 'checks' | 'problems' | 'standing'> {
  const sound = standing === 'nothing' ? 'unanchored' : 'verified';
  const verdict = problems.length > 0 ? 'failed' : sound;
  const covers = verdict === 'verified' && leaf !== null ? coverageOf(leaf, standing) : nothingCovered;
  return { verdict, covers, checks, problems, standing };
}

function coverageOf(leaf: Leaf, standing: Standing): Coverage {
  const what = leaf.kind === 'manifest' ? 'manifest' : `${leaf.kind} of position ${leaf.position}`;
  return { shown: [what, 'path'], open: [...(placeOpen[standing] ?? []), 'nothing replayed'] };
}

const placeOpen: Readonly<Partial<Record<Standing, readonly string[]>>> = {
  'given root': ['index and size not bound'],
  'given checkpoint': [signaturesUnread],
};

interface ReadProof {
  readonly file: ProofFile;
  readonly claim: ProofClaim;
  readonly bytes: Uint8Array;
}

function readClaim(input: string | Uint8Array, findings: Findings): Result<ReadProof, Problem> {
  const file = parseProof(input);
  if (!file.ok) return file;
  const found = readCheckpoint(file.value.checkpoint);
  if (!found.ok) return found;
  const { extra, index, path } = file.value;
  if (extra === null) {
    const message = 'The proof does not disclose its leaf (there is no "extra" line), so there is no step to show.';
    const places = { expected: 'extra and the base64 of the leaf', actual: `index ${index}` };
    return { ok: false, error: { code: 'PV-8061', check: 'leaf', message, ...places } };
  }
  pass(findings, 'proof file', `c2sp.org/tlog-proof@v1 of leaf ${index}`);
  const { size, root, origin } = found.value.checkpoint;
  return ok({ file: file.value, bytes: extra, claim: { index, size, root, path, origin, leafHash: leafHash(extra) } });
}

/**
 * The manifest is leaf 0, and a later leaf covers a position of at least its index − 1: each before it covers one or
 * more.
 */
function checkPlace(leaf: Leaf, index: number, findings: Findings): void {
  const latest = leaf.kind === 'manifest' ? 0 : leaf.position + 1;
  const earliest = leaf.kind === 'manifest' ? 0 : 1;
  const what = leaf.kind === 'manifest' ? 'manifest' : `${leaf.kind} of position ${leaf.position}`;
  if (index >= earliest && index <= latest) return pass(findings, 'leaf', `It is the ${what}.`);
  const message = `The ${what} cannot be leaf ${index}.`;
  const expected = earliest === latest ? String(latest) : `${earliest} to ${latest}`;
  const place = leaf.kind === 'manifest' ? {} : { position: leaf.position };
  fail(findings, { code: 'PV-8061', check: 'leaf index', message, ...place, expected, actual: String(index) });
}

/** A request for one step may be answered with the proof of another. */
function checkPosition(leaf: Leaf, position: number, findings: Findings): void {
  if (leaf.kind === 'step' && leaf.position === position)
    return pass(findings, 'position', `It is the required one, ${position}.`);
  const actual = leaf.kind === 'manifest' ? 'the manifest' : `the ${leaf.kind} of position ${leaf.position}`;
  const expected = `the step of position ${position}`;
  const message = `The proof is of ${actual}, and ${expected} is required.`;
  fail(findings, { code: 'PV-8086', check: 'position', message, position, expected, actual });
}

function unboundBy(standing: Standing, leaf: Leaf | null): readonly string[] {
  const root = 'who vouches for the root: only the proof itself states it';
  const size = 'the index and the number of leaves: a root alone does not bind them, and only the proof states them';
  const manifest = 'model, prompt and sampler: they are in leaf 0, which has a proof of its own';
  return [
    ...(standing === 'nothing' ? [root] : []),
    ...(standing === 'given root' ? [size] : []),
    ...(leaf === null || leaf.kind === 'manifest' ? [] : [manifest]),
    'that the model computes these logits: a replay shows that',
  ];
}
