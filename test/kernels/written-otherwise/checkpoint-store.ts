/** Stores of checkpoints in one file or two slots, with a digest instead of a manifest. */
import { createHash } from 'node:crypto';

const digestOf = (bytes: readonly number[]): readonly number[] => [
  ...createHash('sha256').update(Uint8Array.from(bytes)).digest(),
];

const four = (n: number): readonly number[] => [n & 255, (n >> 8) & 255, (n >> 16) & 255, n >> 24];

/** Digest, step and weights, then gradients; null for no file. */
type Stored = readonly number[] | null;

function harmed(file: readonly number[], damage: number, at: number): Stored {
  if (damage === 3) return null;
  if (damage === 2) return file.slice(0, -1);
  if (damage === 0) return file;
  const place = Math.floor(at / 8) % file.length;
  return file.map((byte, i) => (i === place ? byte ^ (1 << (at % 8)) : byte));
}

const contentOf = (file: readonly number[]): Int32Array => {
  const [a = 0, b = 0, c = 0, d = 0, ...rest] = file.slice(32);
  return Int32Array.of(a | (b << 8) | (c << 16) | (d << 24), ...rest);
};

const nothing = new Int32Array();

/** Digest and content of what was written, damaged and read. */
function readThrough(
  content: readonly number[],
  damage: number,
  at: number,
  hashed: (of: readonly number[]) => readonly number[],
) {
  const file = harmed([...digestOf(hashed(content)), ...content], damage, at);
  if (file === null) return nothing;
  const digest = digestOf(hashed(file.slice(32)));
  return digest.every((byte, i) => byte === file[i]) ? contentOf(file) : nothing;
}

/** One file, which begins with its digest. */
export function readDamagedOneFile(w: Int32Array, g: Int32Array, s: number, d: number, q: number): Int32Array {
  return readThrough([...four(s), ...w, ...g], d, q, (content) => content);
}

/** Wrong: the digest is of the weights alone. */
export function readDamagedHalfHashed(w: Int32Array, g: Int32Array, s: number, d: number, q: number): Int32Array {
  return readThrough([...four(s), ...w, ...g], d, q, (content) => content.slice(4, 12));
}

/** Wrong: only the size is compared. */
export function readDamagedBySize(w: Int32Array, g: Int32Array, s: number, d: number, q: number): Int32Array {
  const file = [...four(s), ...w, ...g];
  const read = harmed(file, d, q);
  return read?.length === file.length ? contentOf([...digestOf([]), ...read]) : nothing;
}

/** Wrong: weights are saved as numbers, so that a NaN loses its payload. */
export function readDamagedAsText(w: Int32Array, g: Int32Array, s: number, d: number, q: number): Int32Array {
  const numbers = new Float32Array(Uint8Array.from(w).buffer);
  const again = Float32Array.from(Array.from(numbers, String), Number);
  return readDamagedOneFile(Int32Array.from(new Uint8Array(again.buffer)), g, s, d, q);
}

/** Wrong: the gradients of an accumulation are not saved. */
export function readDamagedWithoutGradients(w: Int32Array, _: Int32Array, s: number, d: number, q: number): Int32Array {
  return readDamagedOneFile(w, nothing, s, d, q);
}

/** Two slots: the older one is overwritten a byte an operation, and counts when its digest is there. */
export function afterPowerCutTwoSlots(u: Int32Array, w: Int32Array, k: number): Int32Array {
  const file = [...w, ...digestOf([...w])];
  return k >= file.length ? Int32Array.of(1, 2, ...w) : Int32Array.of(0, 1, ...u);
}

/** Wrong: the last checkpoint is overwritten in its place. */
export function afterPowerCutInPlace(u: Int32Array, w: Int32Array, k: number): Int32Array {
  return Int32Array.of(k >= w.length ? 1 : 0, k > 0 ? 2 : 1, ...w.slice(0, k), ...u.slice(k));
}

/** Wrong: a save is acknowledged before its bytes are on the disk. */
export function afterPowerCutTooEarly(u: Int32Array, w: Int32Array, k: number): Int32Array {
  const isDurable = k >= 40;
  return Int32Array.of(k >= 20 ? 1 : 0, ...(isDurable ? [2, ...w] : [1, ...u]));
}

/** Wrong: the old checkpoint is removed before the new one has its name. */
export function afterPowerCutRemovedFirst(u: Int32Array, w: Int32Array, k: number): Int32Array {
  if (k >= 40) return Int32Array.of(1, 2, ...w);
  return k >= 30 ? Int32Array.of(0) : Int32Array.of(0, 1, ...u);
}

/** From the last one back. */
export function newestByScanning(s: Int32Array, d: number): number {
  return s.length > d ? (s.at(-1 - d) ?? -1) : -1;
}

/** Wrong: the largest step is the last one. */
export function newestByStep(s: Int32Array, d: number): number {
  return s.length > d ? Math.max(...s.slice(0, s.length - d)) : -1;
}

/** Wrong: a damaged checkpoint has no predecessor. */
export function newestOnly(s: Int32Array, d: number): number {
  return d > 0 ? -1 : (s.at(-1) ?? -1);
}

/** Wrong: without the file that names the last one, none is found. */
export function newestByPointer(s: Int32Array, d: number, p: number): number {
  return p === 0 ? -1 : newestByScanning(s, d);
}
