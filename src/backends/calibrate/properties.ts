/** What an arithmetic does where float32 leaves no choice and devices take one: one input each, and what its result says. */

/** One question to a device's arithmetic: inputs, and what each possible result says. */
export interface Property {
  readonly name: string;
  /** JavaScript over `a`, `b` and `c`. */
  readonly expression: string;
  readonly inputs: readonly [number, number, number];
  readonly says: (result: number) => string;
}

const small = 2 ** -126;
const either = (test: (x: number) => boolean, yes: string, no: (x: number) => string) => (x: number) =>
  test(x) ? yes : no(x);
const other = (x: number): string => `gives ${x}`;

/**
 * The questions in the order in which `pv calibrate` prints them: subnormals, fused operations, overflow and so on.
 */
export const properties: readonly Property[] = [
  {
    name: 'subnormal operands',
    expression: 'a * b',
    inputs: [small / 4, 2 ** 40, 0],
    says: (x) => (x === 0 ? 'flushed to 0' : 'kept'),
  },
  {
    name: 'subnormal results',
    expression: 'a * b',
    inputs: [small, 0.25, 0],
    says: (x) => (x === 0 ? 'become 0' : 'kept'),
  },
  // 1 + 3·2⁻²⁵ lies nearer to 1 + 2⁻²³ than to 1; 1 + 2⁻²⁴ lies halfway, and 1 is even.
  {
    name: 'rounding',
    expression: 'a + b',
    inputs: [1, 3 * 2 ** -25, 0],
    says: (x) => (x === 1 ? 'toward zero' : 'to nearest'),
  },
  { name: 'ties', expression: 'a + b', inputs: [1, 2 ** -24, 0], says: (x) => (x === 1 ? 'to even, or down' : 'up') },
  {
    name: 'a·b + c',
    expression: 'a * b + c',
    inputs: [1 + 2 ** -12, 1 + 2 ** -12, -(1 + 2 ** -11)],
    says: (x) => (x === 0 ? 'two roundings' : x === 2 ** -24 ? 'one rounding' : other(x)),
  },
  {
    name: '(a + b) - a',
    expression: '(a + b) - a',
    inputs: [1, 2 ** -30, 0],
    says: (x) => (x === 0 ? 'as written' : 'simplified'),
  },
  { name: 'overflow', expression: 'a * b', inputs: [3e38, 10, 0], says: either((x) => x === Infinity, '∞', other) },
  { name: 'exp(89)', expression: 'Math.exp(a)', inputs: [89, 0, 0], says: either((x) => x === Infinity, '∞', other) },
  { name: 'exp(-100)', expression: 'Math.exp(a)', inputs: [-100, 0, 0], says: (x) => (x === 0 ? '0' : 'subnormal') },
  {
    name: 'NaN !== NaN',
    expression: 'a !== a ? 1 : 0',
    inputs: [Number.NaN, 0, 0],
    says: (x) => (x === 1 ? 'true' : 'false'),
  },
  { name: 'max(NaN, 1)', expression: 'Math.max(a, b)', inputs: [Number.NaN, 1, 0], says: String },
  { name: 'log(0)', expression: 'Math.log(a)', inputs: [0, 0, 0], says: String },
  { name: 'log(-1)', expression: 'Math.log(a)', inputs: [-1, 0, 0], says: String },
  { name: 'pow(-2, 3)', expression: 'Math.pow(a, b)', inputs: [-2, 3, 0], says: String },
  { name: 'tanh(100)', expression: 'Math.tanh(a)', inputs: [100, 0, 0], says: String },
];
