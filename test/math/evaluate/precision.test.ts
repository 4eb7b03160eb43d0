/** Holds src/math/functions/numeric-row.ts, src/math/functions/row.ts. */
import { expect, it } from 'vitest';
import type { Decimal } from 'decimal.js';
import { createPrecision } from '../../../src/math/evaluate/precision.ts';
import { functionTable, type FunctionName } from '../../../src/math/functions.ts';

const precision = createPrecision(30);
const of = (value: number | string): Decimal => new precision.context(value);

function numeric(name: FunctionName, ...values: readonly (number | string)[]): Decimal {
  const row = functionTable[name];
  if (row.kind !== 'numeric') throw new Error(`${name} is no function of numbers`);
  const [a = of('NaN'), b = of('NaN')] = values.map(of);
  return precision.numeric(row, a, b, of('NaN'));
}

it('what is dear is computed once', () => {
  expect(numeric('exp', '0.1')).toBe(numeric('exp', '0.10'));
  expect(numeric('power', 3, '0.5')).toBe(numeric('power', 3, '0.5'));
});

it('another number, sign, order or function is another value', () => {
  const distinct = (values: readonly Decimal[]): number => new Set(values.map(String)).size;
  expect(distinct([numeric('exp', 1), numeric('exp', -1), numeric('exp', 10), numeric('expm1', 1)])).toBe(4);
  expect(distinct([numeric('power', 2, 3), numeric('power', 3, 2), numeric('power', '23', 1)])).toBe(3);
  expect(numeric('exp', '1').toString()).toBe(of(1).exp().toString());
  expect(numeric('sqrt', '-0').toString()).toBe('0');
  expect(Object.is(numeric('atan', '-0').toNumber(), -0)).toBe(true);
  expect(Object.is(numeric('atan', '0').toNumber(), 0)).toBe(true);
  expect(numeric('exp', 'NaN').isNaN()).toBe(true);
  expect(numeric('exp', '-Infinity').toNumber()).toBe(0);
  expect(numeric('exp', 'Infinity').toNumber()).toBe(Infinity);
});

it('stays right when it has forgotten', () => {
  const expected = numeric('sqrt', 2).toString();
  for (let i = 1; i < 21_000; i++) numeric('sqrt', i);
  expect(numeric('sqrt', 2).toString()).toBe(expected);
  expect(numeric('sqrt', 2)).toBe(numeric('sqrt', 2));
});
