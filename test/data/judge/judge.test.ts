/**
 * Verdicts (`judge.ts`, `claim-parts.ts`, `environment.ts`, `evaluate.ts`) with their reasons, rows, numbers (`compared-numbers.ts`) and places.
 *
 * Holds src/data/judge/compared-numbers.ts.
 */
import { describe, expect, it } from 'vitest';
import { resultText, type ResultText } from './claims.ts';
import { config, log } from './data-sets.ts';

describe('of a log', () => {
  it.each<
    readonly [
      domain: string,
      formals: readonly string[],
      columns: Parameters<typeof log>[0],
      result: readonly ResultText[],
    ]
  >([
    [
      'step ∈ ℝ^T, loss ∈ F64_ext^T',
      ['loss_t ≤ 2'],
      { step: [1, 2, 3], loss: [1, 2, 3] },
      [
        {
          verdict: 'violated',
          rows: '1 of 3 fail, in 3 rows',
          numbers: ['3 ≤ 2 is false, in loss_t ≤ 2'],
          places: ['3 loss = 3'],
        },
      ],
    ],
    // Of the decimals they are true, in float64 they are not.
    [
      'lr ∈ F64_ext^T, peak ∈ F64_ext^T',
      ['lr_t = 0.1·peak_t', 'lr_t - peak_t ≤ -0.00027', 't ≥ 1 ⟹ lr_t = 0.1·peak_{t-1}'],
      { lr: [3e-5, 3e-5], peak: [3e-4, 3e-4] },
      [
        { verdict: 'satisfied', rows: '0 of 2 fail, in 2 rows' },
        { verdict: 'satisfied', rows: '0 of 2 fail, in 2 rows' },
        { verdict: 'satisfied', rows: '0 of 1 fail, in 2 rows' },
      ],
    ],
    // The first row, of which the claim says nothing, is too close to be decided.
    [
      'lr ∈ F64_ext^T, peak ∈ F64_ext^T, x ∈ F64_ext^T',
      ['t ≥ 1 ⟹ lr_t = 0.1·peak_t ∧ (√x_t)² = x_t'],
      { lr: [3e-5, 3e-5], peak: [3e-4, 3e-4], x: [3, 4] },
      [{ verdict: 'satisfied', rows: '0 of 1 fail, in 2 rows' }],
    ],
    [
      'lr ∈ F64_ext^T, peak ∈ F64_ext^T',
      ['lr_t = 0.1·peak_t'],
      { lr: [3e-5, 3.00001e-5, 3e-5], peak: [3e-4, 3e-4, 3e-4] },
      [
        {
          verdict: 'violated',
          rows: '1 of 3 fail, in 3 rows',
          numbers: ['0.0000300001 = 0.00003 is false, in lr_t = 0.1 · peak_t'],
          places: ['2 lr = 0.0000300001, peak = 0.0003'],
        },
      ],
    ],
    [
      'loss ∈ F64_ext^T',
      ['loss_t ≤ 3'],
      { loss: [1, 2, 3] },
      [{ verdict: 'satisfied', rows: '0 of 3 fail, in 3 rows' }],
    ],
    [
      'loss ∈ F64_ext^T',
      ['t ≥ 1 ⟹ loss_t ≤ loss_{t-1}'],
      { loss: [3, 2, 3] },
      [
        {
          verdict: 'violated',
          rows: '1 of 2 fail, in 3 rows',
          numbers: ['3 ≤ 2 is false, in loss_t ≤ loss_{t - 1}'],
          places: ['3 loss = 3'],
        },
      ],
    ],
    [
      'loss ∈ F64_ext^T',
      ['∀ t ∈ [2, T - 1): loss_{t-1} > 2 ⟹ loss_t ≤ 1'],
      { loss: [1, 2, 3] },
      [{ verdict: 'vacuous', reason: 'its premise holds nowhere in these data', rows: '0 of 0 fail, in 3 rows' }],
    ],
    [
      'loss ∈ F64_ext^T',
      ['∀ t ∈ [2, T - 1): loss_t ≤ 1'],
      { loss: [1, 2, 3] },
      [{ verdict: 'undetermined', reason: 'there are too few rows for it', rows: '0 of 0 fail, in 3 rows' }],
    ],
    [
      'loss ∈ F64_ext^T',
      ['loss_t > 9 ⟹ loss_t ≤ 1'],
      { loss: [1, 2, 3] },
      [{ verdict: 'vacuous', reason: 'its premise holds nowhere in these data', rows: '0 of 0 fail, in 3 rows' }],
    ],
    [
      'loss ∈ F64_ext^T',
      ['loss_t > 2 ⟹ loss_t ≤ 3'],
      { loss: [1, 2, 3] },
      [{ verdict: 'satisfied', rows: '0 of 1 fail, in 3 rows' }],
    ],
    [
      'loss ∈ F64_ext^T',
      ['loss_t ≤ 2 ∧ loss_t ≥ 2'],
      { loss: [1, 2, 3] },
      [
        {
          verdict: 'violated',
          rows: '2 of 3 fail, in 3 rows',
          numbers: ['loss_t ≤ 2 ∧ loss_t ≥ 2 is false'],
          places: ['1 loss = 1'],
        },
      ],
    ],
    [
      'loss ∈ F64_ext^T',
      ['loss_t ≤ max(loss) - 1'],
      { loss: [1, 2, 3] },
      [
        {
          verdict: 'violated',
          rows: '1 of 3 fail, in 3 rows',
          numbers: ['3 ≤ 2 is false, in loss_t ≤ max - 1'],
          places: ['3 loss = 3'],
        },
      ],
    ],
    [
      'loss ∈ F64_ext^T',
      ['Σ_t loss_t ≤ 5'],
      { loss: [1, 2, 3] },
      [{ verdict: 'violated', numbers: ['6 ≤ 5 is false, in Σ_{t<T} loss_t ≤ 5'] }],
    ],
    ['loss ∈ F64_ext^T', ['Σ_t loss_t ≤ 6'], { loss: [1, 2, 3] }, [{ verdict: 'satisfied' }]],
    [
      'loss ∈ F64_ext^T',
      ['isfinite(loss_t)'],
      { loss: [1, NaN, 3] },
      [
        {
          verdict: 'violated',
          rows: '1 of 3 fail, in 3 rows',
          numbers: ['is_finite(NaN) is false, in is_finite(loss_t)'],
          places: ['2 loss = NaN'],
        },
      ],
    ],
    [
      'loss ∈ F64_ext^T, norm ∈ F64_ext^T',
      ['norm_t ≤ loss_t'],
      { loss: [1, null, 3], norm: [0, 0, 9] },
      [
        {
          verdict: 'violated',
          rows: '1 of 2 fail, in 3 rows',
          numbers: ['9 ≤ 3 is false, in norm_t ≤ loss_t'],
          places: ['3 norm = 9, loss = 3'],
        },
      ],
    ],
    [
      'loss ∈ F64_ext^T, norm ∈ F64_ext^T',
      ['norm_t ≤ loss_t'],
      { loss: [1, null], norm: [null, 0] },
      [{ verdict: 'undetermined', reason: 'no row has norm and loss' }],
    ],
    [
      'loss ∈ F64_ext^T, norm ∈ F64_ext^T',
      ['norm_t ≤ loss_t'],
      { loss: [1, 2] },
      [{ verdict: 'undetermined', reason: 'needs norm', missing: ['norm'] }],
    ],
    [
      'loss ∈ F64_ext^T, limit ∈ ℝ',
      ['loss_t ≤ limit'],
      { loss: [1, 2] },
      [{ verdict: 'undetermined', reason: 'needs limit', missing: ['limit'] }],
    ],
    [
      'loss ∈ F64_ext^T',
      ['t ≥ 1 ⟹ loss_t ≤ loss_{t-1}'],
      { loss: [3] },
      [{ verdict: 'vacuous', reason: 'its premise holds nowhere in these data', rows: '0 of 0 fail, in 1 rows' }],
    ],
    [
      'loss ∈ F64^T',
      ['loss_t ≤ 9'],
      { loss: [3, Infinity] },
      [{ verdict: 'undetermined', reason: 'loss is Infinity, and a finite number is needed (row 2 of 2)' }],
    ],
    [
      'loss ∈ F64^T, 0 ≤ loss_t ≤ 5',
      ['loss_t ≤ 9'],
      { loss: [3, 6, 7] },
      [{ verdict: 'undetermined', reason: 'loss is 6, and must be ≤ 5 (row 2 of 3)' }],
    ],
    [
      'loss ∈ F64^T, 0 ≤ loss_t ≤ 5',
      ['loss_t ≤ 9'],
      { loss: [3, null, 2] },
      [{ verdict: 'satisfied', rows: '0 of 2 fail, in 3 rows' }],
    ],
    [
      'loss ∈ F64_ext^T',
      ['loss_t ≤ 1', 'loss_t ≤ 3'],
      { loss: [1, 2] },
      [
        {
          verdict: 'violated',
          rows: '1 of 2 fail, in 2 rows',
          numbers: ['2 ≤ 1 is false, in loss_t ≤ 1'],
          places: ['2 loss = 2'],
        },
        { verdict: 'satisfied', rows: '0 of 2 fail, in 2 rows' },
      ],
    ],
  ])('over %s, %o of %o', async (domain, formals, columns, result) => {
    expect(await resultText('log', domain, formals, log(columns))).toEqual(result);
  });
});

it('rows of a long log that float64 denies are decided on the decimals', async () => {
  const peak = Array.from({ length: 50_000 }, () => 0.5);
  const lr = peak.map((one) => one / 2);
  for (const row of [7, 49_000]) [lr[row], peak[row]] = [3e-5, 3e-4];
  const formal = 'lr_t = 0.5·peak_t ∨ lr_t = 0.1·peak_t';
  expect(await resultText('log', 'lr ∈ F64_ext^T, peak ∈ F64_ext^T', [formal], log({ lr, peak }))).toEqual([
    { verdict: 'satisfied', rows: '0 of 50000 fail, in 50000 rows' },
  ]);
});

it('a premise that shares a value with the conclusion decides row by row', async () => {
  const formal = 'Σ_j v_j·v_t > a ⟹ Σ_j v_j·v_t ≤ b';
  const set = { ...log({ v: [1, 2, 3] }), values: config({ a: 7, b: 12 }).values };
  expect(await resultText('log', 'v ∈ F64_ext^T, a ∈ ℝ, b ∈ ℝ', [formal], set)).toMatchObject([
    { verdict: 'violated', rows: '1 of 2 fail, in 3 rows' },
  ]);
});

describe('of a config', () => {
  it.each<
    readonly [
      domain: string,
      formals: readonly string[],
      values: Parameters<typeof config>[0],
      result: readonly ResultText[],
    ]
  >([
    [
      'a ∈ ℝ, b ∈ ℝ',
      ['a ≤ b'],
      { a: 3, b: 2 },
      [{ verdict: 'violated', numbers: ['3 ≤ 2'], places: ['1 training.a: 3', '2 training.b: 2'] }],
    ],
    ['a ∈ ℝ, b ∈ ℝ', ['a ≤ b'], { a: 2, b: 2 }, [{ verdict: 'satisfied', numbers: ['2 ≤ 2'] }]],
    [
      'a ∈ ℝ, b ∈ ℝ',
      ['a = 4K', 'b ≤ 4K'],
      { a: 4096, b: 4000 },
      [
        {
          verdict: 'undetermined',
          reason: 'in powers of ten it is violated, but 4K may be meant with K = 1024: write the number',
          numbers: ['4096 = 4K'],
        },
        { verdict: 'satisfied', numbers: ['4000 ≤ 4K'] },
      ],
    ],
    ['a ∈ ℝ, K ∈ ℝ', ['a = 4K'], { a: 8, K: 2 }, [{ verdict: 'satisfied', numbers: ['8 = 4K'] }]],
    [
      'a ∈ ℝ, K ∈ ℝ',
      ['a = 4K'],
      { a: 9, K: 2 },
      [{ verdict: 'violated', numbers: ['9 = 4K'], places: ['1 training.a: 9', '2 training.K: 2'] }],
    ],
    [
      'a ∈ ℝ, b ∈ ℝ',
      ['a > 1 ⟹ b > 1'],
      { a: 0, b: 0 },
      [{ verdict: 'vacuous', reason: 'its premise holds nowhere in these data', numbers: ['0 > 1 ⟹ b > 1'] }],
    ],
    [
      'a ∈ ℝ, b ∈ ℝ',
      ['a > 1 ⟹ b > 1'],
      { a: 0 },
      [{ verdict: 'vacuous', reason: 'its premise holds nowhere in these data', numbers: ['0 > 1 ⟹ b > 1'] }],
    ],
    ['a ∈ ℝ, b ∈ ℝ', ['a > 1 ⟹ b > 1'], { a: 2 }, [{ verdict: 'undetermined', reason: 'needs b', missing: ['b'] }]],
    [
      'a ∈ ℝ, b ∈ ℝ',
      ['a > 1 ⟹ b > 1'],
      { a: 2, b: 1 },
      [{ verdict: 'violated', numbers: ['2 > 1 ⟹ 1 > 1'], places: ['1 training.a: 2', '2 training.b: 1'] }],
    ],
    [
      'a ∈ ℝ, b ∈ ℝ',
      ['a > 1 ∧ b > 1'],
      { a: 2, b: 1 },
      [{ verdict: 'violated', numbers: ['2 > 1 ∧ 1 > 1'], places: ['1 training.a: 2', '2 training.b: 1'] }],
    ],
    ['a ∈ ℝ, b ∈ ℝ', ['a > 1 ∨ b > 1'], { a: 2, b: 1 }, [{ verdict: 'satisfied', numbers: ['2 > 1 ∨ 1 > 1'] }]],
    [
      'a ∈ Bool, b ∈ ℝ',
      ['a = true ⟹ b > 1'],
      { a: 1, b: 1 },
      [{ verdict: 'violated', numbers: ['true = true ⟹ 1 > 1'], places: ['1 training.a: 1', '2 training.b: 1'] }],
    ],
    [
      'a ∈ Bool, b ∈ ℝ',
      ['a = true ⟹ b > 1'],
      { a: 0, b: 1 },
      [{ verdict: 'vacuous', reason: 'its premise holds nowhere in these data', numbers: ['false = true ⟹ b > 1'] }],
    ],
    [
      'a ∈ Bool, b ∈ ℝ',
      ['a = true ⟹ b > 1'],
      { a: 'yes', b: 1 },
      [{ verdict: 'undetermined', reason: "a is 'yes', and true or false is needed" }],
    ],
    ['a ∈ ℝ', ['a / 0 ≤ 1'], { a: 1 }, [{ verdict: 'violated', numbers: ['1 / 0 ≤ 1'], places: ['1 training.a: 1'] }]],
    [
      'a ∈ ℝ',
      ['a ≤ 1e-7'],
      { a: 0.0001234567891 },
      [{ verdict: 'violated', numbers: ['0.000123457 ≤ 1e-7'], places: ['1 training.a: 0.0001234567891'] }],
    ],
    [
      'a ∈ F64_ext',
      ['a < 0'],
      { a: Infinity },
      [{ verdict: 'violated', numbers: ['∞ < 0'], places: ['1 training.a: Infinity'] }],
    ],
  ])('over %s, %o of %o', async (domain, formals, values, result) => {
    expect(await resultText('config', domain, formals, config(values))).toEqual(result);
  });
});
