/**
 * Every kernel against its formula in float64, written here a second time.
 *
 * The float64 kernel must agree to float64 precision; the float32 kernel within a condition-aware bound.
 */
import { describe, expect, it } from 'vitest';
import { invariant } from '../../src/base/invariant.ts';
import { ref32 } from '../../src/backends/ref32.ts';
import { ref64 } from '../../src/backends/ref64.ts';
import type { KernelCall } from '../../src/subject/kernel.ts';
import { kernelCases, randomSource, shippedKernel } from '../support/kernels.ts';
import { trainingKernelFormulas } from '../support/training-kernel-formulas.ts';

type Formula = (call: KernelCall) => readonly number[];

const array = (call: KernelCall, i: number): readonly number[] => Array.from(call.arguments[i] as Float32Array);
const number = (call: KernelCall, i: number): number => call.arguments[i] as number;
const range = (n: number): readonly number[] => Array.from({ length: n }, (_, i) => i);
const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
const at = (values: readonly number[], i: number): number => values[i] ?? Number.NaN;

/** softmax of the scores, applied to the values. */
const mix = (scores: readonly number[], values: readonly number[]): number => {
  const weights = scores.map((score) => Math.exp(score - Math.max(...scores)));
  return sum(weights.map((weight, j) => weight * at(values, j))) / sum(weights);
};

function headOf(
  Q: readonly number[],
  K: readonly number[],
  V: readonly number[],
  sizes: { n: number; d: number; s: number; v: number; causal: boolean },
): readonly number[] {
  const { n, d, s, v, causal } = sizes;
  return range(n).flatMap((i) => {
    const keys = range(causal ? i + 1 : s);
    const scores = keys.map((j) => sum(range(d).map((l) => at(Q, i * d + l) * at(K, j * d + l))) / Math.sqrt(d));
    return range(v).map((c) =>
      mix(
        scores,
        keys.map((j) => at(V, j * v + c)),
      ),
    );
  });
}

/** Φ by its Maclaurin series in the middle and Laplace's continued fraction in the tails; both to 1e-15. */
function normal(z: number): number {
  if (Math.abs(z) > 5) {
    let fraction = 0;
    for (let k = 60; k >= 1; k--) fraction = k / (Math.abs(z) + fraction);
    const tail = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI) / (Math.abs(z) + fraction);
    return z < 0 ? tail : 1 - tail;
  }
  let term = z;
  let total = z;
  for (let k = 1; k < 120; k++) {
    term *= (z * z) / (2 * k + 1);
    total += term;
  }
  return 0.5 + (total * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI);
}

const formulas: Readonly<Record<string, Formula>> = {
  softmax: (c) => {
    const x = array(c, 0);
    const m = Math.max(...x);
    const total = sum(x.map((v) => Math.exp(v - m)));
    return x.map((v) => Math.exp(v - m) / total);
  },
  rmsnorm: (c) => {
    const x = array(c, 0);
    const r = Math.sqrt(sum(x.map((v) => v * v)) / x.length + number(c, 2));
    return x.map((v, i) => (v / r) * at(array(c, 1), i));
  },
  matmul: (c) => {
    const [A, B, m, k, n] = [array(c, 0), array(c, 1), number(c, 2), number(c, 3), number(c, 4)];
    return range(m).flatMap((i) => range(n).map((j) => sum(range(k).map((l) => at(A, i * k + l) * at(B, l * n + j)))));
  },
  attention: (c) =>
    headOf(array(c, 0), array(c, 1), array(c, 2), {
      n: number(c, 3),
      d: number(c, 4),
      s: number(c, 5),
      v: number(c, 6),
      causal: false,
    }),
  causalAttention: (c) =>
    headOf(array(c, 0), array(c, 1), array(c, 2), {
      n: number(c, 3),
      d: number(c, 4),
      s: number(c, 3),
      v: number(c, 5),
      causal: true,
    }),
  gqa: (c) => {
    const [h, n, d, g, s] = [number(c, 3), number(c, 4), number(c, 5), number(c, 6), number(c, 7)];
    const page = (i: number, index: number, size: number): readonly number[] =>
      array(c, i).slice(index * size, (index + 1) * size);
    return range(h).flatMap((a) => {
      const group = Math.floor((a * g) / h);
      return headOf(page(0, a, n * d), page(1, group, s * d), page(2, group, s * d), { n, d, s, v: d, causal: false });
    });
  },
  rope: (c) => {
    const [x, b, n, d] = [array(c, 0), number(c, 1), number(c, 2), number(c, 3)];
    return range(n).flatMap((p) =>
      range(d).map((k) => {
        const angle = p * b ** ((-2 * Math.floor(k / 2)) / d);
        const own = at(x, p * d + k);
        return k % 2 === 0
          ? own * Math.cos(angle) - at(x, p * d + k + 1) * Math.sin(angle)
          : at(x, p * d + k - 1) * Math.sin(angle) + own * Math.cos(angle);
      }),
    );
  },
  gelu: (c) => array(c, 0).map((v) => v * normal(v)),
  geluTanh: (c) => array(c, 0).map((v) => 0.5 * v * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (v + 0.044715 * v ** 3)))),
  crossEntropy: (c) => {
    const [z, y, r, v] = [array(c, 0), array(c, 1), number(c, 2), number(c, 3)];
    return range(r).map((b) => {
      const row = z.slice(b * v, (b + 1) * v);
      const m = Math.max(...row);
      return Math.log(sum(row.map((l) => Math.exp(l - m)))) - (at(row, at(y, b)) - m);
    });
  },
  adamFirstMoment: (c) => array(c, 0).map((m, i) => number(c, 2) * m + (1 - number(c, 2)) * at(array(c, 1), i)),
  adamSecondMoment: (c) => array(c, 0).map((v, i) => number(c, 2) * v + (1 - number(c, 2)) * at(array(c, 1), i) ** 2),
  adamwUpdate: (c) =>
    array(c, 0).map((theta, i) => {
      const t = number(c, 8);
      const first = at(array(c, 1), i) / (1 - number(c, 4) ** t);
      const second = at(array(c, 2), i) / (1 - number(c, 5) ** t);
      return theta - number(c, 3) * (first / (Math.sqrt(second) + number(c, 6)) + number(c, 7) * theta);
    }),
  swiglu: (c) => {
    const [x, W, V, n, m] = [array(c, 0), array(c, 1), array(c, 2), number(c, 3), number(c, 4)];
    return range(m).map((j) => {
      const a = sum(range(n).map((i) => at(x, i) * at(W, i * m + j)));
      return (a / (1 + Math.exp(-a))) * sum(range(n).map((i) => at(x, i) * at(V, i * m + j)));
    });
  },
  ...trainingKernelFormulas,
};

/** Relative to the largest output: the float32 kernels are stable, so this bounds all but cancelling elements. */
const tolerance32 = 3e-5;

/** The kernel's own approximation error where it has one, times |x| ≤ 12: gelu's polynomial (4.1e-8), geluTanh's clamp (1 − tanh 15). */
const tolerance64: Readonly<Record<string, number>> = { gelu: 5e-7, geluTanh: 3e-12 };

describe.each(kernelCases)('$name', ({ family, name, call }) => {
  const formula = formulas[name];
  invariant(formula, `a formula for ${name}`);

  it.each([
    ['float64', ref64],
    ['float32', ref32],
  ] as const)('computes its formula in %s', async (precision, backend) => {
    const opened = await backend.open(await shippedKernel(family, name));
    invariant(opened.ok, 'opens');
    const random = randomSource(5);
    for (let i = 0; i < 200; i++) {
      const given = call(random);
      const outcome = opened.kernel.runSync?.(given);
      invariant(outcome?.ok, `an output: ${JSON.stringify(outcome)}`);
      const exact = formula(given);
      const scale = Math.max(1, ...exact.map(Math.abs));
      const allowed = precision === 'float64' ? (tolerance64[name] ?? 1e-12) : tolerance32;
      expect(outcome.output).toHaveLength(exact.length);
      const error = Math.max(...exact.map((value, j) => Math.abs((outcome.output[j] ?? Number.NaN) - value)));
      expect(error, `call ${i}`).toBeLessThanOrEqual(allowed * scale);
    }
  });
});

describe('edges', () => {
  const run = async (family: string, name: string, given: KernelCall): Promise<readonly number[]> => {
    const opened = await ref32.open(await shippedKernel(family, name));
    invariant(opened.ok, 'opens');
    const outcome = opened.kernel.runSync?.(given);
    invariant(outcome?.ok, 'runs');
    return Array.from(outcome.output);
  };
  const vector = (...values: readonly number[]): KernelCall => ({
    arguments: [Float32Array.from(values), values.length],
    shapes: [[values.length], []],
    outputShape: [values.length],
  });

  it('softmax neither overflows nor loses its sum', async () => {
    expect(await run('softmax', 'softmax', vector(1e4, -1e4))).toEqual([1, 0]);
    expect(await run('softmax', 'softmax', vector(-1e30, -1e30))).toEqual([0.5, 0.5]);
    expect(await run('softmax', 'softmax', vector(-0))).toEqual([1]);
  });

  it('gelu of anything finite is finite, of large values the value', async () => {
    expect(await run('gelu', 'gelu', vector(3e38, -3e38, 1e4, 0))).toEqual([Math.fround(3e38), -0, 1e4, 0]);
    expect(await run('gelu', 'geluTanh', vector(1e3, -1e3, 0))).toEqual([1e3, -0, 0]);
  });

  it('rope leaves position 0 alone', async () => {
    const x = Float32Array.of(1, 2, 3, 4);
    expect(
      await run('rope', 'rope', { arguments: [x, 1e4, 1, 4], shapes: [[1, 4], [], [], []], outputShape: [1, 4] }),
    ).toEqual([1, 2, 3, 4]);
  });

  it('attention of one key is its value, causal row 0 the first value', async () => {
    const [Q, K, V] = [Float32Array.of(3, -2), Float32Array.of(5, 7), Float32Array.of(0.1, -0.7, 1e-8)];
    expect(
      await run('attention', 'attention', {
        arguments: [Q, K, V, 1, 2, 1, 3],
        shapes: [[1, 2], [1, 2], [1, 3], [], [], [], []],
        outputShape: [1, 3],
      }),
    ).toEqual(Array.from(V));
    expect(
      await run('attention', 'causalAttention', {
        arguments: [Q, K, V, 1, 2, 3],
        shapes: [[1, 2], [1, 2], [1, 3], [], [], []],
        outputShape: [1, 3],
      }),
    ).toEqual(Array.from(V));
  });
});
