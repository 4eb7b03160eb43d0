/** The columns of a claim: of one table, over the rows that have all of them. */
import { describe, expect, it } from 'vitest';
import { environmentFor } from '../../../src/data/judge/environment.ts';
import { bindInputs } from '../../../src/data/judge/inputs.ts';
import type { DataSet, DataTable } from '../../../src/data/read/data-set.ts';
import { claims, modelOf } from './claims.ts';
import { log } from './data-sets.ts';

const contract = claims(
  'log',
  'a ∈ F64^T, b ∈ F64^T, limit ∈ ℝ',
  ['a_t ≤ b_t + limit'],
  ['limit: { default: 2, meaning: how far they may differ }'],
);
const environment = (sets: readonly DataSet[]) => {
  const model = modelOf(contract);
  const [goal] = contract.dataGoals;
  if (!goal) throw new Error('there is a claim');
  return environmentFor(model, bindInputs(contract.contract, model, sets, new Map()), [goal.predicate]);
};
const changed = (set: DataSet, change: (table: DataTable) => DataTable): DataSet => ({
  ...set,
  tables: new Map([...set.tables].map(([name, table]) => [name, change(table)])),
});

describe('the columns of a claim', () => {
  it('are taken whole where each row has all of them', () => {
    const found = environment([log({ a: [1, 2], b: [3, 4] })]);
    expect(found).toMatchObject({ ok: true, value: { scalars: new Map([['limit', 2]]), assumed: new Set(['limit']) } });
    const columns = found.ok ? found.value.columns.get('T') : null;
    expect(columns).toMatchObject({ path: 'run.jsonl', rows: null, count: 2, doubt: null });
    expect([...(columns?.values.get('b') ?? [])]).toEqual([3, 4]);
  });

  it('are taken over the rows that have all of them', () => {
    const found = environment([log({ a: [1, null, 3, 4], b: [5, 6, null, 8] })]);
    const columns = found.ok ? found.value.columns.get('T') : null;
    expect([...(columns?.rows ?? [])]).toEqual([0, 3]);
    expect(columns?.count).toBe(2);
    expect([...(columns?.values ?? [])].map(([name, values]) => [name, ...values])).toEqual([
      ['a', 1, 4],
      ['b', 5, 8],
    ]);
  });

  it('say nothing where no row has all of them, unless nothing happened', () => {
    expect(environment([log({ a: [1, null], b: [null, 2] })])).toEqual({
      ok: false,
      reason: 'no row has a and b',
      missing: [],
      unusable: true,
      unclear: new Set(),
    });
    const empty = log({ a: [], b: [] });
    expect(environment([empty])).toMatchObject({ ok: false, reason: 'no row has a and b' });
    expect(environment([changed(empty, (table) => ({ ...table, isWhole: true }))])).toMatchObject({ ok: true });
    const gone = log({ a: [null], b: [1] });
    expect(environment([changed(gone, (table) => ({ ...table, isWhole: true }))])).toMatchObject({ ok: false });
  });

  it('are of one table', () => {
    const other = changed(log({ b: [1] }, 'other.json'), (table) => ({ ...table, name: 'kernels' }));
    expect(environment([log({ a: [1] }), other])).toEqual({
      ok: false,
      reason: 'a and b are in different tables (log, kernels)',
      missing: [],
      unusable: false,
      unclear: new Set(),
    });
  });

  it.each([
    [{ rows: 1, first: 4, last: 4 }, 'b is missing in 1 row (line 4), where similar rows have it'],
    [{ rows: 3, first: 4, last: 9 }, 'b is missing in 3 rows (line 4 to 9), where similar rows have it'],
  ])('are in doubt where one lacks values in rows like those that have it: %o', (gap, doubt) => {
    const set = changed(log({ a: [1, 2], b: [3, 4] }), (table) => ({
      ...table,
      columns: new Map([...table.columns].map(([key, column]) => [key, key === 'b' ? { ...column, gap } : column])),
    }));
    const found = environment([set]);
    expect(found.ok ? found.value.columns.get('T')?.doubt : null).toBe(doubt);
  });

  it('cannot be taken beside a value that cannot be used', () => {
    const model = modelOf(contract);
    const [goal] = contract.dataGoals;
    const bound = bindInputs(contract.contract, model, [log({ a: [1], b: [1] })], new Map([['limit', 'wide']]));
    expect(environmentFor(model, bound, goal ? [goal.predicate] : [])).toEqual({
      ok: false,
      reason: "limit is 'wide', and a number is needed",
      missing: [],
      unusable: true,
      unclear: new Set(['limit']),
    });
  });

  it.each([
    ['limit ∈ ℝ', '5 / 2', { ok: true, value: { scalars: new Map([['limit', 2.5]]) } }],
    ['limit ∈ F64_ext', '∞', { ok: true, value: { scalars: new Map([['limit', Infinity]]) } }],
    ['limit ∈ ℝ', '∞', { ok: false, unusable: false, missing: [{ name: 'limit' }] }],
    ['limit ∈ ℤ', '6 / 2', { ok: true, value: { scalars: new Map([['limit', 3]]) } }],
    [
      'limit ∈ ℤ',
      '5 / 2',
      { ok: false, unusable: true, reason: 'limit would be 5 / 2 = 2.5, which is not a whole number' },
    ],
  ])('may be compared with a default, if it can be a value of %s: %s', (domain, value, expected) => {
    const stated = claims('log', `a ∈ F64^T, ${domain}`, ['a_t ≤ limit'], [`limit: { default: "${value}" }`]);
    const model = modelOf(stated);
    const [goal] = stated.dataGoals;
    const bound = bindInputs(stated.contract, model, [log({ a: [1] })], new Map());
    expect(environmentFor(model, bound, goal ? [goal.predicate] : [])).toMatchObject(expected);
  });

  it('cannot be compared with a default that rests on a value that cannot be used', () => {
    const inputs = ['limit: { default: "2·base" }'];
    const stated = claims('log', 'a ∈ F64^T, limit ∈ ℝ, base ∈ ℝ', ['a_t ≤ limit'], inputs);
    const model = modelOf(stated);
    const [goal] = stated.dataGoals;
    const bound = bindInputs(stated.contract, model, [log({ a: [1] })], new Map([['base', 'wide']]));
    expect(environmentFor(model, bound, goal ? [goal.predicate] : [])).toMatchObject({
      ok: false,
      unusable: true,
      reason: "base is 'wide', and a number is needed",
    });
  });

  it('have no default, which is a single value', () => {
    expect(() => claims('log', 'a ∈ F64^T', ['a_t ≤ 3'], ['a: { default: 2 }'])).toThrow(
      'a is a column, and a default is a single value',
    );
  });

  it('are requested with what they mean', () => {
    const stated = claims('log', 'a ∈ F64^T, limit ∈ ℝ', ['a_t ≤ limit'], ['limit: { meaning: the largest }']);
    const model = modelOf(stated);
    const [goal] = stated.dataGoals;
    const bound = bindInputs(stated.contract, model, [], new Map());
    expect(environmentFor(model, bound, goal ? [goal.predicate] : [])).toMatchObject({
      ok: false,
      unusable: false,
      reason: 'needs a, limit (the largest)',
      missing: [
        { name: 'a', isColumn: true, required: false },
        { name: 'limit', isColumn: false, meaning: 'the largest' },
      ],
    });
  });
});
