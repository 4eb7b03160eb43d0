import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { invariant } from '../../../../src/base/invariant.ts';
import type { FloatFormat } from '../../../../src/math/term/term.ts';
import { axisOf, fillFrom, valueAt, type Axis } from '../../../../src/methods/bounded/exhaustive/axis.ts';
import { planDomain } from '../../../../src/runtime/generate/domain-plan.ts';
import type { InputVariable } from '../../../../src/math/domain.ts';
import { decimal, variable } from '../../../../src/math/term/build.ts';
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

  it('are filled into arrays of other kinds, from one run to the end of it', () => {
    const axis = axisFor('f16');
    const halves = new Float64Array(5);
    expect(fillFrom(axis, 2 ** 15 - 2 ** 10 - 2, halves, 1, 4)).toBe(2);
    // The largest two, and then the negative numbers begin.
    expect([...halves]).toEqual([0, 65472, 65504, 0, 0]);
    const floats = new Float64Array(4);
    expect(fillFrom(axisFor('f32'), 1, floats, 1, 2)).toBe(2);
    expect([...floats]).toEqual([0, 2 ** -149, 2 ** -148, 0]);
  });

  it('are filled with integers in order, and one by one where they are listed', () => {
    const bounds = { lower: { value: decimal('3'), open: false }, upper: { value: decimal('9'), open: false } };
    const { axis: integers } = planned({ ...scalar, element: { kind: 'integer' }, ...bounds });
    invariant(integers.ok, 'there are seven');
    const target = new Int32Array(9);
    expect(fillFrom(integers.value, 2, target, 1, 4)).toBe(4);
    expect([...target]).toEqual([0, 5, 6, 7, 8, 0, 0, 0, 0]);
    expect(fillFrom(integers.value, 5, target, 0, 9)).toBe(2);
    expect([...target.subarray(0, 3)]).toEqual([8, 9, 6]);
    const listed = axisFor('f32', { choices: ['7', '0.1', '7'].map((text) => decimal(text)) });
    expect([listed.kind, valuesOf(listed)]).toEqual(['listed', [7, Math.fround(0.1)]]);
    const values = new Float32Array(3);
    expect(fillFrom(listed, 1, values, 2, 3)).toBe(1);
    expect([...values]).toEqual([0, 0, Math.fround(0.1)]);
  });

  it('are none beyond the last one that is listed, nor in a range that holds none', () => {
    const one = axisFor('f32', { choices: [decimal('1')] });
    expect([valueAt(one, 0), valueAt(one, 1)]).toEqual([1, Number.NaN]);
    const empty = { lower: { value: decimal('2'), open: true }, upper: { value: decimal('3'), open: true } };
    const { axis: none } = planned({ ...scalar, element: { kind: 'integer' }, ...empty });
    expect(none).toMatchObject({ ok: true, value: { count: 0, runs: [] } });
  });

  it.each<[string, InputVariable, string]>([
    ['a text', { ...scalar, element: { kind: 'string' } }, 'x is a text'],
    [
      'rows that depend on one another',
      { ...scalar, element: { kind: 'float', format: 'f16' }, structure: 'increasing' },
      'the rows of x depend on one another',
    ],
    ['an integer without an end', { ...scalar, element: { kind: 'integer' } }, 'x is an integer without bounds'],
    ['float64', { ...scalar, element: { kind: 'float', format: 'f64' } }, 'x is a float64 and has about 2^64 values'],
    [
      'bounds that another input gives',
      {
        ...scalar,
        element: { kind: 'float', format: 'f16' },
        upper: { value: variable('y', { kind: 'integer' }), open: false },
      },
      'the bounds of x depend on other inputs',
    ],
    [
      'values that another input gives',
      { ...scalar, element: { kind: 'float', format: 'f16' }, choices: [variable('y', { kind: 'integer' })] },
      'the values of x depend on other inputs',
    ],
  ])('cannot be counted through: %s', (_, own, error) => {
    const plan = planDomain({
      sizes: [],
      variables: [{ ...scalar, element: { kind: 'float', format: 'f16' } }],
      preconditions: [],
    });
    invariant(plan.ok && plan.value.variables[0], 'the domain can be generated');
    const lookup = (): number => Number.NaN;
    const other = planDomain({
      sizes: [],
      variables: [own, { ...scalar, name: 'y', element: { kind: 'integer' } }],
      preconditions: [],
    });
    const [made] = other.ok ? other.value.variables : plan.value.variables;
    invariant(made, 'it is planned');
    expect(axisOf({ ...made, structure: own.structure }, own.element, lookup)).toEqual({ ok: false, error });
  });
});
