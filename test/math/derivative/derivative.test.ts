/**
 * Derivatives of formulas against central differences of the same formulas in 60 digits, in both directions, and the
 * closed forms that sums over deltas become.
 *
 * Holds src/math/derivative/derivative.ts, src/math/derivative/sparse.ts.
 */
import fc from 'fast-check';
import { Decimal } from 'decimal.js';
import { describe, expect, it } from 'vitest';
import { jacobianVector, obstacleTo, vectorJacobian } from '../../../src/math/derivative/derivative.ts';
import { decimalArithmetic } from '../../../src/math/evaluate/exact.ts';
import { evaluateTerm, interpret, type Binding } from '../../../src/math/evaluate/interpret.ts';
import { printTerm } from '../../../src/math/term/print-term.ts';
import { freshNames } from '../../../src/math/term/symbols.ts';
import type { Term } from '../../../src/math/term/term.ts';
import { variable } from '../../../src/math/term/build.ts';
import { termSize } from '../../../src/math/term/traverse.ts';
import type { EquationModel } from '../../../src/contract/goal.ts';
import { model, numbers } from '../../contract/elaborate/support.ts';

type Variable = Extract<Term, { kind: 'variable' }>;

function input(equation: EquationModel, name: string): Variable {
  const found = equation.parameters.find((parameter) => parameter.name === name);
  if (!found) throw new Error(`no input ${name}`);
  return { kind: 'variable', name, type: found.type, origin: null };
}

const namesOf = (equation: EquationModel): readonly string[] => [
  ...equation.parameters.map((p) => p.name),
  ...equation.sizes,
  'along',
];

/** The names of a model's body are its own: a derivative must not reuse them. */
function freshFor(equation: EquationModel): (hint: string) => string {
  const fresh = freshNames(namesOf(equation));
  return (hint) => fresh(`${hint}_`);
}

function vjp(equation: EquationModel, by: string): Term {
  return vectorJacobian(
    { body: equation.body, parameter: input(equation, by), fresh: freshFor(equation) },
    variable('along', equation.result),
  );
}

function jvp(equation: EquationModel, by: string): Term {
  const parameter = input(equation, by);
  return jacobianVector(
    { body: equation.body, parameter, fresh: freshFor(equation) },
    variable('along', parameter.type),
  );
}

function exactly(term: Term, env: ReadonlyMap<string, Binding>): readonly Decimal[] {
  const result = interpret(term, env, decimalArithmetic(60));
  if (!result.ok) throw new Error(result.error);
  const { value } = result;
  const list = typeof value === 'object' && 'data' in value ? value.data : [value];
  return list.map((one) => new Decimal(typeof one === 'object' ? one : Number(one)));
}

const dataOf = (binding: Binding | undefined): readonly number[] =>
  typeof binding === 'object' && 'data' in binding ? Array.from(binding.data, Number) : [Number(binding)];

const like = (binding: Binding | undefined, data: readonly number[]): Binding =>
  typeof binding === 'object' && 'data' in binding ? { shape: binding.shape, data: [...data] } : (data[0] ?? 0);

const h = 2 ** -40;

/** ∂f_i/∂x_k by central differences, in rows of k. */
function differences(
  equation: EquationModel,
  by: string,
  env: ReadonlyMap<string, Binding>,
): readonly (readonly number[])[] {
  const at = dataOf(env.get(by));
  return at.map((value, k) => {
    const moved = (by_: number): readonly Decimal[] =>
      exactly(equation.body, new Map([...env, [by, like(env.get(by), at.with(k, value + by_))]]));
    const [up, down] = [moved(h), moved(-h)];
    return up.map((one, i) =>
      one
        .minus(down[i] ?? 0)
        .div(2 * h)
        .toNumber(),
    );
  });
}

/** Multiples of 1/64, so that x ± h is exact. */
const sample = (low: number, high: number): fc.Arbitrary<number> =>
  fc.integer({ min: Math.ceil(low * 64), max: Math.floor(high * 64) }).map((n) => n / 64);

interface Case {
  readonly formula: string;
  readonly domain: string;
  readonly by: readonly string[];
  readonly range?: readonly [number, number];
  readonly codomain?: string;
}

const cases: readonly Case[] = [
  { formula: 'f(x)_i = x_i·σ(x_i)', domain: 'x ∈ F32^n', by: ['x'] },
  { formula: 'f(x)_i = exp(x_i - max(x)) / Σ_j exp(x_j - max(x))', domain: 'x ∈ F32^n', by: ['x'] },
  { formula: 'f(x) = log(Σ_j exp(x_j - max(x))) + max(x)', domain: 'x ∈ F32^n', by: ['x'] },
  {
    formula: 'f(x)_i = γ_i·(x_i - mean(x)) / √(var(x) + 0.1) + β_i',
    domain: 'x ∈ F32^n, γ ∈ F32^n, β ∈ F32^n',
    by: ['x', 'γ', 'β'],
  },
  { formula: 'f(x)_i = x_i / RMS(x) where RMS(x) = √(Σ_j x_j² / n + e), e = 0.1', domain: 'x ∈ F32^n', by: ['x'] },
  { formula: 'f(A, B)_ij = Σ_l A_il·B_lj', domain: 'A ∈ F32^{m×k}, B ∈ F32^{k×n}', by: ['A', 'B'] },
  {
    formula: 'f(x, W, V)_j = silu(a_j)·b_j where silu(z) = z / (1 + exp(-z)), a_j = Σ_i x_i·W_ij, b_j = Σ_i x_i·V_ij',
    domain: 'x ∈ F32^n, W ∈ F32^{n×m}, V ∈ F32^{n×m}',
    by: ['x', 'W', 'V'],
  },
  {
    formula:
      'f(Q, K, V)_ic = Σ_j P_ij·V_jc where S_ij = Σ_k Q_ik·K_jk / √d, P_ij = exp(S_ij - max_j S_ij) / Σ_k exp(S_ik - max_j S_ij)',
    domain: 'Q ∈ F32^{n×d}, K ∈ F32^{s×d}, V ∈ F32^{s×v}',
    by: ['Q', 'K', 'V'],
  },
  {
    formula: 'f(x, w)_i = Σ_j w_j·(x_{i+j-1} if 0 ≤ i+j-1 < n else 0)',
    domain: 'x ∈ F32^n, w ∈ F32^k',
    by: ['x', 'w'],
    codomain: 'y ∈ F32^n',
  },
  {
    formula: 'f(x, w)_i = Σ_j w_j·x_{2·i+j}',
    domain: 'x ∈ F32^{2·m+k}, w ∈ F32^k',
    by: ['x', 'w'],
    codomain: 'y ∈ F32^m',
  },
  { formula: 'f(x) = ∏_i x_i', domain: 'x ∈ F32^n', by: ['x'] },
  { formula: 'f(x)_i = { x_i if x_i > 0.01; c·x_i otherwise }', domain: 'x ∈ F32^n, c ∈ F32', by: ['x', 'c'] },
  { formula: 'f(x)_i = max(0.005, x_i) + min(x_i, c)·|x_i - 0.003|', domain: 'x ∈ F32^n, c ∈ F32', by: ['x'] },
  { formula: 'f(x)_i = clamp(x_i, -0.502, 0.502)', domain: 'x ∈ F32^n', by: ['x'] },
  {
    formula: 'f(x)_i = sin(x_i)·cos(2·x_i) + tan(x_i / 4) + atan(x_i) + tanh(x_i) + sinh(x_i) - cosh(x_i)',
    domain: 'x ∈ F32^n',
    by: ['x'],
  },
  { formula: 'f(x)_i = erf(x_i) + softplus(x_i) + expm1(x_i) - Φ(x_i)', domain: 'x ∈ F32^n', by: ['x'] },
  {
    formula: 'f(x)_i = log(x_i) + log1p(x_i)·log2(x_i) - log10(x_i) + rsqrt(x_i) + √x_i',
    domain: 'x ∈ F32^n',
    by: ['x'],
    range: [0.25, 3],
  },
  {
    formula: 'f(x)_i = x_i^3 + x_i^c + 2^x_i + x_i mod 0.7503',
    domain: 'x ∈ F32^n, c ∈ F32',
    by: ['x', 'c'],
    range: [0.25, 3],
  },
  { formula: 's_t = c·s_{t-1} + x_t², s_0 = x_0', domain: 'x ∈ F32^n, c ∈ F32', by: ['x', 'c'] },
  { formula: 'f(A) = max_i (Σ_j A_ij² - min_j A_ij)', domain: 'A ∈ F32^{m×n}', by: ['A'] },
  { formula: 'f(h, E)_iv = Σ_k h_ik·E_vk', domain: 'h ∈ F32^{n×d}, E ∈ F32^{v×d}', by: ['h', 'E'] },
  { formula: 'f(x)_i = Σ_{j≤i} x_j·x_i', domain: 'x ∈ F32^n', by: ['x'] },
  { formula: 'f(x)_i = Σ_{j≠i} (x_i - x_j)²', domain: 'x ∈ F32^n', by: ['x'] },
];

/** Sizes from 1 to 3 and elements in the range, for each input of the equation. */
function environment(
  equation: EquationModel,
  [low, high]: readonly [number, number],
): fc.Arbitrary<Map<string, Binding>> {
  return fc.gen().map((draw) => {
    const env = new Map<string, Binding>();
    for (const size of equation.sizes) env.set(size, draw(fc.integer, { min: 1, max: 3 }));
    for (const { name, type } of equation.parameters) {
      const shape = type.kind === 'tensor' ? type.shape.map((axis) => Number(evaluateTerm(axis, env))) : [];
      const count = shape.reduce((a, b) => a * b, 1);
      const data = draw(fc.array, sample(low, high), { minLength: count, maxLength: count });
      env.set(name, type.kind === 'tensor' ? { shape, data } : (data[0] ?? 0));
    }
    return env;
  });
}

const shapeNow = (equation: EquationModel, env: ReadonlyMap<string, Binding>): readonly number[] =>
  equation.result.kind === 'tensor' ? equation.result.shape.map((axis) => Number(evaluateTerm(axis, env))) : [];

const close = (a: number, b: number, size: number): boolean => Math.abs(a - b) <= 1e-9 * (1 + Math.abs(b) + size);

describe('the derivative of a formula is the limit of its difference quotients', () => {
  it.each(cases)('$formula', ({ formula, domain, by, range = [-2, 2], codomain }) => {
    const equation = model(formula, domain, codomain);
    for (const name of by) {
      const [backward, forward] = [vjp(equation, name), jvp(equation, name)];
      fc.assert(
        fc.property(
          environment(equation, range),
          fc.array(sample(-2, 2), { minLength: 40, maxLength: 40 }),
          (env, factors) => {
            // Ties of a maximum are corners; the formulas here have no other ones at multiples of 1/64.
            fc.pre(new Set(dataOf(env.get(name))).size === dataOf(env.get(name)).length);
            const table = differences(equation, name, env);
            const shape = shapeNow(equation, env);
            let at = 0;
            const next = (): number => factors[at++] ?? 1;
            const g = Array.from({ length: table[0]?.length ?? 0 }, next);
            const v = Array.from({ length: table.length }, next);
            const products = (a: readonly number[], b: readonly number[]): number =>
              a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);
            const pulled = numbers(
              evaluateTerm(
                backward,
                new Map([...env, ['along', shape.length === 0 ? (g[0] ?? 0) : { shape, data: g }]]),
              ),
            );
            table.forEach((row, k) => expect(pulled[k]).toSatisfy((x: number) => close(x, products(row, g), 10)));
            const pushed = numbers(evaluateTerm(forward, new Map([...env, ['along', like(env.get(name), v)]])));
            g.forEach((_, i) =>
              expect(pushed[i]).toSatisfy((x: number) =>
                close(
                  x,
                  products(
                    table.map((row) => row[i] ?? 0),
                    v,
                  ),
                  10,
                ),
              ),
            );
          },
        ),
        { numRuns: 12, seed: 4 },
      );
    }
  });
});

const shown = (term: Term): string => printTerm(term, 2000).replaceAll(/~\d+/g, '');

describe('a sum over deltas is its one element', () => {
  it.each([
    ['f(x)_i = 3·x_i', 'x ∈ F32^n', 'x', '[along_k_ · 3 : k_<n]'],
    [
      'f(A, B)_ij = Σ_l A_il·B_lj',
      'A ∈ F32^{m×k}, B ∈ F32^{k×n}',
      'A',
      '[Σ_{j<n} along_{k_, j} · B_{k_, j} : k_<m, k_<k]',
    ],
  ] as const)('%s', (formula, domain, by, text) => {
    expect(shown(vjp(model(formula, domain), by))).toBe(text);
  });

  it('has no sum unless the formula has one', () => {
    const gate = model('f(x)_i = { x_i·σ(x_i) if x_i > 1; c·x_i otherwise }', 'x ∈ F32^n, c ∈ F32');
    expect(shown(vjp(gate, 'x'))).not.toContain('Σ');
  });
});

describe('corners', () => {
  it.each([
    ['f(x)_i = max(0, x_i)', 0],
    ['f(x)_i = max(x_i, 0)', 1],
    ['f(x)_i = |x_i|', 0],
    ['f(x)_i = { x_i if x_i > 0; 2·x_i otherwise }', 2],
    ['f(x)_i = ⌊x_i⌋', 0],
  ])('%s has slope %d at 0', (formula, slope) => {
    const equation = model(formula, 'x ∈ F32^n');
    const zero: Binding = { shape: [1], data: [0] };
    expect(
      numbers(
        evaluateTerm(
          vjp(equation, 'x'),
          new Map<string, Binding>([
            ['n', 1],
            ['x', zero],
            ['along', { shape: [1], data: [1] }],
          ]),
        ),
      ),
    ).toEqual([slope]);
  });

  it('cancel where the function is smooth: softmax of equal numbers', () => {
    const softmax = model('f(x)_i = exp(x_i - max(x)) / Σ_j exp(x_j - max(x))', 'x ∈ F32^n');
    const env = new Map<string, Binding>([
      ['n', 2],
      ['x', { shape: [2], data: [7, 7] }],
      ['along', { shape: [2], data: [1, 0] }],
    ]);
    expect(numbers(evaluateTerm(vjp(softmax, 'x'), env))).toEqual([0.25, -0.25]);
  });
});

describe('what has no derivative', () => {
  it('is zero along inputs that do not matter', () => {
    const equation = model('f(x)_i = 2·x_i', 'x ∈ F32^n, c ∈ F32^n');
    const env = new Map<string, Binding>([
      ['n', 2],
      ['x', { shape: [2], data: [1, 2] }],
      ['c', { shape: [2], data: [1, 2] }],
      ['along', { shape: [2], data: [1, 1] }],
    ]);
    expect(numbers(evaluateTerm(vjp(equation, 'c'), env))).toEqual([0, 0]);
    expect(numbers(evaluateTerm(jvp(equation, 'c'), env))).toEqual([0, 0]);
  });

  it('names the rounding that prevents it', () => {
    expect(obstacleTo(model('f(x)_i = 2·fl32(x_i)', 'x ∈ F32^n').body)).toBe('round32');
    expect(obstacleTo(model('f(x)_i = 2·x_i', 'x ∈ F32^n').body)).toBeNull();
  });

  it('grows linearly with the formula', () => {
    const sizes = [4, 8, 16].map((depth) => {
      const nested = Array.from({ length: depth }).reduce<string>((inner) => `tanh(x_i·${inner})`, 'x_i');
      const equation = model(`f(x)_i = ${nested}`, 'x ∈ F32^n');
      return termSize(vjp(equation, 'x'));
    });
    expect(sizes[2]).toBeLessThan(4.5 * (sizes[1] ?? 0) - 1.5 * (sizes[0] ?? 0));
  });
});
