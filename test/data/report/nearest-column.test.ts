import { expect, test } from 'vitest';
import { nearestColumn } from '../../../src/data/report/nearest-column.ts';

test.each([
  ['loss', ['step', 'val/loss', 'aux_loss', 'train/ce_loss'], 'train/ce_loss'],
  ['loss', ['n', 'objective'], 'objective'],
  ['loss', ['Step', 'fast-sun-1 - train/loss'], 'fast-sun-1 - train/loss'],
  [
    'loss',
    ['Loss/scores/fake.num', 'Loss/scores/fake.mean', 'Loss/G/loss.num', 'Loss/G/loss.mean'],
    'Loss/G/loss.mean',
  ],
  ['loss', ['loss/approxkl', 'loss/of_batch', 'regression_loss'], 'regression_loss'],
  ['step', ['accuracy', 'loss'], null],
  ['step', ['batch', 'objective'], 'batch'],
  ['step', ['batch', 'opt_steps'], 'opt_steps'],
  ['grad_norm', ['weight_norm', 'grads/total_norm'], 'grads/total_norm'],
  ['loss_scale', ['loss_scal'], 'loss_scal'],
  ['loss', ['val_loss', 'accuracy', 'lr'], null],
  ['constructor', ['step'], null],
] as const)('%s among %j is %s', (name, keys, nearest) => {
  expect(nearestColumn(name, keys)).toBe(nearest);
});
