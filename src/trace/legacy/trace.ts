/**
 * Traces as llama2-rs records them (tarassh/llama2-rs, EXECUTION_TRACE.md): what its file holds, and nothing else.
 */
import { err, ok, type Result } from '../../base/result.ts';
import { count } from '../../base/text.ts';
import { sha256 } from '../../merkle/sha256.ts';
import { hashBytes, type Hash } from '../../merkle/hash.ts';
import type { Problem } from '../../base/problem.ts';
import { legacyRoot } from './tree.ts';
import { i32 } from './write-bincode.ts';

/**
 * The forms of two commits: `seed` is 977305a (2026-01-28); `head` is 5b6eb95, whose entries carry a text. Neither is recorded
 * in the file.
 */
export type LegacyForm = 'seed' | 'head';

/** One step, as llama2-rs records it. */
export interface LegacyEntry {
  readonly position: number;
  /** The token that was fed in at this position; the one sampled from its logits is the next entry's. */
  readonly token: number;
  /** The text of the next token, in the `head` form; null in `seed`. No hash covers it. */
  readonly text: string | null;
  /** SHA-256 of the raw logits as little-endian float32. */
  readonly logitsHash: Hash;
}

/** What no hash covers: anyone who holds the file can write anything here. */
export interface LegacyMetadata {
  readonly modelPath: string;
  readonly prompt: string;
  /** How many steps were requested; there may be fewer entries. */
  readonly steps: number;
}

/** One entry or more, at the positions 0, 1, 2 and so on, with the leaves and the root that follow from them. */
export interface LegacyTrace {
  readonly form: LegacyForm;
  readonly metadata: LegacyMetadata;
  readonly entries: readonly LegacyEntry[];
  readonly leaves: readonly Hash[];
  readonly root: Hash;
}

/** SHA-256(position i32 LE ‖ token i32 LE ‖ logits hash): 40 bytes, the same length as nothing else that is hashed. */
export function legacyEntryHash({ position, token, logitsHash }: LegacyEntry): Hash {
  return sha256(i32(position), i32(token), logitsHash);
}

const largestI32 = 2 ** 31 - 1;

/**
 * The trace of these entries, as llama2-rs would have recorded it.
 *
 * Problems: PV-8027 (no entries), PV-8028 (an entry or text that its generation loop never writes), PV-8015 (a hash
 * that is not 32 bytes).
 */
export function legacyTrace(entries: readonly LegacyEntry[], metadata: LegacyMetadata): Result<LegacyTrace, Problem> {
  const form = entries[0]?.text === null ? 'seed' : 'head';
  for (const [index, entry] of entries.entries()) {
    const problem = entryProblem(entry, index, form);
    if (problem) return err(problem);
  }
  const problem = metadataProblem(metadata);
  if (problem) return err(problem);
  const leaves = entries.map(legacyEntryHash);
  const root = legacyRoot(leaves);
  if (!root) {
    const message = 'The trace has no entries: it commits to nothing, so nothing of it can be verified.';
    return err({ code: 'PV-8027', check: 'entries', message, expected: 'at least 1', actual: '0' });
  }
  return ok({ form, metadata, entries, leaves, root });
}

function entryProblem(entry: LegacyEntry, index: number, form: LegacyForm): Problem | null {
  const { position, token, text, logitsHash } = entry;
  const never = (check: string, message: string, expected: string, actual: string): Problem => ({
    code: 'PV-8028',
    check,
    message: `${message} llama2-rs never writes that: the entry was changed, or is not one of its.`,
    position: index,
    expected,
    actual,
  });
  if (position !== index)
    return never('position', `Entry ${index} says that it is at position ${position}.`, `${index}`, `${position}`);
  if (!Number.isInteger(token) || token < 0 || token > largestI32)
    return never('token', `The token at position ${index} is ${token}.`, `0 to ${largestI32}`, `${token}`);
  if ((text === null) !== (form === 'seed'))
    return never('text', `Some entries have a text and entry ${index} is of the other kind.`, form, `${text}`);
  if (text !== null && !isWellFormed(text))
    return never('text', `The text at position ${index} holds half a surrogate pair.`, 'Unicode text', text);
  if (logitsHash.length === hashBytes) return null;
  const message = `The logits hash at position ${index} has ${count(logitsHash.length, 'byte')} instead of ${hashBytes}.`;
  const lengths = { expected: `${hashBytes}`, actual: `${logitsHash.length}` };
  return { code: 'PV-8015', check: 'logits hash', message, position: index, ...lengths };
}

function metadataProblem({ modelPath, prompt, steps }: LegacyMetadata): Problem | null {
  const steady = Number.isSafeInteger(steps) && steps >= 0;
  if (steady && isWellFormed(modelPath) && isWellFormed(prompt)) return null;
  const [check, message, actual] = steady
    ? ['metadata', 'The model path or the prompt holds half a surrogate pair: it cannot be written as UTF-8.', prompt]
    : ['steps', `The number of steps is ${steps}: it is a whole number below 2⁵³.`, `${steps}`];
  return { code: 'PV-8028', check, message, actual };
}

/** Whether every surrogate has its other half. */
const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text);
