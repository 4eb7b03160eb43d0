/** Numbers of up to 32 bits in one form each. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pushVarint, readVarint, type Cursor } from '../../../src/trace/format/varint.ts';

const written = (value: number): Uint8Array => {
  const bytes: number[] = [];
  pushVarint(bytes, value);
  return Uint8Array.from(bytes);
};
const read = (...bytes: number[]): { value: ReturnType<typeof readVarint>; at: number } => {
  const cursor: Cursor = { bytes: Uint8Array.from(bytes), at: 0 };
  return { value: readVarint(cursor), at: cursor.at };
};

describe('a varint', () => {
  it.each([
    [0, '00'],
    [127, '7f'],
    [128, '8001'],
    [16_383, 'ff7f'],
    [16_384, '808001'],
    [0xffff_ffff, 'ffffffff0f'],
  ])('of %i is %s', (value, hex) => {
    expect(Buffer.from(written(value)).toString('hex')).toBe(hex);
    expect(read(...written(value))).toEqual({ value, at: hex.length / 2 });
  });

  it('is read back whatever surrounds it, and fails wherever it is cut', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffff_ffff }), fc.nat(3), fc.uint8Array(), (value, before, behind) => {
        const bytes = written(value);
        const cursor: Cursor = { bytes: Uint8Array.of(...new Uint8Array(before), ...bytes, ...behind), at: before };
        expect(readVarint(cursor)).toBe(value);
        expect(cursor.at).toBe(before + bytes.length);
        for (let length = 0; length < bytes.length; length++) {
          expect(read(...bytes.subarray(0, length))).toEqual({ value: 'cut', at: 0 });
        }
      }),
    );
  });

  it.each([
    ['a needless zero', [0x80, 0x00]],
    ['33 bits', [0xff, 0xff, 0xff, 0xff, 0x1f]],
    ['a sixth byte', [0x80, 0x80, 0x80, 0x80, 0x80, 0x01]],
    ['a sixth byte, cut before it', [0x80, 0x80, 0x80, 0x80, 0x80]],
  ])('with %s is malformed, and nothing is taken for read', (_, bytes) => {
    expect(read(...bytes)).toEqual({ value: 'malformed', at: 0 });
  });
});
