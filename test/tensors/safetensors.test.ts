/** Reading and writing safetensors, as others do, and files that are refused. */
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { float32Of, readSafetensors, writeSafetensors } from '../../src/tensors/safetensors.ts';

/** A file with this header and this many bytes of data. */
function fileOf(header: string, data = 0, length = header.length): Uint8Array {
  const size = new Uint8Array(8);
  new DataView(size.buffer).setBigUint64(0, BigInt(length), true);
  return concatBytes(size, utf8ToBytes(header), new Uint8Array(data));
}

const entry = (dtype: string, shape: readonly number[], start: number, end: number): string =>
  JSON.stringify({ dtype, shape, data_offsets: [start, end] });

describe('a file', () => {
  it('has the bytes that the reference library writes', () => {
    const bytes = concatBytes(...writeSafetensors([{ name: 'w', shape: [1, 2], data: Float32Array.of(1, -2) }]));
    const header = '{"w":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}}';
    expect(bytes).toEqual(
      concatBytes(
        Uint8Array.of(56, 0, 0, 0, 0, 0, 0, 0),
        utf8ToBytes(header),
        Uint8Array.of(0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0),
      ),
    );
  });

  it('reads back as it was written, whatever the names', () => {
    const name = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => text !== '__metadata__');
    const tensors = fc.uniqueArray(fc.tuple(name, fc.array(fc.float(), { maxLength: 9 })), {
      selector: ([key]) => key,
      maxLength: 6,
    });
    fc.assert(
      fc.property(tensors, fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 }), (given, metadata) => {
        const written = given.map(([key, values]) => ({
          name: key,
          shape: [values.length],
          data: Float32Array.from(values),
        }));
        const read = readSafetensors(concatBytes(...writeSafetensors(written, metadata)));
        expect(read.ok && read.value.metadata).toEqual(metadata);
        for (const { name: key, data } of written) {
          const tensor = read.ok ? read.value.tensors.get(key) : undefined;
          expect(tensor && float32Of(tensor)).toEqual(data);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('may have tensors of other types, in any order, or none', () => {
    const read = readSafetensors(fileOf(`{"b":${entry('BF16', [2, 1], 8, 12)},"a":${entry('I64', [], 0, 8)}}`, 12));
    expect(read.ok && read.value.tensors.get('b')?.bytes).toHaveLength(4);
    expect(readSafetensors(fileOf('{}')).ok).toBe(true);
  });
});

describe('a file is refused', () => {
  const huge = new Uint8Array(8).fill(0xff);
  it.each([
    ['that is empty', new Uint8Array(0)],
    ['of which the header is cut', fileOf('{}', 0, 3)],
    ['with a header longer than any', huge],
    ['with a header that is not JSON', fileOf('{"a":')],
    ['with a header that is a list', fileOf('[]')],
    ['with white space before the header', fileOf(' {}')],
    ['with a name twice', fileOf(`{"a":${entry('U8', [1], 0, 1)},"a":${entry('U8', [1], 0, 1)}}`, 1)],
    ['with a type of no kind', fileOf(`{"a":${entry('toString', [1], 0, 1)}}`, 1)],
    ['with a shape that is not its size', fileOf(`{"a":${entry('F32', [2], 0, 4)}}`, 4)],
    ['with a shape that overflows', fileOf(`{"a":${entry('F32', [2 ** 40, 2 ** 40], 0, 4)}}`, 4)],
    ['with a negative size', fileOf(`{"a":${entry('U8', [-1], 0, 1)}}`, 1)],
    ['with offsets beyond its end', fileOf(`{"a":${entry('U8', [2], 0, 2)}}`, 1)],
    ['with tensors that overlap', fileOf(`{"a":${entry('U8', [2], 0, 2)},"b":${entry('U8', [2], 1, 3)}}`, 3)],
    ['with a gap', fileOf(`{"a":${entry('U8', [1], 0, 1)},"b":${entry('U8', [1], 2, 3)}}`, 3)],
    ['with bytes that no tensor has', fileOf(`{"a":${entry('U8', [1], 0, 1)}}`, 2)],
    ['with metadata that are no texts', fileOf('{"__metadata__":{"a":1}}')],
  ])('%s', (_, file) => {
    expect(readSafetensors(file)).toMatchObject({ ok: false, error: { code: 'PV-8420' } });
  });

  it('or read, but never more: any bytes changed', () => {
    const whole = concatBytes(...writeSafetensors([{ name: 'w', shape: [2, 2], data: Float32Array.of(1, 2, 3, 4) }]));
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), (place, value) => {
        const changed = whole.slice();
        changed[place] = value;
        const read = readSafetensors(changed);
        expect(read.ok || read.error.code === 'PV-8420').toBe(true);
      }),
    );
  });
});

it('has as many tensors as large models do', () => {
  const tensors = Array.from({ length: 700 }, (_, i) => ({ name: `layer.${i}`, shape: [1], data: Float32Array.of(i) }));
  const read = readSafetensors(concatBytes(...writeSafetensors(tensors)));
  expect(read.ok && read.value.tensors.size).toBe(700);
});
