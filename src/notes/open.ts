/** Who has signed a note, as far as the one who verifies trusts keys: C2SP signed-note, "Signatures". */
import { bytesToHex } from '@noble/hashes/utils.js';
import { err, ok, type Result } from '../base/result.ts';
import { count } from '../base/text.ts';
import type { Problem } from '../base/problem.ts';
import { cosignedMessage, readCosignature } from './cosignature.ts';
import { verifyEd25519, type SignatureState } from './ed25519.ts';
import type { KeyType, VerifierKey } from './key.ts';
import { labelOf, noteBytes, type Note, type NoteSignature } from './note.ts';

/** Whom the verifier trusts, and how many of them must have signed. A note says nothing about either. */
export interface SignaturePolicy {
  readonly keys: readonly VerifierKey[];
  /** From 1 to the number of distinct public keys. */
  readonly threshold: number;
}

/** A verified signature. */
export interface SignedBy {
  readonly name: string;
  readonly keyId: string;
  readonly type: KeyType;
  /** POSIX seconds in decimal digits, as a cosigner states them; null if a signature has no time. */
  readonly time: string | null;
}

/** Who signed a note that satisfies its policy. */
export interface OpenedNote {
  readonly signedBy: readonly SignedBy[];
  /** Signatures by untrusted keys, of whatever algorithm: not checked and never counted. */
  readonly ignored: readonly Pick<NoteSignature, 'name' | 'keyId'>[];
}

/** One person with two names or two key types is one signer: keys count by their bytes (as C2SP tlog-policy has it). */
const identity = (key: VerifierKey): string => bytesToHex(key.publicKey);

/** How many signers the keys are of. */
export const distinctSigners = (keys: readonly VerifierKey[]): number => new Set(keys.map(identity)).size;

/** PV-8057 where no note could satisfy the policy, or where it is ambiguous. */
export function checkPolicy({ keys, threshold }: SignaturePolicy): Result<null, Problem> {
  const fault = (message: string, more: Partial<Problem> = {}): Result<null, Problem> =>
    err({ code: 'PV-8057', check: 'signature policy', message, ...more });
  const distinct = distinctSigners(keys);
  if (!Number.isInteger(threshold) || threshold < 1) {
    return fault('At least one signature must be required.', { expected: '1 or more', actual: String(threshold) });
  }
  if (threshold > distinct) {
    const message = `${count(threshold, 'signature')} required of ${count(distinct, 'distinct key')}: no checkpoint can have them.`;
    return fault(message, { expected: `at most ${distinct}`, actual: String(threshold) });
  }
  const named = new Map<string, string>();
  for (const key of keys) {
    const label = labelOf(key);
    const other = named.get(label);
    if (other !== undefined && other !== identity(key)) return fault(`Two trusted keys are both called ${label}.`);
    named.set(label, identity(key));
  }
  return ok(null);
}

async function verifyOne(
  note: Note,
  key: VerifierKey,
  { bytes }: NoteSignature,
): Promise<{ readonly state: SignatureState; readonly time: string | null }> {
  if (key.type === 'ed25519') return { state: await verifyEd25519(key.publicKey, noteBytes(note), bytes), time: null };
  const parts = readCosignature(bytes);
  if (parts === null) return { state: 'invalid', time: null };
  const message = cosignedMessage(note.text, parts.time);
  return { state: await verifyEd25519(key.publicKey, message, parts.signature), time: String(parts.time) };
}

const refused = (state: 'invalid' | 'unsupported', { name, keyId, bytes }: NoteSignature): Problem => ({
  code: 'PV-8055',
  check: 'signature',
  message:
    state === 'invalid'
      ? `The signature of ${name}+${keyId}, a trusted key, does not verify: the text was changed, or someone else signed.`
      : `The signature of ${name}+${keyId} cannot be checked: this platform has no Ed25519.`,
  expected: `a signature by ${name}+${keyId}`,
  actual: bytesToHex(bytes),
});

/**
 * Verifies every signature of a trusted key. One of them that does not verify refuses the whole note (PV-8055); fewer
 * distinct signers than the policy demands do too (PV-8056). Signatures of other keys are ignored, as the standard
 * demands.
 */
export async function openNote(note: Note, policy: SignaturePolicy): Promise<Result<OpenedNote, Problem>> {
  const sound = checkPolicy(policy);
  if (!sound.ok) return sound;
  const signedBy = new Map<string, SignedBy>();
  const signers = new Set<string>();
  const ignored = new Map<string, OpenedNote['ignored'][number]>();
  for (const signature of note.signatures) {
    const { name, keyId } = signature;
    const label = labelOf(signature);
    const key = policy.keys.find((known) => known.name === name && known.keyId === keyId);
    if (key === undefined) {
      ignored.set(label, { name, keyId });
      continue;
    }
    const { state, time } = await verifyOne(note, key, signature);
    if (state !== 'valid') return err(refused(state, signature));
    signers.add(identity(key));
    if (!signedBy.has(label)) signedBy.set(label, { name, keyId, type: key.type, time });
  }
  if (signers.size < policy.threshold) {
    const distinct = count(distinctSigners(policy.keys), 'key');
    const message = `The note has valid signatures of ${count(signers.size, 'trusted key')}, but those of ${policy.threshold} of ${distinct} are required.`;
    const actual = String(signers.size);
    return err({ code: 'PV-8056', check: 'signatures', message, expected: String(policy.threshold), actual });
  }
  return ok({ signedBy: [...signedBy.values()], ignored: [...ignored.values()] });
}
