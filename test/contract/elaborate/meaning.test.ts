/** Random notation means what a direct reading of it computes: sharing, hoisting and inlining change nothing. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate, model, tensor, vector } from './support.ts';

/** The inputs, and the values of the indices in scope. */
interface World {
  readonly x: readonly number[];
  readonly A: readonly (readonly number[])[];
  readonly c: number;
  readonly at: Readonly<Record<string, number>>;
}

/** A piece of notation with its direct meaning. */
interface Piece {
  readonly text: string;
  readonly value: (world: World) => number;
}

const names = ['i', 'j', 'k', 'l'] as const;
const bind = (w: World, name: string, value: number): World => ({ ...w, at: { ...w.at, [name]: value } });
const range = (to: number): readonly number[] => Array.from({ length: Math.max(0, to) }, (_, index) => index);
const add = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0);
const element = (list: readonly number[] | undefined, at: number | undefined): number => list?.[at ?? -1] ?? NaN;

function leaf(depth: number): fc.Arbitrary<Piece> {
  const [index = 'i', other = 'i'] = [names[depth - 1], names[Math.max(0, depth - 2)]];
  return fc.constantFrom<Piece>(
    { text: '0.5', value: () => 0.5 },
    { text: '3', value: () => 3 },
    { text: 'c', value: (w) => w.c },
    { text: 'n', value: (w) => w.x.length },
    { text: `x_${index}`, value: (w) => element(w.x, w.at[index]) },
    { text: `x_${other}`, value: (w) => element(w.x, w.at[other]) },
    { text: `A_${index}${other}`, value: (w) => element(w.A[w.at[index] ?? -1], w.at[other]) },
    { text: `A_{${other}, ${index}}`, value: (w) => element(w.A[w.at[other] ?? -1], w.at[index]) },
    { text: 'max(x)', value: (w) => Math.max(...w.x) },
    { text: 'mean(x)', value: (w) => add(w.x) / w.x.length },
    { text: '(x·x)', value: (w) => add(w.x.map((v) => v * v)) },
    { text: '‖A·x‖_1', value: (w) => add(w.A.map((row) => Math.abs(add(row.map((v, i) => v * element(w.x, i)))))) },
    { text: 'Σ (x + c)', value: (w) => add(w.x.map((v) => v + w.c)) },
    { text: 'twice(c)', value: (w) => 2 * w.c },
    { text: `h_${index}`, value: (w) => element(w.x, w.at[index]) + add(w.x) },
    {
      text: `S_${other}${index}`,
      value: (w) => element(w.A[w.at[other] ?? -1], w.at[index]) - Math.max(...(w.A[w.at[other] ?? -1] ?? [])),
    },
  );
}

/** An expression inside `depth` binders. */
function expression(depth: number, fuel: number): fc.Arbitrary<Piece> {
  if (fuel === 0) return leaf(depth);
  const inner = expression(depth, fuel - 1);
  const name = names[depth];
  const pair = fc.tuple(inner, inner);
  const plain = [
    leaf(depth),
    pair.map(([a, b]): Piece => ({ text: `(${a.text} + ${b.text})`, value: (w) => a.value(w) + b.value(w) })),
    pair.map(([a, b]): Piece => ({ text: `(${a.text} - ${b.text})`, value: (w) => a.value(w) - b.value(w) })),
    pair.map(([a, b]): Piece => ({ text: `(${a.text})·(${b.text})`, value: (w) => a.value(w) * b.value(w) })),
    pair.map(([a, b]): Piece => ({
      text: `max(${a.text}, ${b.text})`,
      value: (w) => Math.max(a.value(w), b.value(w)),
    })),
    inner.map((a): Piece => ({ text: `|${a.text}|`, value: (w) => Math.abs(a.value(w)) })),
    inner.map((a): Piece => ({ text: `twice(${a.text})`, value: (w) => 2 * a.value(w) })),
    fc.tuple(inner, inner, inner).map(([a, b, p]): Piece => ({
      text: `{ ${a.text} if ${p.text} > 0; ${b.text} otherwise }`,
      value: (w) => (p.value(w) > 0 ? a.value(w) : b.value(w)),
    })),
  ];
  if (name === undefined) return fc.oneof(...plain);
  const outer = names[depth - 1] ?? 'i';
  const body = expression(depth + 1, fuel - 1);
  const over = (w: World, b: Piece, to: number): readonly number[] => range(to).map((at) => b.value(bind(w, name, at)));
  return fc.oneof(
    ...plain,
    body.map((b): Piece => ({ text: `(Σ_{${name}<n} (${b.text}))`, value: (w) => add(over(w, b, w.x.length)) })),
    body.map((b): Piece => ({
      text: `(max_{${name}<n} (${b.text}))`,
      value: (w) => Math.max(...over(w, b, w.x.length)),
    })),
    body.map((b): Piece => ({
      text: `(Σ_{${name}≤${outer}} (${b.text}))`,
      value: (w) => add(over(w, b, (w.at[outer] ?? 0) + 1)),
    })),
    body.map((b): Piece => ({
      text: `(Σ_${name} (x_${name}·(${b.text})))`,
      value: (w) => add(range(w.x.length).map((at) => element(w.x, at) * b.value(bind(w, name, at)))),
    })),
  );
}

const number = fc.integer({ min: -20, max: 20 }).map((v) => v / 4);
const world = fc.integer({ min: 1, max: 4 }).chain((n) =>
  fc.record({
    x: fc.array(number, { minLength: n, maxLength: n }),
    A: fc.array(fc.array(number, { minLength: n, maxLength: n }), { minLength: n, maxLength: n }),
    c: number,
    at: fc.constant({}),
  }),
);

describe('random notation', () => {
  it('evaluates to what it says', () => {
    fc.assert(
      fc.property(expression(1, 4), world, (piece, w) => {
        const formula = `f(x, A)_i = ${piece.text} where twice(a) = a + a, h_i = x_i + Σ x, S_ij = A_ij - max_j A_ij`;
        const equation = model(formula, 'x ∈ F32^n, A ∈ F32^{n×n}, c ∈ F32, n ≤ 8', 'F32^n');
        const actual = evaluate(equation, { n: w.x.length, x: vector(...w.x), A: tensor(...w.A), c: w.c });
        range(w.x.length).forEach((i) => {
          const expected = piece.value(bind(w, 'i', i));
          expect(Math.abs((actual[i] ?? NaN) - expected), piece.text).toBeLessThanOrEqual(
            1e-9 * Math.max(1, Math.abs(expected)),
          );
        });
      }),
      { numRuns: 600 },
    );
  });
});

describe('a condition protects what it guards', () => {
  it.each([
    ['f(x, y)_i = { Σ_{j<n} y_j if n ≤ m; 7 otherwise }', [7, 7, 7]],
    ['f(x, y)_i = { y_i if i < m; 7 otherwise } for i ∈ [0, n)', [10, 20, 7]],
    ['f(x, y)_i = { x_{i-1} if i > 0; 7 otherwise }', [7, 1, 2]],
    ['f(x, y)_i = { Σ_j (x_j·x_{i+1}) if i < n - 1; 7 otherwise }', [12, 18, 7]],
  ])('%s', (formula, expected) => {
    const equation = model(formula, 'x ∈ F32^n, y ∈ F32^m, n, m ≤ 8', 'F32^n');
    expect(evaluate(equation, { n: 3, m: 2, x: vector(1, 2, 3), y: vector(10, 20) })).toEqual(expected);
  });
});
