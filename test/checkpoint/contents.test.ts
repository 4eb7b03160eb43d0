/** Holds src/checkpoint/numbers.ts, src/checkpoint/part-checksums.ts. */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ok } from '../../src/base/result.ts';
import type { ByteSource } from '../../src/checkpoint/byte-source.ts';
import type { Checkpoint, StoredTensor } from '../../src/checkpoint/checkpoint.ts';
import { contentsOf } from '../../src/checkpoint/contents.ts';
import { faultIn, mayBeUnusual, pieceBytes } from '../../src/checkpoint/numbers.ts';
import { valueOf } from '../notes/signers.ts';

/** A file in memory that counts what is read of it. */
function fileOf(bytes: Uint8Array): ByteSource & { readonly bytesRead: () => number } {
  let bytesRead = 0;
  return {
    size: bytes.length,
    read: async (offset, length, into = new Uint8Array(length)) => {
      bytesRead += length;
      into.set(bytes.subarray(offset, offset + length));
      return ok(into.subarray(0, length));
    },
    bytesRead: () => bytesRead,
  };
}

const float32 = (name: string, source: ByteSource, offset: number, count: number): StoredTensor => ({
  name,
  dtype: 'F32',
  shape: [count],
  source,
  offset,
  bytes: 4 * count,
  file: 'file',
});

/** As much of a checkpoint as has contents. */
const checkpointOf = (
  weights: readonly StoredTensor[],
  moments: readonly StoredTensor[] = [],
  checksums: Checkpoint['checksums'] = [],
): Checkpoint =>
  ({
    weights,
    optimizer: {
      groups: [],
      states: moments.map((tensor, index) => ({ index, step: 1, tensors: new Map([[tensor.name, tensor]]) })),
    },
    checksums,
  }) as unknown as Checkpoint;

const count = pieceBytes / 4 + 100;

it('reads each byte once for checksums and numbers, also where several tensors share a part', async () => {
  const numbers = new Float32Array(2 * count).fill(1);
  const bytes = new Uint8Array(numbers.buffer);
  numbers[count + 3] = NaN;
  const source = fileOf(bytes);
  const part = { name: 'a', source, offset: 0, size: bytes.length, crc32: 0 };
  const tensors = [
    float32('first', source, 0, count),
    float32('second', source, 4 * count, count),
    float32('tail', source, 4 * (2 * count - 5), 5),
  ];
  const contents = valueOf(await contentsOf(checkpointOf(tensors, [], [part])));
  expect(contents.checksums).toEqual([crc32(bytes)]);
  expect(contents.tensors.map(({ tensor, fault }) => [tensor.name, fault])).toEqual([
    ['first', null],
    ['second', { index: 3, value: NaN }],
    ['tail', null],
  ]);
  expect(source.bytesRead()).toBe(bytes.length);
});

it('finds a fault beyond the first piece, and reads the checkpoint once however often it is asked', async () => {
  const numbers = new Float32Array(count).fill(-1);
  numbers[count - 1] = Infinity;
  const source = fileOf(new Uint8Array(numbers.buffer));
  const checkpoint = checkpointOf([float32('weight', source, 0, count)]);
  const [one, two] = [valueOf(await contentsOf(checkpoint)), valueOf(await contentsOf(checkpoint))];
  expect(one.tensors[0]?.fault).toEqual({ index: count - 1, value: Infinity });
  expect(two).toBe(one);
  expect(source.bytesRead()).toBe(4 * count);
});

it('reads many small tensors in few pieces, and numbers that the pieces would cut', async () => {
  for (const start of [0, 3, 8]) {
    const numbers = new Float32Array(count).fill(1);
    numbers[count - 2] = NaN;
    const bytes = Buffer.concat([Buffer.alloc(start), Buffer.from(numbers.buffer)]);
    const source = fileOf(bytes);
    let reads = 0;
    const counted: ByteSource = { ...source, read: (...given) => (reads++, source.read(...given)) };
    const small = Array.from({ length: count / 4 }, (_, i) => float32(`w${i}`, counted, start + 16 * i, 4));
    // The last one overlaps all others, and begins where no other one does.
    const odd = { ...float32('odd', counted, start + 2, count - 1), dtype: 'F16', shape: [2 * (count - 1)] };
    const contents = valueOf(await contentsOf(checkpointOf([...small, odd])));
    const faults = contents.tensors.flatMap(({ tensor, fault }) => (fault ? [[tensor.name, fault.index]] : []));
    expect(faults).toEqual([
      [`w${count / 4 - 1}`, 2],
      ['odd', expect.any(Number)],
    ]);
    expect(reads).toBeLessThan(6);
  }
});

it('computes the hash of a file with the checksums of its parts and the faults of its tensors in one pass', async () => {
  const numbers = new Float32Array(count).fill(1);
  numbers[7] = NaN;
  const source = fileOf(new Uint8Array(numbers.buffer));
  const bytes = new Uint8Array(numbers.buffer);
  const part = { name: 'a', source, offset: 8, size: bytes.length - 16, crc32: 0 };
  const file = (size: number) => ({ name: 'f', source, bytes: size, sha256: '' });
  const checkpoint = {
    ...checkpointOf([float32('w', source, 0, count)], [], [part]),
    hashes: { by: 'pv-seal.json', files: [file(bytes.length), file(3)], missing: [], unlisted: [] },
  };
  const contents = valueOf(await contentsOf(checkpoint));
  expect(contents.hashes).toEqual([createHash('sha256').update(bytes).digest('hex'), null]);
  expect(contents.checksums).toEqual([crc32(bytes.subarray(8, -8))]);
  expect(contents.tensors[0]?.fault).toEqual({ index: 7, value: NaN });
  expect(source.bytesRead()).toBe(bytes.length);
});

it.each([
  ['a mask', 'weight', -Infinity, null],
  ['a weight', 'weight', Infinity, Infinity],
  ['a first moment', 'exp_avg', -1, null],
  ['a first moment', 'exp_avg', -Infinity, -Infinity],
  ['an average of squares', 'exp_avg_sq', -1e-30, Math.fround(-1e-30)],
  ['an average of squares', 'exp_avg_sq', -0, null],
])('judges %s (%s) of %s', async (_, name, value, fault) => {
  const source = fileOf(new Uint8Array(Float32Array.of(1, value).buffer));
  const tensor = float32(name, source, 0, 2);
  const checkpoint = name === 'weight' ? checkpointOf([tensor]) : checkpointOf([], [tensor]);
  expect(valueOf(await contentsOf(checkpoint)).tensors[0]?.fault?.value ?? null).toBe(fault);
});

it('never passes over a number that is not finite, or negative, by the bits of its type', () => {
  const dtypes = fc.constantFrom('F32', 'F16', 'BF16', 'F64', 'F8_E4M3', 'F8_E5M2');
  // Single bytes that make NaN, infinities and signs likely.
  const byte = fc.oneof(fc.constantFrom(0, 0x7f, 0x80, 0xff, 0x7c, 0xf0), fc.integer({ min: 0, max: 255 }));
  fc.assert(
    fc.property(
      dtypes,
      fc.array(byte, { minLength: 8, maxLength: 64 }),
      fc.nat(7),
      fc.boolean(),
      (dtype, list, from, negatives) => {
        const bytes = Uint8Array.from(list).subarray(from);
        const fault = faultIn(dtype, bytes, (x) => !Number.isFinite(x) || (negatives && x < 0));
        if (fault) expect(mayBeUnusual(dtype, bytes, negatives)).toBe(true);
      },
    ),
    { numRuns: 5_000, seed: 17 },
  );
  expect(mayBeUnusual('F32', new Uint8Array(Float32Array.of(1, -2).buffer), false)).toBe(false);
  expect(mayBeUnusual('BF16', Uint8Array.of(0x80, 0x3f), true)).toBe(false);
});
