import { describe, expect, it } from 'vitest';
import { invariant } from '../../../src/base/invariant.ts';
import { float64 } from '../../../src/math/evaluate/floats.ts';
import { float32FromOrdinal, float32Ordinal } from '../../../src/numeric/float.ts';
import { fromFloat } from '../../../src/numeric/rational.ts';
import { createEvaluator } from '../../../src/bounded-proofs/evaluate.ts';
import { executeKernel } from '../../../src/bounded-proofs/execute/execute-kernel.ts';
import type { Executed } from '../../../src/bounded-proofs/execute/kernel-call.ts';
import { largestExponent, largestHyperbolic } from '../../../src/bounded-proofs/execute/math-call.ts';
import { Graph, type NumberExpression } from '../../../src/bounded-proofs/expression.ts';
import { printProofExpression } from '../../../src/bounded-proofs/print-expression.ts';
import { kernelFromText } from '../../support/kernels.ts';
import { run, type Run } from './run-kernel.ts';

function valueOf({ result }: Run): Executed {
  invariant(result.ok, result.ok ? '' : result.error.message);
  return result.value;
}

const text = (expression: NumberExpression | undefined): string => (expression ? printProofExpression(expression) : '');

/** The outputs and whether all conditions hold, on one input. */
function on(executed: Executed, input: Readonly<Record<string, number>>): { outputs: number[]; unsafe: string[] } {
  const at = createEvaluator(float64, new Map(Object.entries(input)));
  const unsafe = executed.safety
    .filter(({ condition }) => !at.truth(condition))
    .map(({ kind, text: what }) => `${kind}: ${what}`);
  return { outputs: executed.outputs.map((output) => at.number(output)), unsafe };
}

describe('arithmetic', () => {
  it('rounds each operation on unknown numbers once, and nothing that is exact', async () => {
    const body = 'return -Math.max(x[0], Math.abs(x[1])) * a + x[0] / 3;';
    const { outputs } = valueOf(await run(body, { x: [2], a: 'number' }));
    expect(text(outputs[0])).toBe('fl(−fl(max(x0, |x1|) · a) + fl(x0 / 3))');
  });

  it('knows what known numbers give, with the roundings of float32', async () => {
    const body = 'const third = 1 / 3; return x[0] * (third + 0.1 + Math.sqrt(4) + Math.PI);';
    const { outputs } = valueOf(await run(body, { x: [1] }));
    const f = Math.fround;
    const known = f(f(f(f(1 / 3) + f(0.1)) + 2) + f(Math.PI));
    expect(outputs[0]).toMatchObject({ operand: { right: { value: fromFloat(known) } } });
  });

  it('knows that 0 to the power 0 is 1 where the exponent is an input', async () => {
    const value = valueOf(await run('return Math.pow(0, x[0] / 3);', { x: [1] }));
    expect(on(value, { x0: 0 })).toEqual({ outputs: [1], unsafe: [] });
    expect(on(value, { x0: 2 ** -149 })).toEqual({ outputs: [1], unsafe: [] });
    expect(on(value, { x0: 3 })).toEqual({ outputs: [0], unsafe: [] });
  });

  it.each([
    ['s * 0', /signs of zeros/],
    ['0 / s', /signs of zeros/],
    ['s > 1 ? -0 : 0', /signs of zeros/],
    ['s - s', /signs of zeros/],
  ])('does not take %s for a zero of known sign', async (zero, message) => {
    const { result } = await run(`return Math.atan2(${zero}, -1);`, { s: 'number' });
    expect(result.ok ? '' : result.error.message).toMatch(message);
  });

  it('knows the sign of a zero that does not depend on the input, and where signs do not matter', async () => {
    const angle = async (y: string, x: string): Promise<number> => {
      const value = valueOf(await run(`return Math.atan2(${y}, ${x});`, { s: 'number' }));
      return on(value, { s: -1 }).outputs[0] ?? Number.NaN;
    };
    expect(await angle('0', '-1')).toBe(Math.fround(Math.PI));
    expect(await angle('-0', '-1')).toBe(-Math.fround(Math.PI));
    expect(await angle('Math.sin(-0)', '-1')).toBe(-Math.fround(Math.PI));
    expect((await angle('s * 0', '2')) + 0).toBe(0);
    expect(await angle('3', 's * 0')).toBe(Math.fround(Math.PI / 2));
  });

  it('stores whole numbers beyond 2²⁴ as float32 wherever ways that counted them meet', async () => {
    const body = `let k = 0;
      for (let i = 0; i < 4; i++) { if (i === 3 && s > 0.5) { k = i * 16777215; } }
      return k;`;
    const value = valueOf(await run(body, { s: 'number' }));
    expect([0, 1].map((s) => on(value, { s }).outputs[0])).toEqual([0, 50331644]);
    const { result } = await run(body.replace('return k', 'return k + s'), { s: 'number' });
    expect(result.ok ? '' : result.error.message).toMatch(/beyond 2²⁴/);
  });

  it('keeps the root of a known number, which claims have without its rounding', async () => {
    const { outputs, unsafe } = on(valueOf(await run('return x[0] * Math.sqrt(n);', { x: [1], n: 2 })), { x0: 3 });
    expect({ outputs, unsafe }).toEqual({ outputs: [Math.fround(3 * Math.fround(Math.SQRT2))], unsafe: [] });
    expect(text(valueOf(await run('return x[0] * Math.sqrt(n);', { x: [1], n: 2 })).outputs[0])).toBe(
      'fl(x0 · fl(√(2)))',
    );
  });

  it('keeps the arithmetic of indices whole, and sums that start at 0 free of a rounding', async () => {
    const body = 'let sum = 0; for (let i = 0; i < n; i++) { sum += x[2 * i + 1]; } return sum;';
    const { outputs } = valueOf(await run(body, { x: [6], n: 3 }));
    expect(text(outputs[0])).toBe('fl(fl(x1 + x3) + x5)');
  });

  it('has the remainder that ref32 computes, not the exact one', async () => {
    const { outputs } = valueOf(await run('return x[0] % 3;', { x: [1] }));
    expect(text(outputs[0])).toBe('fl(x0 − fl(truncate(fl(x0 / 3)) · 3))');
  });

  it('leaves functions of known numbers to the machine, except where the language states the result', async () => {
    const { outputs } = valueOf(await run('return x[0] * (Math.exp(0) + Math.exp(1));', { x: [1] }));
    expect(text(outputs[0])).toBe('fl(x0 · fl(1 + exp₃₂(1)))');
  });

  it('computes with infinities that are known', async () => {
    const body =
      'let m = -Infinity; for (let i = 0; i < 2; i++) { if (x[i] > m) { m = x[i]; } } return m + Math.exp(-Infinity) + 1 / Infinity;';
    const { outputs, safety } = valueOf(await run(body, { x: [2] }));
    expect(text(outputs[0])).toBe('(x0 < x1 ? x1 : x0)');
    expect(safety).toEqual([]);
  });

  it('is exact over the reals: decimals are what is written, nothing is rounded', async () => {
    const { outputs, safety } = valueOf(
      await run('return 0.1 * x[0] + Math.exp(x[0]) ** 2 + Math.SQRT2 + 1 / 3;', { x: [1] }, [1], { reading: 'real' }),
    );
    expect(text(outputs[0])).toBe('1/10 · x0 + t1 · t1 + √(2) + 1/3\n  t1 = exp(x0)');
    expect(safety).toEqual([]);
  });
});

describe('control flow', () => {
  it('merges the branches of a condition', async () => {
    const body = 'let y = a; if (a > 1) { y = a * 2; } else if (a < -1) { y = a * 3; } return y;';
    const executed = valueOf(await run(body, { a: 'number' }));
    expect([2, 0.5, -2].map((a) => on(executed, { a }).outputs[0])).toEqual([4, 0.5, -6]);
  });

  it('follows early returns, breaks and continues', async () => {
    const body = `let sum = 0;
      for (let i = 0; i < 4; i++) {
        if (x[i] < 0) { continue; }
        if (x[i] > 100) { return -1; }
        if (x[i] === 0) { break; }
        sum += x[i];
      }
      return sum;`;
    const executed = valueOf(await run(body, { x: [4] }));
    const given = (...x: readonly number[]): number | undefined =>
      on(executed, Object.fromEntries(x.map((value, i) => [`x${i}`, value]))).outputs[0];
    expect([
      given(1, 2, 3, 4),
      given(1, -2, 3, 4),
      given(1, 0, 3, 4),
      given(1, 2, 300, 4),
      given(0, 0, 300, 0),
    ]).toEqual([10, 8, 1, -1, 0]);
  });

  it('unrolls a loop whose end depends on the input, and demands that it ends', async () => {
    const body = 'let i = 0; let y = a; while (y > 1) { y = y / 2; i = i + 1; } return i;';
    const executed = valueOf(await run(body, { a: 'number' }, [1], { loopMax: 5 }));
    expect(on(executed, { a: 20 })).toEqual({ outputs: [5], unsafe: [] });
    expect(on(executed, { a: 64 }).unsafe).toEqual(['loop: y > 1 ends the loop within 5 rounds']);
  });

  it('demands what no input meets of a loop that is longer than its maximum', async () => {
    const { safety } = valueOf(
      await run('let s = 0; for (let i = 0; i < 11; i++) { s += a; } return s;', { a: 'number' }, [1], { loopMax: 10 }),
    );
    const loops = safety.filter(({ kind }) => kind === 'loop');
    expect(loops).toMatchObject([
      { condition: { kind: 'truth', value: false }, text: 'i < 11 ends the loop within 10 rounds' },
    ]);
  });

  it('demands nothing of a place that no input reaches', async () => {
    const body = 'if (n > 3) { return x[3]; } return 1 / (n - 2);';
    expect(valueOf(await run(body, { x: [2], n: 1 })).safety).toEqual([]);
  });

  it('gives truth values the meaning that JavaScript has', async () => {
    const body =
      'const late = a > 0 && !(b < 0); let y = 1; if (late || a) { y = 2; } return late === (b > 3) ? y : -y;';
    const executed = valueOf(await run(body, { a: 'number', b: 'number' }));
    const meaning = (a: number, b: number): number => {
      const late = a > 0 && !(b < 0);
      const y = late || a ? 2 : 1;
      return late === b > 3 ? y : -y;
    };
    for (const a of [-1, 0, 1])
      for (const b of [-1, 0, 5]) expect(on(executed, { a, b }).outputs[0]).toBe(meaning(a, b));
  });
});

describe('arrays', () => {
  it('are indexed by thread, row-major', async () => {
    const body = 'return A[this.thread.z][this.thread.y][this.thread.x] + this.output.x;';
    const { outputs } = valueOf(await run(body, { A: [2, 2, 3] }, [2, 2, 3]));
    expect(outputs.map((output) => text(output))).toEqual(Array.from({ length: 12 }, (_, i) => `fl(A${i} + 3)`));
  });

  it('are chosen from where the index depends on the input', async () => {
    const executed = valueOf(await run('return A[k][k + 1];', { A: [2, 3], k: 'whole' }));
    expect([0, 1].map((k) => on(executed, { k, A1: 10, A5: 50 }).outputs[0])).toEqual([10, 50]);
    expect(on(executed, { k: 2, A1: 10, A5: 50, A2: 0, A3: 0, A0: 0, A4: 0 }).unsafe).toEqual([
      'index: A[k][k + 1] is inside the array',
    ]);
  });

  it('need a whole index', async () => {
    const input = { a: 0.5, x0: 1, x1: 2 };
    expect(on(valueOf(await run('return x[a];', { x: [2], a: 'number' })), input).unsafe).toHaveLength(1);
    expect(on(valueOf(await run('return x[Math.floor(a)];', { x: [2], a: 'number' })), input)).toEqual({
      outputs: [1],
      unsafe: [],
    });
  });

  it('have no element outside, whatever the input', async () => {
    const { safety } = valueOf(
      await run('let s = 0; for (let i = 0; i <= 2; i++) { s += x[i]; } return s;', { x: [2] }),
    );
    expect(safety.find(({ kind }) => kind === 'index')).toMatchObject({
      condition: { kind: 'truth', value: false },
      text: 'x[i] is inside the array',
    });
  });
});

describe('safety', () => {
  it.each([
    ['return 1 / a;', { a: 0 }, 'division: 1 / a does not divide by 0'],
    ['return a % 0;', { a: 1 }, 'division: a % 0 does not divide by 0'],
    ['return a * a;', { a: 1e30 }, 'overflow: a * a does not overflow'],
    ['return Math.exp(a);', { a: 89 }, 'overflow: Math.exp(a) does not overflow'],
    ['return Math.sqrt(a);', { a: -1 }, 'invalid: Math.sqrt(a) is of a number that is not negative'],
    ['return Math.log(a);', { a: 0 }, 'invalid: Math.log(a) is of a positive number'],
    ['return Math.acos(a);', { a: 1.5 }, 'invalid: Math.acos(a) is of a number in [−1, 1]'],
    ['return a ** 0.5;', { a: -1 }, 'invalid: a ** 0.5 has a base that is not negative'],
    ['return a ** -2;', { a: 0 }, 'division: a ** (-2) does not divide by 0'],
    ['return Math.pow(2, a);', { a: 200 }, 'overflow: Math.pow(2, a) does not overflow'],
    ['return Math.sqrt(0 - 1) + a;', { a: 0 }, 'invalid: Math.sqrt(0 - 1) is not NaN'],
  ])('of %s', async (body, input, what) => {
    const executed = valueOf(await run(body, { a: 'number' }));
    // Later conditions are about what such an operation gives, which is no number.
    expect(on(executed, input).unsafe[0]).toBe(what);
    expect(executed.safety[0]?.place.line).toBe(2);
  });

  it('is demanded only where a condition leads to the operation', async () => {
    const executed = valueOf(await run('return a > 0 ? Math.log(a) : a < 0 && 1 / a < -2 ? 1 : 2;', { a: 'number' }));
    for (const a of [0, 1, -1, -0.1]) expect(on(executed, { a }).unsafe).toEqual([]);
  });

  it('collects the same place of all rounds and threads', async () => {
    const body = 'let s = 0; for (let i = 0; i < 3; i++) { s += x[i] * x[this.thread.x]; } return s;';
    const { safety } = valueOf(await run(body, { x: [3] }, [3]));
    expect(safety.map(({ kind, text: what }) => `${kind}: ${what}`)).toEqual([
      'overflow: x[i] * x[this.thread.x] does not overflow',
      'overflow: s + (x[i] * x[this.thread.x]) does not overflow',
    ]);
  });

  it('knows the last arguments at which exponentials are float32', () => {
    for (const [last, fn] of [
      [largestExponent, Math.exp],
      [largestHyperbolic, Math.sinh],
      [largestHyperbolic, Math.cosh],
    ] as const) {
      expect(Math.fround(fn(last))).toBeLessThan(Infinity);
      expect(Math.fround(fn(float32FromOrdinal(float32Ordinal(last) + 1)))).toBe(Infinity);
    }
  });
});

describe('what cannot be followed', () => {
  it.each([
    ['Math.atan2 of unknown numbers', 'return Math.atan2(a, b);', 2, /atan2 has no model/],
    ['an infinity where branches meet', 'let m = Infinity; if (a > 0) { m = a; } return m;', 2, /infinity/],
    ['a function of what is not a float32', 'return a + Math.exp((4097 + this.thread.x) * 4097);', 2, /beyond 2²⁴/],
    ['an infinite product of unknown sign', 'return a * Infinity;', 2, /infinity/],
    ['a number compared with a truth value', 'return (a > 0) === (b as unknown as boolean) ? 1 : 2;', 2, /truth value/],
  ])('is refused with its place: %s', async (_, body, line, message) => {
    const { result } = await run(body, { a: 'number', b: 'number' });
    expect(result).toMatchObject({ ok: false, error: { place: { line } } });
    expect(result.ok ? '' : result.error.message).toMatch(message);
  });

  it('is a kernel whose graph would be too large, without an end to the memory it takes', async () => {
    const program = await kernelFromText(
      'export function kernel(this: { thread: { x: number } }, x: readonly number[]): number { let s = 0; for (let i = 0; i < 1000; i++) { s += x[i] * x[this.thread.x]; } return s; }',
    );
    invariant(program.syntax, 'it is a gpu.js kernel');
    const graph = new Graph(10_000);
    const elements = Array.from({ length: 1000 }, (_, i) => graph.variable(`x${i}`));
    const call = {
      arguments: [{ kind: 'array' as const, shape: [1000], elements }],
      outputShape: [1000],
      wholeVariables: new Set<string>(),
    };
    const result = executeKernel(graph, program.syntax, call, { reading: 'float32', loopMax: 10_000 });
    expect(result).toMatchObject({
      ok: false,
      error: { message: 'too large: the kernel at these sizes has more than 10000 nodes' },
    });
  });
});

describe('work that threads share', () => {
  it('is done once: the nodes of a softmax grow with n, not with n²', async () => {
    const body = `let m = x[0];
      for (let j = 1; j < n; j++) { m = Math.max(m, x[j]); }
      let s = 0;
      for (let j = 0; j < n; j++) { s += Math.exp(x[j] - m); }
      return Math.exp(x[this.thread.x] - m) / s;`;
    const { graph, result } = await run(body, { x: [128], n: 128 }, [128]);
    expect(result.ok).toBe(true);
    expect(graph.size).toBeLessThan(24 * 128);
  });
});
