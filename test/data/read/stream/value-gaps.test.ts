/**
 * A loss that stops while the steps go on, and logs that honestly have none in some rows.
 *
 * Holds src/data/read/stream/csv-fields.ts, src/data/read/stream/csv.ts, src/data/read/stream/epoch-header.ts,
 * src/data/read/stream/growable.ts, src/data/read/stream/gunzip.ts, src/data/read/stream/json-lines.ts,
 * src/data/read/stream/lines.ts, src/data/read/stream/log-rows.ts, src/data/read/stream/record-shape.ts,
 * src/data/read/stream/table-builder.ts.
 */
import { describe, expect, test } from 'vitest';
import { readFileContent } from '../../../support/read-data-file.ts';

type Row = Readonly<Record<string, unknown>>;

const rows = (from: number, to: number, row: (step: number) => Row): readonly Row[] =>
  Array.from({ length: to - from + 1 }, (_, i) => ({ step: from + i, ...row(from + i) }));
const lines = (...parts: readonly (readonly Row[])[]): string =>
  parts
    .flat()
    .map((row) => `${JSON.stringify(row)}\n`)
    .join('');
const gapsOf = async (file: string, text: string): Promise<unknown> => {
  const { data } = await readFileContent(file, text);
  return [...(data?.tables.values() ?? [])].flatMap(({ columns }) =>
    [...columns].flatMap(([name, { gap }]) => (gap ? [[name, gap.rows, gap.first, gap.last]] : [])),
  );
};
const full = (step: number): Row => ({ loss: 5 - step / 50, grad_norm: 1, lr: 1e-3 });

describe('a loss that stops', () => {
  test.each([
    ['null', { loss: null }],
    ['None', { loss: 'None' }],
    ['an empty text', { loss: '' }],
    ['a list', { loss: [null] }],
    ['no key', {}],
  ])('%s from step 11 on', async (_, row) => {
    const start = rows(1, 10, (step) => ({ loss: 5 - step / 50 }));
    expect(
      await gapsOf(
        'x.jsonl',
        lines(
          start,
          rows(11, 20, () => row),
        ),
      ),
    ).toEqual([['loss', 10, 11, 20]]);
  });

  test.each([
    [
      'beside others',
      lines(
        rows(1, 10, full),
        rows(11, 20, () => ({ loss: null, lr: 1 })),
      ),
      [['loss', 10, 11, 20]],
    ],
    [
      'after one row',
      lines(
        rows(1, 1, full),
        rows(2, 9, () => ({ loss: null })),
      ),
      [['loss', 8, 2, 9]],
    ],
    ['in its last row alone', lines(rows(1, 10, full), [{ step: 11, loss: null }]), [['loss', 1, 11, 11]]],
    ['and comes back', lines(rows(1, 10, full), [{ step: 11, loss: null }], rows(12, 20, full)), [['loss', 1, 11, 11]]],
  ])('%s', async (_, text, gaps) => {
    expect(await gapsOf('x.jsonl', text)).toEqual(gaps);
  });

  test('with its norm', async () => {
    const text = lines(
      rows(1, 10, full),
      rows(11, 20, () => ({ loss: null, grad_norm: null, lr: 1 })),
    );
    expect(await gapsOf('x.jsonl', text)).toEqual([
      ['loss', 10, 11, 20],
      ['grad_norm', 10, 11, 20],
    ]);
  });

  test.each(['step,loss\n1,3\n2,2\n3,\n4,\n', 'step,loss\n1,3\n2,2\n3,None\n4,null\n'])('in %j', async (text) => {
    expect(await gapsOf('x.csv', text)).toEqual([['loss', 2, 4, 5]]);
  });

  test('in text, and what is reported', async () => {
    const read = await readFileContent('x.log', 'step=1 loss=3\nstep=2 loss=2\nstep=3 loss=None\nstep=4 loss=None\n');
    expect([read.codes, read.messages[0]]).toEqual([
      ['PV-7037'],
      'loss is missing in 2 rows (line 3 to 4), where similar rows have it',
    ]);
  });
});

describe('rows that honestly have no loss', () => {
  test.each([
    ['every tenth row has one', lines(rows(1, 50, (n) => (n % 10 === 1 ? full(n) : { lr: 1, loss: null })))],
    ['every tenth row has one, the others no key', lines(rows(1, 50, (n) => (n % 10 === 1 ? full(n) : { lr: 1 })))],
    ['every second row', lines(rows(1, 21, (n) => (n % 2 === 1 ? full(n) : { loss: null })))],
    [
      'evaluations between, with null for what is of the others',
      lines(rows(1, 50, (n) => (n % 10 === 0 ? { loss: null, eval_loss: 2 } : { ...full(n), eval_loss: null }))),
    ],
    ['an evaluation at the end', lines(rows(1, 10, full), [{ step: 10, eval_loss: 2, eval_accuracy: 0.5 }])],
    [
      "the last row of Hugging Face's Trainer",
      lines(rows(1, 10, full), [{ step: 10, train_runtime: 9, train_loss: 2, total_flos: 1 }]),
    ],
    ['rows about the machine', lines(rows(1, 50, (n) => (n % 5 === 0 ? { loss: null, gpu: 50 } : full(n))))],
    [
      'the norm is logged at first alone',
      lines(
        rows(1, 9, full),
        rows(10, 20, () => ({ loss: 2, lr: 1e-3 })),
      ),
    ],
    ['a step that is saved at the end', lines(rows(1, 10, full), [{ step: 11 }])],
  ])('%s', async (_, text) => {
    expect(await gapsOf('x.jsonl', text)).toEqual([]);
  });

  test("Lightning's CSV: learning rates and evaluations have rows of their own", async () => {
    const records = Array.from({ length: 9 }, (_, n) => `,1e-3,${n},,\n0,,${n},2.5,\n0,,${n},,2.25\n`);
    expect(await gapsOf('x.csv', `epoch,lr,step,train_loss,val_loss\n${records.join('')}`)).toEqual([]);
  });
});
