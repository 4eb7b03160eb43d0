/** Where two ledgers part, and in what. */
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { leafHash } from '../../merkle/hash.ts';
import { createMerkleTree } from '../../merkle/tree.ts';
import type { CompactedLedger } from './compact.ts';
import type { LedgerFile } from './read-ledger.ts';
import type { StepRecord } from './step-record.ts';

/** The first line of which two ledgers differ, as far as their lines and proofs show it. */
export interface Divergence {
  /** Lines from the header on that are the same in both. */
  readonly same: number;
  /** A line that differs, or that only one ledger has. It is the first one if it follows the last that is the same. */
  readonly differs: number;
  /** Number of prefixes that were compared. */
  readonly compared: number;
}

/**
 * Where two ledgers part; null if they have the same lines. Each must have been read and thereby checked. A binary search, since
 * equal prefixes of a length imply equal prefixes of all smaller ones: in a checked chain, an attestation stands for all lines up
 * to its own, and so does the Merkle root in the proofs of a compacted ledger.
 */
export function divergenceOf(a: LedgerFile | CompactedLedger, b: LedgerFile | CompactedLedger): Divergence | null {
  const isSame = samePrefix(a, b);
  const [ofA, ofB] = [sizeOf(a), sizeOf(b)];
  const sizes = sizesKnown(a, b).filter((size) => size <= Math.min(ofA, ofB));
  let [low, high, compared] = [0, sizes.length, 0];
  // All of sizes[0 … low − 1] are the same, none of sizes[high …] is.
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    compared += 1;
    if (isSame(sizes[middle] ?? 0)) low = middle + 1;
    else high = middle;
  }
  const same = sizes[low - 1] ?? 0;
  if (same === ofA && same === ofB) return null;
  // The line of a smallest size that differs, unless a line that was kept differs earlier.
  const bySize = low < sizes.length ? (sizes[low] ?? 0) - 1 : Math.min(ofA, ofB);
  return { same, differs: Math.min(bySize, firstKeptThatDiffers(a, b)), compared };
}

const isWhole = (ledger: LedgerFile | CompactedLedger): ledger is LedgerFile => 'records' in ledger;

const sizeOf = (ledger: LedgerFile | CompactedLedger): number =>
  isWhole(ledger) ? ledger.lines.length : ledger.leaves;

/** The sizes at which two ledgers can be compared, ascending. */
function sizesKnown(a: LedgerFile | CompactedLedger, b: LedgerFile | CompactedLedger): readonly number[] {
  if (isWhole(a)) return isWhole(b) ? a.lines.map((_, i) => i + 1) : [...rootsOf(b).keys()];
  const own = [...rootsOf(a).keys()];
  if (isWhole(b)) return own;
  const others = rootsOf(b);
  return own.filter((size) => others.has(size));
}

/** The roots that the proofs of a compacted ledger show, by size, ascending. */
function rootsOf({ heads, leaves, root }: CompactedLedger): ReadonlyMap<number, string> {
  const roots: (readonly [number, string])[] = heads.map((head) => [head.leaves, head.root]);
  return new Map([...roots, [leaves, root] as const].sort(([x], [y]) => x - y));
}

/** Whether the first `size` lines are the same. */
function samePrefix(a: LedgerFile | CompactedLedger, b: LedgerFile | CompactedLedger): (size: number) => boolean {
  if (isWhole(a) && isWhole(b)) return (size) => sealOf(a, size) === sealOf(b, size);
  const [rootOfA, rootOfB] = [a, b].map((ledger): ((size: number) => string | undefined) => {
    if (!isWhole(ledger)) {
      const roots = rootsOf(ledger);
      return (size) => roots.get(size);
    }
    const tree = createMerkleTree(ledger.lines.map((line) => leafHash(utf8ToBytes(line))));
    return (size) => bytesToHex(tree.root(size));
  });
  return (size) => rootOfA?.(size) === rootOfB?.(size);
}

/** The header, or the attestation of the last of `size` lines, which stands for all of them. */
function sealOf({ lines }: LedgerFile, size: number): string {
  const line = lines[size - 1] ?? '';
  return size === 1 ? line : line.slice(line.lastIndexOf('"attestation"'));
}

function firstKeptThatDiffers(a: LedgerFile | CompactedLedger, b: LedgerFile | CompactedLedger): number {
  const kept = [a, b].flatMap((ledger) => (isWhole(ledger) ? [] : ledger.kept));
  const different = kept.filter(({ index }) => {
    const [x, y] = [lineOf(a, index), lineOf(b, index)];
    return x !== null && y !== null && x !== y;
  });
  return different.reduce((least, { index }) => Math.min(least, index), Infinity);
}

/** A line without its newline; null if the ledger does not have it. */
export function lineOf(ledger: LedgerFile | CompactedLedger, index: number): string | null {
  if (isWhole(ledger)) return ledger.lines[index] ?? null;
  return ledger.kept.find((line) => line.index === index)?.line ?? null;
}

/** One thing that two records of the same step say differently; null if a record does not have it. */
export interface Difference {
  readonly what: string;
  readonly a: string | null;
  readonly b: string | null;
}

/** What differs between two records: verdict, loss, learning rate, comparisons, weights. */
export function differencesOf(a: StepRecord, b: StepRecord): readonly Difference[] {
  const [ofA, ofB] = [factsOf(a), factsOf(b)];
  const found = [...new Set([...ofA.keys(), ...ofB.keys()])].flatMap((what): Difference[] => {
    const [x, y] = [ofA.get(what) ?? null, ofB.get(what) ?? null];
    return x === y ? [] : [{ what, a: x, b: y }];
  });
  if (found.length > 0) return found;
  const order = ({ measured }: StepRecord): string => measured.map(({ what }) => what).join(', ');
  return order(a) === order(b) ? [] : [{ what: 'order of comparisons', a: order(a), b: order(b) }];
}

/** Every fact of a record by its name, as text. */
function factsOf(record: StepRecord): ReadonlyMap<string, string> {
  const { verdict, warmup, loss, rate, before, after, measured } = record;
  return new Map([
    ['verdict', warmup ? `${verdict} in the warm-up` : verdict],
    ['loss', String(loss)],
    ['learning rate', String(rate)],
    ...measured.flatMap((one) => {
      const name = `${one.invariant}: ${one.what}, ${one.is}`;
      return [
        [name, String(one.value)],
        [`bound of ${name}`, String(one.bound)],
      ] as const;
    }),
    ['weights before', before ?? 'no digest'],
    ['weights after', after ?? 'no digest'],
  ]);
}
