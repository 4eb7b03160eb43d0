/** Logs that name no steps or no total loss, as trainers write them: read, judged, and each derived value reported. */
import { describe, expect, test } from 'vitest';
import { readFileContent } from '../../support/read-data-file.ts';
import { judgedLog } from '../../support/judge-log.ts';

/** A loss that falls from 2.4 to 0.4 with a little noise. */
const fall = (i: number, of: number): number => 0.4 + 2 * Math.exp((-3 * i) / of) + 0.01 * Math.sin(i * 2.3);
const lines = (n: number, line: (i: number) => string): string =>
  Array.from({ length: n }, (_, i) => `${line(i + 1)}\n`).join('');
const dict = (loss: string, rate: string, i: number): string =>
  `{'loss': ${loss}, 'grad_norm': 1.2, 'learning_rate': ${rate}, 'epoch': ${(i * 0.05).toFixed(2)}}`;

describe('logs of epochs', () => {
  const printed = (loss: (i: number) => string, rate = '4e-05'): string => lines(60, (i) => dict(loss(i), rate, i));
  const runtime = "{'train_runtime': 71.5, 'train_steps_per_second': 8.39, 'train_loss': 0.91, 'epoch': 3.0}\n";
  const evaluation = "{'eval_loss': 0.91, 'eval_runtime': 3.2, 'epoch': 3.0}\n";

  test('Hugging Face prints dictionaries: a healthy run, with and without progress bars', async () => {
    const healthy = printed((i) => fall(i, 60).toFixed(4));
    expect(await judgedLog('x.log', healthy + evaluation + runtime)).toBe('0');
    const bars = healthy
      .split('\n')
      .map((line, i) => `\r ${i}%|█▏  | ${i * 10}/600 [00:0${i % 10}<01:10, 8.4it/s]\r${line}`);
    expect(await judgedLog('x.log', bars.join('\n') + evaluation + runtime)).toBe('0');
  });

  test('its values may be quoted', async () => {
    const log = lines(
      60,
      (i) => `{'loss': '${fall(i, 60).toFixed(4)}', 'learning_rate': '4e-05', 'epoch': '${i * 0.05}'}`,
    );
    expect(await judgedLog('x.log', log)).toBe('0');
  });

  test('a loss that is not a number, and one that never falls, are found', async () => {
    expect(
      await judgedLog(
        'x.log',
        printed((i) => (i > 30 ? 'nan' : fall(i, 60).toFixed(4))),
      ),
    ).toBe('1 STABLE-001');
    expect(
      await judgedLog(
        'x.log',
        printed((i) => (2.3 + 0.001 * Math.sin(i)).toFixed(4), '0.0'),
      ),
    ).toBe('1 STABLE-007');
  });

  test('a run that was started again is found', async () => {
    const again = lines(6, (i) => `${i},${fall(i, 6)}`) + lines(6, (i) => `${i + 2},${fall(i, 6)}`);
    expect(await judgedLog('x.csv', `epoch,loss\n${again}`)).toBe('1 STABLE-003');
  });

  test('rows count as steps, and a note says so', async () => {
    const read = await readFileContent('x.csv', 'epoch,loss\n0,2.5\n1,2.25\n');
    expect([read.column('log', 'step'), read.column('log', 'step_or_row'), read.codes]).toEqual([
      undefined,
      [1, 2],
      ['PV-7046'],
    ]);
    expect(read.messages).toEqual(['The log has epochs and no steps: each row counts as one step']);
  });

  test('a log of steps needs no note', async () => {
    const read = await readFileContent('x.csv', 'step,epoch,loss\n10,1,2.5\n20,1,2.25\n');
    expect([read.column('log', 'step_or_row'), read.codes]).toEqual([[10, 20], []]);
  });
});

describe('counters of batches', () => {
  const rows = (line: (epoch: number, batch: number, loss: string) => string): string =>
    lines(50, (i) => line(Math.ceil(i / 10), (((i - 1) % 10) + 1) * 10, fall(i, 50).toFixed(4)));

  test.each([
    ['of', rows((e, b, loss) => `epoch ${e}/5, iter ${b}/100, loss ${loss}, lr 0.001`)],
    ['without their number', rows((e, b, loss) => `epoch ${e} - iter ${b} - loss ${loss} - samples/sec: 45.12`)],
    ['in JSON', rows((e, b, loss) => `{"mode": "train", "epoch": ${e}, "iter": ${b}, "lr": 0.01, "loss": ${loss}}`)],
  ])('%s are counted through', async (_, log) => {
    expect(await judgedLog('x.log', log)).toBe('0');
    const steps = (await readFileContent('x.log', log)).column('log', 'step');
    expect([steps?.at(0), steps?.at(10), steps?.at(-1)]).toEqual([10, 110, 500]);
  });

  test('a counter that goes back within an epoch is a restart', async () => {
    const log = rows((e, b, loss) => `epoch ${e}, iter ${b}, loss ${loss}`).replace('iter 50,', 'iter 20,');
    expect(await judgedLog('x.log', log)).toMatch(/^1 STABLE-003/);
  });
});

describe('logs without a total loss', () => {
  const header =
    '   epoch,   train/box_loss,   train/cls_loss,   train/dfl_loss,   metrics/mAP50(B),   val/box_loss,   lr/pg0\n';
  const detector = (loss: (i: number) => string): string =>
    header + lines(30, (i) => `   ${i},   ${loss(i)},   ${loss(i)},   ${loss(i)},   0.5,   1.25,   0.001`);

  test('a detector logs the parts of its loss', async () => {
    const healthy = detector((i) => fall(i, 30).toFixed(5));
    expect(await judgedLog('results.csv', healthy)).toBe('0');
    const read = await readFileContent('results.csv', `${header}1, 1.5, 0.5, 0.25, 0.5, 1.25, 0.001\n`);
    expect([read.column('log', 'loss'), read.messages[0]]).toEqual([
      [2.25],
      'The loss is the sum of train/box_loss, train/cls_loss and train/dfl_loss',
    ]);
    expect(
      await judgedLog(
        'results.csv',
        detector((i) => (i > 20 ? 'nan' : '1.5')),
      ),
    ).toBe('1 STABLE-001');
  });

  test('the only loss of a log is its loss, whatever its name; of two it is not known which', async () => {
    const log = (more: string): string => lines(15, (i) => `step=${i} mse_loss=${fall(i, 15).toFixed(4)}${more}`);
    expect(await judgedLog('x.log', log(''))).toBe('0');
    expect(await judgedLog('x.log', log(' ssim_loss=0.5'))).toBe('1');
    expect(await judgedLog('x.log', log('').replace(/mse_loss=\S+(?=\nstep=9)/, 'mse_loss=nan'))).toBe('1 STABLE-001');
    for (const part of ['box_loss', 'kl_loss', 'best_loss', 'loss_weight'])
      expect(await judgedLog('x.log', log('').replaceAll('mse_loss', part))).not.toBe('0');
  });

  test('one part alone, or one that is missing in a row, is no total', async () => {
    expect(await judgedLog('results.csv', 'epoch,train/box_loss,lr/pg0\n1,2.5,0.1\n2,2.25,0.1\n')).toBe('1');
    const gap = 'epoch,train/box_loss,train/cls_loss\n1,2.5,0.1\n2,,0.1\n3,2.25,0.1\n';
    expect(await judgedLog('results.csv', gap)).toBe('1');
  });

  test('a log of evaluations is judged by them, and says so', async () => {
    const log = (loss: (i: number) => string): string =>
      lines(15, (i) => `step:${i * 125}/1875 val_loss:${loss(i)} train_time:${i * 60}ms step_avg:60.0ms`);
    expect(
      await judgedLog(
        'x.txt',
        log((i) => fall(i, 15).toFixed(4)),
      ),
    ).toBe('0');
    expect(
      await judgedLog(
        'x.txt',
        log((i) => (i > 9 ? 'nan' : fall(i, 15).toFixed(4))),
      ),
    ).toBe('1 STABLE-001');
    const read = await readFileContent(
      'x.txt',
      log(() => '2.5'),
    );
    expect(read.messages[0]).toBe('The log has no training loss: what is claimed of it is judged of val_loss');
  });

  test('a log without any loss does not pass', async () => {
    expect(await judgedLog('x.csv', `step,lr,accuracy\n${lines(60, (i) => `${i},0.001,0.5`)}`)).toBe('1');
    expect(await judgedLog('x.csv', `epoch,lr,accuracy\n${lines(60, (i) => `${i},0.001,0.5`)}`)).toBe('1');
  });
});

describe('steps that a log has rows of evaluation for', () => {
  test('are not missing', async () => {
    const log = `step,loss,val_loss\n${lines(40, (i) => (i === 20 ? '20,,2.5' : `${i},2.5,`))}`;
    expect((await readFileContent('x.csv', log)).codes).not.toContain('PV-7044');
    expect((await readFileContent('x.csv', log.replace('20,,2.5\n', ''))).codes).toContain('PV-7044');
  });
});

test('rows of training that have only the held-out loss are not judged by it', async () => {
  const log = lines(60, (i) => `{"step": ${i}, "eval_loss": ${fall(i, 60)}, "lr": 0.1}`);
  expect(await judgedLog('x.jsonl', log)).toBe('1');
  expect(await judgedLog('x.jsonl', log.replaceAll(', "lr": 0.1', ''))).toBe('0');
});

test('the loss of a policy gradient varies about zero: it need not fall, and must stay finite', async () => {
  const log = (loss: (i: number) => string): string =>
    lines(60, (i) => `{'loss': ${loss(i)}, 'grad_norm': 0.3, 'reward': 0.5, 'kl': 0.001, 'epoch': ${i / 100}}`);
  expect(
    await judgedLog(
      'x.log',
      log((i) => (0.01 * Math.sin(i * 2.3 + 1)).toFixed(4)),
    ),
  ).toBe('0');
  expect(
    await judgedLog(
      'x.log',
      log((i) => (i === 50 ? 'nan' : '0.0012')),
    ),
  ).toBe('1 STABLE-001');
});
