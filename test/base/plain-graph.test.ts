import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readGraph, writeGraph } from '../../src/base/plain-graph.ts';

const read = (value: object): unknown => {
  const line = writeGraph(value);
  if (line === null) throw new Error('not written');
  return readGraph(line);
};

/** Plain data as JSON has it, apart from −0. */
const plain = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('-0') && !hasNegativeZero(value));

function hasNegativeZero(value: unknown): boolean {
  if (typeof value === 'number') return Object.is(value, -0);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasNegativeZero);
}

describe('a graph of plain data', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(plain, (value) => {
        expect(read([value])).toEqual([value]);
      }),
    );
    const odd = { '': [[]], '-1': {}, constructor: 'no', nested: [{ a: null }, { a: false }, [1], ['[1]']] };
    expect(read(odd)).toEqual(odd);
    const named: unknown = JSON.parse('{"__proto__": {"x": 1}, "y": 2}');
    expect(JSON.stringify(read([named]))).toBe('[{"__proto__":{"x":1},"y":2}]');
  });

  it('stands once however often it is used: 2^60 leaves take sixty rows', () => {
    let tree: object = { leaf: true };
    for (let i = 0; i < 60; i++) tree = { left: tree, right: tree };
    expect(writeGraph(tree)?.length).toBeLessThan(2000);
    const back = read(tree) as { readonly left: object; readonly right: object };
    expect(back.left).toBe(back.right);
  });

  it('leaves out keys without a value, as JSON does', () => {
    expect(read({ a: undefined, b: 1 })).toEqual({ b: 1 });
  });

  it.each([
    ['a function', { f: () => 1 }],
    ['a Map', { m: new Map() }],
    ['NaN', [Number.NaN]],
    ['an infinity', [Infinity]],
    ['minus zero', [-0]],
    ['nothing in a list', [undefined]],
    ['a big integer', [1n]],
  ])('is not written with %s in it', (_, value) => {
    expect(writeGraph(value)).toBeNull();
  });

  it('is not written when it is deeper than a stack is safe for', () => {
    let deep: object = [];
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(writeGraph(deep)).toBeNull();
  });
});
