/**
 * Runs of MLflow's file store, as mlflow/store/tracking/file_store.py writes them (mlflow/mlflow at c7bb896d): a line
 * `timestamp value step` per value in `metrics/NAME`, and the value of a parameter in `params/NAME`.
 *
 * Holds src/data/read/mlflow/read-run.ts, src/data/read/mlflow/metric-values.ts, src/data/read/mlflow/metric-rows.ts,
 * src/data/read/mlflow/params.ts, src/data/read/mlflow/run-folder.ts, src/api/data/data-files.ts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createMemoryHost, type MemoryHost } from '../../../src/host/memory-host.ts';
import { readData } from '../../../src/data/read/read-data.ts';
import type { DataOptions } from '../../../src/data/read/data-set.ts';
import { runPv, type Ran } from '../../support/memory-cli.ts';

const start = 1_700_000_000_000;
type Point = readonly [step: number, value: number | string, seconds?: number];
const series = (points: readonly Point[]): string =>
  points.map(([step, value, at = step]) => `${start + at * 1000} ${value} ${step}\n`).join('');
const steps = (n: number, stride: number = 10): readonly number[] =>
  Array.from({ length: n }, (_, i) => (i + 1) * stride);
const falling = (n: number, stride?: number): readonly Point[] =>
  steps(n, stride).map((step, i): Point => [step, 0.4 + 2 * Math.exp((-3 * i) / n)]);

const meta = (id: string, stage: string = 'active'): string =>
  `artifact_uri: file:///x/artifacts\nend_time: 1\nexperiment_id: '0'\nlifecycle_stage: ${stage}\nrun_id: ${id}\nrun_uuid: ${id}\nstatus: 3\ntags: []\n`;
const experiment =
  "artifact_location: file:///x\ncreation_time: 1\nexperiment_id: '0'\nlast_update_time: 1\nlifecycle_stage: active\nname: Default\n";

type Files = Readonly<Record<string, string>>;
function runOf(id: string, metrics: Files, params: Files = {}, stage?: string): Files {
  const under = (folder: string, files: Files): Files =>
    Object.fromEntries(Object.entries(files).map(([name, text]) => [`mlruns/0/${id}/${folder}/${name}`, text]));
  return {
    [`mlruns/0/${id}/meta.yaml`]: meta(id, stage),
    [`mlruns/0/${id}/tags/mlflow.user`]: 'ada',
    [`mlruns/0/${id}/artifacts/model/conda.yaml`]: 'channels: [conda-forge]\n',
    ...under('metrics', metrics),
    ...under('params', params),
  };
}

const shipped = Object.fromEntries(
  readdirSync('contracts')
    .map((name) => [
      `/pv/contracts/${name}`,
      name.endsWith('-v1.yaml') ? readFileSync(`contracts/${name}`, 'utf8') : '',
    ])
    .filter(([, text = '']) => /^data:/m.test(text)),
);
const world = (...runs: readonly Files[]): MemoryHost =>
  createMemoryHost(Object.assign({ 'package.json': '{}', 'mlruns/0/meta.yaml': experiment }, shipped, ...runs));
const check = (host: MemoryHost, ...args: readonly string[]): Promise<Ran> => runPv(['check', ...args], { host });

async function read(run: Files, options: DataOptions = {}) {
  const { value, diagnostics } = await readData(world(run), 'mlruns/0/a', options);
  const column = (table: string, name: string): readonly (number | null)[] | undefined => {
    const found = value?.tables.get(table)?.columns.get(name);
    return found && [...found.values].map((one, row) => (found.present?.[row] === 0 ? null : one));
  };
  return {
    value,
    column,
    codes: diagnostics.map(({ code }) => code),
    messages: diagnostics.map(({ message }) => message),
  };
}

describe('a folder', () => {
  test('is a run with a run_id and metrics, wherever its artifacts are', async () => {
    const run = runOf('a', { loss: series(falling(40)) });
    const { value } = await read({ ...run, 'mlruns/0/a/meta.yaml': 'run_id: a\nlifecycle_stage: active\n' });
    expect(value?.format).toBe('mlflow');
  });

  test('with a link among its metrics is an error, since links are not followed', async () => {
    const host = world(runOf('a', { loss: series(falling(40)) }));
    const list: MemoryHost['list'] = async (path) => {
      const entries = await host.list(path);
      if (!entries.ok || path !== 'mlruns/0/a/metrics') return entries;
      return { ok: true, value: [...entries.value, { name: 'lr', kind: 'link' }] };
    };
    const { diagnostics } = await readData({ ...host, list }, 'mlruns/0/a', {});
    expect(diagnostics).toMatchObject([{ code: 'PV-8002', severity: 'error', subject: 'mlruns/0/a/metrics/lr' }]);
  });
});

describe('metrics', () => {
  test('of one step are a row, whatever file they are in; names may be paths', async () => {
    const { value, column, codes } = await read(
      runOf('a', {
        'train/loss': series([
          [10, 2.5],
          [20, 2.25],
          [30, 2],
        ]),
        lr: series([
          [10, '1e-05'],
          [20, 2e-5],
          [30, 1e-5],
        ]),
        eval_loss: series([[20, 2.75]]),
      }),
    );
    expect([column('log', 'step'), column('log', 'loss'), column('log', 'learning_rate')]).toEqual([
      [10, 20, 30],
      [2.5, 2.25, 2],
      [1e-5, 2e-5, 1e-5],
    ]);
    expect([column('eval', 'step'), column('eval', 'eval_loss'), codes, value?.format]).toEqual([
      [20],
      [2.75],
      [],
      'mlflow',
    ]);
    expect(value?.tables.get('log')?.columns.get('loss')?.key).toBe('train/loss');
  });

  test('nan and infinities are values', async () => {
    const { column } = await read(
      runOf('a', {
        loss: series([
          [1, 'nan'],
          [2, 'inf'],
          [3, '-inf'],
          [4, 1],
        ]),
      }),
    );
    expect(column('log', 'loss')).toEqual([NaN, Infinity, -Infinity, 1]);
  });

  test('a metric that is logged more often does not put rows out of order', async () => {
    const { column, codes } = await read(
      runOf('a', { grad_norm: series(falling(6, 10)), loss: series(falling(12, 5)) }),
    );
    expect([column('log', 'step'), codes]).toEqual([steps(12, 5), []]);
  });

  test('steps that are logged again are in the order of time, and reported', async () => {
    const { column, codes } = await read(
      runOf('a', {
        loss: series([
          [10, 3, 1],
          [20, 2, 2],
          [10, 2.5, 3],
          [20, 2, 4],
        ]),
        lr: series([
          [10, 1, 1],
          [20, 1, 2],
        ]),
      }),
    );
    expect([column('log', 'step'), column('log', 'learning_rate'), codes]).toEqual([
      [10, 20, 10, 20],
      [1, 1, null, null],
      ['PV-7024'],
    ]);
  });

  test('of the machine count their own samples', async () => {
    const { value, column } = await read(
      runOf('a', {
        loss: series(falling(3)),
        'system/cpu_utilization_percentage': series([
          [0, 50],
          [1, 60],
          [15, 1],
        ]),
      }),
    );
    expect([column('log', 'step'), [...(value?.tables.keys() ?? [])]]).toEqual([[10, 20, 30], ['log']]);
  });

  test('what a trainer says at its end is not one more row, though it has the name of one', async () => {
    const { column } = await read(
      runOf('a', {
        loss: series([
          [10, 2],
          [20, 1],
        ]),
        train_loss: series([[25, 1.5, 99]]),
        train_runtime: series([[25, 100, 99]]),
      }),
    );
    expect([column('log', 'loss'), column('summary', 'train_runtime'), column('summary', 'loss')]).toEqual([
      [2, 1],
      [100],
      [1.5],
    ]);
  });
});

describe('values that were logged without a step', () => {
  test('a last one is a value of the run', async () => {
    const { column, codes } = await read(
      runOf('a', {
        loss: series(falling(3)),
        eval_loss: series([
          [10, 2],
          [20, 1],
        ]),
        test_loss: series([[0, 3, 50]]),
      }),
    );
    expect([column('eval', 'eval_loss'), column('summary', 'eval_loss'), codes]).toEqual([[2, 1], [3], []]);
  });

  test('the first step may be 0', async () => {
    const { column } = await read(
      runOf('a', {
        loss: series([
          [0, 3],
          [1, 2],
        ]),
        eval_loss: series([[0, 3]]),
      }),
    );
    expect([column('log', 'step'), column('eval', 'step')]).toEqual([[0, 1], [0]]);
  });

  test('a curve without steps among others is left out, and the report says so', async () => {
    const { column, messages } = await read(
      runOf('a', {
        loss: series(falling(3)),
        lr: series([
          [0, 1, 10],
          [0, 1, 20],
          [0, 1, 30],
        ]),
      }),
    );
    expect([column('log', 'step'), column('log', 'learning_rate')]).toEqual([[10, 20, 30], undefined]);
    expect(messages).toEqual(['lr was logged without a step, unlike other metrics, and is not read']);
  });

  test('in a run without steps, losses count', async () => {
    const { column, codes } = await read(
      runOf('a', {
        loss: series([
          [0, 3, 1],
          [0, 2, 2],
          [0, 1, 3],
        ]),
        lr: series([
          [0, 0.3, 1],
          [0, 0.2, 2],
          [0, 0.1, 3],
        ]),
        grad_norm: series([
          [0, 1, 1],
          [0, 1, 2],
        ]),
        accuracy: series([[0, 0.9, 4]]),
      }),
    );
    expect([column('log', 'step'), column('log', 'learning_rate'), column('log', 'grad_norm'), codes]).toEqual([
      [1, 2, 3],
      [0.3, 0.2, 0.1],
      undefined,
      ['PV-7046', 'PV-7035'],
    ]);
  });
});

describe('lines', () => {
  test.each([
    ['with the data set of MLflow 3', '1700000000000 2.5 10 wiki 0a1b\n', [2.5], []],
    ['of MLflow before 1.0, without a step', '1500000000 2.5\n', [2.5], []],
    ['that are empty', '1700000000000 2.5 10\n\n', [2.5], []],
    ['that are cut off', '1700000000000 2.5 10\n1700000001000 2.25 1', [2.5], ['PV-7020']],
    ['with a text for the value', '1700000000000 2.5 10\n1700000001000 tensor(2.25) 20\n', [2.5], ['PV-7021']],
    ['with a unit', '1700000000000 2.5 10\n1700000001000 2K 20\n', [2.5], ['PV-7021']],
    ['with a step that is none', '1700000000000 2.5 10\n1700000001000 2.25 2.5\n', [2.5], ['PV-7021']],
    ['that two writers mixed', '1700000000000 2.5 10\n1700000001000 2.251700000001000 2.25 20\n', [2.5], ['PV-7021']],
  ])('%s', async (_, text, loss, expected) => {
    const { column, codes } = await read(runOf('a', { loss: text }));
    expect([column('log', 'loss'), codes]).toEqual([loss, expected]);
  });

  test('of more rows than are read', async () => {
    const { codes, column } = await read(runOf('a', { loss: series(falling(9)) }), { maxRows: 4 });
    expect([codes, column('log', 'loss')?.length]).toEqual([['PV-7022'], 4]);
  });
});

describe('parameters', () => {
  const ofHuggingFace = {
    per_device_train_batch_size: '8',
    learning_rate: '5e-05',
    lr_scheduler_type: 'linear',
    save_strategy: 'no',
    max_steps: '-1',
    num_train_epochs: '3.0',
    dataloader_drop_last: 'False',
    max_length: '20',
    vocab_size: '30522',
    'nested/key': 'None',
  };

  test('are values, under the names of the trainer that logged them, with their files', async () => {
    const { value } = await read(runOf('a', { loss: series(falling(3)) }, ofHuggingFace));
    const found = (name: string): unknown => value?.values.get(name)?.value;
    expect(['batch_size', 'learning_rate', 'num_epochs', 'drop_last', 'max_steps', 'seq_len'].map(found)).toEqual([
      8,
      5e-5,
      3,
      false,
      undefined,
      undefined,
    ]);
    expect(value?.values.get('learning_rate')?.span?.source.path).toBe('mlruns/0/a/params/learning_rate');
  });

  test('without metrics are a config', async () => {
    const host = world(runOf('a', {}, { batch_size: '8', num_epochs: '2', learning_rate: '1e-3' }));
    const ran = await check(host, 'mlruns/0/a', '--set', 'num_sequences=800');
    expect(ran.stdout).toMatch(/^training-config-kernel-v1 on mlruns\/0\/a \(mlflow\)/);
    expect(ran.stdout).toContain('✓ CFG-001');
  });

  test('that a config of --with contradicts are reported at their file', async () => {
    const host = world(runOf('a', { loss: series(falling(60)) }, ofHuggingFace), {
      'train.yaml': 'output_dir: x\nsave_strategy: "no"\nper_device_train_batch_size: 16\n',
    });
    const ran = await check(host, 'mlruns/0/a', '--with', 'train.yaml');
    expect(ran.stderr).toContain('batch_size is 8 here, and 16 in train.yaml:3:30');
    expect(ran.stderr).toContain('--> mlruns/0/a/params/per_device_train_batch_size:1:1');
    expect(ran.code).toBe(1);
  });

  test('of a model do not make the loss of a classifier a guess among tokens', async () => {
    const host = world(runOf('a', { loss: series(falling(60)) }, ofHuggingFace));
    const ran = await check(host, 'mlruns/0/a');
    expect([ran.code, ran.stdout.match(/^\S+ on /gm)]).toEqual([0, ['training-stability-v1 on ']]);
  });
});

describe('pv check on folders', () => {
  const healthy = runOf('a', { loss: series(falling(60)) });
  const broken = runOf('b', { loss: series([...falling(20), [210, 'nan']]) });

  test('a run, with a slash at its end or not', async () => {
    for (const path of ['mlruns/0/a', 'mlruns/0/a/']) expect((await check(world(healthy), path)).code).toBe(0);
  });

  test('a loss that is not a number, at its step', async () => {
    const ran = await check(world(broken), 'mlruns/0/b');
    expect(ran.stdout).toContain('at mlruns/0/b:step 210  loss = NaN');
    expect(ran.code).toBe(1);
  });

  test.each(['mlruns', 'mlruns/0', 'mlruns/'])('every run of %s, and nothing else of MLflow', async (path) => {
    const models = {
      'mlruns/models/m/meta.yaml': 'aliases: {}\ncreation_timestamp: 1\nlast_updated_timestamp: 1\nname: m\n',
      'mlruns/models/m/version-1/meta.yaml': 'creation_timestamp: 1\nrun_id: a\nlast_updated_timestamp: 1\n',
      'mlruns/0/models/m-1/meta.yaml':
        "artifact_location: x\ncreation_timestamp: 1\nexperiment_id: '0'\nmodel_id: m-1\n",
      'mlruns/0/models/m-1/artifacts/conda.yaml': 'channels: []\n',
      'mlruns/0/traces/tr-1/trace_info.yaml': 'request_id: tr-1\n',
    };
    const deleted = runOf('c', { loss: series([[1, 'nan']]) }, {}, 'deleted');
    const ran = await check(world(healthy, broken, deleted, models), path);
    expect(ran.stdout.match(/^\S+ on \S+/gm)).toEqual([
      'training-stability-v1 on mlruns/0/a',
      'training-stability-v1 on mlruns/0/b',
    ]);
    expect([ran.code, ran.stderr]).toEqual([1, '']);
  });

  test('a deleted run if it is named', async () => {
    const deleted = runOf('c', { loss: series([[1, 'nan']]) }, {}, 'deleted');
    expect((await check(world(deleted), 'mlruns/0/c')).stdout).toContain('✗ STABLE-001');
  });

  test('a copy without meta.yaml, by its folders or by --as', async () => {
    const run = runOf('a', { loss: series(falling(60)) }, { lr: '0.1' });
    const without = (end: string): Files =>
      Object.fromEntries(Object.entries(run).filter(([path]) => !path.endsWith(end)));
    expect((await check(world(without('meta.yaml')), 'mlruns/0/a')).code).toBe(0);
    const metrics = { 'x/metrics/loss': series(falling(60)) };
    expect((await check(world(metrics), 'x')).code).toBe(2);
    expect((await check(world(metrics), 'x', '--as', 'mlflow')).code).toBe(0);
  });

  test('a metric with another name, by the hint that is printed', async () => {
    const host = world(runOf('a', { objective: series(falling(60)) }));
    const ran = await check(host, 'mlruns/0/a');
    const [hint = ''] = /--map \S+/.exec(ran.stdout) ?? [];
    expect([ran.code, hint]).toEqual([1, '--map loss=objective']);
    expect((await check(host, 'mlruns/0/a', ...hint.split(' '))).code).toBe(0);
  });

  test('one metric alone names the folder of its run', async () => {
    const ran = await check(world(healthy), 'mlruns/0/a/metrics/loss');
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('check the folder of the run: mlruns/0/a')]);
  });

  test('a folder that is none of MLflow cannot be a file of --with', async () => {
    const host = world(healthy, { 'other/x.txt': 'x' });
    const ran = await check(host, 'mlruns/0/a', '--with', 'other');
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('neither metrics nor parameters')]);
  });
});
