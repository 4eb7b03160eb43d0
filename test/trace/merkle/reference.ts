/**
 * The definitions of RFC 6962 §2.1 and the verification algorithms of RFC 9162 §2.1.3.2 and §2.1.4.2, step by step as
 * they are printed: slow, without the structure of src/trace/merkle, and compared with it.
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

/** RFC 9162 §2.1.3.2, steps 1 to 5; below 2³¹. */
export function includes({ index, size, leafHash, path, root }: Inclusion): boolean {
  if (index >= size) return false;
  let [fn, sn, r] = [index, size - 1, leafHash];
  for (const p of path) {
    if (sn === 0) return false;
    if ((fn & 1) === 1 || fn === sn) {
      r = joined(p, r);
      while ((fn & 1) === 0 && fn !== 0) [fn, sn] = [fn >> 1, sn >> 1];
    } else r = joined(r, p);
    [fn, sn] = [fn >> 1, sn >> 1];
  }
  return sn === 0 && same(r, root);
}

interface Consistency {
  readonly size1: number;
  readonly size2: number;
  readonly root1: Uint8Array;
  readonly root2: Uint8Array;
  readonly path: readonly Uint8Array[];
}

/** RFC 9162 §2.1.4.2, steps 1 to 7, for 0 < size1 < size2 < 2³¹. */
export function isConsistent({ size1, size2, root1, root2, path }: Consistency): boolean {
  if (path.length === 0) return false;
  const whole = (size1 & (size1 - 1)) === 0 ? [root1, ...path] : path;
  let [fn, sn] = [size1 - 1, size2 - 1];
  while ((fn & 1) === 1) [fn, sn] = [fn >> 1, sn >> 1];
  const [first = root1, ...rest] = whole;
  let [fr, sr] = [first, first];
  for (const c of rest) {
    if (sn === 0) return false;
    if ((fn & 1) === 1 || fn === sn) {
      [fr, sr] = [joined(c, fr), joined(c, sr)];
      while ((fn & 1) === 0 && fn !== 0) [fn, sn] = [fn >> 1, sn >> 1];
    } else sr = joined(sr, c);
    [fn, sn] = [fn >> 1, sn >> 1];
  }
  return same(fr, root1) && same(sr, root2) && sn === 0;
}
