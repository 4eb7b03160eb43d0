import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { invariant } from '../../../../src/base/invariant.ts';
import type { FloatFormat } from '../../../../src/math/term.ts';
import { axisOf, fillFrom, valueAt, type Axis } from '../../../../src/methods/bounded/exhaustive/axis.ts';
import { planDomain } from '../../../../src/runtime/generate/domain-plan.ts';
import type { InputVariable } from '../../../../src/math/domain.ts';
import { decimal } from '../../../../src/math/build.ts';
import { violation } from '../../../../src/runtime/generate/membership.ts';

const scalar: Omit<InputVariable, 'element'> = {
  name: 'x',
  shape: [],
  lower: null,
  upper: null,
  choices: null,
  excluded: [],
  nonFinite: false,
  structure: 'none',
};

function planned(variable: InputVariable) {
  const plan = planDomain({ sizes: [], variables: [variable], preconditions: [] });
  invariant(plan.ok && plan.value.variables[0], 'the domain can be generated');
  const axis = axisOf(plan.value.variables[0], variable.element, () => Number.NaN);
  return { plan: plan.value, axis };
}

function axisFor(format: FloatFormat, more: Partial<InputVariable> = {}): Axis {
  const { axis } = planned({ ...scalar, element: { kind: 'float', format }, ...more });
  invariant(axis.ok, 'floats of few bits can be counted');
  return axis.value;
}

const valuesOf = (axis: Axis): readonly number[] => Array.from({ length: axis.count }, (_, at) => valueAt(axis, at));

describe('the values of an element', () => {
  it.each([
    // Every pattern but those of exponent 31 or 255.
    ['f16', 2 ** 16 - 2 ** 11, 65504],
    ['bf16', 2 ** 16 - 2 ** 8, 3.3895313892515355e38],
  ] as const)('%s: every finite one, once', (format, count, largest) => {
    const values = valuesOf(axisFor(format));
    expect(values).toHaveLength(count);
    expect(values.filter((x) => x === 0)).toEqual([0, -0]);
    expect(new Set(values).size).toBe(count - 1);
    expect(Math.max(...values)).toBe(largest);
    expect(Math.min(...values)).toBe(-largest);
  });

  it('counts float32 without listing it', () => {
    expect(axisFor('f32').count).toBe(2 ** 32 - 2 ** 24);
    expect(axisFor('f32', { nonFinite: true }).count).toBe(2 ** 32);
    const one = { lower: { value: decimal('1'), open: false }, upper: { value: decimal('2'), open: true } };
    expect(axisFor('f32', one).count).toBe(2 ** 23);
  });

  it('counts what is not finite where it belongs to the domain', () => {
    const values = valuesOf(axisFor('f16', { nonFinite: true }));
    expect(values).toHaveLength(2 ** 16);
    expect(values.filter((x) => Number.isNaN(x))).toHaveLength(2 * 1023);
    expect(values.filter((x) => Math.abs(x) === Infinity)).toEqual([Infinity, -Infinity]);
  });

  const limit = fc.option(
    fc.record({
      value: fc.oneof(fc.double({ noNaN: true, min: -1e5, max: 1e5 }), fc.constantFrom(0, -0, 6e-8, -1, 65504, 65536)),
      open: fc.boolean(),
    }),
  );
  const inDecimal = (x: number) => decimal((x === 0 ? 0 : x).toFixed(20));

  it('within any bounds: those that the domain has, and no others', () => {
    const every = valuesOf(axisFor('f16'));
    fc.assert(
      fc.property(limit, limit, (low, high) => {
        const variable: InputVariable = {
          ...scalar,
          element: { kind: 'float', format: 'f16' },
          lower: low && { value: inDecimal(low.value), open: low.open },
          upper: high && { value: inDecimal(high.value), open: high.open },
        };
        const { plan, axis } = planned(variable);
        invariant(axis.ok, 'float16 can be counted');
        const inside = every.filter((x) => violation(plan, { sizes: [], values: [x] }) === null);
        expect(valuesOf(axis.value)).toEqual(inside);
      }),
      { numRuns: 40 },
    );
  });

  it('integers between their bounds; without bounds there is no end', () => {
    const bounds = { lower: { value: decimal('-2'), open: true }, upper: { value: decimal('2'), open: false } };
    const { axis } = planned({ ...scalar, element: { kind: 'integer' }, ...bounds });
    expect(axis.ok && valuesOf(axis.value)).toEqual([-1, 0, 1, 2]);
    expect(planned({ ...scalar, element: { kind: 'float', format: 'f64' } }).axis).toMatchObject({ ok: false });
  });

  it('are filled in runs as they are one by one', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('f16', 'bf16', 'f32'),
        fc.nat(2 ** 16 - 2 ** 11 - 1),
        fc.integer({ min: 1, max: 50 }),
        (format, at, most) => {
          const axis = axisFor(format);
          const target = new Float32Array(60);
          const filled = fillFrom(axis, at, target, 3, Math.min(most, axis.count - at));
          expect(filled).toBeGreaterThan(0);
          const expected = Array.from({ length: filled }, (_, i) => valueAt(axis, at + i));
          expect([...target.subarray(3, 3 + filled)]).toEqual(expected);
        },
      ),
      { numRuns: 100 },
    );
  });
});
