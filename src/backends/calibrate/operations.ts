/**
 * The operations whose accuracy is measured: how a kernel writes each, on which inputs, and what WGSL allows it (W3C, WebGPU
 * Shading Language, section 15.7.4.1). That, and one unit in the last place where
 * results need not be correctly rounded, is what a tolerance with `envelope: wgsl` counts in (math/device-error-rules.ts).
 * References are float64, whose own errors are a billionth of what is measured.
 */
import type { FunctionName } from '../../math/functions.ts';
import { ulp32 } from '../../numeric/float.ts';

/** The interval from which an operand is drawn. */
export interface Range {
  readonly low: number;
  readonly high: number;
  /** Whether inputs are spread over the exponents rather than over the values; needs low > 0. */
  readonly logarithmic?: boolean;
}

/** A measured operation: its kernel expression, its exact value in float64 or better, and its inputs. */
export interface Operation {
  readonly name: string;
  /** A claim's function that this measures; several operations may. */
  readonly of: readonly FunctionName[];
  /** JavaScript over `a` and `b`. */
  readonly expression: string;
  readonly exact: (a: number, b: number) => number;
  readonly inputs: readonly [Range] | readonly [Range, Range];
  /** The absolute error that WGSL allows; null if it states none for these inputs. */
  readonly allowed: ((a: number, b: number, exact: number) => number) | null;
}

const around = (size: number): Range => ({ low: -size, high: size });
const positive = (low: number, high: number): Range => ({ low, high, logarithmic: true });
const wide = positive(1e-30, 1e30);

/** Rounded up or down. */
const oneUlp = (_a: number, _b: number, exact: number): number => ulp32(exact);
const ulps = (count: number) => (_a: number, _b: number, exact: number) => (count + 1) * ulp32(exact);
const absolute = (error: number) => (): number => error;
const logarithmUlps = (x: number, exact: number): number =>
  (x >= 0.5 && x <= 2 ? 2 ** -21 : 3 * ulp32(exact)) + ulp32(exact);
const exponentialUlps = (x: number, exact: number): number => (4 + 2 * Math.abs(x)) * ulp32(exact);
/** exp2(b · log2 a): the error of the product, times ln 2, and that of exp2. */
function powerError(a: number, b: number, exact: number): number {
  const log2 = Math.log2(a);
  const ofProduct = Math.abs(b) * logarithmUlps(a, log2) + ulp32(b * log2);
  return Math.abs(exact) * Math.expm1(Math.LN2 * ofProduct) + exponentialUlps(b * log2, exact);
}
/** (exp(x) ± exp(−x)) / 2. */
const hyperbolic = (a: number): number => (6 + 2 * Math.abs(a)) * ulp32(Math.cosh(a));

/** Every measured operation, in the order in which `pv calibrate` prints them. */
export const operations: readonly Operation[] = [
  {
    name: 'a + b',
    of: ['add', 'subtract'],
    expression: 'a + b',
    exact: (a, b) => a + b,
    inputs: [around(100), around(3)],
    allowed: oneUlp,
  },
  {
    name: 'a · b',
    of: ['multiply'],
    expression: 'a * b',
    exact: (a, b) => a * b,
    inputs: [around(100), around(3)],
    allowed: oneUlp,
  },
  {
    name: 'a / b',
    of: ['divide'],
    expression: 'a / b',
    exact: (a, b) => a / b,
    inputs: [around(100), positive(1e-3, 1e3)],
    allowed: ulps(2.5),
  },
  { name: '√a', of: ['sqrt'], expression: 'Math.sqrt(a)', exact: Math.sqrt, inputs: [wide], allowed: ulps(4.5) },
  {
    name: '1/√a',
    of: ['reciprocal-sqrt'],
    expression: '1 / Math.sqrt(a)',
    exact: (a) => 1 / Math.sqrt(a),
    inputs: [wide],
    allowed: ulps(7),
  },
  {
    name: 'exp a, |a| ≤ 1',
    of: ['exp'],
    expression: 'Math.exp(a)',
    exact: Math.exp,
    inputs: [around(1)],
    allowed: (a, _b, exact) => exponentialUlps(a, exact),
  },
  {
    name: 'exp a, |a| ≤ 80',
    of: ['exp', 'sigmoid', 'softplus', 'expm1'],
    expression: 'Math.exp(a)',
    exact: Math.exp,
    inputs: [around(80)],
    allowed: (a, _b, exact) => exponentialUlps(a, exact),
  },
  {
    name: 'log a, 0.5 ≤ a ≤ 2',
    of: ['log', 'log1p', 'softplus'],
    expression: 'Math.log(a)',
    exact: Math.log,
    inputs: [{ low: 0.5, high: 2 }],
    allowed: (a, _b, exact) => logarithmUlps(a, exact),
  },
  {
    name: 'log a',
    of: ['log', 'log10'],
    expression: 'Math.log(a)',
    exact: Math.log,
    inputs: [wide],
    allowed: (a, _b, exact) => logarithmUlps(a, exact),
  },
  {
    name: 'log2 a',
    of: ['log2'],
    expression: 'Math.log2(a)',
    exact: Math.log2,
    inputs: [wide],
    allowed: (a, _b, exact) => logarithmUlps(a, exact),
  },
  {
    name: 'a^b',
    of: ['power'],
    expression: 'Math.pow(a, b)',
    exact: (a, b) => a ** b,
    inputs: [positive(0.1, 10), around(3)],
    allowed: powerError,
  },
  {
    name: 'sin a, |a| ≤ π',
    of: ['sin'],
    expression: 'Math.sin(a)',
    exact: Math.sin,
    inputs: [around(Math.PI)],
    allowed: absolute(2 ** -11),
  },
  {
    name: 'sin a, |a| ≤ 1e4',
    of: ['sin'],
    expression: 'Math.sin(a)',
    exact: Math.sin,
    inputs: [around(1e4)],
    allowed: null,
  },
  {
    name: 'cos a, |a| ≤ π',
    of: ['cos'],
    expression: 'Math.cos(a)',
    exact: Math.cos,
    inputs: [around(Math.PI)],
    allowed: absolute(2 ** -11),
  },
  {
    name: 'cos a, |a| ≤ 1e4',
    of: ['cos'],
    expression: 'Math.cos(a)',
    exact: Math.cos,
    inputs: [around(1e4)],
    allowed: null,
  },
  {
    name: 'tan a, |a| ≤ 1.5',
    of: ['tan'],
    expression: 'Math.tan(a)',
    exact: Math.tan,
    inputs: [around(1.5)],
    allowed: null,
  },
  {
    name: 'tanh a, |a| ≤ 20',
    of: ['tanh'],
    expression: 'Math.tanh(a)',
    exact: Math.tanh,
    inputs: [around(20)],
    allowed: (a) => Math.max(1e-5, (15.5 + 4 * Math.abs(a)) * 2 ** -23),
  },
  {
    name: 'sinh a, |a| ≤ 10',
    of: ['sinh'],
    expression: 'Math.sinh(a)',
    exact: Math.sinh,
    inputs: [around(10)],
    allowed: hyperbolic,
  },
  {
    name: 'cosh a, |a| ≤ 10',
    of: ['cosh'],
    expression: 'Math.cosh(a)',
    exact: Math.cosh,
    inputs: [around(10)],
    allowed: hyperbolic,
  },
  {
    name: 'atan a',
    of: ['atan'],
    expression: 'Math.atan(a)',
    exact: Math.atan,
    inputs: [around(100)],
    allowed: ulps(4096),
  },
];
