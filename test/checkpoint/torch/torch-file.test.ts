/**
 * Archives of `torch.save`, healthy and hostile.
 *
 * Holds src/checkpoint/torch/stored-zip.ts, src/checkpoint/torch/torch-tensors.ts.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ByteSource } from '../../../src/checkpoint/byte-source.ts';
import { readStoredZip } from '../../../src/checkpoint/torch/stored-zip.ts';
import { openTorchFile } from '../../../src/checkpoint/torch/torch-file.ts';
import { placedTensor, torchTensor } from '../../../src/checkpoint/torch/torch-tensors.ts';
import { entriesOf } from '../../../src/pickle/pickled.ts';
import { storedZip, torchFile } from '../../support/torch-file.ts';

const sourceOf = (bytes: Uint8Array): ByteSource => ({
  size: bytes.length,
  read: async (offset, length) => ({ ok: true, value: bytes.slice(offset, offset + length) }),
});

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

describe('an archive', () => {
  it('gives the range of each entry', async () => {
    const bytes = storedZip([
      ['a/one', text('first')],
      ['a/two', text('second')],
    ]);
    const entries = await readStoredZip(sourceOf(bytes));
    if (!entries.ok) throw new Error(entries.error.message);
    const found = [...entries.value.values()].map(({ name, offset, size }) => [
      name,
      Buffer.from(bytes.subarray(offset, offset + size)).toString(),
    ]);
    expect(found).toEqual([
      ['a/one', 'first'],
      ['a/two', 'second'],
    ]);
  });

  it('of many small entries is read in few pieces, and one of large ones without their bytes', async () => {
    const small = Array.from({ length: 3000 }, (_, i) => [`archive/data/ë${i}`, new Uint8Array(i % 50)] as const);
    const large = Array.from({ length: 4 }, (_, i) => [`large/${i}`, new Uint8Array(100_000)] as const);
    const bytes = storedZip([...small, ...large, ...small.map(([name, data]) => [`${name}'`, data] as const)]);
    const source = sourceOf(bytes);
    let [reads, total] = [0, 0];
    const counted: ByteSource = {
      ...source,
      read: (offset, length) => {
        reads += 1;
        total += length;
        return source.read(offset, length);
      },
    };
    const entries = await readStoredZip(counted);
    expect(entries.ok ? entries.value.size : entries.error.message).toBe(6004);
    for (const [name, data] of [...small, ...large])
      expect(entries.ok && entries.value.get(name)).toMatchObject({ size: data.length });
    expect(reads).toBeLessThan(30);
    expect(total).toBeLessThan(bytes.length - 300_000);
  });

  it('is refused when it is cut off anywhere', async () => {
    const bytes = storedZip([['a', text('first')]]);
    for (let end = 0; end < bytes.length; end++)
      expect(await readStoredZip(sourceOf(bytes.subarray(0, end)))).toMatchObject({ error: { code: 'PV-8501' } });
  });

  it.each([
    [
      'twice the same name',
      (): Uint8Array =>
        storedZip([
          ['a', text('1')],
          ['a', text('2')],
        ]),
      'repeated',
    ],
    [
      'a compressed entry',
      (): Uint8Array => edited((view, central) => view.setUint16(central + 10, 8, true)),
      'compressed',
    ],
    [
      'an encrypted entry',
      (): Uint8Array => edited((view, central) => view.setUint16(central + 8, 1, true)),
      'encrypted',
    ],
    [
      'an entry outside the file',
      (): Uint8Array => edited((view, central) => view.setUint32(central + 42, 1 << 30, true)),
      'overlaps',
    ],
    [
      'sizes that disagree',
      (): Uint8Array => edited((view, central) => view.setUint32(central + 24, 7, true)),
      'disagree',
    ],
    ['another name in its own header', (): Uint8Array => edited((view) => view.setUint8(30, 0x62)), 'another name'],
    [
      'fewer entries than announced',
      (): Uint8Array => edited((view) => view.setUint16(view.byteLength - 12, 9, true)),
      'is missing',
    ],
  ])('with %s is refused', async (_, make, words) => {
    const read = await readStoredZip(sourceOf(make()));
    expect(read.ok ? '' : read.error.message).toContain(words);
  });
});

/** An archive of one entry `a`, with some bytes of its central directory changed. */
function edited(change: (view: DataView, central: number) => void): Uint8Array {
  const bytes = storedZip([['a', text('first')]]);
  change(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 30 + 1 + 5);
  return bytes;
}

describe('a file of torch.save', () => {
  const tensor = { shape: [2, 2], data: Float32Array.of(1, 2, 3, 4) };

  it('says where the numbers of a tensor are', async () => {
    const bytes = torchFile(new Map([['w', tensor]]));
    const file = await openTorchFile(sourceOf(bytes));
    if (!file.ok) throw new Error(file.error.message);
    const found = torchTensor(entriesOf(file.value.pickle.value)?.get('w'));
    expect(found).toMatchObject({ dtype: 'F32', shape: [2, 2], strides: [2, 1], start: 0 });
    const place = found && placedTensor(file.value, sourceOf(bytes), found);
    if (!place?.ok) throw new Error('no place');
    const { offset, bytes: length } = place.value;
    expect([...new Float32Array(bytes.slice(offset, offset + length).buffer)]).toEqual([1, 2, 3, 4]);
  });

  it.each([
    ['of a storage that is missing', { key: '9' }, 'is missing'],
    ['beyond its storage', { start: 1 }, 'takes 4 elements from 1'],
    ['that steps beyond its storage', { strides: [1, 3] }, 'takes 5 elements from 0'],
    ['larger than any file', { shape: [2 ** 52, 2 ** 52], strides: [2 ** 52, 1] }, 'takes'],
  ])('has no place for a tensor %s', async (_, change, words) => {
    const source = sourceOf(torchFile(new Map([['w', tensor]])));
    const file = await openTorchFile(source);
    if (!file.ok) throw new Error(file.error.message);
    const found = torchTensor(entriesOf(file.value.pickle.value)?.get('w'));
    const place = found && placedTensor(file.value, source, { ...found, ...change });
    expect(place?.ok === false ? place.error.message : '').toContain(words);
  });

  it.each([
    ['no pickle', storedZip([['archive/version', text('3')]]), 'no entry */data.pkl'],
    [
      'two pickles',
      storedZip([
        ['a/data.pkl', text('N.')],
        ['b/data.pkl', text('N.')],
      ]),
      'more than one entry',
    ],
    [
      'an unknown byte order',
      storedZip([
        ['a/data.pkl', text('N.')],
        ['a/byteorder', text('middle')],
      ]),
      'neither little nor big',
    ],
  ])('with %s is refused', async (_, bytes, words) => {
    const file = await openTorchFile(sourceOf(bytes));
    expect(file.ok ? '' : file.error.message).toContain(words);
  });
});

const real = '../shared/data/resume/torch_pt';

describe.skipIf(!existsSync(real))('files of others', () => {
  it.each(existsSync(real) ? readdirSync(real) : [])('%s is read, or refused with a code', async (name) => {
    const file = await openTorchFile(sourceOf(readFileSync(`${real}/${name}`)));
    expect(file.ok || /^PV-85(?:0[01]|12)$/u.test(file.error.code)).toBe(true);
    if (/^burn-(?:bfloat16|checkpoint|legacy_shared_storage)/u.test(name)) expect(file.ok).toBe(true);
  });
});
