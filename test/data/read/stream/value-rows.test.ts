import { describe, expect, test } from 'vitest';
import { valueParts } from '../../../../src/data/read/stream/value-rows.ts';
import { judgedLog } from '../../../support/judge-log.ts';
import { readFileContent } from '../../../support/read-data-file.ts';

const header = 'run_id,key,value,step,timestamp\n';
const loss = (i: number): string => (0.4 + 2 * Math.exp(-i / 20)).toFixed(4);
const values = (name: string, steps: readonly number[]): string =>
  steps.map((i) => `abc,${name},${loss(i)},${i},1700000000\n`).join('');
const range = (n: number): readonly number[] => Array.from({ length: n }, (_, i) => i);

describe('a line per value', () => {
  test('values of one step are a row, in the order of the steps', async () => {
    const read = await readFileContent('x.csv', header + values('train_loss', [0, 1, 3]) + values('val_loss', [2, 3]));
    expect([read.column('log', 'step'), read.column('eval', 'step'), read.codes]).toEqual([[0, 1, 3], [2, 3], []]);
    expect(read.lines('log')).toEqual([2, 3, 4]);
  });

  test('a healthy run passes; NaN, a restart and values that are not numbers are found', async () => {
    const healthy = header + values('loss', range(60));
    expect(await judgedLog('x.csv', healthy)).toBe('0');
    expect(await judgedLog('x.csv', healthy.replace(`,${loss(30)},30,`, ',nan,30,'))).toBe('1 STABLE-001');
    expect(await judgedLog('x.csv', healthy + values('loss', [30, 31]))).toBe('1 STABLE-003');
    expect(await judgedLog('x.csv', healthy.replace(`,${loss(30)},30,`, ',many,30,'))).toBe('1');
    expect(await judgedLog('x.csv', healthy.replace(`,${loss(30)},30,`, `,${loss(30)},soon,`))).toBe('1');
  });

  test('a log without a value named loss does not pass', async () => {
    expect(await judgedLog('x.csv', header + values('accuracy', range(60)))).toBe('1');
  });

  test('the value that is the loss can be named', async () => {
    const log = header + values('objective', range(60));
    expect(await judgedLog('x.csv', log, { mapping: new Map([['loss', 'objective']]) })).toBe('0');
  });

  test('columns that happen to be called value or key are not parts', () => {
    expect(valueParts(['step', 'value', 'loss'])).toBeNull();
    expect(valueParts(['Run', 'Run ID', 'metric', 'step', 'timestamp', 'value'])).toEqual({
      name: 2,
      value: 5,
      step: 3,
    });
  });
});
