/**
 * Operations and bytes of equations whose costs are known.
 *
 * Holds src/math/cost/count-operations.ts.
 */
import { describe, expect, it } from 'vitest';
import { countOperations, type OperationCounts } from '../../../src/math/cost/count-operations.ts';
import { at, ceilingOf, costsOf, flopsOf } from '../../../src/math/cost/roofline.ts';
import { polynomialText } from '../../../src/math/cost/size-polynomial.ts';
import { model } from '../../contract/elaborate/support.ts';

const countOperationsOf = ({ body, sizes }: ReturnType<typeof model>): OperationCounts => countOperations(body, sizes);
const counted = (formula: string, domain: string, codomain?: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...countOperationsOf(model(formula, domain, codomain)).counts].map(([kind, count]) => [
      kind,
      polynomialText(count),
    ]),
  );
const flops = (formula: string, domain: string, weight = 1): string =>
  polynomialText(flopsOf(costsOf(model(formula, domain)), weight));

describe('operations', () => {
  it.each([
    [
      'a matrix product',
      'f(A, B)_ij = Σ_l A_il·B_lj',
      'A ∈ F32^{m×k}, B ∈ F32^{k×n}',
      { add: 'k·m·n', multiply: 'k·m·n' },
    ],
    ['a dot product', 'f(x, y) = x·y', 'x, y ∈ F32^n', { add: 'n', multiply: 'n' }],
    [
      'a softmax: the maximum once',
      'f(x)_i = exp(x_i - max(x)) / Σ_j exp(x_j - max(x))',
      'x ∈ F32^n',
      { compare: 'n', add: '3·n', exp: '2·n', divide: 'n' },
    ],
    ['rows: their maximum once each', 'f(x)_ij = x_ij - max_k x_ik', 'x ∈ F32^{r×v}', { compare: 'r·v', add: 'r·v' }],
    ['what depends on no index: once', 'f(x, a)_i = x_i·exp(a)', 'x ∈ F32^n, a ∈ F32', { exp: '1', multiply: 'n' }],
    ['a triangle', 'f(x)_i = Σ_{j≤i} x_j', 'x ∈ F32^n', { add: 'n²/2 + n/2' }, 'f(x) ∈ F32^n'],
    [
      'a square, a cube, a root',
      'f(x)_i = x_i² + x_i³ + √x_i',
      'x ∈ F32^n, x_i ≥ 0',
      { multiply: '3·n', root: 'n', add: '2·n' },
    ],
    [
      'the dearer branch',
      'f(x)_i = { x_i·x_i·x_i if x_i > 0; x_i otherwise }',
      'x ∈ F32^n',
      { compare: 'n', multiply: '2·n' },
    ],
    ['signs: nothing', 'f(x)_i = |-x_i|', 'x ∈ F32^n', {}],
    ['whole numbers: nothing', 'f(x)_i = x_{(i + 1) mod n}', 'x ∈ F32^n', {}, 'f(x) ∈ F32^n'],
    ['clamps', 'f(x)_i = max(0, min(1, x_i))', 'x ∈ F32^n', { compare: '2·n' }],
  ])('%s', (_name, formula, domain, expected, codomain?: string) =>
    expect(counted(formula, domain, codomain)).toEqual(expected),
  );

  it('counts a transcendental function with the given weight', () => {
    expect(flops('f(x)_i = exp(x_i)·2', 'x ∈ F32^n', 8)).toBe('9·n');
  });

  it('says what it cannot count', () => {
    const { problem } = countOperationsOf(model('f(x)_i = Σ_{j<⌊i/2⌋} x_j', 'x ∈ F32^n', 'f(x) ∈ F32^n'));
    expect(problem).toContain('is not a polynomial');
  });

  it('says where an input decides how much there is to do', () => {
    const { problem } = costsOf(model('f(x, t) = Σ_{j<t} x_j', 'x ∈ F32^n, t ∈ ℤ, 0 ≤ t ≤ n'));
    expect(problem).toContain('an index runs to t');
  });

  it('takes an expression of sizes that is not a polynomial as it is', () => {
    const costs = costsOf(model('f(x) = Σ_{j<⌊n/2⌋} x_j', 'x ∈ F32^n'));
    expect(costs.problem).toBeNull();
    expect(at(flopsOf(costs, 1), costs, new Map([['n', 9]]))).toBe(4);
  });
});

describe('bytes', () => {
  it.each([
    ['f(A, B)_ij = Σ_l A_il·B_lj', 'A ∈ F32^{m×k}, B ∈ F32^{k×n}', '4·k·m + 4·k·n', '4·m·n'],
    ['f(x, a)_i = a·x_i', 'x ∈ F32^n, a ∈ F32', '4·n + 4', '4·n'],
    ['f(x, y)_i = x_i', 'x, y ∈ F32^n', '4·n', '4·n'],
    ['f(x)_i = 2·x_i', 'x ∈ F16^n', '2·n', '4·n'],
  ])('%s', (formula, domain, read, written) => {
    const costs = costsOf(model(formula, domain));
    expect(polynomialText(costs.bytesRead)).toBe(read);
    // An output is float32 unless its codomain says otherwise.
    expect(polynomialText(costs.bytesWritten)).toBe(written);
  });
});

describe('the roof', () => {
  const peak = { flops: 100, bandwidth: 10 };
  it.each([
    [20, 10, 'memory', 20, 1],
    [1000, 10, 'computing', 100, 10],
    [100, 10, 'computing', 100, 1],
  ] as const)('of %d operations and %d bytes: %s', (operations, bytes, limitedBy, attainable, seconds) => {
    expect(ceilingOf(operations, bytes, peak)).toEqual({
      intensity: operations / bytes,
      ridge: 10,
      limitedBy,
      flops: attainable,
      seconds,
    });
  });
});
