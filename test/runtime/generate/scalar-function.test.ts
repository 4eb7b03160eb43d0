import { describe, expect, it } from 'vitest';
import * as b from '../../../src/math/term/build.ts';
import { BOOLEAN, INTEGER, type Term } from '../../../src/math/term/term.ts';
import { createGenerator } from '../../../src/runtime/generate/generator.ts';
import { hasLoop, scalarFunction } from '../../../src/runtime/generate/scalar-function.ts';
import { closed, domain, input, size } from '../domains.ts';

const n = b.variable('n', INTEGER);
const j = b.variable('j', INTEGER);
const sumTo = (end: Term): Term => b.reduce('sum', [{ name: 'j', from: b.integer(0), to: end }], j);
const at =
  (value: number) =>
  (name: string): number =>
    name === 'n' ? value : NaN;

describe('scalarFunction', () => {
  it('computes constants, names, formulas, truth values and short loops', () => {
    expect(scalarFunction(b.decimal('1e-5'))(at(0))).toBe(1e-5);
    expect(scalarFunction(n)(at(7))).toBe(7);
    expect(scalarFunction(b.call('multiply', b.integer(2), n))(at(7))).toBe(14);
    expect(scalarFunction(b.call('less', n, b.integer(3)))(at(2))).toBe(1);
    expect(scalarFunction({ kind: 'boolean', value: false, type: BOOLEAN, origin: null })(at(2))).toBe(0);
    expect(scalarFunction(sumTo(n))(at(5))).toBe(10);
  });

  it('is NaN for what is too long or too deep', () => {
    let deep: Term = n;
    for (let i = 0; i < 5000; i++)
      deep = { kind: 'call', fn: 'negate', arguments: [deep], type: INTEGER, origin: null };
    for (const term of [sumTo(b.decimal('1e9')), deep]) expect(scalarFunction(term)(at(1))).toBeNaN();
  });

  it('knows loops', () => {
    expect([n, b.call('negate', n), sumTo(n), b.call('negate', sumTo(n))].map(hasLoop)).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });
});

describe('a domain whose bounds take too long', () => {
  it('has no inputs, and says so quickly', () => {
    const slow = domain(
      [size('n', 1, 100)],
      [input('x', ['n'], { lower: closed(0), upper: { value: sumTo(b.decimal('1e12')), open: false } })],
    );
    const generator = createGenerator(slow, 1, 'slow');
    expect(generator.ok && generator.value.at(5)).toBeNull();
    const endless = b.call('greater', sumTo(b.call('multiply', n, b.decimal('1e12'))), b.integer(0));
    const filtered = createGenerator(domain([size('n', 1, 100)], [], [endless]), 1, 'slow');
    expect(filtered.ok && filtered.value.plan.sizePreconditions).toEqual([]);
  });
});
