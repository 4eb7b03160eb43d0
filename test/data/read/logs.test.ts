/**
 * Logs: `recognise.ts`, `read-log.ts`, and in `stream/` the files `csv.ts`, `csv-fields.ts`, `gunzip.ts`, `growable.ts`,
 * `json-lines.ts`, `lines.ts`, `log-rows.ts`, `pattern.ts`, `pattern-log.ts`, `table-builder.ts` and `text-log.ts`.
 *
 * Holds src/data/read/log-findings.ts, src/data/read/read-log.ts, src/data/read/stream/pattern-log.ts,
 * src/data/read/stream/pattern.ts.
 */
import { gzipSync } from 'node:zlib';
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readFileContent } from '../../support/read-data-file.ts';

const fixture = (name: string): Promise<string> =>
  readFile(new URL(`../../fixtures/data/${name}`, import.meta.url), 'utf8');

describe('JSON Lines', () => {
  test('numbers become columns, what is missing is absent, NaN is a value', async () => {
    const read = await readFileContent('x', await fixture('run.jsonl'));
    expect(read.data?.format).toBe('json-lines');
    expect(read.column('log', 'step')).toEqual([1, 2, 3]);
    expect(read.column('log', 'loss')).toEqual([2.5, NaN, 2]);
    expect(read.column('log', 'learning_rate')).toEqual([1e-3, 5e-4, null]);
    expect(read.column('log', 'grad_norm')).toEqual([0.5, null, null]);
    expect(read.column('eval', 'eval_loss')).toEqual([2.25]);
    expect([read.lines('log'), read.lines('eval')]).toEqual([[1, 2, 5], [4]]);
    expect(read.data?.tables.get('log')?.notNumeric).toEqual(['host']);
    expect(read.codes).toEqual([]);
  });

  test('a row that says it is an evaluation holds the held-out loss', async () => {
    const read = await readFileContent(
      'x.jsonl',
      '{"step":1,"loss":2,"split":"train"}\n{"step":1,"loss":3,"split":"val"}\n',
    );
    expect([read.column('log', 'loss'), read.column('eval', 'eval_loss'), read.codes]).toEqual([[2], [3], []]);
  });

  test.each([
    ['a line that is not a record', '{"step":1,"loss":2}\nhello\n{"step":2,"loss":1}\n', ['PV-7019'], [1, 2]],
    ['a file cut in its last line', '{"step":1,"loss":2}\n{"step":2,"loss":1}\n{"step":3,"lo', ['PV-7020'], [1, 2]],
    ['text for a number', '{"step":1,"loss":2}\n{"step":2,"loss":"diverged"}\n', ['PV-7037'], [1, 2]],
    [
      'steps that repeat and go back',
      '{"step":2,"loss":2}\n{"step":2,"loss":1}\n{"step":1,"loss":1}\n',
      ['PV-7024'],
      [2, 2, 1],
    ],
    ['line ends of every kind', '{"step":1,"loss":2}\r\n{"step":2,"loss":1}\r{"step":3,"loss":1}\n', [], [1, 2, 3]],
    ['a byte order mark', '\uFEFF{"step":1,"loss":2}\n{"step":2,"loss":1}\n', [], [1, 2]],
  ])('%s', async (_, text, codes, steps) => {
    const read = await readFileContent('x.jsonl', text);
    expect([read.codes, read.column('log', 'step')]).toEqual([codes, steps]);
  });

  test.each([
    ['rows about blocks', ['{"step":1,"name":"a","gradient":2}', '{"step":1,"name":"b","gradient":1}'], []],
    ['norms of blocks', ['{"step":1,"name":"a","grad_norm":2}', '{"step":1,"name":"b","grad_norm":1}'], []],
    ['norms of a run', ['{"step":2,"grad_norm":2}', '{"step":1,"grad_norm":1}'], ['PV-7024']],
  ])('of one step: %s', async (_, lines, codes) => {
    expect((await readFileContent('x.jsonl', `${lines.join('\n')}\n`)).codes).toEqual(codes);
  });

  test('many bad lines are a few findings and a count', async () => {
    const read = await readFileContent('x.jsonl', `{"step":1,"loss":2}\n{"step":2,"loss":2}\n${'oops\n'.repeat(1000)}`);
    expect(read.codes).toEqual(Array(6).fill('PV-7019'));
    expect(read.messages.at(-1)).toContain('995 more');
  });

  test('the order of steps is told, rows are kept', async () => {
    const read = await readFileContent(
      'x.jsonl',
      [1, 2, 2, 1, 3].map((step) => `{"step":${step},"loss":1}`).join('\n'),
    );
    expect(read.data?.tables.get('log')?.stepOrder).toEqual({ repeated: 1, decreasing: 1, firstRow: 2 });
    expect(read.messages).toEqual(['In the table log 1 row repeats the step before and 1 row goes back']);
  });

  test('reading stops at the bound of rows, with a finding', async () => {
    const text = Array.from({ length: 20 }, (_, i) => `{"step":${i},"loss":1}\n`).join('');
    const read = await readFileContent('x.jsonl', text, { maxRows: 5 });
    expect([read.codes, read.column('log', 'step')?.length]).toEqual([['PV-7022'], 5]);
  });

  test('a line of millions of characters is passed over', async () => {
    const read = await readFileContent(
      'x.jsonl',
      `{"step":1,"loss":1}\n{"step":2,"x":"${'y'.repeat(5e6)}"}\n{"step":3,"loss":1}\n`,
    );
    expect([read.codes, read.column('log', 'step'), read.lines('log')]).toEqual([['PV-7023'], [1, 3], [1, 3]]);
  });

  test('gzip is unpacked, and says when it does not unpack', async () => {
    const packed = gzipSync('{"step":1,"loss":2}\n{"step":2,"loss":1}\n'.repeat(1000));
    expect((await readFileContent('x.jsonl.gz', packed)).column('log', 'step')).toHaveLength(2000);
    expect((await readFileContent('x.jsonl.gz', packed.subarray(0, packed.length - 12))).codes).toContain('PV-7036');
  });
});

describe('a table written and read again is the same', () => {
  const cell = fc.option(fc.double({ noDefaultInfinity: true, noNaN: true }), { nil: null });
  const table = fc.array(
    fc.record({
      step: fc.nat(),
      loss: fc.double({ noDefaultInfinity: true, noNaN: true }),
      learning_rate: cell,
      extra: cell,
    }),
    { minLength: 2, maxLength: 30 },
  );
  const plus = (value: number | null): number | null => (value === null ? null : value + 0);

  test('as JSON Lines', async () => {
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        const read = await readFileContent('x.jsonl', rows.map((row) => JSON.stringify(row)).join('\n'));
        for (const name of ['step', 'loss', 'learning_rate', 'extra'] as const) {
          const expected = rows.map((row) => plus(row[name]));
          expect(read.column('log', name)?.map(plus) ?? rows.map(() => null)).toEqual(expected);
        }
      }),
      { numRuns: 60 },
    );
  });

  test.each([',', ';', '\t'])('as text separated by %j', async (delimiter) => {
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        const names = ['step', 'loss', 'learning_rate', 'extra'] as const;
        const lines = rows.map((row) => names.map((name) => String(row[name] ?? '')).join(delimiter));
        const text = [names.join(delimiter), ...lines, ''].join('\n');
        const read = await readFileContent('x.csv', text);
        for (const name of names)
          expect(read.column('log', name)?.map(plus) ?? rows.map(() => null)).toEqual(
            rows.map((row) => plus(row[name])),
          );
      }),
      { numRuns: 60 },
    );
  });
});

describe('delimited text', () => {
  test('quotes, semicolons, decimal commas, gaps', async () => {
    const read = await readFileContent('x', await fixture('run.csv'));
    expect(read.data?.format).toBe('csv');
    expect([read.column('log', 'epoch'), read.column('log', 'loss'), read.column('log', 'learning_rate')]).toEqual([
      [0.5, 1],
      [2.5, null],
      [0.001, 0.0005],
    ]);
    expect(read.codes).toEqual([]);
  });

  test.each([
    ['step,loss\n1,2\n2\n3,1\n', ['PV-7021'], [1, 3]],
    ['step,loss\n1,2\n2,1\n3,', ['PV-7020'], [1, 2]],
    ['step,loss,note\n1,2,\n2,1,3\n3,1,', [], [1, 2, 3]],
    ['step,loss\n1,2\n2', ['PV-7020'], [1]],
    ['step,loss\n1,2\n2,nan\n', [], [1, 2]],
    ['step,loss\n1,2\n2,oops\n', ['PV-7037'], [1, 2]],
    ['step,loss,loss\n1,2,3\n', ['PV-7033'], [1]],
    ['step,loss,note\n1,2,"two\nlines"\n2,1,\n', [], [1, 2]],
  ])('%j', async (text, codes, steps) => {
    const read = await readFileContent('x.csv', text);
    expect([read.codes, read.column('log', 'step')]).toEqual([codes, steps]);
  });

  test('a step in several rows, each with other columns, is one row; a step twice stays twice', async () => {
    const lightning =
      'epoch,lr-AdamW,step,train_loss,val_loss\n,0.5,9,,\n0,,9,2.5,\n0,,9,,2.75\n,0.25,19,,\n0,,19,2.0,\n0,,19,1.5,\n';
    const read = await readFileContent('metrics.csv', lightning);
    expect([read.column('log', 'step'), read.column('log', 'loss')]).toEqual([
      [9, 19, 19],
      [2.5, 2, 1.5],
    ]);
    expect([read.column('log', 'learning_rate'), read.column('eval', 'eval_loss')]).toEqual([
      [0.5, 0.25, null],
      [2.75],
    ]);
    expect([read.codes, read.lines('log')]).toEqual([['PV-7024'], [2, 5, 7]]);
  });

  test('an export of Weights & Biases, and one of TensorBoard with a mapping', async () => {
    const wandb =
      '"Step","my-run - train/loss","my-run - train/loss__MIN","my-run - train/loss__MAX"\n"1","2.5","2.5","2.5"\n';
    expect((await readFileContent('x.csv', wandb)).column('log', 'loss')).toEqual([2.5]);
    const read = await readFileContent('x.csv', 'Wall time,Step,Value\n1.5,1,2.5\n', {
      mapping: new Map([['loss', 'Value']]),
    });
    expect(read.column('log', 'loss')).toEqual([2.5]);
  });
});

describe('text for people', () => {
  test('nanoGPT: evaluations print both losses, iterations train', async () => {
    const read = await readFileContent('x', await fixture('nanogpt.log'));
    expect(read.column('log', 'step')).toEqual([0, 10, 20]);
    expect(read.column('log', 'loss')).toEqual([4.2616, 3.2456, NaN]);
    expect(read.column('log', 'step_time')?.map((s) => Math.round((s ?? 0) * 1e5))).toEqual([3164303, 8425, 8050]);
    expect([read.column('eval', 'step'), read.column('eval', 'eval_loss')]).toEqual([
      [0, 250],
      [4.2823, 2],
    ]);
    expect([read.codes, read.lines('log')]).toEqual([[], [3, 4, 6]]);
  });

  test('a log of epochs with both losses is a log of training', async () => {
    const read = await readFileContent(
      'x.log',
      'Epoch 1/2: train loss 2.1, val loss 2.2\nEpoch 2/2: train loss 1.9, val loss 2.0\n',
    );
    expect([read.column('log', 'loss'), read.column('eval', 'eval_loss')]).toEqual([
      [2.1, 1.9],
      [2.2, 2],
    ]);
  });

  test("Hugging Face's dictionaries, with numbers in quotes or not", async () => {
    const read = await readFileContent('x', await fixture('hugging-face.log'));
    expect([read.column('log', 'loss'), read.column('log', 'grad_norm'), read.column('log', 'learning_rate')]).toEqual([
      [2.0905, 1.6779],
      [1.95, 1.66],
      [5e-4, 5e-5],
    ]);
    expect([read.column('eval', 'eval_loss'), read.column('summary', 'train_runtime')]).toEqual([[1.5], [1273.9]]);
  });

  test('torchtitan: tags, grouped digits, units', async () => {
    const read = await readFileContent('x', await fixture('torchtitan.log'));
    expect([read.column('log', 'step'), read.column('log', 'tokens_per_second'), read.column('log', 'mfu')]).toEqual([
      [1, 2],
      [7012, 8012],
      [0.0015, 0.015],
    ]);
  });

  test('a progress bar drawn twice is one row', async () => {
    const read = await readFileContent('x', await fixture('progress.log'));
    expect([read.column('log', 'step'), read.column('log', 'loss'), read.codes]).toEqual([[1, 2], [2.5, 2.25], []]);
  });

  test('Megatron, with its counters and a loss in exponents', async () => {
    const line = (i: number, loss: string): string =>
      ` iteration ${i}/    1000 | consumed samples: ${1024 * i} | elapsed time per iteration (ms): 1500.0 | learning rate: 1.875E-05 | lm loss: ${loss} | loss scale: 12.0 | grad norm: 67.5 | number of skipped iterations:   1 | number of nan iterations:   0 |\n`;
    const read = await readFileContent('x', line(1, '1.25E+01') + line(2, 'nan'));
    expect([read.column('log', 'step'), read.column('log', 'total_steps'), read.column('log', 'loss')]).toEqual([
      [1, 2],
      [1000, 1000],
      [12.5, NaN],
    ]);
    expect([read.column('log', 'step_time'), read.column('log', 'skipped'), read.column('log', 'loss_scale')]).toEqual([
      [1.5, 1.5],
      [1, 1],
      [12, 12],
    ]);
  });

  test('colours, clips, rollbacks and what is stated before the first row', async () => {
    const text = `  max_steps: 5000\n  Batch size: 4\n  \x1b[33m[ZClip]\x1b[0m gradient spike at step 0: z=4.4 gnorm=4.46e-1 ema=2.23e-2
  \x1b[36m[1/100 batches]\x1b[0m step=0 loss=8.5 lr=0.00e0 tok/s=4807 gnorm=4.46e-1 step=852ms
  [ROLLBACK] loss spike at step 0: 8.75 > 3.0×EMA(0.4329), rollback #1/3
  [eval] step=100 val_loss=6.5 (250 batches) predicted at step 5000
  [best-model] step=100 val_loss=6.5 saved
`;
    const read = await readFileContent('x', text);
    expect([read.value('max_steps'), read.value('batch_size')]).toEqual([5000, 4]);
    expect([read.column('log', 'step'), read.column('log', 'step_time'), read.column('log', 'total_batches')]).toEqual([
      [0],
      [0.852],
      [100],
    ]);
    expect([
      read.column('rollbacks', 'loss'),
      read.column('rollbacks', 'ema'),
      read.column('rollbacks', 'threshold_factor'),
    ]).toEqual([[8.75], [0.4329], [3]]);
    expect([read.column('clips', 'ema'), read.column('eval', 'step')]).toEqual([[0.0223], [100]]);
  });

  test('a text without records is no log that passes', async () => {
    expect((await readFileContent('x.log', 'Loading 3 files\nDone in 12 s\n')).codes).toEqual(['PV-7026']);
  });

  test('no text breaks the reader', async () => {
    const piece = fc.constantFrom(
      'step',
      'loss',
      '=',
      ':',
      ' ',
      '1',
      '.5',
      'e',
      '-',
      '|',
      '[',
      ']',
      '{',
      '}',
      "'",
      '\n',
      '\r',
      '\x1b[1m',
      '/',
      '%',
      'nan',
      ',',
      '>',
      'ROLLBACK',
      'Epoch ',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 60 }), async (pieces) => {
        const read = await readFileContent('x.log', pieces.join(''), { format: 'text-log' });
        expect(read.data !== null || read.codes.length > 0).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe("a user's pattern", () => {
  test('its groups are columns', async () => {
    const text = 'begin\n@ 10 :: L 2.5 G 0.5\n@ 20 :: L 2.0 G nan\n';
    const read = await readFileContent('x', text, {
      pattern: String.raw`@ (?<step>\d+) :: L (?<loss>\S+) G (?<grad_norm>\S+)`,
    });
    expect([read.column('log', 'step'), read.column('log', 'loss'), read.column('log', 'grad_norm')]).toEqual([
      [10, 20],
      [2.5, 2],
      [0.5, NaN],
    ]);
  });

  test.each([
    String.raw`(?<a>(x+)+)y`,
    String.raw`(?<a>(a|a)*)b`,
    String.raw`(?<a>\d+)\1`,
    String.raw`(?=x)(?<a>\d)`,
    String.raw`(?<a>\w*)\w*x`,
    String.raw`(?<a>\w+\s?\w+\s?\w+)b`,
    String.raw`(?<a>\w+\s*\w+\s*\w+)b`,
    String.raw`(?<a>a{1,500}a{1,500}a{1,500})b`,
    String.raw`no groups`,
    String.raw`(?<a>\d`,
    String.raw`(?<a>.*a.*b.*c.*d.*e.*f.*g)`,
    'x'.repeat(600),
  ])('%s is refused', async (pattern) => {
    expect((await readFileContent('x', 'step 1 loss 2\n', { pattern })).codes).toEqual(['PV-7025']);
  });

  test('one that takes too long is stopped, and nothing of the log is used', async () => {
    const pattern = '.*a.*a.*a.*a.*a(?<loss>[0-9])';
    const text = `1a2a3a4a5a6\n${'a'.repeat(1000)}\n`;
    const read = await readFileContent('x', text, { pattern, patternMs: 100 });
    expect([read.codes, read.data]).toEqual([['PV-7038'], null]);
    expect(read.messages).toEqual([`The pattern '${pattern}' takes too long on this line`]);
  });

  test('the same pattern reads lines that it matches, in batches', async () => {
    const line = `${'-'.repeat(180)}1a2a3a4a5a6`;
    // A record that is printed again would be one row.
    const text = `${line}\n${line.replace('a6', 'a7')}\n`.repeat(1500);
    const read = await readFileContent('x', text, { pattern: 'a(?<step>5)a(?<loss>[0-9])' });
    expect([read.codes, read.column('log', 'loss')?.length, read.lines('log').at(-1)]).toEqual([
      ['PV-7024'],
      3000,
      3000,
    ]);
  });

  test('rows beyond the limit are told in every batch', async () => {
    const read = await readFileContent('x', 'loss 2\n'.repeat(10), { pattern: 'loss (?<loss>[0-9])', maxRows: 4 });
    expect([read.codes, read.column('log', 'loss')?.length]).toEqual([['PV-7022'], 4]);
  });
});

test('a mapping takes a name from the key that has it', async () => {
  const text = '{"step":1,"loss":3,"train/nll":7}\n{"step":2,"loss":2,"train/nll":6}\n';
  const read = await readFileContent('run.jsonl', text, { mapping: new Map([['loss', 'train/nll']]) });
  expect([read.column('log', 'loss'), read.data?.tables.get('log')?.columns.get('loss')?.key]).toEqual([
    [7, 6],
    'train/nll',
  ]);
});
