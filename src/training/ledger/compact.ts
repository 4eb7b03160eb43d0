/** Compaction: keeps only the important lines of a ledger, each with a proof that it was part of the ledger. */
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { fromHex } from '../../base/hex.ts';
import { ok, type Result } from '../../base/result.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { count, decodeJson, list, matching, oneOf, record, text, type Decoder } from '../../evidence/decoder.ts';
import { leafHash, type Hash } from '../../merkle/hash.ts';
import { createMerkleTree } from '../../merkle/tree.ts';
import { verifyConsistency, verifyInclusion } from '../../merkle/verify.ts';
import type { LedgerFile } from './read-ledger.ts';
import { failedOf } from './step-record.ts';

const compactedFormat = 'pv-training-ledger-compacted/1';

/** A kept line: leaf `index` of the ledger, 0 for the header. */
interface KeptLine {
  readonly index: number;
  /** Without its newline. */
  readonly line: string;
  /** Siblings from the leaf up (RFC 9162 §2.1.3), in hexadecimal. */
  readonly path: readonly string[];
}

/** The ledger after some step, with a proof that the whole ledger extends it (RFC 9162 §2.1.4). */
interface EarlierHead {
  readonly leaves: number;
  readonly root: string;
  readonly path: readonly string[];
}

/** A compacted ledger. */
export interface CompactedLedger {
  readonly format: typeof compactedFormat;
  /** Number of lines in the whole ledger, including the header, and its Merkle root, both as in the certificate. */
  readonly leaves: number;
  readonly root: string;
  readonly kept: readonly KeptLine[];
  readonly heads: readonly EarlierHead[];
}

/**
 * Keeps the header, every step at which a comparison failed, and the last step. For each step in `heads`, it adds a proof that the
 * ledger after that step is a prefix of this one.
 */
export function compactLedger({ lines, records, root }: LedgerFile, heads: readonly number[]): CompactedLedger {
  const tree = createMerkleTree(lines.map((line) => leafHash(utf8ToBytes(line))));
  const failed = records.flatMap((one) => (failedOf(one).length > 0 ? [one.step] : []));
  const kept = [...new Set([0, ...failed, records.length])].sort((a, b) => a - b);
  const earlier = [...new Set(heads)].filter((step) => step > 0 && step < records.length).sort((a, b) => a - b);
  return {
    format: compactedFormat,
    leaves: lines.length,
    root: bytesToHex(root),
    kept: kept.map((index) => ({ index, line: lines[index] ?? '', path: tree.inclusionPath(index).map(bytesToHex) })),
    heads: earlier.map((step) => ({
      leaves: step + 1,
      root: bytesToHex(tree.root(step + 1)),
      path: tree.consistencyPath(step + 1).map(bytesToHex),
    })),
  };
}

const hash = matching(/^[0-9a-f]{64}$/, 'a hash of 64 hexadecimal digits');

/** No path is longer: a tree of 2⁵³ leaves has as many levels. */
const longestPath = 54;

const decoder: Decoder<CompactedLedger> = record<CompactedLedger>({
  format: oneOf(compactedFormat),
  leaves: count,
  root: hash,
  kept: list(record<KeptLine>({ index: count, line: text, path: list(hash, longestPath) })),
  heads: list(record<EarlierHead>({ leaves: count, root: hash, path: list(hash, longestPath) })),
});

/** Reads a compacted ledger and verifies every proof in it; PV-8416 names the first invalid one. */
export function readCompacted(content: string): Result<CompactedLedger, Problem> {
  const decoded = decodeJson(content, decoder);
  if (!decoded.ok) return broken(`it is malformed: ${decoded.error}`);
  const { leaves, root, kept, heads } = decoded.value;
  for (const { index, line, path } of kept) {
    const proof = {
      index,
      size: leaves,
      leafHash: leafHash(utf8ToBytes(line)),
      path: path.map(hashOf),
      root: hashOf(root),
    };
    if (!verifyInclusion(proof).ok) return broken(`the proof of line ${index + 1} does not hold`, index);
  }
  for (const head of heads) {
    const roots = { root1: hashOf(head.root), root2: hashOf(root) };
    const proof = { size1: head.leaves, size2: leaves, ...roots, path: head.path.map(hashOf) };
    if (!verifyConsistency(proof).ok)
      return broken(`it does not extend the ledger of step ${head.leaves - 1}`, head.leaves - 1);
  }
  return ok(decoded.value);
}

/** The bytes of a hash that the decoder has checked. */
const hashOf = (hex: string): Hash => fromHex(hex) ?? new Uint8Array();

function broken(why: string, position?: number): Result<never, Problem> {
  const message = `The compacted ledger is invalid: ${why}.`;
  return wrong('PV-8416', 'compacted ledger', message, position === undefined ? {} : { position });
}
