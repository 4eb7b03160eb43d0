/**
 * The definitions of RFC 6962 §2.1 and the verification algorithms of RFC 9162 §2.1.3.2 and §2.1.4.2, step by step as
 * they are printed: slow, without the structure of src/merkle, and compared with it.
 */
import { createHash } from 'node:crypto';

const sha256 = (...parts: Uint8Array[]): Uint8Array =>
  new Uint8Array(createHash('sha256').update(Buffer.concat(parts)).digest());
const joined = (left: Uint8Array, right: Uint8Array): Uint8Array => sha256(Uint8Array.of(1), left, right);
const same = (left: Uint8Array, right: Uint8Array): boolean => Buffer.compare(left, right) === 0;

/** The leaf hash of a number's text: distinct leaves for tests. */
export const numberedLeaf = (i: number): Uint8Array => sha256(Uint8Array.of(0), Buffer.from(`leaf ${i}`));
export const numberedLeaves = (count: number): readonly Uint8Array[] =>
  Array.from({ length: count }, (_, i) => numberedLeaf(i));

/** The largest power of two below n. */
const split = (n: number): number => {
  let k = 1;
  while (2 * k < n) k *= 2;
  return k;
};

/** MTH over leaf hashes. */
export function rootOf(leaves: readonly Uint8Array[]): Uint8Array {
  const [only] = leaves;
  if (only === undefined) return sha256();
  if (leaves.length === 1) return only;
  const k = split(leaves.length);
  return joined(rootOf(leaves.slice(0, k)), rootOf(leaves.slice(k)));
}

/** PATH(m, D[n]). */
export function pathOf(m: number, leaves: readonly Uint8Array[]): readonly Uint8Array[] {
  if (leaves.length === 1) return [];
  const k = split(leaves.length);
  return m < k
    ? [...pathOf(m, leaves.slice(0, k)), rootOf(leaves.slice(k))]
    : [...pathOf(m - k, leaves.slice(k)), rootOf(leaves.slice(0, k))];
}

/** PROOF(m, D[n]). */
export function consistencyOf(m: number, leaves: readonly Uint8Array[]): readonly Uint8Array[] {
  return subproof(m, leaves, true);
}

function subproof(m: number, leaves: readonly Uint8Array[], whole: boolean): readonly Uint8Array[] {
  if (m === leaves.length) return whole ? [] : [rootOf(leaves)];
  const k = split(leaves.length);
  return m <= k
    ? [...subproof(m, leaves.slice(0, k), whole), rootOf(leaves.slice(k))]
    : [...subproof(m - k, leaves.slice(k), false), rootOf(leaves.slice(0, k))];
}

interface Inclusion {
  readonly index: number;
  readonly size: number;
  readonly leafHash: Uint8Array;
  readonly path: readonly Uint8Array[];
  readonly root: Uint8Array;
}

const isOdd = (n: bigint): boolean => (n & 1n) === 1n;

/** RFC 9162 §2.1.3.2, steps 1 to 5 without the comparison: the root that a path leads to, null where it is none. */
export function rootByPath({ index, size, leafHash, path }: Omit<Inclusion, 'root'>): Uint8Array | null {
  if (index >= size) return null;
  let [fn, sn, r] = [BigInt(index), BigInt(size - 1), leafHash];
  for (const p of path) {
    if (sn === 0n) return null;
    if (isOdd(fn) || fn === sn) {
      r = joined(p, r);
      while (!isOdd(fn) && fn !== 0n) [fn, sn] = [fn >> 1n, sn >> 1n];
    } else r = joined(r, p);
    [fn, sn] = [fn >> 1n, sn >> 1n];
  }
  return sn === 0n ? r : null;
}

export function includes(proof: Inclusion): boolean {
  const root = rootByPath(proof);
  return root !== null && same(root, proof.root);
}

interface Consistency {
  readonly size1: number;
  readonly size2: number;
  readonly root1: Uint8Array;
  readonly root2: Uint8Array;
  readonly path: readonly Uint8Array[];
}

/** RFC 9162 §2.1.4.2, steps 1 to 7 without the comparisons, for 0 < size1 < size2: both roots that a path leads to. */
export function rootsByPath({
  size1,
  size2,
  root1,
  path,
}: Omit<Consistency, 'root2'>): [Uint8Array, Uint8Array] | null {
  if (path.length === 0) return null;
  const first = BigInt(size1);
  const [start = root1, ...rest] = (first & (first - 1n)) === 0n ? [root1, ...path] : path;
  let [fn, sn] = [first - 1n, BigInt(size2 - 1)];
  while (isOdd(fn)) [fn, sn] = [fn >> 1n, sn >> 1n];
  let [fr, sr] = [start, start];
  for (const c of rest) {
    if (sn === 0n) return null;
    if (isOdd(fn) || fn === sn) {
      [fr, sr] = [joined(c, fr), joined(c, sr)];
      while (!isOdd(fn) && fn !== 0n) [fn, sn] = [fn >> 1n, sn >> 1n];
    } else sr = joined(sr, c);
    [fn, sn] = [fn >> 1n, sn >> 1n];
  }
  return sn === 0n ? [fr, sr] : null;
}

export function isConsistent(proof: Consistency): boolean {
  const roots = rootsByPath(proof);
  return roots !== null && same(roots[0], proof.root1) && same(roots[1], proof.root2);
}
