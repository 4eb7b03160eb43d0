/** Random domains: every element type, bounds of every kind, derived sizes, structures. */
import fc from 'fast-check';
import type { Bound, Domain, InputVariable } from '../../src/math/domain.ts';
import type { ScalarType } from '../../src/math/term/term.ts';
import { call, domain, input, name, numeral, size } from './domains.ts';

const elements: readonly ScalarType[] = [
  { kind: 'real' },
  { kind: 'integer' },
  { kind: 'float', format: 'f16' },
  { kind: 'float', format: 'bf16' },
  { kind: 'float', format: 'f32' },
  { kind: 'float', format: 'f32' },
  { kind: 'float', format: 'f64' },
];

/** Values that end ranges in awkward places. */
const ends = fc.oneof(
  fc.constantFrom(
    0,
    1,
    -1,
    0.1,
    -0.1,
    1e-45,
    1e-38,
    1e-5,
    4,
    88.5,
    1e4,
    -1e4,
    65504,
    65505,
    3e38,
    1e39,
    1e300,
    2 ** 31,
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -100, max: 100 }),
);

const pair = fc
  .tuple(ends, ends, fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean())
  .map(([a, b, openLow, openHigh, hasLow, hasHigh]) => ({
    lower: hasLow ? bound(Math.min(a, b), openLow) : null,
    upper: hasHigh ? bound(Math.max(a, b), openHigh) : null,
  }));

function bound(value: number, open: boolean): Bound {
  return { value: numeral(value), open };
}

const shapes = fc.constantFrom<readonly string[]>([], ['n'], ['m'], ['n', 'm'], ['double'], ['m', 'double']);

const variable = (index: number): fc.Arbitrary<InputVariable> =>
  fc
    .record({
      element: fc.constantFrom(...elements),
      bounds: pair,
      shape: shapes,
      nonFinite: fc.boolean(),
      excluded: fc.subarray([0, 1, -1, 1e4, 2, 3]),
      chosen: fc.option(fc.array(ends, { minLength: 1, maxLength: 4 }), { freq: 6 }),
    })
    .map(({ element, bounds, shape, nonFinite, excluded, chosen }) =>
      input(
        `v${index}`,
        shape.map((axis) => (axis === 'double' ? call('multiply', numeral(2), name('n')) : name(axis))),
        {
          element,
          ...bounds,
          nonFinite: nonFinite && element.kind === 'float',
          excluded: excluded.map(numeral),
          choices: chosen && element.kind === 'float' && element.format === 'f64' ? chosen.map(numeral) : null,
        },
      ),
    );

/** Rows that are points of the simplex or increase, over `m` columns. */
const structured: fc.Arbitrary<InputVariable> = fc
  .record({
    structure: fc.constantFrom('simplex' as const, 'increasing' as const),
    element: fc.constantFrom(...elements),
    low: fc.constantFrom(-50, 0, 0.001, null),
    open: fc.boolean(),
  })
  .map(({ structure, element, low, open }) =>
    input('rows', ['n', 'm'], {
      structure,
      element: structure === 'simplex' && element.kind === 'integer' ? { kind: 'real' } : element,
      lower: structure === 'simplex' ? bound(low ?? 0, open) : low === null ? null : bound(low, open),
      upper: structure === 'simplex' ? bound(1, false) : low === null ? null : bound(100, open),
    }),
  );

/** Sizes go up to about `largest`. */
export const randomDomainUpTo = (largest: number): fc.Arbitrary<Domain> =>
  fc
    .record({
      n: fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: Math.min(200, largest) })),
      m: fc.tuple(
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 0, max: largest }),
        fc.constantFrom(1, 1, 2, 4, 32),
      ),
      variables: fc.tuple(variable(0), variable(1)),
      rows: fc.option(structured),
      ordered: fc.boolean(),
    })
    .map(({ n, m, variables, rows, ordered }) =>
      domain(
        [size('n', n[0], n[0] + n[1]), size('m', m[0], m[0] + 32 + m[1], { multipleOf: m[2] })],
        rows ? [...variables, rows] : variables,
        ordered ? [call('less-equal', name('n'), name('m'))] : [],
      ),
    );

export const randomDomain = randomDomainUpTo(1_000_000);
