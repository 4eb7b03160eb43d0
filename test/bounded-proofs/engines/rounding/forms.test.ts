/**
 * What is known of the error of each operation, in all measures at once: the exact value that the computed one stands for, and how
 * far apart the two can be. That no run is further apart, `error-forms.test.ts` shows. Held here: `error-form.ts`,
 * `elementary-error.ts`, `units.ts`, `numbers-up.ts`, and the arithmetics of bounds in `bound.ts`, `bound-arithmetic.ts` and
 * `weighing-arithmetic.ts`.
 *
 * Holds src/bounded-proofs/engines/rounding/bound-arithmetic.ts, src/bounded-proofs/engines/rounding/bound.ts,
 * src/bounded-proofs/engines/rounding/numbers-up.ts, src/bounded-proofs/engines/rounding/units.ts,
 * src/bounded-proofs/engines/rounding/weighing-arithmetic.ts.
 */
import { describe, expect, it } from 'vitest';
import { formText, type Over, type Setting } from './form-text.ts';

describe('the error of', () => {
  it.each<readonly [text: string, over: Over, form: string]>([
    ['a', {}, 'a ± 0 | share 0 + 0 | total 0 | scales'],
    ['fl(a)', {}, 'a ± 0 | share 0 + 0 | total 0 | scales | by exact'],
    ['fl(a + b)', {}, 'a + b ± 5.96046e-8 · |a + b| | share 5.96046e-8 + 0 | total 9.53674e-7 | by addition unit'],
    [
      'fl(a + b)',
      { a: [1, 2], b: [1, 2] },
      'a + b ± 5.96046e-8 · |a + b| | share 5.96046e-8 + 0 | total 1.19209e-7 | scales | by addition unit',
    ],
    [
      'fl(a · b)',
      {},
      'a · b ± 5.96046e-8 · |a · b| + 7.00649e-46 | share 5.96046e-8 + 7.00649e-46 | total 0.0000038147 | scales | by relative unit',
    ],
    [
      'fl(a · b)',
      { a: [1, 2], b: [1, 2] },
      'a · b ± 5.96046e-8 · |a · b| | share 5.96046e-8 + 0 | total 1.19209e-7 | scales | by relative unit',
    ],
    [
      'fl(a · b)',
      { a: [0, 1e-20], b: [0, 1e-20] },
      'a · b ± 5.96046e-8 · |a · b| + 7.00649e-46 | share 5.96046e-8 + 7.00649e-46 | total 7.00649e-46 | scales | by relative unit',
    ],
    [
      'fl(a / 3)',
      {},
      'a / 3 ± 5.96046e-8 · |a / 3| + 7.00649e-46 | share 5.96046e-8 + 7.00649e-46 | total 1.19209e-7 | scales | by relative unit',
    ],
    [
      'fl(a)',
      { a: [0, 1, 'f64'] },
      'a ± 5.96046e-8 · |a| + 7.00649e-46 | share 5.96046e-8 + 7.00649e-46 | total 2.98023e-8 | scales | by relative unit',
    ],
    [
      'fl(n + 0.5)',
      { n: [0, 9, 'integer'] },
      'n + 0.5 ± 5.96046e-8 · |n + 0.5| | share 5.96046e-8 + 0 | total 4.76837e-7 | scales | by addition unit',
    ],
    [
      'fl(a · b) + fl(a / b)',
      { a: [1, 2], b: [1, 2] },
      'a · b + a / b ± 5.96046e-8 · |a / b| + 5.96046e-8 · |a · b| | share 5.96046e-8 + 0 | total 1.78814e-7 | scales | by relative unit',
    ],
    [
      'fl(a · b) − fl(a / b)',
      { a: [1, 2], b: [1, 2] },
      'a · b − a / b ± 5.96046e-8 · |a / b| + 5.96046e-8 · |a · b| | share 0 + 1.78814e-7 | total 1.78814e-7 | by relative unit',
    ],
    [
      '−fl(a · b)',
      { a: [1, 2], b: [1, 2] },
      '−(a · b) ± 5.96046e-8 · |a · b| | share 5.96046e-8 + 0 | total 1.19209e-7 | scales | by relative unit',
    ],
    [
      '|fl(a · b)|',
      {},
      '|a · b| ± 5.96046e-8 · |a · b| + 7.00649e-46 | share 5.96046e-8 + 7.00649e-46 | total 0.0000038147 | scales | by relative unit',
    ],
    [
      'fl(fl(a · b) + fl(a · a))',
      { a: [1, 2], b: [1, 2] },
      'a · b + a · a ± 5.96046e-8 · |a · a| + 5.96046e-8 · |a · b + a · a| + 5.96046e-8 · |a · b| | share 1.19209e-7 + 0 | total 4.76837e-7 | scales | by addition monotone relative unit',
    ],
    [
      'fl(a · b) · a',
      {},
      'a · b · a ± 1 · (|a · b| · 5.9604645e-8 + 7.006492321624085e-46) · |a| | share 5.96046e-8 + 7.00649e-45 | total 0.000038147 | scales | by relative unit',
    ],
    [
      'fl(a · b) · fl(a / 3)',
      {},
      'a · b · (a / 3) ± 1 · (|a / 3| · 5.9604645e-8 + 7.006492321624085e-46) · |a · b| + 1 · (|a · b| · 5.9604645e-8 + 7.006492321624085e-46) · |a / 3| + 4.17619e-53 · |a · b| + 4.90909e-91 | share 1.19209e-7 + 7.24004e-44 | total 0.0000246366 | scales | by relative unit',
    ],
    [
      'fl(a / 3) · fl(a · b)',
      { a: [1, 2], b: [1, 2] },
      'a / 3 · (a · b) ± 1 · |a / 3| · 5.9604645e-8 · |a · b| + 1 · |a · b| · 5.9604645e-8 · |a / 3| | share 1.19209e-7 + 0 | total 1.98682e-7 | scales | by relative unit',
    ],
    [
      'fl(a · b) / a',
      { a: [1, 2], b: [1, 2] },
      'a · b / a ± 1 · |a · b| · 5.9604645e-8 / |a| | share 5.96046e-8 + 0 | total 1.19209e-7 | scales | by relative unit',
    ],
    [
      'a / fl(a · b)',
      { a: [1, 2], b: [1, 2] },
      'a / (a · b) ± 1 · t1 · 5.9604645e-8 / t1 · |a / t2|; t1 = |t2|; t2 = a · b | share 5.96046e-8 + 0 | total 1.19209e-7 | scales | by relative unit',
    ],
    [
      'fl(a / 3) / fl(a · b)',
      { a: [1, 2], b: [1, 2] },
      'a / 3 / (a · b) ± 1 · t1 · 5.9604645e-8 / t1 · |a / 3 / t2|; t1 = |t2|; t2 = a · b + 1 · |a / 3| · 5.9604645e-8 / |a · b| | share 1.19209e-7 + 0 | total 7.94729e-8 | scales | by relative unit',
    ],
    ['a / fl(a + b)', {}, 'a / fl(a + b) ± 0 | share 0 + 0 | total 0 | scales | by addition unit'],
    [
      'a / fl(a + b)',
      { a: [1, 2], b: [1, 2] },
      'a / (a + b) ± 1 · t1 · 5.9604645e-8 / t1 · |a / t2|; t1 = |t2|; t2 = a + b | share 5.96046e-8 + 0 | total 5.96046e-8 | scales | by addition unit',
    ],
    [
      'fl(a · b) / b',
      {},
      'a · b / b ± 1 · (|a · b| · 5.9604645e-8 + 7.006492321624085e-46) / |b| | share 5.96046e-8 + Infinity | total Infinity | scales | by relative unit',
    ],
    ['1 / fl(a · a)', { a: [1e-30, 1] }, '1 / fl(a · a) ± 0 | share 0 + 0 | total 0 | scales | by relative unit'],
    [
      'min(fl(a · b), fl(a / 3))',
      {},
      'min(a · b, a / 3) ± 1 · max(|a · b| · 5.9604645e-8 + 7.006492321624085e-46, |a / 3| · 5.9604645e-8 + 7.006492321624085e-46) | share 5.96046e-8 + 7.00649e-46 | total 0.0000038147 | scales | by relative unit',
    ],
    [
      'max(fl(a · b), fl(a / 3))',
      {},
      'max(a · b, a / 3) ± 1 · max(|a · b| · 5.9604645e-8 + 7.006492321624085e-46, |a / 3| · 5.9604645e-8 + 7.006492321624085e-46) | share 5.96046e-8 + 7.00649e-46 | total 0.0000038147 | scales | by relative unit',
    ],
    [
      'max(fl(a · b), 0)',
      {},
      'max(a · b, 0) ± 5.96046e-8 · |a · b| + 7.00649e-46 | share 5.96046e-8 + 7.00649e-46 | total 0.0000038147 | scales | by relative unit',
    ],
    [
      '(a < b ? fl(a · b) : a)',
      {},
      '(a < b ? a · b : a) ± 5.96046e-8 · |a · b| + 7.00649e-46 | share 5.96046e-8 + 7.00649e-46 | total 0.0000038147 | scales | by relative unit',
    ],
    [
      '(a < 100 ? fl(a · b) : a)',
      {},
      'a · b ± 5.96046e-8 · |a · b| + 7.00649e-46 | share 5.96046e-8 + 7.00649e-46 | total 0.0000038147 | scales | by relative unit',
    ],
    [
      '(b < 0 ? fl(a + b) : fl(a · b))',
      { a: [1, 2], b: [1, 2] },
      'a · b ± 5.96046e-8 · |a · b| | share 5.96046e-8 + 0 | total 1.19209e-7 | scales | by addition relative unit',
    ],
    ['√(a)', { a: [1, 2], b: [1, 2] }, '√(a) ± 0 | share 0 + 0 | total 0 | scales'],
    [
      '√(fl(a · b))',
      { a: [1, 2], b: [1, 2] },
      '√(a · b) ± 0.5 · |t1| · 5.9604645e-8 / √(t1); t1 = a · b | share 2.98023e-8 + 0 | total 5.96046e-8 | scales | by relative unit',
    ],
    ['√(fl(a · a))', {}, '√(fl(a · a)) ± 0 | share 0 + 0 | total 0 | scales | by relative unit'],
    ['√(fl(a · b))', { a: [0, 1], b: [0, 1] }, '√(fl(a · b)) ± 0 | share 0 + 0 | total 0 | scales | by relative unit'],
    [
      '√(fl(a + b))',
      { a: [0, 1], b: [0, 1] },
      '√(a + b) ± 2.98023e-8 · |√(a + b)| | share 2.98023e-8 + 0 | total 4.21468e-8 | scales | by addition unit',
    ],
    ['√(fl(a · b))', {}, '√(fl(a · b)) ± 0 | share 0 + 0 | total 0 | scales | by relative unit'],
    [
      'fl(√(a))',
      { a: [1, 2], b: [1, 2] },
      '√(a) ± 5.96046e-8 · |√(a)| | share 5.96046e-8 + 0 | total 5.96046e-8 | scales | by relative unit',
    ],
    ['exp(a)', {}, 'exp(a) ± 0 | share 0 + 0 | total 0 | scales | by function-envelope'],
    [
      'exp(fl(a · b))',
      { a: [1, 2], b: [1, 2] },
      'exp(a · b) ± 1 · |t1| · 5.9604645e-8 · exp(t1); t1 = a · b | share 1.19209e-7 + 0 | total 0.00000650861 | scales | by function-envelope relative unit',
    ],
    [
      'exp₃₂(a)',
      { a: [1, 2], b: [1, 2] },
      'exp(a) ± 5.96046e-8 · |exp(a)| | share 5.96046e-8 + 0 | total 2.38419e-7 | scales | by function-envelope relative',
    ],
    [
      'exp₃₂(fl(a · b))',
      { a: [1, 2], b: [1, 2] },
      'exp(a · b) ± 1 · |t1| · 5.9604645e-8 · exp(t1); t1 = a · b + 5.96046e-8 · |exp(a · b)| | share 1.78814e-7 + 0 | total 0.00000841596 | scales | by function-envelope relative unit',
    ],
    [
      'log(fl(a · b))',
      { a: [1, 2], b: [1, 2] },
      'log(a · b) ± 1 · |t1| · 5.9604645e-8 / t1; t1 = a · b | share 0 + 5.96046e-8 | total 5.96046e-8 | by function-envelope relative unit',
    ],
    [
      'log2(fl(a · b))',
      { a: [1, 2], b: [1, 2] },
      'log2(a · b) ± 1.4427 · |t1| · 5.9604645e-8 / t1; t1 = a · b | share 0 + 8.59913e-8 | total 8.59913e-8 | by function-envelope relative unit',
    ],
    [
      'log10(fl(a + b))',
      { a: [1, 2], b: [1, 2] },
      'log10(a + b) ± 0.434294 · |t1| · 5.9604645e-8 / t1; t1 = a + b | share 0 + 2.5886e-8 | total 2.5886e-8 | by function-envelope addition unit',
    ],
    ['log(fl(a · b))', {}, 'log(fl(a · b)) ± 0 | share 0 + 0 | total 0 | scales | by relative unit'],
    [
      'log₃₂(a)',
      { a: [1, 2], b: [1, 2] },
      'log(a) ± 5.96046e-8 · |log(a)| + 7.0065e-46 | share 5.96046e-8 + 7.0065e-46 | total 2.98023e-8 | scales | by function-envelope relative',
    ],
    [
      'sin(fl(a · b))',
      {},
      'sin(a · b) ± 1 · (|t1| · 5.9604645e-8 + 7.006492321624085e-46) · |cos(t1)|; t1 = a · b + 1.13687e-13 · |a · b| + 1.33638e-51 | share 0 + 0.0000038147 | total 0.0000038147 | by function-envelope relative unit',
    ],
    [
      'cos₃₂(fl(a · b))',
      { a: [1, 2], b: [1, 2] },
      'cos(a · b) ± 1 · |t1| · 5.9604645e-8 · |sin(t1)|; t1 = a · b + 3.55271e-15 · |a · b| + 5.96046e-8 · |cos(a · b)| + 7.0065e-46 | share 5.96046e-8 + 1.19209e-7 | total 1.78814e-7 | by function-envelope relative unit',
    ],
    [
      'tanh(fl(a · b))',
      {},
      'tanh(a · b) ± 1 · (|t1| · 5.9604645e-8 + 7.006492321624085e-46) · |1 − t2 · t2|; t1 = a · b; t2 = tanh(t1) + 1.02901e-51 + 8.75389e-14 · |a · b| | share 5.96046e-8 + 7.00649e-46 | total 5.96046e-8 | scales | by function-envelope relative unit',
    ],
    [
      'tanh₃₂(fl(a + b))',
      { a: [1, 2], b: [1, 2] },
      'tanh(a + b) ± 1 · |t1| · 5.9604645e-8 · |1 − t2 · t2|; t1 = a + b; t2 = tanh(t1) + 2.73559e-15 · |a + b| + 5.96046e-8 · |tanh(a + b)| | share 1.19209e-7 + 0 | total 1.19129e-7 | scales | by function-envelope addition relative unit',
    ],
    [
      'atan(fl(a · b))',
      {},
      'atan(a · b) ± 1 · (|t1| · 5.9604645e-8 + 7.006492321624085e-46) · |1 / (1 + t1 · t1)|; t1 = a · b + 7.38964e-14 · |a · b| + 8.68649e-52 | share 5.96046e-8 + 7.00649e-46 | total 9.30307e-8 | scales | by function-envelope relative unit',
    ],
    [
      'erf(fl(a · b))',
      {},
      'erf(a · b) ± 1 · (|t1| · 5.9604645e-8 + 7.006492321624085e-46) · |1.1283791671 · exp(−(t1 · t1))|; t1 = a · b + 1.10049e-13 · |a · b| + 1.29362e-51 | share 5.96046e-8 + 7.90598e-46 | total 5.96046e-8 | scales | by function-envelope relative unit',
    ],
    [
      'sinh(fl(a · b))',
      { a: [1, 2], b: [1, 2] },
      'sinh(a · b) ± 0.0000016277 · |a · b| | share 0 + 0.0000032554 | total 0.0000032554 | by function-envelope relative unit',
    ],
    [
      'cosh(fl(a · b))',
      { a: [1, 2], b: [1, 2] },
      'cosh(a · b) ± 0.00000162661 · |a · b| | share 0 + 0.00000325321 | total 0.00000325321 | by function-envelope relative unit',
    ],
    [
      'tan(fl(a · b))',
      { a: [0, 0.5], b: [0, 1] },
      'tan(a · b) ± 7.73934e-8 · |a · b| + 9.09755e-46 | share 0 + 1.93484e-8 | total 1.93484e-8 | by function-envelope relative unit',
    ],
    [
      'tan(fl(a · b))',
      { a: [1, 2], b: [1, 2] },
      'tan(fl(a · b)) ± 0 | share 0 + 0 | total 0 | scales | by relative unit',
    ],
    [
      'asin(fl(a · b))',
      { a: [0, 0.5], b: [0, 1] },
      'asin(a · b) ± 6.88255e-8 · |a · b| + 8.0904e-46 | share 0 + 1.72064e-8 | total 1.72064e-8 | by function-envelope relative unit',
    ],
    [
      'acos(fl(a · b))',
      { a: [0, 0.5], b: [0, 1] },
      'acos(a · b) ± 6.88255e-8 · |a · b| + 8.0904e-46 | share 0 + 1.72064e-8 | total 1.72064e-8 | by function-envelope relative unit',
    ],
    [
      'asin(fl(a · b))',
      { a: [1, 2], b: [1, 2] },
      'asin(fl(a · b)) ± 0 | share 0 + 0 | total 0 | scales | by relative unit',
    ],
    [
      'pow(fl(a · b), 2)',
      { a: [1, 2], b: [1, 2] },
      'pow(a · b, 2) ± 2 · t1 · 5.9604645e-8 · t1; t1 = |a · b| | share 1.19209e-7 + 0 | total 9.53674e-7 | scales | by function-envelope relative unit',
    ],
    [
      'pow(fl(a · b), 3)',
      { a: [1, 2], b: [1, 2] },
      'pow(a · b, 3) ± 1 · t1 · 5.9604645e-8 · t1 · 2.0000305 · t1; t1 = |a · b| + 1 · |t1| · 5.9604645e-8 · |t1 · t1|; t1 = a · b | share 1.78814e-7 + 0 | total 0.00000572205 | scales | by function-envelope relative unit',
    ],
    ['pow(a, 2)', { a: [1, 2], b: [1, 2] }, 'pow(a, 2) ± 0 | share 0 + 0 | total 0 | scales | by function-envelope'],
    ['pow(a, b)', { a: [1, 2], b: [1, 2] }, 'pow(a, b) ± 0 | share 0 + 0 | total 0 | scales | by function-envelope'],
    [
      'pow(fl(a · b), b)',
      { a: [1, 2], b: [1, 2] },
      'pow(fl(a · b), b) ± 0 | share 0 + 0 | total 0 | scales | by relative unit',
    ],
    [
      'pow(fl(a · b), 17)',
      { a: [1, 2], b: [1, 2] },
      'pow(fl(a · b), 17) ± 0 | share 0 + 0 | total 0 | scales | by relative unit',
    ],
    [
      'pow(fl(a · b), −1)',
      { a: [1, 2], b: [1, 2] },
      'pow(fl(a · b), −1) ± 0 | share 0 + 0 | total 0 | scales | by relative unit',
    ],
    ['pow₃₂(a, 1)', { a: [1, 2], b: [1, 2] }, 'a ± 0 | share 0 + 0 | total 0 | scales | by function-envelope'],
    [
      'pow₃₂(a, 2)',
      { a: [1, 2], b: [1, 2] },
      'pow(a, 2) ± 5.96046e-8 · |pow(a, 2)| | share 5.96046e-8 + 0 | total 2.38419e-7 | scales | by function-envelope relative',
    ],
    [
      'pow₃₂(a, b)',
      { a: [1, 2], b: [1, 2] },
      'pow(a, b) ± 5.96046e-8 · |pow(a, b)| | share 5.96046e-8 + 0 | total 2.38419e-7 | scales | by function-envelope relative',
    ],
    ['floor(fl(a · b))', {}, 'floor(fl(a · b)) ± 0 | share 0 + 0 | total 0 | scales | by relative unit'],
    ['a mod fl(b · b)', {}, 'a mod fl(b · b) ± 0 | share 0 + 0 | total 0 | scales | by relative unit'],
  ])('%s over %o', (text, over, form) => {
    expect(formText(text, over)).toBe(form);
  });
});

describe('measured otherwise, that of', () => {
  it.each<readonly [text: string, over: Over, setting: Setting, form: string]>([
    [
      'fl(a · b)',
      { a: [1, 2], b: [1, 2] },
      { measure: 'total' },
      'a · b ± 1.19209e-7 | share 5.96046e-8 + 0 | total 1.19209e-7 | scales | by relative unit',
    ],
    [
      'fl(a · b)',
      { a: [1, 2], b: [1, 2] },
      { measure: 'relative' },
      'a · b ± 5.96046e-8 · |a · b| | share 5.96046e-8 + 0 | total 1.19209e-7 | scales | by relative unit',
    ],
    [
      'fl(a + b)',
      {},
      { measure: 'relative' },
      'a + b ± 5.96046e-8 · |a + b| | share 5.96046e-8 + 0 | total 9.53674e-7 | by addition unit',
    ],
    [
      'fl(a · b) + fl(a / 3)',
      {},
      { measure: 'relative' },
      'a · b + a / 3 ± 1.4013e-45 + 5.96046e-8 · |a / 3| + 5.96046e-8 · |a · b| | share 0 + 0.00000393391 | total 0.00000393391 | by relative unit',
    ],
    [
      'fl(a · b)',
      { a: [0, null] },
      { measure: 'total' },
      'a · b ± 5.96046e-8 · |a · b| + 7.00649e-46 | share 5.96046e-8 + 7.00649e-46 | total Infinity | scales | by relative unit',
    ],
    [
      'exp₃₂(fl(a · b))',
      { a: [1, 2], b: [1, 2] },
      { cutFunctions: true },
      'exp₃₂(fl(a · b)) ± 0 | share 0 + 0 | total 0 | scales',
    ],
    [
      'fl(exp₃₂(a) · b)',
      { a: [1, 2], b: [1, 2] },
      { cutFunctions: true },
      'exp₃₂(a) · b ± 5.96046e-8 · |exp₃₂(a) · b| | share 5.96046e-8 + 0 | total 4.76837e-7 | scales | by function-envelope monotone relative unit',
    ],
    [
      'pow₃₂(a, 2)',
      { a: [1, 2], b: [1, 2] },
      { cutFunctions: true },
      'pow₃₂(a, 2) ± 0 | share 0 + 0 | total 0 | scales',
    ],
    [
      'fl(a · b) · fl(a / 3)',
      {},
      { secondOrder: true },
      'a · b · (a / 3) ± 1 · (|a / 3| · 5.9604645e-8 + 7.006492321624085e-46) · |a · b| + 1 · (|a · b| · 5.9604645e-8 + 7.006492321624085e-46) · (|a / 3| · 5.9604645e-8 + 7.006492321624085e-46) + 1 · (|a · b| · 5.9604645e-8 + 7.006492321624085e-46) · |a / 3| | share 1.19209e-7 + 7.24004e-44 | total 0.0000246366 | scales | by relative unit',
    ],
    [
      'exp(fl(a · b))',
      { a: [-9, 0], b: [1, 2] },
      { falling: true },
      'exp(a · b) ± 2.19273e-8 | share 0 + 2.19273e-8 | total 2.19273e-8 | scales | by function-envelope relative unit',
    ],
    [
      'exp(fl(a · b))',
      { a: [-10000, 0], b: [1, 2] },
      { falling: true },
      'exp(a · b) ± 2.19273e-8 | share 0 + 2.19273e-8 | total 2.19273e-8 | scales | by function-envelope relative unit',
    ],
    [
      'exp(fl(a · b))',
      { a: [-1000000000, 1], b: [1, 2] },
      { falling: true },
      'exp(a · b) ± 9.74242e+25 · (|t1| · 5.9604645e-8 + 7.006492321624085e-46) · exp(t1); t1 = a · b | share 6.23515e+27 + 0 | total 4.60719e+28 | scales | by function-envelope relative unit',
    ],
    [
      'exp(fl(a · b))',
      { a: [-10000, 0], b: [1, 2] },
      {},
      'exp(a · b) ± 1.00049 · (|t1| · 5.9604645e-8 + 7.006492321624085e-46) · exp(t1); t1 = a · b | share 0.000977039 + 0 | total 0.000977039 | scales | by function-envelope relative unit',
    ],
    [
      'fl(a · b)',
      { a: [1, 2], b: [1, 2] },
      { units: true },
      '1 ± 5.96046e-8 | share 5.96046e-8 + 0 | total 5.96046e-8 | scales | in a^1 b^1 | by relative unit',
    ],
    [
      'fl(fl(a · b) − fl(a · c))',
      { a: [1, 2], b: [1, 2] },
      { units: true },
      'b · a − a · c ± 1 · (|c| · 5.9604645e-8 + 7.006492321624085e-46) · |a| + 1 · 5.9604645e-8 · |a| · |b| + 5.96046e-8 · |b · a − a · c| | share 5.96046e-8 + 0.00000143051 | total 0.00000238419 | by addition monotone relative unit',
    ],
    [
      'fl(a / b)',
      { a: [1, 2], b: [1, 2] },
      { units: true },
      '1 ± 5.96046e-8 | share 5.96046e-8 + 0 | total 5.96046e-8 | scales | in a^1 b^-1 | by relative unit',
    ],
    [
      'fl(a · c)',
      { a: [1, 2], b: [1, 2] },
      { units: true },
      'c ± 5.96046e-8 · |c| + 7.00649e-46 | share 5.96046e-8 + 7.00649e-46 | total 5.96046e-7 | scales | in a^1 | by relative unit',
    ],
    [
      'fl(fl(a · c) / a)',
      { a: [1, 2], b: [1, 2] },
      { units: true },
      'c ± 1 · |c| · 5.9604645e-8 + 1.4013e-45 + 5.96046e-8 · |c| | share 1.19209e-7 + 1.4013e-45 | total 0.00000107288 | scales | by monotone relative unit',
    ],
    [
      'fl(a + b)',
      { a: [1, 2], b: [1, 2] },
      { units: true },
      'a + b ± 5.96046e-8 · |a + b| | share 5.96046e-8 + 0 | total 1.19209e-7 | scales | by addition unit',
    ],
    [
      'max(fl(a · c), fl(a / 3))',
      { a: [1, 2], b: [1, 2] },
      { units: true },
      'max(c, 1/3) ± 1 · max(|c| · 5.9604645e-8 + 7.006492321624085e-46, 1/50331648) | share 5.96046e-8 + 7.00649e-46 | total 5.96046e-7 | scales | in a^1 | by relative unit',
    ],
    [
      'exp(fl(a · c))',
      { a: [1, 2], b: [1, 2] },
      { units: true },
      'exp(a · c) ± 1 · (|c| · 5.9604645e-8 + 7.006492321624085e-46) · |a| · exp(a · c) | share 0.00000119209 + 0 | total 578.362 | scales | by function-envelope relative unit',
    ],
    [
      'fl(a · a)',
      { a: [0, 1] },
      { units: true },
      'a · a ± 5.96046e-8 · |a · a| + 7.00649e-46 | share 5.96046e-8 + 7.00649e-46 | total 2.98023e-8 | scales | by relative unit',
    ],
    [
      'max(0, fl(a · c))',
      { a: [1, 2], b: [1, 2] },
      { units: true },
      'max(0, c) ± 5.96046e-8 · |c| + 7.00649e-46 | share 5.96046e-8 + 7.00649e-46 | total 5.96046e-7 | scales | in a^1 | by relative unit',
    ],
    [
      'fl(1 / a)',
      { a: [1, 2], b: [1, 2] },
      { units: true },
      '1 ± 5.96046e-8 | share 5.96046e-8 + 0 | total 5.96046e-8 | scales | in a^-1 | by relative unit',
    ],
    [
      'pow(fl(a · c), 2)',
      { a: [1, 2], b: [1, 2] },
      { units: true },
      'c · c ± 2 · (t1 · 5.9604645e-8 + 7.006492321624085e-46) · t1; t1 = |c| + 4.17619e-53 · |c| + 4.90909e-91 | share 1.19209e-7 + 1.4013e-44 | total 0.0000119209 | scales | in a^2 | by relative unit',
    ],
    [
      'fl(fl(a − b) + c)',
      {},
      { arithmetic: 'triangle' },
      'a − b + c ± 5.96046e-8 · |a| + |b| + 5.96046e-8 · |a| + |b| + |c| | share 5.96046e-8 + 9.53674e-7 | total 0.00000190735 | by addition exact monotone unit',
    ],
    [
      'fl(fl(a − b) · c)',
      {},
      { arithmetic: 'triangle' },
      '(a − b) · c ± 1 · (|a| + |b|) · 5.9604645e-8 · |c| + 5.96046e-8 · |(a − b) · c| + 7.00649e-46 | share 1.19209e-7 + 7.00649e-46 | total 0.0000171661 | by addition exact monotone relative unit',
    ],
    [
      'fl(fl(a − b) · c)',
      {},
      { arithmetic: 'inside products' },
      '(a − b) · c ± 1 · (|a| + |b|) · 5.9604645e-8 · |c| + 5.96046e-8 · (|a| + |b|) · |c| + 7.00649e-46 | share 1.19209e-7 + 7.00649e-46 | total 0.0000171661 | by addition exact monotone relative unit',
    ],
    [
      'fl(fl(a − b) / b)',
      { b: [1, 2] },
      { arithmetic: 'triangle' },
      '(a − b) / b ± 1 · (|a| + t1) · 5.9604645e-8 / t1; t1 = |b| + 5.96046e-8 · (|a| + t1) / t1; t1 = |b| + 7.00649e-46 | share 1.19209e-7 + 7.00649e-46 | total 9.53674e-7 | by addition exact monotone relative unit',
    ],
    [
      'fl(−(a − b))',
      {},
      { arithmetic: 'triangle' },
      '−(a − b) ± 5.96046e-8 · |a| + |b| | share 5.96046e-8 + 0 | total 9.53674e-7 | by addition unit',
    ],
    [
      'fl(a + b)',
      { a: [1, 2], b: [1, 2] },
      { arithmetic: 'triangle' },
      'a + b ± 5.96046e-8 · |a + b| | share 5.96046e-8 + 0 | total 1.19209e-7 | scales | by addition unit',
    ],
    [
      'fl(fl(a + (b − c) · d) · 3)',
      {},
      { arithmetic: 'inside products' },
      '(a + (b − c) · d) · 3 ± 1 · ((|a| + (|b| + |c|) · |d|) · 5.9604645e-8 + 7.006492321624085e-46) · 3 + 5.96046e-8 · (|a| + (|b| + |c|) · |d|) · 3 + 7.00649e-46 | share 1.19209e-7 + 2.8026e-45 | total 0.0000534058 | by exact monotone relative unit',
    ],
    [
      'fl(exp(a) · b)',
      { a: [-1, 0] },
      { arithmetic: 'weighing', measure: 'relative' },
      'exp(a) · b ± 5.96046e-8 · exp(a) · |b| + 7.00649e-46 | share 5.96046e-8 + 7.00649e-46 | total 4.76837e-7 | scales | by function-envelope relative unit',
    ],
    [
      'fl(fl(exp(a) · b) + fl(exp(b) · a))',
      {},
      { arithmetic: 'weighing' },
      'exp(a) · b + exp(b) · a ± 1.19209e-7 · exp(a) · |b| + 1.19209e-7 · exp(b) · |a| + 1.4013e-45 | share 5.96046e-8 + 0.015625 | total 0.03125 | by function-envelope addition monotone relative unit',
    ],
    [
      'fl(a · b)',
      {},
      { arithmetic: 'weighing' },
      'a · b ± 0.0000038147 | share 5.96046e-8 + 7.00649e-46 | total 0.0000038147 | scales | by relative unit',
    ],
    [
      'fl(exp(a) · exp(b))',
      { a: [-1, 0] },
      { arithmetic: 'weighing' },
      'exp(a) · exp(b) ± 5.96046e-8 · exp(a) · exp(b) | share 5.96046e-8 + 0 | total 0.000976563 | scales | by function-envelope relative unit',
    ],
    [
      'fl(fl(exp(a) · fl(a · b)) − b)',
      { a: [-1, 0] },
      { arithmetic: 'weighing' },
      'exp(a) · (a · b) − b ± 0.00000119209 · exp(a) + 1 · 4.7683716e-7 · exp(a) + 5.96046e-7 | share 5.96046e-8 + 9.53674e-7 | total 0.00000190735 | by function-envelope addition monotone relative unit',
    ],
    [
      'fl(exp(a) / fl(a + b))',
      { a: [1, 2], b: [1, 2] },
      { arithmetic: 'weighing' },
      'exp(a) / (a + b) ± 1 · 5.9604645e-8 · (exp(a) / (a + b)) + 5.96046e-8 · exp(a) / (a + b) | share 1.19209e-7 + 0 | total 3.3942e-7 | scales | by function-envelope addition exact monotone relative unit',
    ],
    [
      'max(fl(exp(a) · b), fl(exp(b) · a))',
      {},
      { arithmetic: 'weighing' },
      'max(exp(a) · b, exp(b) · a) ± 1 · max(exp(a) · |b| · 5.9604645e-8 + 7.006492321624085e-46, exp(b) · |a| · 5.9604645e-8 + 7.006492321624085e-46) | share 5.96046e-8 + 7.00649e-46 | total 0.0078125 | scales | by function-envelope relative unit',
    ],
    [
      'fl(fl(a / b) · c)',
      { a: [1, 2], b: [1, 2], c: [null, null] },
      { arithmetic: 'weighing' },
      'a / b · c ± 1 · a / b · 5.9604645e-8 · |c| + 5.96046e-8 · a / b · |c| + 7.00649e-46 | share 1.19209e-7 + 7.00649e-46 | total Infinity | scales | by monotone relative unit',
    ],
    [
      'fl(fl(a · b) + fl(c · d))',
      {},
      { chargedTo: '|a · b| + |c · d|' },
      'a · b + c · d ± 1.19209e-7 · |a · b| + |c · d| + 1.4013e-45 | share 5.96046e-8 + 0.00000762939 | total 0.0000152588 | by addition monotone relative unit',
    ],
    [
      'fl(fl(a · b) + fl(c · d))',
      {},
      { chargedTo: '|a · b|' },
      'a · b + c · d ± 1.19209e-7 · |b| · |a| + 1.19209e-7 · |d| · |c| + 1.4013e-45 | share 5.96046e-8 + 0.00000762939 | total 0.0000152588 | by addition monotone relative unit',
    ],
    [
      'fl(fl(a · b) + c)',
      {},
      { chargedTo: '|a · b| + |c| + 1e-30' },
      'a · b + c ± 1.19209e-7 · |a · b| + |c| + 7.00649e-46 | share 5.96046e-8 + 0.0000038147 | total 0.00000762939 | by addition monotone relative unit',
    ],
    [
      'fl(fl(a · b) · c)',
      {},
      { chargedTo: '|a| · |b| · |c|' },
      'a · b · c ± 1.19209e-7 · |a| · |b| · |c| + 7.70714e-45 | share 1.19209e-7 + 7.70714e-45 | total 0.0000686646 | scales | by monotone relative unit',
    ],
    [
      'fl(fl(a + b) + c)',
      { a: [0, 1], b: [0, 1], c: [0, 1] },
      { chargedTo: 'a + b + c' },
      'a + b + c ± 1.19209e-7 · a + b + c | share 1.19209e-7 + 0 | total 1.78814e-7 | scales | by addition exact monotone unit',
    ],
    [
      'fl(fl(a + b) · c)',
      { a: [0, 1], b: [0, 1], c: [0, 1] },
      { chargedTo: 'c · (a + b)' },
      '(a + b) · c ± 1.19209e-7 · a · c + 1.19209e-7 · b · c + 7.00649e-46 | share 1.19209e-7 + 7.00649e-46 | total 1.19209e-7 | scales | by addition exact monotone relative unit',
    ],
    [
      'max(fl(a · b), fl(a · c))',
      { a: [0, 1], b: [0, 1], c: [0, 1] },
      { chargedTo: 'a · max(b, c)' },
      'max(a · b, a · c) ± 5.96046e-8 · max(a · b, a · c) + 7.00649e-46 | share 5.96046e-8 + 7.00649e-46 | total 2.98023e-8 | scales | by relative unit',
    ],
    [
      'max(fl(a · b), fl(c · c))',
      { a: [0, 1], b: [0, 1], c: [0, 1] },
      { chargedTo: 'max(a · b, c · c)' },
      'max(a · b, c · c) ± 5.96046e-8 · max(a · b, c · c) + 7.00649e-46 | share 5.96046e-8 + 7.00649e-46 | total 2.98023e-8 | scales | by relative unit',
    ],
    [
      'fl(a · b) / c',
      { a: [0, 1], b: [0, 1], c: [1, 2] },
      { chargedTo: '(a · b + a) / c' },
      'a · b / c ± 5.96046e-8 · a · b / c + 7.00649e-46 | share 5.96046e-8 + 7.00649e-46 | total 2.98023e-8 | scales | by relative unit',
    ],
    [
      'fl(fl(a − b) · fl(a + b))',
      {},
      { chargedTo: '|a − b| · (|a| + |b|)' },
      '(a − b) · (a + b) ± 1.78814e-7 · t1 · t1; t1 = |a| + 1.78814e-7 · t1 · t1; t1 = |b| + 3.57628e-7 · |a| · |b| + 7.00649e-46 | share 1.78814e-7 + 7.00649e-46 | total 0.0000534058 | by addition exact monotone relative unit',
    ],
  ])('%s over %o, %o', (text, over, setting, form) => {
    expect(formText(text, over, setting)).toBe(form);
  });
});
