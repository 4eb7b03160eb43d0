import { describe, expect, it } from 'vitest';
import { fromHex } from '../../src/base/hex.ts';

describe('hexadecimal digits', () => {
  it('are read in pairs, in lower case, and nothing beside them', () => {
    expect(fromHex('')).toEqual(new Uint8Array());
    expect(fromHex('00ff1a')).toEqual(Uint8Array.of(0, 255, 26));
    for (const wrong of ['0', '0ff', 'FF', 'zz00', '00zz', '00\n', ' 0', '0x'])
      expect(fromHex(wrong), wrong).toBeNull();
  });
});
