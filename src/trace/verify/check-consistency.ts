/** Checks that a trace only grew between two sizes. Needs the trace of neither, and runs in browsers. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { err } from '../../base/result.ts';
import { count } from '../../base/text.ts';
import { parseConsistency } from '../format/consistency-file.ts';
import { otherKind } from '../kind/other-kind.ts';
import { verifyConsistency } from '../../merkle/verify.ts';
import type { SignedBy } from '../../notes/open.ts';
import { checkAnchor, type Anchor, type Anchored, type DeclaredHead, type Standing } from './anchor.ts';
import { fail, noFindings, pass, type Findings } from './check.ts';
import { nothingCovered, type Coverage } from './headline.ts';
import { signaturesUnread, type Verdict } from './verdict.ts';

/** The verdict on a consistency proof. Its `standing` is the weaker of both trees; `signedBy` signed both. */
export interface ConsistencyVerdict extends Verdict {
  /** As on the proof of a leaf; `verified` takes something brought along for each of the trees. */
  readonly verdict: 'verified' | 'unanchored' | 'failed';
  /** What the proof states; null if it cannot be read. */
  readonly claim: ConsistencyClaim | null;
}

/** Both trees, and who vouches for each. */
interface ConsistencyClaim {
  readonly size1: number;
  readonly size2: number;
  /** In hexadecimal. */
  readonly root1: string;
  readonly root2: string;
  readonly from: Standing;
  readonly to: Standing;
  readonly fromSignedBy: readonly SignedBy[];
  readonly toSignedBy: readonly SignedBy[];
}

/** Holds the bytes of a proof to what the verifier knows of the smaller tree (`from`) and of the larger (`to`). */
export async function checkConsistency(bytes: Uint8Array, from: Anchor, to: Anchor): Promise<ConsistencyVerdict> {
  const findings = noFindings();
  const claim = await claimOf(bytes, from, to, findings);
  const { checks, problems } = findings;
  const anchored = claim !== null && claim.from !== 'nothing' && claim.to !== 'nothing';
  const verdict = problems.length > 0 ? 'failed' : anchored ? 'verified' : 'unanchored';
  const covers = verdict === 'verified' && claim !== null ? coverageOf(claim) : nothingCovered;
  const nothing = { standing: 'nothing', signedBy: [], unbound: [] } as const;
  return { verdict, covers, checks, problems, claim, ...(claim === null ? nothing : boundIn(claim)) };
}

async function claimOf(
  bytes: Uint8Array,
  from: Anchor,
  to: Anchor,
  findings: Findings,
): Promise<ConsistencyClaim | null> {
  const other = otherKind(bytes, 'consistency');
  const proof = other === null ? parseConsistency(bytes) : err(other);
  if (!proof.ok) {
    fail(findings, proof.error);
    return null;
  }
  const { size1, size2, root1, root2, path } = proof.value;
  const verified = verifyConsistency(proof.value);
  if (verified.ok) {
    const hashes = count(path.length, 'hash', 'hashes');
    const smaller = count(size1, 'leaf', 'leaves');
    pass(findings, 'consistency path', `The tree of ${smaller} is the beginning of that of ${size2}, by ${hashes}.`);
  } else fail(findings, verified.error);
  const smaller = await checkTree('smaller tree', { size: size1, root: root1, checkpoint: null }, from, findings);
  const larger = await checkTree('larger tree', { size: size2, root: root2, checkpoint: null }, to, findings);
  return {
    size1,
    size2,
    root1: bytesToHex(root1),
    root2: bytesToHex(root2),
    from: smaller.standing,
    to: larger.standing,
    fromSignedBy: smaller.opened?.signedBy ?? [],
    toSignedBy: larger.opened?.signedBy ?? [],
  };
}

/** The checks of both trees have the same names, so each says which tree it is about. */
async function checkTree(tree: string, head: DeclaredHead, anchor: Anchor, findings: Findings): Promise<Anchored> {
  const own = noFindings();
  const anchored = await checkAnchor(head, anchor, own);
  findings.checks.push(...own.checks.map((check) => ({ ...check, name: `${tree}: ${check.name}` })));
  findings.problems.push(...own.problems.map((problem) => ({ ...problem, check: `${tree}: ${problem.check}` })));
  return anchored;
}

const fromWeakest: readonly Standing[] = [
  'nothing',
  'given root',
  'given root and size',
  'given checkpoint',
  'signatures',
];

const weaker = (one: Standing, other: Standing): Standing =>
  fromWeakest.indexOf(one) < fromWeakest.indexOf(other) ? one : other;

/** Between two roots more than one pair of sizes may fit a path. */
const sizesUnbound = ({ from, to }: ConsistencyClaim): boolean => [from, to].includes('given root');

function boundIn(claim: ConsistencyClaim): Pick<Verdict, 'standing' | 'signedBy' | 'unbound'> {
  const sizes = 'the sizes: a root alone does not bind them, and only the proof states them';
  return {
    standing: weaker(claim.from, claim.to),
    // Who vouches for both trees, and so for the growth; of cosigners with the time of the larger.
    signedBy: claim.toSignedBy.filter(({ name, keyId }) =>
      claim.fromSignedBy.some((one) => one.name === name && one.keyId === keyId),
    ),
    unbound: sizesUnbound(claim) ? [sizes] : [],
  };
}

function coverageOf(claim: ConsistencyClaim): Coverage {
  // If a root was given without a size, the sizes are only the proof's own word.
  if (sizesUnbound(claim)) return { shown: ['growth from one root to the other'], open: ['sizes not bound'] };
  const isUnread = [claim.from, claim.to].includes('given checkpoint');
  const shown = `growth from ${claim.size1} to ${count(claim.size2, 'leaf', 'leaves')}`;
  return { shown: [shown], open: isUnread ? [signaturesUnread] : [] };
}
