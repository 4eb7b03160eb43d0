/**
 * What is in the bytes of a checkpoint: checksums that do not match, and numbers that no healthy run has. Each byte is read
 * once for both, in pieces, so that the size of a checkpoint does not matter for memory.
 */
import { crc32 } from 'node:zlib';
import { ok, type Result } from '../base/result.ts';
import type { Problem } from '../base/problem.ts';
import type { ByteSource } from './byte-source.ts';
import type { Checkpoint, StoredTensor } from './checkpoint.ts';
import { factored } from './parameter-shape.ts';
import { faultIn, isFloat, mayBeUnusual, pieceBytes, type Element } from './numbers.ts';

/** What one pass found. */
export interface Contents {
  /** Of the parts that have checksums, in their order: what was computed. */
  readonly checksums: readonly number[];
  /** Tensors of weights and optimizer that pv reads. */
  readonly tensors: readonly CheckedTensor[];
}

/** A tensor whose numbers were read. */
interface CheckedTensor {
  readonly tensor: StoredTensor;
  readonly kind: NumberKind;
  /** The first element that no healthy run has; null if there is none. */
  readonly fault: Element | null;
}

/** What numbers are: an average of squares is not negative, and a saved mask among the weights has −∞ on purpose. */
export type NumberKind = 'weight' | 'moment' | 'average of squares';

const faults: Readonly<Record<NumberKind, (value: number) => boolean>> = {
  weight: (value) => !Number.isFinite(value) && value !== -Infinity,
  moment: (value) => !Number.isFinite(value),
  'average of squares': (value) => !Number.isFinite(value) || value < 0,
};

/** The first of the numbers in `bytes` that no healthy run has; null if there is none. */
export function faultOf(dtype: string, bytes: Uint8Array, kind: NumberKind): Element | null {
  return mayBeUnusual(dtype, bytes, kind === 'average of squares') ? faultIn(dtype, bytes, faults[kind]) : null;
}

/** As Adam and its variants, RMSprop, Adadelta and Adafactor name them. */
const secondMoments = new Set([
  'exp_avg_sq',
  'max_exp_avg_sq',
  'square_avg',
  'acc_delta',
  ...factored.flatMap(({ rows, columns, whole }) => [rows, columns, whole]),
]);

interface Scanned {
  readonly tensor: StoredTensor;
  readonly kind: NumberKind;
  fault: Element | null;
}

/** A range of a file that is read from its beginning to its end. */
interface Range {
  readonly source: ByteSource;
  readonly offset: number;
  readonly size: number;
  readonly tensors: Scanned[];
}

const known = new WeakMap<Checkpoint, Promise<Result<Contents, Problem>>>();

/** The contents of `checkpoint`, read when they are first asked for. */
export function contentsOf(checkpoint: Checkpoint): Promise<Result<Contents, Problem>> {
  const contents = known.get(checkpoint) ?? readContents(checkpoint);
  known.set(checkpoint, contents);
  return contents;
}

async function readContents(checkpoint: Checkpoint): Promise<Result<Contents, Problem>> {
  const tensors = scannedTensors(checkpoint);
  const parts = checkpoint.checksums.map((part): Range => ({ ...part, tensors: [] }));
  const checksums: number[] = [];
  const buffer = new Uint8Array(pieceBytes);
  const loose = placedIn(parts, tensors);
  for (const part of parts) {
    const sum = await readRange(part, buffer);
    if (!sum.ok) return sum;
    checksums.push(sum.value);
  }
  for (const scanned of loose) {
    const { source, offset, bytes } = scanned.tensor;
    const read = await readRange({ source, offset, size: bytes, tensors: [scanned] }, buffer, false);
    if (!read.ok) return read;
  }
  return ok({ checksums, tensors });
}

function scannedTensors({ weights, optimizer }: Checkpoint): readonly Scanned[] {
  const moments = (optimizer?.states ?? []).flatMap(({ tensors }) => [...tensors]);
  const scanned: readonly Scanned[] = [
    ...weights.map((tensor) => ({ tensor, kind: 'weight', fault: null }) as const),
    ...moments.map(
      ([key, tensor]) =>
        ({ tensor, kind: secondMoments.has(key) ? 'average of squares' : 'moment', fault: null }) as const,
    ),
  ];
  return scanned.filter(({ tensor }) => isFloat(tensor.dtype));
}

/** Gives each tensor to the part of its file that holds it, and returns those that no part holds. */
function placedIn(parts: readonly Range[], tensors: readonly Scanned[]): readonly Scanned[] {
  const bySource = new Map<ByteSource, Range[]>();
  for (const part of parts.toSorted((a, b) => a.offset - b.offset)) {
    const own = bySource.get(part.source);
    if (own) own.push(part);
    else bySource.set(part.source, [part]);
  }
  return tensors.filter((scanned) => {
    const { source, offset, bytes } = scanned.tensor;
    const own = bySource.get(source) ?? [];
    const part = own[lastBegun(own, offset)];
    if (!part || offset + bytes > part.offset + part.size) return true;
    part.tensors.push(scanned);
    return false;
  });
}

/** The index of the last part that begins at `offset` or before it; −1 if there is none. */
function lastBegun(parts: readonly Range[], offset: number): number {
  let [low, high] = [0, parts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((parts[middle]?.offset ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The CRC-32 of a range, 0 unless it is wanted; notes the first fault of each of its tensors. */
async function readRange(
  { source, offset, size, tensors }: Range,
  buffer: Uint8Array,
  wantsChecksum = true,
): Promise<Result<number, Problem>> {
  let checksum = 0;
  for (let at = 0; at < size; at += pieceBytes) {
    const piece = await source.read(offset + at, Math.min(pieceBytes, size - at), buffer);
    if (!piece.ok) return piece;
    if (wantsChecksum) checksum = crc32(piece.value, checksum);
    for (const scanned of tensors) scanned.fault ??= faultFrom(scanned, piece.value, offset + at);
  }
  return ok(checksum);
}

/** The first fault of a tensor in a piece of its file; a piece begins and ends between its elements. */
function faultFrom({ tensor, kind }: Scanned, piece: Uint8Array, at: number): Element | null {
  const { dtype, offset, bytes, shape } = tensor;
  const from = Math.max(0, offset - at);
  const own = piece.subarray(from, Math.max(from, offset + bytes - at));
  const fault = own.length === 0 ? null : faultOf(dtype, own, kind);
  const count = shape.reduce((product, n) => product * n, 1);
  const before = ((at + from - offset) / bytes) * count;
  return fault && { ...fault, index: before + fault.index };
}
