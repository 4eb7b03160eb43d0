import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createUlids, parseUlid, systemRandom, ulidTime } from '../../src/federated/ulid.ts';

describe('ULIDs', () => {
  it('are those of the specification', () => {
    const next = createUlids(
      () => 1_469_918_176_385,
      (length) => new Uint8Array(length),
    );
    expect(next()).toBe('01ARYZ6S410000000000000000');
    expect(next()).toBe('01ARYZ6S410000000000000001');
  });

  it('increase, whatever the clock and the random source do, and keep their time', () => {
    const clock = fc.array(fc.nat(3), { minLength: 2, maxLength: 30 });
    fc.assert(
      fc.property(clock, fc.constantFrom(0, 255, 256), (times, byte) => {
        let at = 0;
        const random = (length: number): Uint8Array =>
          byte === 256 ? systemRandom(length) : new Uint8Array(length).fill(byte);
        const next = createUlids(() => 1000 + (times[at++] ?? 0), random);
        const made = times.map(() => next());
        expect(made.toSorted()).toEqual(made);
        expect(new Set(made).size).toBe(made.length);
        expect(made.every((id) => parseUlid(id) === id && ulidTime(id) >= 1000)).toBe(true);
      }),
    );
  });

  it('have one spelling', () => {
    for (const text of [
      '',
      '01ARYZ6S41',
      '01aryz6s410000000000000000',
      '8ZZZZZZZZZZZZZZZZZZZZZZZZZ',
      '01ARYZ6S41000000000000000I',
      '01ARYZ6S41000000000000000U',
      ' 1ARYZ6S410000000000000000',
      '01ARYZ6S410000000000000000\n',
    ])
      expect(parseUlid(text)).toBeNull();
    expect(parseUlid('7ZZZZZZZZZZZZZZZZZZZZZZZZZ')).not.toBeNull();
  });
});
