/** An anchor as people and programs give it: texts. Runs in browsers. */
import { err, ok, type Result } from '../../base/result.ts';
import { fromHex } from '../../base/hex.ts';
import { hashBytes, type Hash } from '../../merkle/hash.ts';
import { parseVerifierKey, type VerifierKey } from '../../notes/key.ts';
import { checkPolicy, distinctSigners, type SignaturePolicy } from '../../notes/open.ts';
import type { Problem } from '../../base/problem.ts';
import type { Anchor } from './anchor.ts';

/** An {@link Anchor} as texts; null is what was not given. */
export interface GivenAnchor {
  /** 64 hexadecimal digits, with or without `sha256:`. */
  readonly root: string | null;
  /** Leaves of the tree; says nothing without a root. */
  readonly size: number | null;
  readonly checkpoint: string | null;
  /** Verifier keys, `NAME+KEYID+BASE64`. */
  readonly keys: readonly string[];
  /** How many of the keys must have signed; all of them where it is null. */
  readonly threshold: number | null;
  readonly origin: string | null;
}

/** The hash in 64 hexadecimal digits, with or without `sha256:`; null for any other text. */
export function parseHash(text: string): Hash | null {
  const bytes = fromHex(text.replace(/^sha256:/, '').toLowerCase());
  return bytes?.length === hashBytes ? bytes : null;
}

/**
 * The anchor of these texts; PV-8057 where they contradict each other, PV-8015, PV-8051 and PV-8053 where one is
 * malformed.
 */
export function readAnchor(given: GivenAnchor): Result<Anchor, Problem> {
  const root = given.root === null ? undefined : parseHash(given.root);
  if (root === null) {
    const message = 'The given root is not a hash of 64 hexadecimal digits.';
    return err({ code: 'PV-8015', check: 'given root', message, actual: given.root?.slice(0, 80) ?? '' });
  }
  if (given.size !== null && root === undefined) return useless('size', 'A size means nothing without a root.');
  if (given.threshold !== null && given.keys.length === 0) {
    return useless('threshold', 'A threshold counts signatures of given keys, but no keys were given.');
  }
  const policy = readPolicy(given.keys, given.threshold);
  if (!policy.ok) return policy;
  const [size, checkpoint, origin] = [
    given.size ?? undefined,
    given.checkpoint ?? undefined,
    given.origin ?? undefined,
  ];
  return ok({ root, size, checkpoint, origin, policy: policy.value });
}

const useless = (check: string, message: string): Result<never, Problem> => err({ code: 'PV-8057', check, message });

function readPolicy(texts: readonly string[], threshold: number | null): Result<SignaturePolicy | undefined, Problem> {
  if (texts.length === 0) return ok(undefined);
  const keys: VerifierKey[] = [];
  for (const text of texts) {
    const key = parseVerifierKey(text);
    if (!key.ok) return key;
    keys.push(key.value);
  }
  const policy = { keys, threshold: threshold ?? distinctSigners(keys) };
  const sound = checkPolicy(policy);
  return sound.ok ? ok(policy) : sound;
}
