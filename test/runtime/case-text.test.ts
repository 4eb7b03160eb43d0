import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  inputLines,
  parseInput,
  parseValueHex,
  recordInput,
  valueHex,
  valueText,
} from '../../src/runtime/case-text.ts';
import type { CaseValue } from '../../src/math/compile/compiled.ts';
import { createGenerator } from '../../src/runtime/generate/generator.ts';
import { FLOAT32, INTEGER } from '../../src/math/term/term.ts';
import { domain, input, size } from './domains.ts';
import { randomDomain } from './random-domains.ts';

function bits(value: CaseValue): string {
  if (typeof value === 'object') return `${value.constructor.name}:${Buffer.from(value.buffer).toString('hex')}`;
  return typeof value === 'string' ? JSON.stringify(value) : Object.is(value, -0) ? '-0' : String(value);
}

describe('recorded inputs', () => {
  it('are read back bit by bit, whatever the domain', () => {
    fc.assert(
      fc.property(randomDomain, fc.nat(5000), (given, index) => {
        const generator = createGenerator(given, 5, 'text');
        const drawn = generator.ok ? generator.value.at(index) : null;
        if (!drawn) return;
        const parsed = parseInput(given, JSON.parse(JSON.stringify(recordInput(given, drawn))));
        if (!parsed.ok) expect.fail(parsed.error);
        expect(parsed.value.sizes).toEqual(drawn.sizes);
        expect(parsed.value.values.map(bits)).toEqual(drawn.values.map(bits));
      }),
    );
  });

  it('keep any bytes, NaN payloads included', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 4, maxLength: 64 }).map((bytes) => bytes.slice(0, bytes.length & ~3)),
        (bytes) => {
          const value = new Int32Array(bytes.buffer);
          const parsed = parseValueHex(valueHex(value));
          expect(parsed.ok && bits(parsed.value)).toBe(bits(value));
        },
      ),
    );
  });

  it('are readable', () => {
    expect(valueText(Float32Array.of(0.1, -0, 1e-45, 3.4028235e38), FLOAT32)).toBe('[0.1, -0, 1e-45, 3.4028235e38]');
    expect(valueText(Math.fround(1 / 3), { kind: 'real' })).toBe('0.33333334');
    expect(valueText(1 / 3, { kind: 'float', format: 'f64' })).toBe('0.3333333333333333');
    expect(valueText(Int32Array.of(7, -1), INTEGER)).toBe('[7, -1]');
    expect(valueText('a"\n', { kind: 'string' })).toBe('"a\\"\\n"');
    expect(valueText(new Float32Array(100), FLOAT32)).toBe('[0 × 100] (100 elements)');
    const oneHot = new Float32Array(128).fill(5, 97, 98);
    expect(valueText(oneHot, FLOAT32)).toBe('[0 × 97, 5, 0 × 30] (128 elements)');
    const rising = Float32Array.from({ length: 20 }, (_, i) => i);
    expect(valueText(rising, FLOAT32)).toBe(`[${[...rising].slice(0, 16).join(', ')}, …] (20 elements)`);
    expect(valueHex(Float32Array.of(1, -0))).toBe('f32:0000803f00000080');
    const record = recordInput(domain([size('n', 1, 9)], [input('x', ['n'])]), {
      sizes: [2],
      values: [Float32Array.of(1, 2)],
    });
    expect(inputLines(record)).toEqual(['n = 2', 'x = [1, 2]']);
  });

  it('is nested by the shape of a tensor, and flat where the shape is another', () => {
    const six = Float32Array.of(1, 2, 3, 4, 5, 6);
    expect(valueText(six, FLOAT32, [2, 3])).toBe('[[1, 2, 3], [4, 5, 6]]');
    expect(valueText(six, FLOAT32, [3, 1, 2])).toBe('[[[1, 2]], [[3, 4]], [[5, 6]]]');
    expect(valueText(six, FLOAT32, [4, 2])).toBe('[1, 2, 3, 4, 5, 6]');
    expect(valueText(new Float32Array(0), FLOAT32, [0, 3])).toBe('[]');
    expect(valueText(new Float32Array(40), FLOAT32, [2, 20])).toBe('[[0 × 20], [0 × 20]] (40 elements)');
  });

  it.each([
    ['f32:00', '1 bytes are not a whole number of f32 values'],
    ['number:', '0 bytes are not a whole number of number values'],
    ['f32:0000803F', 'expected f32:'],
    ['f33:00', 'expected f32:'],
    ['f32:000', 'expected f32:'],
    ['', 'expected f32:'],
  ])('that are damaged are explained: %s', (text, reason) => {
    const parsed = parseValueHex(text);
    expect(parsed.ok ? '' : parsed.error).toContain(reason);
  });

  it('of another domain are explained', () => {
    const given = domain([size('n', 1, 9)], [input('toString', ['n'])]);
    const error = (record: Parameters<typeof parseInput>[1]): string => {
      const parsed = parseInput(given, record);
      return parsed.ok ? '' : parsed.error;
    };
    expect(error({ sizes: {}, values: {} })).toBe('the record has no size n');
    expect(error({ sizes: { n: 1 }, values: {} })).toBe('the record has no value toString');
    expect(error({ sizes: { n: 1 }, values: { toString: { hex: 'x', text: '' } } })).toContain(
      'toString: expected f32:',
    );
  });
});
