import { describe, expect, test } from 'vitest';
import { createTextTables, isTableHeader } from '../../../../src/data/read/stream/text-table.ts';
import { judgedLog } from '../../../support/judge-log.ts';
import { readFileContent } from '../../../support/read-data-file.ts';

const fall = (i: number, n: number): string => (0.4 + 2 * Math.exp((-3 * i) / n)).toFixed(4);
const rows = (n: number, row: (i: number) => string): string =>
  Array.from({ length: n }, (_, i) => `${row(i + 1)}\n`).join('');

describe('tables in text', () => {
  test('fastai prints a row per epoch', async () => {
    const table = `epoch     train_loss  valid_loss  accuracy  time    \n${rows(12, (i) => `${i}         ${fall(i, 12)}    ${fall(i, 9)}    0.812000  00:12     `)}`;
    expect(await judgedLog('x.log', `Training from random weights\n${table}`)).toBe('0');
    const read = await readFileContent('x.log', table);
    expect([read.column('log', 'loss')?.length, read.column('eval', 'eval_loss')?.length]).toEqual([12, 12]);
  });

  test('a model card has a table of Markdown; where it has no loss yet, none is read', async () => {
    const card = `---\nlicense: mit\n---\n\n# A model\n\n### Training results\n\n| Training Loss | Epoch | Step | Validation Loss | Wer     |\n|:-------------:|:-----:|:----:|:---------------:|:-------:|\n${rows(12, (i) => `| ${i < 3 ? 'No log' : fall(i, 12)} | ${i}.0 | ${i * 100} | ${fall(i, 9)} | 0.5 |`)}\n### Framework versions\n\n- Transformers 4.30\n`;
    expect(await judgedLog('README.md', card)).toBe('0');
    const read = await readFileContent('README.md', card);
    expect([read.column('log', 'step')?.[0], read.column('eval', 'step')?.[0]]).toEqual([300, 100]);
    expect(await judgedLog('README.md', card.replaceAll(fall(8, 12), 'nan'))).toMatch(/^1 STABLE-001/);
  });

  test("Ultralytics draws a bar for each epoch: its last state is the epoch's row", async () => {
    const epoch = (e: number, loss: string): string =>
      `\n      Epoch    GPU_mem   box_loss   cls_loss   dfl_loss  Instances       Size\n${[10, 50, 100]
        .map(
          (p) =>
            `\r      ${e}/12      2.61G      ${p < 100 ? '9.5' : loss}      0.25      0.25        142        640: ${p}%|██| 8/8 [00:01<00:00]`,
        )
        .join(
          '',
        )}\n                 Class     Images  Instances      Box(P          R      mAP50): 100%|██| 4/4\n                   all        128        929      0.688      0.506       0.61\n`;
    const log = Array.from({ length: 12 }, (_, i) => epoch(i + 1, fall(i, 12)));
    expect(await judgedLog('x.log', log.join(''))).toBe('0');
    const read = await readFileContent('x.log', epoch(1, '1.5') + epoch(2, 'nan'));
    expect([read.column('log', 'epoch'), read.column('log', 'loss')]).toEqual([
      [1, 2],
      [2, NaN],
    ]);
  });

  test('prose, settings and tables about something else are not headers', () => {
    for (const line of [
      'We compare the loss of each epoch',
      '| Model | Parameters | Loss |',
      'epoch: 3  loss: 2.5',
      'epoch  accuracy  time',
      'Step 3  loss 2',
    ])
      expect(isTableHeader(line)).toBe(false);
  });

  test('lines that are no rows are passed over, and the table goes on', () => {
    const tables = createTextTables();
    expect(tables.take('1  2.5')).toBeNull();
    expect(tables.take('epoch  train_loss')).toEqual([]);
    expect(tables.take('1  2.5')).toEqual([
      { name: 'epoch', text: '1' },
      { name: 'train_loss', text: '2.5' },
    ]);
    expect(tables.take('Total time 02:43')).toBeNull();
    expect(tables.take('2 of 3')).toBeNull();
    expect(tables.take('2  nan')).toEqual([
      { name: 'epoch', text: '2' },
      { name: 'train_loss', text: 'nan' },
    ]);
  });
});

describe('other forms of text', () => {
  test.each([
    ['llm.c and modded-nanogpt in short', (i: number) => `s:${i} trl:${fall(i, 60)} lr:0.0003 norm:1.20`],
    [
      'mmengine',
      (i: number) =>
        `05/01 10:11:12 - mmengine - INFO - Epoch(train)   [${Math.ceil(i / 10)}][${((i - 1) % 10) * 5 + 5}/50]  lr: 1e-02  eta: 0:10:00  time: 0.3  grad_norm: 2.3  loss: ${fall(i, 60)}  loss_cls: 0.3`,
    ],
    [
      'OpenNMT',
      (i: number) => `[2021-01-01 10:00:00 INFO] Step ${i}/60; acc: 5.1; ppl: 12.3; xent: ${fall(i, 60)}; lr: 0.0001`,
    ],
    [
      'a heading with the time, the losses below it',
      (i: number) =>
        `Epoch: ${i} | Time: 0m 12s\n\tTrain Loss: ${fall(i, 60)} | Train PPL: 5.2\n\t Val. Loss: 1.5 |  Val. PPL: 4.5`,
    ],
    [
      'bars of Lightning from 0 to the last batch',
      (i: number) =>
        [0, 50, 100]
          .map((p) => `\rEpoch ${i - 1}: ${p}%|██| ${p}/100 [00:10<00:10, 1.2it/s, loss=${fall(i, 60)}]`)
          .join(''),
    ],
  ])('%s: a healthy run passes, a loss that is not a number is found', async (_, line) => {
    const log = rows(60, line);
    expect(await judgedLog('x.log', log)).toBe('0');
    expect(await judgedLog('x.log', log.replaceAll(fall(60, 60), 'nan'))).toMatch(/^1 STABLE-001/);
  });
});

test('a cell of the loss that is not a number is reported', async () => {
  const table = `epoch  train_loss  time\n${rows(12, (i) => `${i}  ${i === 6 ? '?' : fall(i, 12)}  00:12`)}`;
  const card = `| Epoch | Loss |\n|---|---|\n${rows(12, (i) => `| ${i} | ${i === 6 ? 'broken' : fall(i, 12)} |`)}`;
  expect((await readFileContent('x.md', card)).codes).toContain('PV-7037');
  expect(await judgedLog('x.md', card)).toBe('1');
  expect((await readFileContent('x.log', table)).column('log', 'loss')).toContain(null);
  expect(await judgedLog('x.log', table)).toBe('1');
});
