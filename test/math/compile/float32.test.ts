import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emitEquation } from '../../../src/math/compile/emit.ts';
import { loadEquation } from '../../../src/math/compile/load.ts';
import * as b from '../../../src/math/term/build.ts';
import type { Term } from '../../../src/math/term/term.ts';
import { attention, causalAttention, index, matmul, over, rmsnorm, softmax, x } from '../equations.ts';

const f = Math.fround;
const floats = (length: number): fc.Arbitrary<Float32Array> =>
  fc
    .array(fc.float({ noNaN: true, min: -100, max: 100 }), { minLength: length, maxLength: length })
    .map((values) => Float32Array.from(values));

function softmaxByHand(x: Float32Array): Float32Array {
  let largest = -Infinity;
  for (const value of x) largest = Math.max(largest, value);
  const e = x.map((value) => f(Math.exp(f(value - largest))));
  let sum = 0;
  for (const value of e) sum = f(sum + value);
  return e.map((value) => f(value / sum));
}

function rmsnormByHand(x: Float32Array, gamma: Float32Array, epsilon: number): Float32Array {
  let sum = 0;
  for (const value of x) sum = f(sum + f(value * value));
  const root = f(Math.sqrt(f(f(sum / x.length) + epsilon)));
  return x.map((value, i) => f(f(value / root) * (gamma[i] ?? 0)));
}

function matmulByHand(A: Float32Array, B: Float32Array, m: number, k: number, n: number): Float32Array {
  const C = new Float32Array(m * n);
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let l = 0; l < k; l++) sum = f(sum + f((A[i * k + l] ?? 0) * (B[l * n + j] ?? 0)));
      C[i * n + j] = sum;
    }
  }
  return C;
}

function attentionByHand(
  Q: Float32Array,
  K: Float32Array,
  V: Float32Array,
  [n, s, d, v]: readonly [number, number, number, number],
  causal: boolean,
): Float32Array {
  const out = new Float32Array(n * v);
  for (let i = 0; i < n; i++) {
    const seen = causal ? i + 1 : s;
    const scores = matmulByHand(
      Q.slice(i * d, (i + 1) * d),
      Float32Array.from({ length: d * seen }, (_, at) => K[(at % seen) * d + Math.floor(at / seen)] ?? 0),
      1,
      d,
      seen,
    );
    const weights = softmaxByHand(scores.map((value) => f(value / f(Math.sqrt(d)))));
    out.set(matmulByHand(weights, V.slice(0, seen * v), 1, seen, v), i * v);
  }
  return out;
}

test('float32 softmax is the hand-written one, bit for bit', async () => {
  const equation = await loadEquation(softmax, { arithmetic: 'float32' });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }).chain(floats), (x) => {
      expect(equation([x.length], [x])).toEqual(softmaxByHand(x));
    }),
  );
});

test('float32 RMSNorm is the hand-written one, bit for bit', async () => {
  const equation = await loadEquation(rmsnorm, { arithmetic: 'float32' });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }).chain((n) => fc.tuple(floats(n), floats(n))),
      fc.constantFrom(1e-5, 1e-6, 0.1),
      ([x, gamma], epsilon) => {
        expect(equation([x.length], [x, gamma, f(epsilon)])).toEqual(rmsnormByHand(x, gamma, f(epsilon)));
      },
    ),
  );
});

test('float32 matrix product is the hand-written one, bit for bit', async () => {
  const equation = await loadEquation(matmul, { arithmetic: 'float32' });
  const sizes = fc.tuple(
    fc.integer({ min: 1, max: 6 }),
    fc.integer({ min: 0, max: 9 }),
    fc.integer({ min: 1, max: 6 }),
  );
  fc.assert(
    fc.property(
      sizes.chain(([m, k, n]) => fc.tuple(fc.constant([m, k, n] as const), floats(m * k), floats(k * n))),
      ([[m, k, n], A, B]) => {
        expect(equation([m, k, n], [A, B])).toEqual(matmulByHand(A, B, m, k, n));
      },
    ),
  );
});

test.each([
  [attention, false],
  [causalAttention, true],
] as const)('float32 $name is the hand-written one, bit for bit', async (model, causal) => {
  const equation = await loadEquation(model, { arithmetic: 'float32' });
  const side = fc.integer({ min: 1, max: 5 });
  const inputs = fc
    .tuple(side, side, side)
    .chain(([n, d, v]) => fc.tuple(fc.constant([n, n, d, v] as const), floats(n * d), floats(n * d), floats(n * v)));
  fc.assert(
    fc.property(inputs, ([sizes, Q, K, V]) => {
      expect(equation(sizes, [Q, K, V])).toEqual(attentionByHand(Q, K, V, sizes, causal));
    }),
  );
});

test('attention costs n·s·(d + v): its scores are stored per row, not computed per output', () => {
  const text = emitEquation(attention, { arithmetic: 'float64', language: 'js' });
  const depth = Math.max(
    ...text
      .split('\n')
      .filter((line) => line.includes('for ('))
      .map((line) => (line.search(/\S/) - 4) / 2 + 1),
  );
  expect(depth).toBe(3);
  expect(text.match(/Math\.exp/g)).toHaveLength(1);
});

test('softmax is linear: one exponential, no loop in a loop', () => {
  const text = emitEquation(softmax, { arithmetic: 'float64', language: 'js' });
  expect(text.match(/Math\.exp/g)).toHaveLength(1);
  expect(text).not.toMatch(/^ {6,}for/m);
});

test('the result is an array of its own, in every call', async () => {
  const equation = await loadEquation(softmax, { arithmetic: 'float64' });
  const first = equation([2], [Float32Array.of(0, 0)]);
  const second = equation([2], [Float32Array.of(0, 5)]);
  expect(second).not.toBe(first);
  expect([...first]).toEqual([0.5, 0.5]);
});

test('naming a stored tensor again stores nothing', () => {
  const row = b.tabulate([over('i')], b.call('exp', b.element(x, [index('i')])));
  const copy = (name: string): Term => b.tabulate([over('j')], b.element(b.variable(name, row.type), [index('j')]));
  const body = b.letIn('e', row, b.letIn('f', copy('e'), copy('f')));
  const text = emitEquation({ ...softmax, body }, { arithmetic: 'float64', language: 'js' });
  expect(text).not.toContain('kept');
  expect(text.match(/for \(/g)).toHaveLength(1);
});
