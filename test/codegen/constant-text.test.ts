import { runInThisContext } from 'node:vm';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { constantText } from '../../src/codegen/constant-text.ts';

/** What the text stands for, read as the JavaScript that it is without its types. */
function read(value: unknown): unknown {
  const { parts, expression } = constantText(value);
  const constants = parts.map((part) => part.replace(/ as const;$/u, ';')).join('\n');
  return runInThisContext(`(() => {\n${constants}\nreturn ${expression};\n})()`);
}

/** The lines of all of it. */
function linesOf(value: unknown): readonly string[] {
  const { parts, expression } = constantText(value);
  return [...parts, expression].flatMap((text) => text.split('\n'));
}

const scalar = fc.oneof(fc.double(), fc.string({ unit: 'binary' }), fc.boolean(), fc.constant(null));
const plain = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.array(tie('value')),
    // No `origin`: what is called so becomes null.
    fc.dictionary(fc.stringMatching(/^[a-n ]{1,5}$/u), tie('value')),
  ),
}));

const variable = (name: string, origin: unknown = null): object => ({
  kind: 'variable',
  name,
  type: { kind: 'integer' },
  origin,
});

describe('constants', () => {
  it('are what they were, with −0, NaN and the infinities, also where parts of them repeat', () => {
    fc.assert(
      fc.property(plain.value, (value) => {
        expect(read(value)).toEqual(value);
        const twice = { a: [value, { b: value }], c: structuredClone(value) };
        expect(read(twice)).toEqual(twice);
      }),
    );
  });

  it('are on one line if that is short', () => {
    const value = { a: [1, -0, { b: 'x' }], 'c d': [], e: {}, f: null };
    expect(constantText(value)).toEqual({
      parts: [],
      expression: '{ a: [1, -0, { b: "x" }], "c d": [], e: {}, f: null }',
    });
  });

  it('write repeated parts once, wherever they came from', () => {
    const sum = { fn: 'add', arguments: [variable('n', { start: 1, end: 2 }), variable('m')] };
    const value = { left: sum, right: [{ fn: 'negate', arguments: [structuredClone(sum)] }, variable('n')] };
    const { parts, expression } = constantText(value);
    expect(parts).toEqual([
      'const part1 = { kind: "variable", name: "n", type: { kind: "integer" }, origin: null } as const;',
      `const part2 = {
  fn: "add",
  arguments: [part1, { kind: "variable", name: "m", type: { kind: "integer" }, origin: null }],
} as const;`,
    ]);
    expect(expression).toBe('{ left: part2, right: [{ fn: "negate", arguments: [part2] }, part1] }');
  });

  it('have lines of at most 120 columns and their indent; numbers fill them', () => {
    const numbers = Array.from({ length: 1000 }, (_, i) => i / 7);
    const lines = linesOf({ numbers });
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(130);
    expect(lines.length).toBeLessThan(200);
  });

  it('grow with the terms that differ, not with how often they are used', () => {
    let term: object = variable('x');
    for (let depth = 0; depth < 200; depth++) term = { fn: 'add', arguments: [term, term], type: { kind: 'real' } };
    expect(linesOf(term).length).toBeLessThan(205);
  });
});
