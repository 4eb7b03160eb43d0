/**
 * Who vouches for a root. A trace and a proof each declare one, and anyone can write such a file: it counts as far as it
 * agrees with what the one who verifies brings along.
 */
import { bytesToHex } from '@noble/hashes/utils.js';
import { count } from '../../base/text.ts';
import { sameBytes, type Hash } from '../../merkle/hash.ts';
import { labelOf } from '../../notes/note.ts';
import { openNote, type OpenedNote, type SignaturePolicy } from '../../notes/open.ts';
import { readCheckpoint, type FoundCheckpoint } from '../../notes/tree-head.ts';
import { fail, leave, pass, type Findings } from './check.ts';

/** What the verifier knows from elsewhere. All that is given must hold. */
export interface Anchor {
  readonly root?: Hash | undefined;
  /** Leaves of the tree, the manifest included. A size without a root anchors nothing. */
  readonly size?: number | undefined;
  /** A checkpoint that the verifier got by itself, signed or not; without it the one in the file is looked at. */
  readonly checkpoint?: string | undefined;
  /** Whose signatures on the checkpoint are demanded. */
  readonly policy?: SignaturePolicy | undefined;
  /** The origin that the checkpoint must name. */
  readonly origin?: string | undefined;
}

/** What a file declares about its tree. */
export interface DeclaredHead {
  readonly size: number;
  readonly root: Hash;
  /** The checkpoint that the file carries; null if it has none. */
  readonly checkpoint: string | null;
}

/**
 * What binds the tree: signatures of trusted keys, a checkpoint or a root that the verifier brought, or nothing but the
 * file itself. A bare root binds the leaves' content but not their number.
 */
export type Standing = 'signatures' | 'given checkpoint' | 'given root and size' | 'given root' | 'nothing';

export interface Anchored {
  readonly standing: Standing;
  readonly opened: OpenedNote | null;
  /** The origin of the checkpoint that was looked at. */
  readonly origin: string | null;
}

/** Holds the head that a file declares to the anchor. */
export async function checkAnchor(declared: DeclaredHead, anchor: Anchor, findings: Findings): Promise<Anchored> {
  const before = findings.problems.length;
  compareGiven(declared, anchor, findings);
  const text = anchor.checkpoint ?? declared.checkpoint;
  const found = text === null ? null : readCheckpoint(text);
  if (found !== null && !found.ok) {
    const { message } = found.error;
    const whose = anchor.checkpoint === undefined ? message : `The given checkpoint cannot be read. ${message}`;
    fail(findings, { ...found.error, message: whose });
    return { standing: 'nothing', opened: null, origin: null };
  }
  if (found !== null) compareCheckpoint(declared, anchor, found.value, findings);
  const opened = await checkSignatures(found?.value ?? null, anchor, findings);
  checkOrigin(found?.value ?? null, anchor, findings);
  // What does not hold vouches for nothing.
  const standing = findings.problems.length > before ? 'nothing' : standingOf(anchor, opened);
  return { standing, opened, origin: found?.value.checkpoint.origin ?? null };
}

function standingOf(anchor: Anchor, opened: OpenedNote | null): Standing {
  if (opened !== null) return 'signatures';
  if (anchor.checkpoint !== undefined) return 'given checkpoint';
  if (anchor.root === undefined) return 'nothing';
  return anchor.size === undefined ? 'given root' : 'given root and size';
}

function compareGiven({ root, size }: DeclaredHead, anchor: Anchor, findings: Findings): void {
  if (anchor.root !== undefined) {
    const [expected, actual] = [bytesToHex(anchor.root), bytesToHex(root)];
    if (sameBytes(anchor.root, root)) pass(findings, 'root', `It is the given one, ${expected}.`);
    else {
      const message = `The root is not the given one: ${expected} was expected, and the file leads to ${actual}.`;
      fail(findings, { code: 'PV-8060', check: 'root', message, expected, actual });
    }
  }
  if (anchor.size === undefined) return;
  if (anchor.size === size) pass(findings, 'size', `The tree has the given ${count(size, 'leaf', 'leaves')}.`);
  else {
    const [expected, actual] = [String(anchor.size), String(size)];
    const message = `The tree has ${count(size, 'leaf', 'leaves')}, and ${expected} were expected.`;
    fail(findings, { code: 'PV-8060', check: 'size', message, expected, actual });
  }
}

function compareCheckpoint(declared: DeclaredHead, anchor: Anchor, found: FoundCheckpoint, findings: Findings): void {
  const { checkpoint } = found;
  const whose = anchor.checkpoint === undefined ? 'the checkpoint in the file' : 'the given checkpoint';
  if (checkpoint.size !== declared.size) {
    const [expected, actual] = [String(checkpoint.size), String(declared.size)];
    const message = `${count(checkpoint.size, 'leaf', 'leaves')} are what ${whose} counts, and this tree has ${actual}: they are not of one tree.`;
    fail(findings, { code: 'PV-8059', check: 'checkpoint size', message, expected, actual });
  } else if (!sameBytes(checkpoint.root, declared.root)) {
    const [expected, actual] = [bytesToHex(checkpoint.root), bytesToHex(declared.root)];
    const message = `The root of ${whose} is ${expected}, and this tree has ${actual}: they are not of one tree.`;
    fail(findings, { code: 'PV-8059', check: 'checkpoint root', message, expected, actual });
  } else pass(findings, 'checkpoint', `Size and root are those of ${whose}.`);
}

async function checkSignatures(
  found: FoundCheckpoint | null,
  { policy }: Anchor,
  findings: Findings,
): Promise<OpenedNote | null> {
  const name = 'signatures';
  if (policy === undefined) {
    const lines = found?.note?.signatures.length ?? 0;
    if (lines > 0)
      leave(findings, name, `${count(lines, 'signature')}, none of which counts: no trusted key was given.`);
    return null;
  }
  const note = found?.note ?? null;
  if (note === null) {
    const message = `Signatures of ${count(policy.threshold, 'trusted key')} are required, but the file contains no signed checkpoint, and none was given.`;
    fail(findings, { code: 'PV-8056', check: name, message, expected: String(policy.threshold), actual: '0' });
    return null;
  }
  const opened = await openNote(note, policy);
  if (!opened.ok) {
    fail(findings, opened.error);
    return null;
  }
  const names = opened.value.signedBy.map(labelOf).join(', ');
  pass(
    findings,
    name,
    `Signed by ${names}; ${policy.threshold} of ${count(policy.keys.length, 'trusted key')} required.`,
  );
  return opened.value;
}

function checkOrigin(found: FoundCheckpoint | null, anchor: Anchor, findings: Findings): void {
  if (anchor.origin === undefined) return;
  const actual = found?.checkpoint.origin ?? 'no checkpoint';
  if (actual === anchor.origin) pass(findings, 'origin', `It is ${actual}.`);
  else {
    const message = `The checkpoint names an origin other than the required one.`;
    fail(findings, { code: 'PV-8059', check: 'origin', message, expected: anchor.origin, actual });
  }
}
