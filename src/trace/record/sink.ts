/**
 * Where a recorder's entries go, and who signs for them.
 */
import type { Entry, Manifest } from '../format/trace.ts';
import type { Hash } from '../../merkle/hash.ts';
import type { Appended, AppendOrder, Outcome } from './kept-logits.ts';

/** A size of the tree, its manifest included, and the root of it. */
export interface TreeHead {
  readonly size: number;
  readonly root: Hash;
}

/** What a signer signs: the head, and the hash of leaf 0, which is unique to the trace. */
export interface HeadToSign extends TreeHead {
  readonly manifestHash: Hash;
}

/**
 * Makes a signed note over a tree head, such as `signTreeHead` of the notes does; the text is stored and not looked
 * into.
 */
export type SignHead = (head: HeadToSign) => string | Promise<string>;

/** Takes the entries of one trace in order: `begin` once, `entry` for each, `finish` once. */
export interface TraceSink<T> {
  /** `json` is the manifest's encoding, never written to. */
  readonly begin: (manifest: Manifest, json: Uint8Array) => void;
  /** Accepts an entry at once, unless a thread has `appended` it; an exception here stops the recording. */
  readonly entry: (entry: Entry, appended: Appended | null) => void;
  /**
   * Has the next entry appended by the thread that `begin` sets to work; what came of it is reported with that entry, and
   * until then nothing else is written. Absent where the thread that calls has to write everything.
   */
  readonly lend?: (begin: (order: AppendOrder) => () => Outcome) => () => Outcome;
  readonly finish: (end: TreeHead & { readonly checkpoint: string | null }) => Promise<T>;
}
