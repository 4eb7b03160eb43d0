/** Histories in one JSON document that are not a list of rows. */
import { describe, expect, test } from 'vitest';
import { readFileContent } from '../../support/read-data-file.ts';
import { judgedLog } from '../../support/judge-log.ts';

const fall = (n: number): readonly number[] => Array.from({ length: n }, (_, i) => 0.4 + 2 * Math.exp((-3 * i) / n));

describe('lists side by side', () => {
  const history = { loss: fall(12), accuracy: fall(12), val_loss: fall(12) };

  test('a dump of the history of Keras is a log of epochs', async () => {
    expect(await judgedLog('history.json', JSON.stringify(history))).toBe('0');
    const read = await readFileContent(
      'history.json',
      '{"loss": [2.5, 2.25], "val_loss": [2.75, 2.5], "lr": [0.1, 0.1]}',
    );
    expect([read.column('log', 'loss'), read.column('log', 'epoch'), read.column('eval', 'eval_loss')]).toEqual([
      [2.5, 2.25],
      [1, 2],
      [2.75, 2.5],
    ]);
  });

  test('so is one within an object, next to settings', async () => {
    const text = JSON.stringify({ params: { epochs: 12 }, history, name: 'run' }, null, 2);
    expect(await judgedLog('history.json', text)).toBe('0');
  });

  test('NaN in it is found, and null is not zero', async () => {
    const broken = JSON.stringify(history).replace(/("loss":\[[^,]*,)[^,]*/, '$1NaN');
    expect(await judgedLog('history.json', broken)).toMatch(/^1 STABLE-001/);
    const gap = JSON.stringify({ loss: [2.5, 2.25, null, null], val_loss: [2, 2, 2, 2] });
    expect((await readFileContent('history.json', gap)).codes).toContain('PV-7037');
  });

  test('a list of another length is reported, not read', async () => {
    const read = await readFileContent('history.json', '{"train_loss": [2.5, 2.25, 2], "val_loss": [2.5]}');
    expect([read.codes, read.messages[0], read.data?.tables.has('eval')]).toEqual([
      ['PV-7021', 'PV-7046'],
      'val_loss has 1 value, and train_loss has 3',
      false,
    ]);
  });

  test('lists without a loss are no log', async () => {
    expect((await readFileContent('x.json', '{"sizes": [1, 2], "counts": [1, 2]}')).codes).toEqual(['PV-7010']);
    expect(await judgedLog('x.json', '{"accuracy": [0.5, 0.6], "lr": [0.1, 0.1]}')).toBe('1');
  });

  test('columns of pandas', async () => {
    const columns = '{"_step": {"0": 10, "1": 20}, "train/loss": {"0": 2.5, "1": 2.25}}';
    const read = await readFileContent('x.json', columns);
    expect([read.column('log', 'step'), read.column('log', 'loss'), read.codes]).toEqual([[10, 20], [2.5, 2.25], []]);
  });
});

describe('a value per entry', () => {
  const entry = (key: string, step: number, value: number): object => ({ key, value, timestamp: 1.7e12, step });

  test('those of one step are a row, whatever their order', async () => {
    const metrics = [
      entry('loss', 1, 2.5),
      entry('loss', 3, 2),
      entry('lr', 2, 0.1),
      entry('lr', 1, 0.2),
      entry('val_loss', 3, 4),
    ];
    for (const document of [metrics, { metrics }]) {
      const read = await readFileContent('x.json', JSON.stringify(document));
      expect([read.column('log', 'step'), read.column('log', 'loss'), read.column('log', 'learning_rate')]).toEqual([
        [1, 2, 3],
        [2.5, null, 2],
        [0.2, 0.1, null],
      ]);
      expect([read.column('eval', 'eval_loss'), read.codes]).toEqual([[4], []]);
    }
  });

  test('a healthy run passes; one that was started again does not', async () => {
    const healthy = fall(60).map((loss, i) => entry('train_loss', i, loss));
    expect(await judgedLog('x.json', JSON.stringify({ metrics: healthy }))).toBe('0');
    const again = [...healthy, entry('train_loss', 30, 0.5), entry('train_loss', 31, 0.5)];
    expect(await judgedLog('x.json', JSON.stringify({ metrics: again }))).toBe('1 STABLE-003');
  });
});

describe('a chart of TensorBoard', () => {
  const chart = (values: readonly (number | string)[]): string =>
    JSON.stringify(values.map((value, step) => [1.69e9 + step, step, value]));

  test('is a log of the value that the file is named after', async () => {
    const read = await readFileContent('run-a-tag-train_loss.json', chart([3, 2.5, 2]));
    expect([read.column('log', 'step'), read.column('log', 'loss')]).toEqual([
      [0, 1, 2],
      [3, 2.5, 2],
    ]);
    expect(await judgedLog('run-a-tag-loss.json', chart(fall(20)))).toBe('0');
    expect(await judgedLog('run-a-tag-loss.json', chart([3, 'NaN', 2.5]))).toMatch(/^1 STABLE-001/);
  });

  test('shows no loss under another name, and an entry of another form is reported', async () => {
    expect(await judgedLog('chart.json', chart(fall(20)))).toBe('1');
    expect((await readFileContent('run-a-tag-loss.json', '[[1, 0, 3], [2, 1]]')).codes).toContain('PV-7019');
  });
});
