/**
 * What the analysis claims of every node of random programs, held against runs: values against ranges, and the distance
 * between the computed and the exact value, in 60 digits, against all three bounds.
 *
 * Holds src/bounded-proofs/engines/rounding/elementary-error.ts, src/bounded-proofs/engines/rounding/error-form.ts.
 */
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimalArithmetic } from '../../../../src/math/evaluate/exact.ts';
import { exactOf } from '../../../../src/math/functions/exact-comparison.ts';
import { createEvaluator } from '../../../../src/bounded-proofs/evaluate.ts';
import { Graph, type NumberExpression } from '../../../../src/bounded-proofs/expression.ts';
import { effortUpTo } from '../../../../src/bounded-proofs/engines/algebra/effort.ts';
import { boxOf, createRanges } from '../../../../src/bounded-proofs/engines/interval/ranges.ts';
import { boundExpression } from '../../../../src/bounded-proofs/engines/rounding/bound.ts';
import { collapsingArithmetic } from '../../../../src/bounded-proofs/engines/rounding/bound-arithmetic.ts';
import { charging } from '../../../../src/bounded-proofs/engines/rounding/charging.ts';
import { createForms, type FormOptions } from '../../../../src/bounded-proofs/engines/rounding/forms.ts';
import { float32Values } from '../../../../src/bounded-proofs/engines/rounding/float32-values.ts';
import { weighingArithmetic } from '../../../../src/bounded-proofs/engines/rounding/weighing-arithmetic.ts';
import { problemOf, variables, vector } from '../../graphs.ts';

/** One line of a straight program: an operation on earlier lines. */
interface Line {
  readonly operation: number;
  readonly left: number;
  readonly right: number;
}

const INPUTS = 3;

const program: fc.Arbitrary<readonly Line[]> = fc.array(
  fc.record({ operation: fc.nat(16), left: fc.nat(100), right: fc.nat(100) }),
  { minLength: 2, maxLength: 9 },
);

const box = fc.constantFrom([0.5, 2], [-1, 1], [-8, 8], [0, 1e-38], [1e-3, 100], [-1e-20, 1e-18]);
const point = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: INPUTS, maxLength: INPUTS });

/** float32 code: every operation rounded; arguments that would leave a function's domain are made harmless. */
function build(graph: Graph, lines: readonly Line[]): readonly NumberExpression[] {
  const nodes = [...vector(graph, 'x', INPUTS)];
  for (const { operation, left, right } of lines) {
    const a = nodes[left % nodes.length];
    const b = nodes[right % nodes.length];
    if (!a || !b) continue;
    nodes.push(operate(graph, operation, a, b));
  }
  return nodes.slice(INPUTS);
}

function operate(graph: Graph, operation: number, a: NumberExpression, b: NumberExpression): NumberExpression {
  const one = graph.integer(1);
  const least = (x: NumberExpression): NumberExpression => graph.minimum(x, graph.integer(10));
  const positive = graph.maximum(graph.absolute(b), graph.constant({ numerator: 1n, denominator: 1024n }));
  switch (operation) {
    case 0:
    case 1:
      return graph.round32(graph.add(a, b));
    case 2:
      return graph.round32(graph.subtract(a, b));
    case 3:
    case 4:
      return graph.round32(graph.multiply(a, b));
    case 5:
      return graph.round32(graph.divide(a, positive));
    case 6:
      return graph.round32(graph.sqrt(graph.absolute(a)));
    case 7:
      return graph.machine('exp', least(a));
    case 8:
      return graph.machine('log', positive);
    case 9:
      return graph.machine('tanh', graph.maximum(least(a), graph.integer(-10)));
    case 10:
      return graph.machine('sin', least(graph.absolute(a)));
    case 11:
      return graph.maximum(a, b);
    case 12:
      return graph.if(graph.less(a, b), graph.round32(graph.multiply(a, b)), b);
    case 13:
      return graph.round32(graph.add(graph.absolute(a), one));
    case 14:
      return graph.machine('cosh', graph.minimum(graph.absolute(a), graph.integer(5)));
    case 15:
      return graph.machine('exp', graph.negate(graph.absolute(a)));
    default:
      return graph.round32(graph.power(a, graph.integer(3)));
  }
}

interface Way extends Pick<FormOptions, 'measure' | 'cutFunctions'> {
  readonly triangle: boolean;
  readonly charged: boolean;
  /** Of the values that a program computes every third counts as an input of its own. */
  readonly cutSome?: boolean;
  readonly insideProducts?: boolean;
  readonly weighed?: boolean;
  readonly units?: boolean;
}

const ways: readonly Way[] = [
  { measure: 'total', triangle: false, cutFunctions: false, charged: false },
  { measure: 'relative', triangle: true, cutFunctions: false, charged: false },
  { measure: 'symbolic', triangle: false, cutFunctions: false, charged: false },
  { measure: 'symbolic', triangle: true, cutFunctions: true, charged: false },
  { measure: 'symbolic', triangle: true, cutFunctions: true, charged: false, cutSome: true, insideProducts: true },
  { measure: 'relative', triangle: true, cutFunctions: false, charged: false, cutSome: true },
  { measure: 'symbolic', triangle: true, cutFunctions: false, charged: true },
  { measure: 'symbolic', triangle: true, cutFunctions: true, charged: true },
  { measure: 'relative', triangle: false, cutFunctions: true, charged: false, weighed: true },
  { measure: 'relative', triangle: false, cutFunctions: false, charged: false, weighed: true },
  { measure: 'relative', triangle: false, cutFunctions: false, charged: false, weighed: true, units: true },
];

/**
 * A tolerance over the values that a program computes: what a running error sums up, in some order. Bounds are charged to
 * its sums, and must hold whatever it is.
 */
function toleranceOver(options: Omit<FormOptions, 'bounds'>, nodes: readonly NumberExpression[]): NumberExpression {
  const { graph, ranges } = options;
  const plain = createForms({ ...options, bounds: collapsingArithmetic({ graph, ranges, triangle: true }) });
  let sum = graph.integer(0);
  for (const [i, node] of nodes.entries()) {
    const { exact, bound } = plain.form(node);
    const size = graph.absolute(exact);
    const own = [...bound.keys()].reduce((parts, part) => graph.add(parts, part), size);
    sum = i % 3 === 2 ? graph.add(own, graph.multiply(size, sum)) : graph.maximum(own, graph.add(sum, own));
  }
  return sum;
}

describe.each(ways)(
  '$measure, at functions: $cutFunctions, at others: $cutSome, charged: $charged, weighed: $weighed',
  (way) => {
    test('every value is in its range, and no further from the exact one than each bound says', () => {
      let looked = 0;
      let onSums = 0;
      fc.assert(
        fc.property(program, box, point, (lines, [low = 0, high = 1], shares) => {
          const graph = new Graph();
          const nodes = build(graph, lines);
          const over = variables(vector(graph, 'x', INPUTS), Math.fround(low), Math.fround(high));
          const ranges = createRanges(boxOf(problemOf(graph, over, graph.true)), []);
          const { measure, cutFunctions, triangle, charged, insideProducts } = way;
          const cutAt = way.cutSome ? new Set(nodes.filter((_, i) => i % 3 === 1)) : null;
          const options = { graph, ranges, isFloat32: float32Values(over), measure, cutFunctions, cutAt };
          const bounds = charged
            ? charging({ graph, ranges, allowed: toleranceOver(options, nodes), effort: effortUpTo(Infinity) }).bounds
            : way.weighed
              ? weighingArithmetic(graph, ranges)
              : collapsingArithmetic({ graph, ranges, triangle, ...(insideProducts && { insideProducts }) });
          const [falling, units] = [way.weighed ?? false, way.units ?? false];
          const forms = createForms({ ...options, bounds, falling, units });
          const inputs = new Map(
            shares.map((t, i) => [
              `x[${i}]`,
              clamp(Math.fround(low + t * (high - low)), Math.fround(low), Math.fround(high)),
            ]),
          );
          const at = createEvaluator(decimalArithmetic(60), inputs);
          for (const node of nodes) {
            const value = at.number(node);
            if (!value.isFinite() || value.abs().gt(1e38)) return;
            const range = ranges.range(node);
            expect(above(value, range.low) && above(value.neg(), -range.high), `${node.kind} in its range`).toBe(true);
            const form = forms.form(node);
            const exact = at.number(form.exact);
            // 60 digits err too; what they err is far below every bound, but not below 0.
            const distance = value.minus(exact).abs().minus(exact.abs().times('1e-50'));
            if (Number.isFinite(form.total)) expect(above(exactly(form.total), distance)).toBe(true);
            const scaled = exact
              .abs()
              .times(exactly(Math.min(form.relative, 1e300)))
              .plus(exactly(Math.min(form.absolute, 1e300)));
            expect(scaled.gte(distance), 'relative').toBe(true);
            if ([...form.bound.values()].every(Number.isFinite))
              expect(
                at.number(boundExpression(graph, form.bound)).times('1.000000000000000000001').gte(distance),
                'bound',
              ).toBe(true);
            looked += 1;
            if ([...form.bound.keys()].some(({ kind }) => kind === 'add' || kind === 'maximum')) onSums += 1;
          }
        }),
        { numRuns: Number(process.env['PV_RUNS'] ?? 100) },
      );
      expect(looked).toBeGreaterThan(200);
      if (way.charged) expect(onSums).toBeGreaterThan(50);
    });
  },
);

/** value ≥ low, up to the 60 digits that values have. */
function above(value: Decimal, low: number | Decimal): boolean {
  const slack = value.abs().times('1e-50');
  if (typeof low !== 'number') return value.plus(slack).gte(low);
  return low === -Infinity || (Number.isFinite(low) && value.plus(slack).gte(exactly(low)));
}

const Wide = Decimal.clone({ precision: 1200 });

function exactly(value: number): Decimal {
  return exactOf(Wide, value);
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}
