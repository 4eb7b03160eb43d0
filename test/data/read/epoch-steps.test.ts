import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DataColumn, DataTable } from '../../../src/data/read/data-set.ts';
import { countedThrough, rowsAsSteps } from '../../../src/data/read/epoch-steps.ts';

const columnOf = (key: string, values: readonly number[]): DataColumn => ({
  key,
  values: Float64Array.from(values),
  present: null,
});

function tableOf(columns: Readonly<Record<string, readonly number[]>>): DataTable {
  const [first = []] = Object.values(columns);
  return {
    name: 'log',
    rows: first.length,
    columns: new Map(Object.entries(columns).map(([key, values]) => [key, columnOf(key, values)])),
    lineOf: (row) => row + 1,
    position: 'line',
    stepOrder: null,
    notNumeric: [],
  };
}

const steps = (table: DataTable | null): readonly number[] | null => {
  const column = table?.columns.get('step');
  return column ? [...column.values] : null;
};
const ordered = (epoch: readonly number[]): readonly number[] => [...(rowsAsSteps(tableOf({ epoch }))?.values ?? [])];

describe('counters that start again in each epoch', () => {
  test('are counted through from 1, from 0, and with epochs that are not whole strides', () => {
    expect(steps(countedThrough(tableOf({ epoch: [1, 1, 2, 2], step: [50, 100, 50, 100] })))).toEqual([
      50, 100, 150, 200,
    ]);
    expect(steps(countedThrough(tableOf({ epoch: [0, 0, 1, 1], step: [0, 9, 0, 9] })))).toEqual([0, 9, 10, 19]);
    expect(steps(countedThrough(tableOf({ epoch: [1, 1, 2, 2], step: [40, 80, 20, 60] })))).toEqual([40, 80, 100, 140]);
  });

  test.each([
    ['a restart in the middle of an epoch', { epoch: [1, 1, 1, 2], step: [10, 20, 10, 10] }],
    ['a restart that goes back to an earlier epoch', { epoch: [1, 2, 1, 2], step: [10, 10, 10, 10] }],
    ['a restart from a checkpoint, far from the start of the epoch', { epoch: [1, 1, 2, 2], step: [100, 110, 70, 80] }],
    ['a counter that goes on in one of the epochs', { epoch: [1, 2, 3], step: [10, 20, 10] }],
    ['fractions of epochs', { epoch: [0.5, 1, 1.5, 2], step: [10, 20, 10, 20] }],
    ['steps that are not numbers', { epoch: [1, 1, 2, 2], step: [10, NaN, 10, 20] }],
    ['steps that already go on', { epoch: [1, 1, 2, 2], step: [10, 20, 30, 40] }],
  ])('%s is left as it is', (_, columns) => {
    expect(countedThrough(tableOf(columns))).toBeNull();
  });

  test('give the steps of the run, whatever the length of its epochs and the stride of the log', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 6 }),
        fc.integer({ min: 2, max: 9 }),
        fc.integer({ min: 1, max: 50 }),
        (epochs, rows, stride) => {
          const at = Array.from({ length: epochs * rows }, (_, i) => i);
          const table = tableOf({
            epoch: at.map((i) => Math.floor(i / rows) + 1),
            step: at.map((i) => ((i % rows) + 1) * stride),
          });
          expect(steps(countedThrough(table))).toEqual(at.map((i) => (i + 1) * stride));
        },
      ),
    );
  });
});

describe('rows of a log that names its epochs only', () => {
  test('are counted; several rows of one epoch are several steps', () => {
    expect(ordered([1, 2, 3])).toEqual([1, 2, 3]);
    expect(ordered([0.01, 0.01, 0.02])).toEqual([1, 2, 3]);
  });

  test('of a continued run are counted from where it began', () => {
    expect(ordered([50, 51, 52])).toEqual([50, 51, 52]);
    expect(ordered([2, 2.5, 3])).toEqual([4, 5, 6]);
  });

  test('go back where the epochs go back', () => {
    expect(ordered([1, 2, 3, 2, 3, 4])).toEqual([1, 2, 3, 2, 3, 4]);
    expect(ordered([1, 2, 3, 1])).toEqual([1, 2, 3, 1]);
  });

  test('increase exactly where epochs do not go back', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 2, maxLength: 30 }), (epochs) => {
        const found = ordered(epochs);
        for (let row = 1; row < epochs.length; row++)
          expect((found[row] ?? NaN) > (found[row - 1] ?? NaN)).toBe((epochs[row] ?? 0) >= (epochs[row - 1] ?? 0));
      }),
    );
  });

  test('without a number are not a step, and infinite epochs end', () => {
    expect(ordered([1, NaN, 2])).toEqual([1, NaN, 2]);
    expect(ordered([Infinity, Infinity])).toEqual([1, 2]);
    expect(rowsAsSteps(tableOf({ loss: [1, 2] }))).toBeNull();
  });
});
