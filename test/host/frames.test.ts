/** Holds src/host/frames.ts. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { frameOf, frameReader } from '../../src/host/frames.ts';

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

describe('frames', () => {
  it('give the messages again, in whatever pieces they arrive', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 20 })), fc.integer({ min: 1, max: 9 }), (messages, step) => {
        const bytes = joined(messages.map(frameOf));
        const found: Uint8Array[] = [];
        const read = frameReader(
          (message) => found.push(message),
          () => expect.unreachable(),
        );
        for (let from = 0; from < bytes.length; from += step) read(bytes.subarray(from, from + step));
        expect(found).toEqual(messages);
      }),
    );
  });

  it('break at a length that no message has, and give nothing after it', () => {
    const found: Uint8Array[] = [];
    let broken = 0;
    const read = frameReader(
      (message) => found.push(message),
      () => broken++,
    );
    read(joined([frameOf(Uint8Array.of(1)), Uint8Array.of(255, 255, 255, 255), frameOf(Uint8Array.of(2))]));
    read(frameOf(Uint8Array.of(3)));
    expect(found).toEqual([Uint8Array.of(1)]);
    expect(broken).toBe(1);
  });
});
