/** Holds src/trace/format/plain-bytes.ts. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { gunzip, gunzipByStream, gzip } from '../../../src/trace/format/gzip.ts';

const bytes = Uint8Array.from({ length: 5000 }, (_, i) => (i * i) % 97);

describe('gzip', () => {
  it('unpacks what it packed, by zlib and as browsers do', async () => {
    const packed = await gzip(bytes);
    expect(packed.length).toBeLessThan(bytes.length);
    expect(await gunzip(packed, bytes.length)).toEqual(new Uint8Array(bytes));
    expect(await gunzipByStream(packed, bytes.length)).toEqual(new Uint8Array(bytes));
  });

  it('unpacks no more than it was told to expect, and a chunk', async () => {
    const bomb = gzipSync(new Uint8Array(64 << 20));
    expect(await gunzip(bomb, 5000)).toBeNull();
    const unpacked = await gunzipByStream(bomb, 5000);
    expect(unpacked.length).toBeGreaterThan(5000);
    expect(unpacked.length).toBeLessThan(1 << 20);
  });

  it.each<readonly [string, Uint8Array, number]>([
    ['fewer bytes than declared', gzipSync(bytes), 5001],
    ['more bytes than declared', gzipSync(bytes), 4999],
    ['an end that is cut', gzipSync(bytes).subarray(0, -1), 5000],
    ['bytes behind it', Uint8Array.of(...gzipSync(bytes), 0), 5000],
    ['a second member', Uint8Array.of(...gzipSync(bytes), ...gzipSync(bytes)), 5000],
    ['another checksum', gzipSync(bytes).map((byte, i, all) => (i === all.length - 5 ? byte ^ 1 : byte)), 5000],
    ['nothing', new Uint8Array(0), 0],
  ])('refuses %s', async (_, packed, length) => {
    expect(await gunzip(packed, length)).toBe(null);
  });
});
