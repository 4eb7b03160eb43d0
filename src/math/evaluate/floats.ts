import type { Arithmetic } from './arithmetic.ts';

const common = {
  fromNumber: (value: number) => value,
  toNumber: (value: number) => value,
  equal: (a: number, b: number) => a === b,
};

/** IEEE binary64: one rounding per operation, sums from left to right. */
export const float64: Arithmetic<number> = {
  ...common,
  name: 'float64',
  constant: (text) => Number(text),
  numeric: (row, [a = Number.NaN, b = Number.NaN, c = Number.NaN]) => row.float64(a, b, c),
  predicate: (row, [a = Number.NaN, b = Number.NaN, c = Number.NaN]) => row.float64(a, b, c),
};

/**
 * IEEE binary32: one rounding per operation, sums from left to right. `+ − · / √` are correctly rounded, since
 * rounding their float64 result again changes nothing (53 ≥ 2·24 + 2, Figueroa 1995); the other functions are
 * their float64 value, rounded. Integers (sizes, indices) stay exact.
 */
export const float32: Arithmetic<number> = {
  ...common,
  name: 'float32',
  constant: (text, integral) => (integral ? Number(text) : Math.fround(Number(text))),
  numeric: (row, [a = Number.NaN, b = Number.NaN, c = Number.NaN], integral) => {
    const value = row.float64(a, b, c);
    return integral || row.float32 === 'exact' ? value : Math.fround(value);
  },
  predicate: float64.predicate,
};
