/** Files that others wrote, where they are there: ../shared/data/README.md. */
import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createNodeHost } from '../../../src/host/node-host.ts';
import type { DataColumn, DataSet } from '../../../src/data/read/data-set.ts';
import { readData } from '../../../src/data/read/read-data.ts';

const shared = '../shared/data';
const host = createNodeHost();

async function healthy(path: string): Promise<DataSet> {
  const { value, diagnostics } = await readData(host, `${shared}/${path}`);
  expect(diagnostics.filter(({ severity }) => severity !== 'note')).toEqual([]);
  if (!value) throw new Error(`${path} was not read`);
  return value;
}

function column(data: DataSet, table: string, name: string): DataColumn {
  const found = data.tables.get(table)?.columns.get(name);
  if (!found) throw new Error(`no column ${table}.${name}`);
  return found;
}

const present = existsSync(shared);

test(`files of others are ${present ? 'there' : 'absent (../shared/data): nothing real is read'}`, () => {
  expect(existsSync(shared)).toBe(present);
});

describe.runIf(present)('real files', () => {
  const configs = present ? readdirSync(`${shared}/train-configs-albor`).filter((name) => name.endsWith('.yaml')) : [];
  test.each(configs)('%s is read with its values', async (name) => {
    const data = await healthy(`train-configs-albor/${name}`);
    expect(data.format).toBe('entrenar');
    for (const key of ['batch_size', 'seq_len', 'learning_rate'])
      expect(typeof data.values.get(key)?.value, key).toBe('number');
  });

  test('the config of the run that never warmed up, as mended', async () => {
    const { values } = await healthy('train-configs-albor/pretrain-350m.yaml');
    const names = ['num_epochs', 'max_steps', 'warmup_steps', 'batch_size', 'gradient_accumulation'];
    expect(names.map((name) => values.get(name)?.value)).toEqual([117, 5000, 2000, 4, 128]);
    expect(values.get('num_epochs')).toMatchObject({ key: 'training.epochs', line: 48 });
  });

  test('a log with colours: 193 training rows, 24 evaluations, 3 rollbacks, 956 clips', async () => {
    const data = await healthy('logs/distill-student-v3.log');
    expect(['log', 'eval', 'rollbacks', 'clips'].map((name) => data.tables.get(name)?.rows)).toEqual([193, 24, 3, 956]);
    expect([column(data, 'log', 'loss').values[0], column(data, 'log', 'step').values.at(-1)]).toEqual([8.6575, 2395]);
    expect([...column(data, 'rollbacks', 'ema').values]).toEqual([0.4329, 0.8491, 1.246]);
    expect(data.tables.get('log')?.lineOf(0)).toBe(51);
  });

  test('a log of Megatron and one of LLaMA-Factory', async () => {
    const megatron = await healthy('resume/logs/megatron-spike.apache.log');
    expect(megatron.tables.get('log')?.rows).toBe(62);
    expect([column(megatron, 'log', 'loss').values[2], column(megatron, 'log', 'grad_norm').values[0]]).toEqual([
      44.24266, 67.593,
    ]);
    const factory = await healthy('resume/logs/llamafactory-trainer_log.ccby.jsonl');
    expect([factory.tables.get('log')?.rows, column(factory, 'log', 'total_steps').values[0]]).toEqual([48, 240]);
  });

  test.each([
    ['resume/trainer_state/eval-keys-2025.mit.json', 30],
    ['resume/trainer_state/llamafactory-2025.ccby.json', 48],
    ['resume/trainer_state/metamath-2024.apache.json', 128],
    ['resume/hf_full_checkpoint/checkpoint-1000/trainer_state.json', 1000],
  ])('%s has %d training rows', async (path, rows) => {
    const data = await healthy(path);
    expect([data.format, data.tables.get('log')?.rows]).toEqual(['trainer-state', rows]);
    expect(column(data, 'log', 'loss').present).toBeNull();
  });

  test('files that are not data are refused without a stack trace', async () => {
    for (const path of [
      'resume/hf_full_checkpoint/checkpoint-1000/optimizer.pt',
      'llama/stories260K.bin',
      'resume/safetensors/burn-multi_layer.safetensors',
    ]) {
      const { value, diagnostics } = await readData(host, `${shared}/${path}`);
      expect([value, diagnostics.map(({ code }) => code)]).toEqual([null, ['PV-7012']]);
    }
  });
});
