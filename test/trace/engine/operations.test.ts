/** Holds src/trace/engine/rope.ts. */
import { describe, expect, test } from 'vitest';
import { streamFor, unitFloat } from '../../../src/numeric/xoshiro.ts';
import {
  add,
  groupedAttention,
  matrixProduct,
  rmsnorm,
  softmax,
  swiglu,
} from '../../../src/trace/engine/operations.ts';
import { createRotations, rotate } from '../../../src/trace/engine/rope.ts';

const stream = streamFor(5, 'operations');
const vector = (length: number, spread = 2): Float32Array =>
  Float32Array.from({ length }, () => (2 * unitFloat(stream) - 1) * spread);

/** Each number within 1e-5 of the exact one, relative to 1 or to its size. */
function near(actual: Float32Array, exact: readonly number[]): void {
  expect(actual.length).toBe(exact.length);
  exact.forEach((value, i) =>
    expect(Math.abs((actual[i] ?? Number.NaN) - value)).toBeLessThan(1e-5 * Math.max(1, Math.abs(value))),
  );
}

const dot = (a: readonly number[] | Float32Array, b: readonly number[] | Float32Array): number =>
  Array.from(a).reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);

describe('in strict float32', () => {
  const x = vector(64);
  const y = vector(64);
  const matrix = vector(32 * 64);

  test('a product rounds each of its operations, which sums in float64 do not', () => {
    const rows = Array.from({ length: 32 }, (_, row) => matrix.subarray(row * 64, (row + 1) * 64));
    const product = matrixProduct(matrix, x);
    near(
      product,
      rows.map((row) => dot(row, x)),
    );
    expect(product).not.toEqual(Float32Array.from(rows, (row) => dot(row, x)));
    // 1 + 2^-24 is 1, twice; from the right it would be 1 + 2^-23.
    expect([...matrixProduct(Float32Array.of(1, 2 ** -24, 2 ** -24), Float32Array.of(1, 1, 1))]).toEqual([1]);
    // (1 + 2^-12)² − 1 without a fused multiply-add: the square has lost its 2^-24.
    const close = 1 + 2 ** -12;
    expect([...matrixProduct(Float32Array.of(-1, close), Float32Array.of(1, close))]).toEqual([2 ** -11]);
  });

  test('normalisation, sum, gate and softmax are what their formulas say', () => {
    const root = Math.sqrt(dot(x, x) / 64 + 1e-5);
    near(
      rmsnorm(x, y),
      Array.from(x, (value, i) => (value / root) * (y[i] ?? 0)),
    );
    near(
      add(x, y),
      Array.from(x, (value, i) => value + (y[i] ?? 0)),
    );
    near(
      swiglu(x, y),
      Array.from(x, (value, i) => (value / (1 + Math.exp(-value))) * (y[i] ?? 0)),
    );
    const powers = Array.from(x, (value) => Math.exp(value));
    near(
      softmax(x),
      powers.map(
        (power) =>
          power /
          dot(
            powers,
            powers.map(() => 1),
          ),
      ),
    );
  });

  test('softmax of large numbers neither overflows nor loses the likeliest', () => {
    expect([...softmax(Float32Array.of(3e38, 0, -3e38))]).toEqual([1, 0, 0]);
    expect([...softmax(Float32Array.of(-5))]).toEqual([1]);
  });

  test('a gate far below zero is closed', () => {
    expect([...swiglu(Float32Array.of(-1000, 1000), Float32Array.of(2, 2))]).toEqual([-0, 2000]);
  });

  test('nothing is written to the inputs', () => {
    const before = [x, y, matrix].map((input) => [...input]);
    matrixProduct(matrix, x);
    [rmsnorm, add, swiglu].forEach((operation) => operation(x, y));
    softmax(x);
    rotate(x, vector(4), vector(4));
    groupedAttention(x, y, y, 4, 2);
    expect([x, y, matrix].map((input) => [...input])).toEqual(before);
  });
});

describe('attention of one position', () => {
  const [heads, kvHeads, d, positions] = [4, 2, 8, 5];
  const query = vector(heads * d);
  const keys = vector(positions * kvHeads * d);
  const values = vector(positions * kvHeads * d);
  const row = (rows: Float32Array, t: number, head: number) =>
    rows.subarray((t * kvHeads + head) * d, (t * kvHeads + head + 1) * d);

  test('is a mean of the values of its group, weighted by softmax', () => {
    const exact = Array.from({ length: heads }, (_, head) => {
      const group = Math.floor(head / 2);
      const own = query.subarray(head * d, (head + 1) * d);
      const powers = Array.from({ length: positions }, (_, t) =>
        Math.exp(dot(own, row(keys, t, group)) / Math.sqrt(d)),
      );
      const total = powers.reduce((sum, power) => sum + power);
      return Array.from({ length: d }, (_, i) =>
        powers.reduce((sum, power, t) => sum + (power / total) * (row(values, t, group)[i] ?? 0), 0),
      );
    });
    near(groupedAttention(query, keys, values, heads, kvHeads), exact.flat());
  });

  test('to one position is the value there', () => {
    const first = values.subarray(0, kvHeads * d);
    expect([...groupedAttention(query, keys.subarray(0, kvHeads * d), first, heads, kvHeads)]).toEqual(
      [0, 0, 1, 1].flatMap((group) => [...row(values, 0, group)]),
    );
  });
});

describe('rotation', () => {
  const rotationAt = createRotations(8);

  test('leaves position 0 as it is, and turns the first pair of each head by one radian a position', () => {
    const x = vector(16);
    const none = rotationAt(0);
    expect(rotate(x, none.cosines, none.sines)).toEqual(x);
    const { cosines, sines } = rotationAt(3);
    near(
      cosines,
      [0, 1, 2, 3].map((pair) => Math.cos(3 * 10000 ** (-pair / 4))),
    );
    near(
      sines,
      [0, 1, 2, 3].map((pair) => Math.sin(3 * 10000 ** (-pair / 4))),
    );
    const turned = rotate(x, cosines, sines);
    for (const at of [0, 8]) {
      const [even = 0, odd = 0] = x.subarray(at);
      near(turned.subarray(at, at + 2), [
        even * Math.cos(3) - odd * Math.sin(3),
        even * Math.sin(3) + odd * Math.cos(3),
      ]);
    }
  });

  test('is the same whether a position is requested once or again', () => {
    expect(rotationAt(7)).toEqual(createRotations(8)(7));
    expect(rotationAt(7)).toBe(rotationAt(7));
  });
});
