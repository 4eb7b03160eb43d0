import { expect, it } from 'vitest';
import { jsonDifferences } from '../../src/base/json-differences.ts';

it('names the innermost values that differ, and those that only one side has', () => {
  const a = { same: [1, { deep: true }], other: { x: 1, y: [1, 2] }, gone: null };
  const b = { same: [1, { deep: true }], other: { x: 1, y: [1, 3, 4] }, kind: {} };
  expect(jsonDifferences('file', a, b)).toEqual([
    { what: 'file.other.y.1', a: '2', b: '3' },
    { what: 'file.other.y.2', a: null, b: '4' },
    { what: 'file.gone', a: 'null', b: null },
    { what: 'file.kind', a: null, b: '{}' },
  ]);
  expect(jsonDifferences('file', a, { ...a })).toEqual([]);
  expect(jsonDifferences('file', [], {})).toEqual([{ what: 'file', a: '[]', b: '{}' }]);
});
