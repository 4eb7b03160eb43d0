/** Activations and their products as PyTorch, XLA and ggml compute them. */
import { erf, erfc } from '../../../src/numeric/error-function.ts';
import type { ForeignKernel } from '../foreign-kernel.ts';
import { at, exp, f, flushingExp, laneDot } from './float32.ts';

type Unit = (x: number) => number;

const tanh: Unit = (x) => f(Math.tanh(x));
const sigmoid = {
  division: (x) => f(1 / f(1 + exp(-x))),
  'flushed exponential': (x) => f(1 / f(1 + flushingExp(-x))),
  // Of -x beyond 88 the exponential overflows: 1 / inf is 0.
  'exponential of the magnitude': (x) => {
    const e = exp(-Math.abs(x));
    return x >= 0 ? f(1 / f(1 + e)) : f(e / f(1 + e));
  },
} as const satisfies Record<string, Unit>;
/** XLA's logistic. */
const sigmoidByTanh: Unit = (x) => f(0.5 + f(0.5 * tanh(f(0.5 * x))));

const map =
  (unit: Unit): ForeignKernel['call'] =>
  (x: Float32Array) =>
    x.map(unit);
const kernels = (equation: string, units: Readonly<Record<string, Unit>>): readonly ForeignKernel[] =>
  Object.entries(units).map(([name, unit]) => ({ name, equation, call: map(unit) }));

const softplus: Unit = (x) => (x > 20 ? x : f(Math.log1p(exp(x))));
const softplusStable: Unit = (x) => f(Math.max(x, 0) + f(Math.log1p(exp(-Math.abs(x)))));
const cdf: Unit = (x) => f(0.5 * f(1 + f(erf(f(x * f(Math.SQRT1_2))))));

export const activationForms: readonly ForeignKernel[] = [
  ...kernels('activation-kernel-v1/relu', { selection: (x) => (x > 0 ? x : 0) }),
  ...kernels('activation-kernel-v1/sigmoid_unit', { ...sigmoid, 'by tanh': sigmoidByTanh }),
  ...kernels('activation-kernel-v1/tanh_unit', { library: tanh }),
  ...kernels('activation-kernel-v1/softplus_unit', {
    'with a threshold of 20': softplus,
    'shifted by the maximum': softplusStable,
  }),
  ...kernels('activation-kernel-v1/mish', {
    'of a softplus with a threshold': (x) => f(x * tanh(softplus(x))),
    'of a shifted softplus': (x) => f(x * tanh(softplusStable(x))),
  }),
  ...kernels('activation-kernel-v1/hard_swish', {
    'a product, then a division': (x) => f(f(x * Math.min(Math.max(f(x + 3), 0), 6)) / 6),
    'times a sixth': (x) => f(x * f(Math.min(Math.max(f(x + 3), 0), 6) * f(1 / 6))),
    'a product, then a sixth': (x) => f(f(x * Math.min(Math.max(f(x + 3), 0), 6)) * f(1 / 6)),
  }),
  {
    name: 'selection',
    equation: 'activation-kernel-v1/leaky_relu',
    call: (x: Float32Array, slope: number) => x.map((value) => (value > 0 ? value : f(value * slope))),
  },
  {
    name: 'expm1',
    equation: 'activation-kernel-v1/elu',
    call: (x: Float32Array, a: number) => x.map((value) => (value > 0 ? value : f(a * f(Math.expm1(value))))),
  },
  {
    name: 'exponential less one',
    equation: 'activation-kernel-v1/elu',
    call: (x: Float32Array, a: number) => x.map((value) => (value > 0 ? value : f(a * f(exp(value) - 1)))),
  },
  ...kernels('silu-kernel-v1/silu', {
    'one division': (x) => f(x / f(1 + exp(-x))),
    'one division, flushed': (x) => f(x / f(1 + flushingExp(-x))),
    ...Object.fromEntries(
      Object.entries(sigmoid).map(([name, unit]) => [`product, ${name}`, (x: number) => f(x * unit(x))]),
    ),
    'product, by tanh': (x) => f(x * sigmoidByTanh(x)),
    'half, by tanh': (x) => f(f(0.5 * x) * f(1 + tanh(f(0.5 * x)))),
  }),
  ...kernels('gelu-kernel-v1/gelu', {
    'x·½·(1 + erf)': (x) => f(f(x * 0.5) * f(1 + f(erf(f(x * f(Math.SQRT1_2)))))),
    'x·Φ': (x) => f(x * cdf(x)),
    'x·½·erfc': (x) => f(f(x * 0.5) * f(erfc(-f(x * f(Math.SQRT1_2))))),
  }),
  ...kernels('gelu-kernel-v1/gelu_tanh', {
    'a cube of products': (x) => {
      const inner = f(f(0.7978845608) * f(x + f(f(0.044715) * f(f(x * x) * x))));
      return f(f(0.5 * x) * f(1 + tanh(inner)));
    },
    "ggml's order": (x) => f(f(0.5 * x) * f(1 + tanh(f(f(f(0.7978845608) * x) * f(1 + f(f(f(0.044715) * x) * x)))))),
  }),
  ...Object.entries({ ...sigmoid, 'by tanh': sigmoidByTanh }).map(([name, unit]: [string, Unit]): ForeignKernel => ({
    name,
    equation: 'swiglu-kernel-v1/swiglu',
    call: (x: Float32Array, W: Float32Array, V: Float32Array, n: number, m: number) =>
      Float32Array.from({ length: m }, (_, j) => {
        const column = (M: Float32Array): readonly number[] => Array.from({ length: n }, (_, i) => at(M, i * m + j));
        const [a, b] = [laneDot([...x], column(W), 8), laneDot([...x], column(V), 8)];
        return f(f(a * unit(a)) * b);
      }),
  })),
];
