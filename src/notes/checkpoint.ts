/**
 * Checkpoints: who speaks for a tree (its origin), how many leaves it has, and its root, as the text of a signed note.
 *
 * Source: C2SP tlog-checkpoint (c2sp.org/tlog-checkpoint).
 */
import { bytesToHex } from '@noble/hashes/utils.js';
import { err, ok, type Result } from '../base/result.ts';
import { count } from '../base/text.ts';
import { hashBytes, type Hash } from '../merkle/hash.ts';
import type { Problem } from '../base/problem.ts';
import { decodeBase64, encodeBase64 } from './base64.ts';
import { changedLineEnds } from './line-ends.ts';

/** The text of a checkpoint, read. */
export interface Checkpoint {
  /** The unique name of the log; each trace is its own log (`traceOrigin`). */
  readonly origin: string;
  /** Leaves of the tree, ≥ 0. */
  readonly size: number;
  readonly root: Hash;
  /** Further lines, which the standard discourages: they are signed and mean nothing here. */
  readonly extensions: readonly string[];
}

const malformed = (message: string, actual?: string): Result<never, Problem> =>
  err({ code: 'PV-8054', check: 'checkpoint', message, ...(actual === undefined ? {} : { actual }) });

/** Reads the text of a note as a checkpoint: PV-8054 if it is not one, PV-8084 if its line ends were changed. */
export function parseCheckpoint(text: string): Result<Checkpoint, Problem> {
  const changed = changedLineEnds('checkpoint', text);
  if (changed !== null) return err(changed);
  if (!text.endsWith('\n')) return malformed('The checkpoint does not end with a newline.');
  const lines = text.slice(0, -1).split('\n');
  const empty = lines.indexOf('');
  if (empty >= 0) return malformed(`Line ${empty + 1} of the checkpoint is empty.`);
  const [origin, size, root, ...extensions] = lines;
  if (origin === undefined || size === undefined || root === undefined) {
    return malformed(`The checkpoint has ${count(lines.length, 'line')}; origin, size and root take three.`);
  }
  if (!/^(?:0|[1-9][0-9]*)$/.test(size)) {
    return malformed(
      'The size of the checkpoint is not a whole decimal number without leading zeros.',
      size.slice(0, 40),
    );
  }
  if (!Number.isSafeInteger(Number(size))) {
    return malformed(`The size of the checkpoint is beyond 2^53 − 1.`, size.slice(0, 40));
  }
  const bytes = decodeBase64(root);
  if (bytes?.length !== hashBytes) {
    return malformed('The root of the checkpoint is not the base64 of 32 bytes.', root.slice(0, 80));
  }
  return ok({ origin, size: Number(size), root: bytes, extensions });
}

/** The text that is signed; PV-8054 where `parseCheckpoint` would not read it back. */
export function formatCheckpoint(checkpoint: Checkpoint): Result<string, Problem> {
  const { origin, size, root, extensions } = checkpoint;
  const text = `${[origin, String(size), encodeBase64(root), ...extensions].join('\n')}\n`;
  const back = parseCheckpoint(text);
  if (!back.ok) return back;
  if (back.value.origin !== origin || back.value.extensions.length !== extensions.length) {
    return malformed('A line of the checkpoint contains a newline.');
  }
  return ok(text);
}

/**
 * The origin that `pv` gives the log of one trace: the signer's name and the leaf hash of the manifest.
 *
 * A log must never sign two trees if neither continues the other, so each trace needs its own name.
 */
export const traceOrigin = (signerName: string, manifestLeafHash: Hash): string =>
  `${signerName}/trace/${bytesToHex(manifestLeafHash)}`;
