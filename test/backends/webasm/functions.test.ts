/**
 * Holds src/backends/webasm/array-functions.ts, src/backends/webasm/math-imports.ts, src/backends/webasm/shape-cache.ts,
 * src/host/web-assembly.ts.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrayFunctions } from '../../../src/backends/webasm/array-functions.ts';
import { mathImport } from '../../../src/backends/webasm/math-imports.ts';
import { shapeCache } from '../../../src/backends/webasm/shape-cache.ts';
import { invariant } from '../../../src/base/invariant.ts';
import { mathFunctions } from '../../../src/subject/kernel-syntax.ts';

const own = Math as unknown as Readonly<Record<string, (...values: number[]) => number>>;
const float = fc.oneof(fc.float({ noDefaultInfinity: false }), fc.float({ min: -8, max: 8, noNaN: true }));

describe('the functions that compiled kernels call', () => {
  const names = Object.keys(arrayFunctions);

  it('are all elementary functions of one argument', () => {
    const exact = ['abs', 'floor', 'ceil', 'round', 'trunc', 'sign', 'sqrt', 'fround'];
    const unary = Object.entries(mathFunctions).flatMap(([name, count]) =>
      count === 1 && !exact.includes(name) ? [name] : [],
    );
    expect(names.toSorted()).toEqual(unary.toSorted());
  });

  it.each(names)('%s is JavaScript’s, rounded once', (name) => {
    fc.assert(
      fc.property(float, (x) => {
        const expected = Math.fround(own[name]?.(x) ?? 0);
        const values = Float32Array.of(x);
        arrayFunctions[name as keyof typeof arrayFunctions]?.(values);
        expect(values[0]).toBe(expected);
        const imported = mathImport(name);
        invariant(typeof imported === 'function', 'a function is imported');
        expect(Math.fround(imported(x))).toBe(expected);
      }),
    );
  });

  it.each(['pow', 'atan2'])('%s takes both arguments', (name) => {
    const imported = mathImport(name);
    invariant(typeof imported === 'function', 'a function is imported');
    fc.assert(
      fc.property(float, float, (x, y) => {
        expect(imported(x, y)).toBe(Math.fround(own[name]?.(x, y) ?? 0));
      }),
    );
  });
});

describe('what is kept for the shapes of calls', () => {
  const call = (n: number, size = n): Parameters<ReturnType<typeof shapeCache>>[0] => ({
    arguments: [new Float32Array(n), size],
    shapes: [[n], []],
    outputShape: [n],
  });

  it('is made once for a shape, with the sizes that belong to it', () => {
    const made: number[] = [];
    const at = shapeCache(8, [1], ({ arguments: [, size] }) => made.push(Number(size)));
    for (const one of [call(2), call(2), call(3), call(2), call(2, 1)]) at(one);
    expect(made).toEqual([2, 3, 1]);
  });

  it('is forgotten in the order in which it was used', () => {
    const made: number[] = [];
    const at = shapeCache(2, [], ({ outputShape }) => made.push(outputShape[0] ?? 0));
    for (const n of [1, 2, 1, 3, 1, 2]) at(call(n));
    expect(made).toEqual([1, 2, 3, 2]);
  });
});
