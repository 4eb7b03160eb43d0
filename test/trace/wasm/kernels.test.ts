/** Each kernel against the plain loop that it stands for, bit for bit. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as plain from '../../../src/trace/engine/operations.ts';
import { createRotations, rotate } from '../../../src/trace/engine/rope.ts';
import { bits, createRoom, draws } from './room.ts';

const room = createRoom();
const sizes = fc.integer({ min: 1, max: 75 });

test('rmsnorm', () => {
  fc.assert(
    fc.property(draws, sizes, ({ numbers }, n) => {
      const [x, gain] = [numbers('x', n), numbers('gain', n)];
      const out = room.empty(n);
      room.kernels.rmsnorm(out, room.put(x), room.put(gain), n);
      expect(bits(room.take(out, n))).toEqual(bits(plain.rmsnorm(x, gain)));
    }),
  );
});

test('add', () => {
  fc.assert(
    fc.property(draws, sizes, ({ numbers }, n) => {
      const [x, y] = [numbers('x', n), numbers('y', n)];
      const at = room.put(x);
      room.kernels.add(at, room.put(y), n);
      expect(bits(room.take(at, n))).toEqual(bits(plain.add(x, y)));
    }),
  );
});

test('swiglu', () => {
  fc.assert(
    fc.property(draws, sizes, ({ numbers }, n) => {
      const [gate, up] = [numbers('gate', n), numbers('up', n)];
      const at = room.put(gate);
      room.kernels.swiglu(at, room.put(up), n);
      expect(bits(room.take(at, n))).toEqual(bits(plain.swiglu(gate, up)));
    }),
  );
});

test('softmax of divided scores', () => {
  fc.assert(
    fc.property(draws, sizes, fc.integer({ min: 1, max: 128 }), ({ numbers }, n, d) => {
      const scores = numbers('scores', n);
      const divisor = Math.fround(Math.sqrt(d));
      const at = room.put(scores);
      room.kernels.softmax(at, n, divisor);
      const expected = plain.softmax(scores.map((score) => score / divisor));
      expect(bits(room.take(at, n))).toEqual(bits(expected));
    }),
  );
});

test('rotate', () => {
  fc.assert(
    fc.property(draws, fc.integer({ min: 1, max: 40 }), fc.nat(4096), ({ numbers }, pairs, position) => {
      const x = numbers('x', 2 * pairs);
      const { cosines, sines } = createRotations(2 * pairs)(position);
      const twice = (angles: Float32Array, sign: 1 | -1): Float32Array =>
        Float32Array.from(x, (_, i) => (i % 2 === 0 ? sign : 1) * (angles[Math.floor(i / 2)] ?? 0));
      const at = room.put(x);
      room.kernels.rotate(at, room.put(twice(cosines, 1)), room.put(twice(sines, -1)), x.length);
      expect(bits(room.take(at, x.length))).toEqual(bits(rotate(x, cosines, sines)));
    }),
  );
});
