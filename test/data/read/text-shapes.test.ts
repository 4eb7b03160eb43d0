/**
 * Logs written for people: their names (`log-names.ts`), and in `stream/` the files `epoch-header.ts`, `record-shape.ts`,
 * `record-template.ts`, `text-counters.ts`, `text-for-number.ts` and `text-pairs.ts`.
 *
 * Holds src/data/read/log-names.ts, src/data/read/recognise.ts, src/data/read/stream/record-template.ts,
 * src/data/read/stream/text-counters.ts, src/data/read/stream/text-for-number.ts, src/data/read/stream/text-log.ts,
 * src/data/read/stream/text-pairs.ts.
 */
import { describe, expect, test } from 'vitest';
import { createMemoryHost } from '../../../src/host/memory-host.ts';
import { readData } from '../../../src/data/read/read-data.ts';
import { readFileContent } from '../../support/read-data-file.ts';

describe('logs that name the epoch on a line of its own', () => {
  const bar = (k: number, loss: string, end = ''): string =>
    `\r${k}/100 [${'='.repeat(k / 5)}] - ETA: 3s - loss: ${loss} - accuracy: 0.5${end}`;

  test('Keras: the full bar is the row, not its running means', async () => {
    const epoch = (n: number): string =>
      `Epoch ${n}/2\n${bar(10, '9.5')}${bar(50, '8.5')}${bar(100, `${3 - n}.5`, ' - val_loss: 2.75\n')}`;
    const read = await readFileContent('x.log', epoch(1) + epoch(2));
    expect([read.column('log', 'epoch'), read.column('log', 'loss'), read.column('eval', 'eval_loss')]).toEqual([
      [1, 2],
      [1.5, 0.5].map((loss) => loss + 1),
      [2.75, 2.75],
    ]);
    expect(read.codes).toEqual(['PV-7046']);
  });

  test('the bar at which training stopped is a row: nothing that it shows is lost', async () => {
    const read = await readFileContent('x.log', `Epoch 1/2\n${bar(10, '2.5')}${bar(37, 'nan')}\nstopped at batch 37\n`);
    expect([read.column('log', 'epoch'), read.column('log', 'loss')]).toEqual([[1], [NaN]]);
  });

  test.each([
    'Training at epoch N (total 2) with lr 0.0008',
    '[2023-03-10 19:36:30,772] Starting epoch N',
    'Begin training of epoch: N/2 ...',
  ])('steps that begin again below %j go on from the epoch before', async (line) => {
    const epoch = (n: number): string =>
      `${line.replace('N', String(n))}\n${[0, 20, 40].map((k) => `iter: ${k}, loss: ${3 - n}.5\n`).join('')}`;
    const read = await readFileContent('x.log', epoch(1) + epoch(2));
    expect(read.codes).toEqual(['PV-7046']);
    expect(read.column('log', 'loss')).toEqual([2.5, 2.5, 2.5, 1.5, 1.5, 1.5]);
    expect(read.column('log', 'step')).toEqual([0, 20, 40, 41, 61, 81]);
  });

  test('steps that begin again below the same epoch are those of another run', async () => {
    const run = 'Starting epoch 1\niter: 0, loss: 2.5\niter: 20, loss: 2.25\n';
    expect((await readFileContent('x.log', run + run)).codes).toEqual(['PV-7024']);
  });

  test('a line with a loss is a row, whatever it says of its epoch', async () => {
    const read = await readFileContent('x.log', 'Training epoch 1 loss 2.5\nTraining epoch 2 loss 1.5\n');
    expect(read.column('log', 'loss')).toEqual([2.5, 1.5]);
  });

  test('bars drawn over each other with backspaces, and those of Keras 3', async () => {
    const old = `Epoch 1/1\n 10/100 [=>..] - loss: 9.0${'\b'.repeat(30)}100/100 [===] - 2s 11ms/step - loss: 2.5\n`;
    const three =
      'Epoch 1/1\n\x1b[1m100/100\x1b[0m \x1b[32m━━━━\x1b[0m \x1b[1m2s\x1b[0m 11ms/step - accuracy: 0.5 - loss: 2.5\n';
    for (const text of [old, three])
      expect((await readFileContent('x.log', text)).column('log', 'loss')).toEqual([2.5]);
  });

  test('a loop that prints the phase before its loss', async () => {
    const text =
      'Epoch 0/1\n----------\ntrain Loss: 0.75 Acc: 0.5\nval Loss: 0.5 Acc: 0.75\n\nEpoch 1/1\ntrain Loss: 0.25\n';
    const read = await readFileContent('x.log', text);
    expect([read.column('log', 'loss'), read.column('log', 'epoch'), read.column('eval', 'eval_loss')]).toEqual([
      [0.75, 0.25],
      [0, 1],
      [0.5],
    ]);
  });
});

test('a loss that is not a number is reported although its line has no place', async () => {
  const text = (loss: string): string =>
    `step 1 loss 2.5\nMean training loss : ${loss}\nstep 2 loss 2.0\nbest loss: inf\n`;
  const codesOf = async (loss: string): Promise<readonly string[]> =>
    (await readFileContent('x.log', text(loss))).codes;
  expect([await codesOf('nan'), await codesOf('2.25')]).toEqual([['PV-7037'], []]);
});

describe('counters of epochs and batches', () => {
  test.each([
    ['counted from 1', 'Epoch [1/2], Step [100/600], Loss: 2.5\nEpoch [2/2], Step [100/600], Loss: 2.0\n', [100, 700]],
    ['counted from 0', 'Epoch: [0][ 10/50]\tLoss 2.5e+00 (3.0)\nEpoch: [1][ 10/50]\tLoss 2.0e+00 (2.2)\n', [10, 60]],
    ['without epochs', 'Step [10/50] Loss: 2.5\nStep [20/50] Loss: 2.0\n', [10, 20]],
  ])('steps go on where batches begin again, %s', async (_, text, steps) => {
    const read = await readFileContent('x.txt', text);
    expect([read.column('log', 'step'), read.column('log', 'loss'), read.codes]).toEqual([steps, [2.5, 2], []]);
  });

  test('a batch without their number gives no step', async () => {
    const read = await readFileContent('x.txt', '[1,  2000] loss: 2.5\n[1,  4000] loss: 2.0\n');
    expect([read.column('log', 'step'), read.column('log', 'batch'), read.column('log', 'loss')]).toEqual([
      undefined,
      [2000, 4000],
      [2.5, 2],
    ]);
  });
});

describe('evaluations between lines of training', () => {
  test('fairseq: updates, validations and sums of epochs', async () => {
    const text = `2021-05-05 12:00:01 | INFO | train_inner | epoch 001:    100 / 500 loss=8.5, ppl=99.5, num_updates=100, lr=1e-05, gnorm=2.5
2021-05-05 12:00:02 | INFO | train_inner | epoch 001:    200 / 500 loss=8, ppl=88.5, num_updates=200, lr=2e-05, gnorm=2.25
2021-05-05 12:00:03 | INFO | valid | epoch 001 | valid on 'valid' subset | loss 6.25 | ppl 42.2 | num_updates 500
2021-05-05 12:00:04 | INFO | train | epoch 001 | loss 7.5 | ppl 84.4 | num_updates 500 | lr 5e-05 | gnorm 2.4
`;
    const read = await readFileContent('x.log', text);
    expect([read.column('log', 'step'), read.column('log', 'loss')]).toEqual([
      [100, 200],
      [8.5, 8],
    ]);
    expect([read.column('eval', 'step'), read.column('eval', 'eval_loss'), read.column('epochs', 'loss')]).toEqual([
      [500],
      [6.25],
      [7.5],
    ]);
  });

  test('fairseq in JSON counts updates, not the fraction of the epoch', async () => {
    const line = (n: number): string =>
      `[2023-01-01 10:00:00,1][train_inner][INFO] - {"epoch": 1, "update": 0.${n}, "loss": "${n}.5", "num_updates": "${n}00"}\n`;
    const read = await readFileContent('x.log', line(1) + line(2));
    expect([read.column('log', 'step'), read.column('log', 'loss')]).toEqual([
      [100, 200],
      [1.5, 2.5],
    ]);
  });

  test.each([
    ['Test Epoch: 1\tLoss: 3.5\n'],
    ['2024-01-01 10:00:00 Validation epoch=1 loss=3.5\n'],
    ['2024-01-01T10:00:00Z INFO eval step=1 loss: 3.5\n'],
    [' validation loss at iteration 1 | lm loss value: 3.5E+00 | lm loss PPL: 33.1 | \n'],
  ])('%j is no loss of training', async (line) => {
    const read = await readFileContent('x.log', `Train Epoch: 1\tLoss: 2.5\n${line}`);
    expect([read.column('log', 'loss'), read.column('eval', 'eval_loss')]).toEqual([[2.5], [3.5]]);
  });
});

describe('the end of a text log', () => {
  const line = 'iteration 10 | lm loss: 2.5 | grad norm: 1.25 | skipped: 0 |\n';
  test('a line that stops where the one before went on is cut', async () => {
    const read = await readFileContent('x.log', `${line}${line.slice(0, 30)}`);
    expect([read.codes, read.column('log', 'loss')]).toEqual([['PV-7020'], [2.5]]);
  });

  test.each([
    ['step 2: loss na', ['PV-7020']],
    ['step 2: lo', ['PV-7020']],
    ['step 2: loss 2.25', []],
    ['step 2: saved model.pt', []],
    ['Finished at step 2', []],
  ])('without separators, after `step 1: loss 2.5`: %s', async (last, codes) => {
    const read = await readFileContent('x.log', `step 0: loss 2.75\nstep 1: loss 2.5\n${last}`);
    expect(read.codes).toEqual(codes);
  });

  test('a whole line without a line end is read', async () => {
    const read = await readFileContent('x.log', `${line}${line.replace('10', '20').trimEnd()}`);
    expect([read.codes, read.column('log', 'step')]).toEqual([[], [10, 20]]);
  });
});

describe('a text where the line before had a number', () => {
  test.each(['step=2 loss=diverged\n', "{'loss': 'oops', 'step': 2}\n"])(
    '%j is told, and the row is kept',
    async (line) => {
      const first = line.startsWith('{') ? "{'loss': 2.5, 'step': 1}\n" : 'step=1 loss=2.5\n';
      const read = await readFileContent('x.log', `${first}${line}${first.replace('1', '3')}`);
      expect([read.codes, read.column('log', 'loss'), read.data?.tables.get('log')?.rows]).toEqual([
        ['PV-7037'],
        [2.5, null, 2.5],
        3,
      ]);
    },
  );

  test.each(['tensor(nan)', "tensor(nan, device='cuda:0')", 'np.float32(nan)', '[nan]', '(nan)', '*****', 'diverged'])(
    'without separators: loss %s is reported, in any place of the record',
    async (text) => {
      for (const record of [
        'step N: loss V\n',
        'step N loss V grad_norm 1.5\n',
        'step N, lr 1e-3, loss V, time 5ms\n',
      ]) {
        const line = (step: number, loss: string): string => record.replace('N', `${step}`).replace('V', loss);
        const read = await readFileContent('x.log', line(1, '2.5') + line(9, text) + line(10, text) + line(11, '2.25'));
        expect([read.codes, read.column('log', 'loss')]).toEqual([
          ['PV-7037', 'PV-7037'],
          [2.5, null, null, 2.25],
        ]);
      }
    },
  );

  test.each([
    'step 2: loss scale reduced to 1024',
    'step 2: loss improved from 2.75 to 2.5, saving checkpoint',
    'step 2: loss spike detected, batch skipped',
    'step 2: saved model.pt',
    '(the loss diverged in the run of 2023)',
  ])('without separators, a sentence is none: %s', async (sentence) => {
    const read = await readFileContent('x.log', `step 1: loss 2.5\n${sentence}\nstep 2: loss 2.25\n`);
    expect([read.codes, read.column('log', 'loss')]).toEqual([[], [2.5, 2.25]]);
  });

  test('it is an error: what it should say was not evaluated; a header above the numbers is a remark', async () => {
    const severities = async (text: string): Promise<readonly string[]> => {
      const host = createMemoryHost();
      await host.writeFileAtomic('x.csv', text);
      return (await readData(host, 'x.csv')).diagnostics.map(({ code, severity }) => `${code} ${severity}`);
    };
    expect(await severities('step,loss\n1,2.5\n2,diverged\n')).toEqual(['PV-7037 error']);
    expect(await severities('step,loss\n-,nats\n1,2.5\n')).toEqual(['PV-7037 warning']);
  });

  test.each(['None', 'N/A', 'null', '-'])('%s is no value, and no text', async (word) => {
    const csv = await readFileContent('x.csv', `step,loss\n1,2.5\n2,${word}\n3,2\n`);
    expect([csv.column('log', 'loss'), csv.codes]).toEqual([[2.5, null, 2], []]);
    const text = await readFileContent('x.log', `step=1 loss=2.5\nstep=2 loss=${word}\n`);
    expect([text.column('log', 'loss'), text.codes]).toEqual([[2.5, null], []]);
    const lines = await readFileContent('x.jsonl', `{"step":1,"loss":2.5}\n{"step":2,"loss":"${word}"}\n`);
    expect([lines.column('log', 'loss'), lines.codes]).toEqual([[2.5, null], []]);
  });

  test('dates in a column of times are not times', async () => {
    const line = (n: number): string => `{"step":${n},"loss":1,"timestamp":"2024-01-01T10:00:00Z"}\n`;
    expect((await readFileContent('x.jsonl', line(1) + line(2))).codes).toEqual([]);
  });
});

test('a bar for each epoch begins again, steps do not', async () => {
  const bar = (epoch: number, n: number): string =>
    `\rEpoch ${epoch}:  50%|#### | ${n}/100 [00:01<00:02, 1.5it/s, loss=2.5]`;
  const read = await readFileContent('x.log', `${bar(0, 50)}${bar(0, 100)}\n${bar(1, 50)}\n`);
  expect([read.column('log', 'step'), read.column('log', 'batch'), read.codes]).toEqual([
    [50, 100, 150],
    [50, 100, 50],
    [],
  ]);
});

describe('a number ends where its digits end', () => {
  const records = [
    (v: string): string => `step=2 loss=${v} lr=1e-3`,
    (v: string): string => `step: 2, loss: ${v}`,
    (v: string): string => `step 2 loss ${v} lr 1e-3`,
    (v: string): string => `step 2 | loss ${v} |`,
    (v: string): string => `100%|####| 2/100 [00:01<00:02, 1.5it/s, loss=${v}]`,
  ];
  test.each([
    ['-1.#IND', NaN],
    ['1.#QNAN', NaN],
    ['1.#QNAN0', NaN],
    ['-1.#IND00', NaN],
    ['1.#INF', Infinity],
    ['-1.#INF', -Infinity],
    ['-nan(ind)', NaN],
  ])('%s, as C of Microsoft prints it', async (text, value) => {
    for (const record of records)
      expect((await readFileContent('x.log', `${record(text)}\n`)).column('log', 'loss')).toEqual([value]);
    expect((await readFileContent('x.csv', `step,loss\n1,2.5\n2,${text}\n`)).column('log', 'loss')).toEqual([
      2.5,
      value,
    ]);
  });

  test.each(['2#5', '1.#OOPS', '2_x', '2abc'])('%s is not a number', async (text) => {
    for (const record of records.slice(0, 4)) {
      const line = record(text);
      const read = await readFileContent('x.log', `${record('2.5').replace('2', '1')}\n${line}\n`);
      expect([read.codes, read.column('log', 'loss')]).toEqual([['PV-7037'], [2.5, null]]);
    }
  });

  test.each([
    ['2.5ms', 'dt'],
    ['2.5.', 'loss'],
    ['2.5%', 'loss'],
    ['1_000', 'loss'],
  ])('%s is one', async (text, name) => {
    expect((await readFileContent('x.log', `step=1 loss=2.5 ${name}=${text}\n`)).codes).toEqual([]);
  });
});

test.each([
  'step 1 loss 4.5 grad_norm 1e35',
  'grad_norm 1e35 step 1 loss 4.5',
  'step 1 | grad_norm 1e35 | loss 4.5',
  'step 1, train_loss 4.5, grad_norm 1e35, learning_rate 1e-3',
])('names with underscores before their numbers: %s', async (line) => {
  const read = await readFileContent('x.log', `${line}\n`);
  expect([read.column('log', 'loss'), read.column('log', 'grad_norm')]).toEqual([[4.5], [1e35]]);
});

test('a sentence that mentions such a name is not a record', async () => {
  const sentence = '[WARN] Only 8.3% improvement by step 5000 (val_ppl 662.4 → 607.4).';
  const read = await readFileContent('x.log', `step=1 loss=2.5\n${sentence}\nstep=2 loss=2.25\n`);
  expect([read.codes, read.data?.tables.has('eval')]).toEqual([[], false]);
});

describe('several losses in one line, and lines without digits', () => {
  const rows = (line: (i: number, loss: string) => string, bad = -1): string =>
    Array.from({ length: 9 }, (_, i) => `${line(i + 1, i === bad ? 'nan' : `${9 - i}.5`)}\n`).join('');
  const losses = Array.from({ length: 9 }, (_, i) => 9.5 - i);

  test.each([
    [
      'a loss with a word before it is another',
      (i: number, loss: string) => `step: ${i}, loss: ${loss}, implicit loss: 0.5`,
    ],
    ['also before the loss', (i: number, loss: string) => `step: ${i}, implicit loss: 0.5, loss: ${loss}`],
    ['below the line of its epoch', (i: number, loss: string) => `Epoch ${i}:\n===> Average train loss: ${loss}`],
    ['in braces and bars', (i: number, loss: string) => `{| Epoch: ${i} (1158/1158) | Loss: ${loss} | Step: 1k | }`],
    [
      'with the time so far, as Unsloth Studio writes it',
      (i: number, loss: string) =>
        `{'loss': '${loss}', 'learning_rate': '0.1', 'epoch': '0.${i}', 'train_runtime': '${i}'}`,
    ],
  ])('%s', async (_, line) => {
    expect((await readFileContent('x.log', rows(line))).column('log', 'loss')).toEqual(losses);
    const bad = await readFileContent('x.log', rows(line, 5));
    expect(bad.column('log', 'loss')).toEqual(losses.with(5, NaN));
  });

  test('the rounded step of a row with an epoch is not its step', async () => {
    const text = '{| Epoch: 1 | Loss: 2.5 | Step: 1k | }\n{| Epoch: 2 | Loss: 2.0 | Step: 1k | }\n';
    expect((await readFileContent('x.log', text)).column('log', 'step')).toBeUndefined();
  });

  test('bars are not a mapping of YAML', async () => {
    const text = Array.from({ length: 9 }, (_, i) => `Epoch ${i}: 100%|███| 10/10 [00:50<00:00, 1.2s/it, fm=2.5]\n`);
    expect((await readFileContent('x.log', text.join(''))).codes).toEqual(['PV-7026']);
  });
});
