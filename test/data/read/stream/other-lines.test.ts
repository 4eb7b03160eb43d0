/** Records of darknet, XGBoost and LightGBM, in the shape in which they print them. */
import { describe, expect, test } from 'vitest';
import { inPairs } from '../../../../src/data/read/stream/other-lines.ts';
import { readFileContent } from '../../../support/read-data-file.ts';

describe('darknet', () => {
  const rows = (tail: string): string =>
    `yolov3\n    0 conv     32  3 x 3 / 1   416 x 416 x   3   ->   416 x 416 x  32  0.299 BFLOPs\n` +
    `Learning Rate: 0.001, Momentum: 0.9, Decay: 0.0005\nLoaded: 0.000031 seconds\n` +
    `Region 82 Avg IOU: 0.5, Class: 0.49, Obj: 0.5, No Obj: 0.4, .5R: 0.5, .75R: 0.0,  count: 4\n` +
    `\n 1: 575.123, 570.5 avg, 0.000000 rate, 3.1 seconds, 64 images\nLoaded: 0.000031 seconds\n${tail}`;

  test('logs the loss of a batch, its average, the rate and the images so far', async () => {
    const read = await readFileContent(
      'train.log',
      rows('\n 2: 560.5, 569.5 avg loss, 0.000001 rate, 3.2 seconds, 128 images, 1.5 hours left\n'),
    );
    expect([read.column('log', 'step'), read.column('log', 'loss')]).toEqual([
      [1, 2],
      [575.123, 560.5],
    ]);
    expect([read.column('log', 'learning_rate'), read.column('log', 'samples_seen')]).toEqual([
      [0, 1e-6],
      [64, 128],
    ]);
    expect(read.codes).toEqual([]);
  });

  test('prints losses that are not numbers', async () => {
    const read = await readFileContent(
      'train.log',
      rows(' 2: -nan, -nan avg, 0.000001 rate, 3.2 seconds, 128 images\n'),
    );
    expect(read.column('log', 'loss')).toEqual([575.123, NaN]);
  });

  test('may be cut off in its last line', async () => {
    const read = await readFileContent('train.log', rows(' 2: 560.5, 569.5 avg, 0.0000'));
    expect([read.column('log', 'step'), read.codes]).toEqual([[1], ['PV-7020']]);
  });
});

describe('boosting', () => {
  test('XGBoost: rounds, the loss of the training set, and that of the held-out one', async () => {
    const text =
      '[0]\ttrain-auc:0.5\ttrain-logloss:0.69\teval-logloss:0.695\n[1]\ttrain-auc:0.7\ttrain-logloss:0.5\teval-logloss:0.55\n';
    const read = await readFileContent('xgb.log', text);
    expect([read.column('log', 'step'), read.column('log', 'loss'), read.column('eval', 'eval_loss')]).toEqual([
      [0, 1],
      [0.69, 0.5],
      [0.695, 0.55],
    ]);
  });

  test.each([
    ['[10]\ttrain-rmse:0.45+0.01\ttest-rmse:nan', 'iteration=10, loss=0.45, eval_loss=nan'],
    ['[12:30:01] [3]\ttrain-mlogloss:1.25', 'iteration=3, loss=1.25'],
    ["[10]\ttraining's l2: 0.45\tvalid_1's l2: 0.46", 'iteration=10, loss=0.45, eval_loss=0.46'],
    ['[0]\tvalidation_0-error:0.5\tvalidation_0-logloss:0.6', 'iteration=0, validation_0_error=0.5, eval_loss=0.6'],
    ['[0]\ttrain-ndcg@10:0.5', 'iteration=0, train_ndcg_10=0.5'],
  ])('%s', (line, named) => {
    expect(inPairs(line)).toBe(named);
  });

  test.each([
    '[2024] well-known: nothing',
    '[10] loss: 2.5',
    '[1] step-1 of 3',
    'epoch 1: 2.5, 3.5 average',
    '[12:30:01] [info] pre-train: 5',
  ])('is not %s', (line) => {
    expect(inPairs(line)).toBe(line);
  });

  test('long lines take no time', () => {
    const line = `[1]\ta-b:1 ${'a'.repeat(8000)} ${'1'.repeat(8000)} ${'a-'.repeat(4000)}`;
    const start = performance.now();
    for (let i = 0; i < 20; i++) inPairs(line);
    expect(performance.now() - start).toBeLessThan(2000);
  });
});
