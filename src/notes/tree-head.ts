/** A tree's size and root as the text of a checkpoint, signed or not. */
import { err, ok, type Result } from '../base/result.ts';
import type { Hash } from '../merkle/hash.ts';
import type { Problem } from '../base/problem.ts';
import { formatCheckpoint, parseCheckpoint, type Checkpoint } from './checkpoint.ts';
import { parseNote, type Note } from './note.ts';
import { signText, type Signer } from './signer.ts';

/** A checkpoint as it was found; `note` is null if it has no signature lines. */
export interface FoundCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly note: Note | null;
}

/** Reads a signed checkpoint, or only its text. Verifies no signature. */
export function readCheckpoint(text: string): Result<FoundCheckpoint, Problem> {
  if (!text.includes('\n\n')) {
    const alone = parseCheckpoint(text);
    return alone.ok ? ok({ checkpoint: alone.value, note: null }) : alone;
  }
  const note = parseNote(text);
  if (!note.ok) return note;
  const checkpoint = parseCheckpoint(note.value.text);
  return checkpoint.ok ? ok({ checkpoint: checkpoint.value, note: note.value }) : checkpoint;
}

/** Signs the size and root of a tree under `origin`; `time` as in `signNote`. At least one signer. */
export function signTreeHead(
  head: { readonly size: number; readonly root: Hash },
  origin: string,
  signers: readonly Signer[],
  time: number,
): Result<string, Problem> {
  if (signers.length === 0) {
    return err({ code: 'PV-8057', check: 'signers', message: 'A checkpoint without signatures is not a signed note.' });
  }
  const text = formatCheckpoint({ origin, size: head.size, root: head.root, extensions: [] });
  return text.ok ? signText(text.value, signers, time) : text;
}
