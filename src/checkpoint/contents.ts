/**
 * What is in the bytes of a checkpoint: hashes and checksums that do not match, and numbers that no healthy run has. Each byte is read
 * once for all of them, in pieces, so that the size of a checkpoint does not matter for memory.
 */
import { createHash, type Hash } from 'node:crypto';
import { ok, type Result } from '../base/result.ts';
import type { Problem } from '../base/problem.ts';
import type { ByteSource } from './byte-source.ts';
import type { Checkpoint, StoredTensor } from './checkpoint.ts';
import { partChecksums } from './part-checksums.ts';
import { factored } from './parameter-shape.ts';
import { faultIn, isFloat, mayBeUnusual, nonZeroSpan, pieceBytes, type Element, type Span } from './numbers.ts';

/** What one pass found. */
export interface Contents {
  /** Of the parts that have checksums, in their order: what was computed. */
  readonly checksums: readonly number[];
  /** Of the files that have hashes, in their order: what was computed. Null for a file of another size, which is not hashed. */
  readonly hashes: readonly (string | null)[];
  /** Tensors of weights and optimizer that pv reads. */
  readonly tensors: readonly CheckedTensor[];
}

/** A tensor whose numbers were read. */
interface CheckedTensor {
  readonly tensor: StoredTensor;
  readonly kind: NumberKind;
  /** The first element that no healthy run has; null if there is none. */
  readonly fault: Element | null;
  /** Its first and last byte that is not of a zero, counted from its beginning; null if all are. */
  readonly nonZero: Span | null;
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
  nonZero: Span | null;
}

/** A range of a file that is read from its beginning to its end. */
interface Range {
  readonly source: ByteSource;
  readonly offset: number;
  size: number;
  /** Of the whole range, if that is wanted. */
  readonly hash?: Hash;
  /** Indexes of the parts with checksums that are in it. */
  readonly parts: number[];
  readonly tensors: Scanned[];
}

/** Less than this between two parts or tensors is read rather than skipped. */
const smallGap = 4096;

const known = new WeakMap<Checkpoint, Promise<Result<Contents, Problem>>>();

/** The contents of `checkpoint`, read when they are first asked for. */
export function contentsOf(checkpoint: Checkpoint): Promise<Result<Contents, Problem>> {
  const contents = known.get(checkpoint) ?? readContents(checkpoint);
  known.set(checkpoint, contents);
  return contents;
}

async function readContents(checkpoint: Checkpoint): Promise<Result<Contents, Problem>> {
  const tensors = scannedTensors(checkpoint);
  const files = (checkpoint.hashes?.files ?? []).map(({ source, bytes }): Range | null =>
    source.size === bytes
      ? { source, offset: 0, size: bytes, hash: createHash('sha256'), parts: [], tensors: [] }
      : null,
  );
  const ranges = files.filter((file) => file !== null);
  const whole = new Map(ranges.map((range) => [range.source, range]));
  const parts = [...checkpoint.checksums.entries()].toSorted(([, one], [, other]) => one.offset - other.offset);
  const last = new Map<ByteSource, Range>();
  for (const [index, { source, offset, size }] of parts) {
    const file = whole.get(source) ?? last.get(source);
    const isNear = file !== undefined && (file.hash !== undefined || offset <= file.offset + file.size + smallGap);
    const range = isNear ? file : { source, offset, size, parts: [], tensors: [] };
    if (!isNear) ranges.push(range);
    range.parts.push(index);
    if (range.hash === undefined) range.size = Math.max(range.size, offset + size - range.offset);
    last.set(source, range);
  }
  const loose = placedIn(ranges, tensors);
  const checksums = checkpoint.checksums.map(() => 0);
  const buffer = new Uint8Array(pieceBytes);
  for (const range of [...ranges, ...joined(loose)]) {
    const read = await readRange(range, checkpoint.checksums, checksums, buffer);
    if (!read.ok) return read;
  }
  return ok({ checksums, hashes: files.map((file) => file?.hash?.digest('hex') ?? null), tensors });
}

function scannedTensors({ weights, optimizer }: Checkpoint): readonly Scanned[] {
  const moments = (optimizer?.states ?? []).flatMap(({ tensors }) => [...tensors]);
  const scanned: readonly Scanned[] = [
    ...weights.map((tensor) => ({ tensor, kind: 'weight', fault: null, nonZero: null }) as const),
    ...moments.map(
      ([key, tensor]) =>
        ({
          tensor,
          kind: secondMoments.has(key) ? 'average of squares' : 'moment',
          fault: null,
          nonZero: null,
        }) as const,
    ),
  ];
  return scanned.filter(({ tensor }) => isFloat(tensor.dtype));
}

/** Gives each tensor to the range that holds it, and returns those that no range holds. */
function placedIn(ranges: readonly Range[], tensors: readonly Scanned[]): readonly Scanned[] {
  const bySource = new Map<ByteSource, Range[]>();
  for (const range of ranges.toSorted((a, b) => a.offset - b.offset)) {
    const own = bySource.get(range.source);
    if (own) own.push(range);
    else bySource.set(range.source, [range]);
  }
  return tensors.filter((scanned) => {
    const { source, offset, bytes } = scanned.tensor;
    const own = bySource.get(source) ?? [];
    const range = own[lastBegun(own, offset)];
    if (!range || offset + bytes > range.offset + range.size || !isAligned(range, scanned)) return true;
    range.tensors.push(scanned);
    return false;
  });
}

/** The index of the last range that begins at `offset` or before it; −1 if there is none. */
function lastBegun(ranges: readonly Range[], offset: number): number {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.offset ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** No element is cut by the end of a piece. */
function isAligned({ offset }: Pick<Range, 'offset'>, { tensor }: Scanned): boolean {
  const count = tensor.shape.reduce((product, n) => product * n, 1);
  const pieceOf = (at: number): number => Math.floor((at - offset) / pieceBytes);
  if (count === 0 || pieceOf(tensor.offset) === pieceOf(tensor.offset + tensor.bytes - 1)) return true;
  return (tensor.offset - offset) % (tensor.bytes / count) === 0;
}

/** Ranges of tensors that follow each other in their file: a file of many small tensors is not read in as many pieces. */
function joined(tensors: readonly Scanned[]): readonly Range[] {
  const bySource = new Map<ByteSource, Scanned[]>();
  for (const scanned of tensors) {
    const { source } = scanned.tensor;
    const own = bySource.get(source);
    if (own) own.push(scanned);
    else bySource.set(source, [scanned]);
  }
  return [...bySource].flatMap(([source, own]) => {
    const ranges: Range[] = [];
    for (const scanned of own.toSorted((a, b) => a.tensor.offset - b.tensor.offset)) {
      const { offset, bytes } = scanned.tensor;
      const last = ranges.at(-1);
      if (last !== undefined && offset <= last.offset + last.size + smallGap && isAligned(last, scanned)) {
        last.tensors.push(scanned);
        last.size = Math.max(last.size, offset + bytes - last.offset);
      } else ranges.push({ source, offset, size: bytes, parts: [], tensors: [scanned] });
    }
    return ranges;
  });
}

/** Notes the hash, the checksums and the first fault of each tensor of a range. */
async function readRange(
  { source, offset, size, hash, parts, tensors }: Range,
  listed: Checkpoint['checksums'],
  checksums: number[],
  buffer: Uint8Array,
): Promise<Result<void, Problem>> {
  const sums = partChecksums(parts.flatMap((index) => listed[index] ?? []));
  const inOrder = tensors.toSorted((a, b) => a.tensor.offset - b.tensor.offset);
  let first = 0;
  for (let at = offset; at < offset + size; at += pieceBytes) {
    const piece = await source.read(at, Math.min(pieceBytes, offset + size - at), buffer);
    if (!piece.ok) return piece;
    hash?.update(piece.value);
    sums.update(at, piece.value);
    for (let i = first; i < inOrder.length; i++) {
      const scanned = inOrder[i];
      if (scanned === undefined || scanned.tensor.offset >= at + piece.value.length) break;
      scanned.fault ??= faultFrom(scanned, piece.value, at);
      if (i === first && scanned.tensor.offset + scanned.tensor.bytes <= at + piece.value.length) first += 1;
    }
  }
  for (const [i, sum] of sums.values().entries()) checksums[parts[i] ?? 0] = sum;
  return ok(undefined);
}

/** The first fault of a tensor in a piece of its file, of which it notes what is not zero; a piece begins and ends between its elements. */
function faultFrom(scanned: Scanned, piece: Uint8Array, at: number): Element | null {
  const { tensor, kind } = scanned;
  const { dtype, offset, bytes, shape } = tensor;
  const from = Math.max(0, offset - at);
  const own = piece.subarray(from, Math.max(from, offset + bytes - at));
  const span = nonZeroSpan(dtype, own);
  if (span !== null) {
    const start = at + from - offset;
    scanned.nonZero = { first: scanned.nonZero?.first ?? start + span.first, last: start + span.last };
  }
  const fault = own.length === 0 ? null : faultOf(dtype, own, kind);
  const count = shape.reduce((product, n) => product * n, 1);
  const before = ((at + from - offset) / bytes) * count;
  return fault && { ...fault, index: before + fault.index };
}
