/**
 * Limits of a trace: readers check these before they allocate, writers before they write.
 */

/** Positions, counts and tokens are unsigned 32-bit numbers. */
export const largestU32 = 0xffff_ffff;

/** Stands in a leaf for an output token that was not recorded; no vocabulary is that large. */
export const noToken = 0xffff_ffff;

/** RFC 8785 JSON of a manifest, whose prompt is its only long part: about a million token ids. */
export const manifestBytesLimit = 8 * 1024 * 1024;

/** Each takes a digit and a comma of the manifest. */
export const promptTokensLimit = manifestBytesLimit / 2;

/** Logits kept with a step's hash: more would be the logits themselves. */
export const sketchLimit = 4096;

/**
 * How much of one trace is read into memory: two million entries of about a kilobyte each, so that a longer file is refused
 * before it exhausts the memory. 32 logits of a sketch count as an entry.
 */
export const entriesLimit = 2 ** 21;
export const sketchNumbersOfEntry = 32;

/** A signed note with some dozens of signatures. */
export const checkpointBytesLimit = 64 * 1024;

/** Entries of one block of a finished file: large enough for gzip, small enough to be held while it is written. */
export const blockEntriesLimit = 1024;

/** The maximum size of one block's columns: 1,024 steps with the widest sketch. */
export const blockBytesLimit = 64 * 1024 * 1024;

/**
 * How much larger than the block in the file, hashes included, its columns may be. Real sketches reach four; a block beyond it
 * is written unpacked, so that reading a file takes memory in proportion to its size.
 */
export const expansionLimit = 8;
