/** Logs and configs of one run, and of two. Holds src/api/data/differing-values.ts. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../../src/api/exit-code.ts';
import { runPv } from '../../support/memory-cli.ts';
import { checkTexts, idsOf, shippedContract } from './shipped.ts';

const contract = await shippedContract('training-record-v1');
const rows = (steps: number, peak: number, more: (step: number) => object = () => ({})): string =>
  Array.from({ length: 50 }, (_, i) => {
    const step = Math.round(((i + 1) * steps) / 50);
    return JSON.stringify({ step, loss: 4 - i / 25, learning_rate: peak * (1 - step / steps), ...more(step) });
  }).join('\n');
const config = 'learning_rate: 2.0e-4\nmax_steps: 1000\nglobal_batch_size: 64\n';
const violated = async (log: string, yaml = config): Promise<readonly string[]> =>
  idsOf(await checkTexts(contract, { 'run.jsonl': log, 'train.yaml': yaml }), 'violated');

describe('a log and a config', () => {
  it('of one run agree', async () => {
    expect(await violated(rows(1000, 2e-4, () => ({ global_batch_size: 64 })))).toEqual([]);
    expect(await violated(rows(1001, 2e-4, (step) => ({ global_batch_size: step < 500 ? 8 : 64 })))).toEqual([]);
  });

  it.each([
    ['steps in micro-batches', rows(8000, 2e-4), 'RECORD-001'],
    ['another peak', rows(1000, 3e-4), 'RECORD-002'],
    ['twice the devices', rows(1000, 2e-4, () => ({ global_batch_size: 128 })), 'RECORD-003'],
    ['another total', rows(1000, 2e-4, () => ({ total_steps: 1200 })), 'RECORD-004'],
  ])('differ by %s', async (_, log, id) => {
    expect(await violated(log)).toEqual([id]);
  });

  it('are not compared in what neither says', async () => {
    const found = await checkTexts(contract, { 'run.jsonl': rows(1000, 2e-4), 'train.yaml': 'max_steps: 1000\n' });
    expect([idsOf(found, 'satisfied'), idsOf(found, 'undetermined')]).toEqual([['RECORD-001'], []]);
  });
});

describe('values of two files', () => {
  const folder = new URL('../../../contracts/', import.meta.url);
  const state = (more: object): string =>
    JSON.stringify({
      global_step: 500,
      max_steps: 500,
      num_train_epochs: 3,
      log_history: Array.from({ length: 50 }, (_, i) => ({ step: 10 * i + 10, epoch: 0.06 * i, loss: 3 - i / 50 })),
      ...more,
    });
  const files = {
    ...Object.fromEntries(
      readdirSync(folder)
        .filter((name) => name.endsWith('-v1.yaml'))
        .map((name) => [`/pv/contracts/${name}`, readFileSync(new URL(name, folder), 'utf8')] as const),
    ),
    'trainer_state.json': state({}),
    'same.yaml': 'per_device_train_batch_size: 4\nlearning_rate: 1.0e-4\nnum_train_epochs: 2.5\n',
    'other.yaml': 'per_device_train_batch_size: 4\nlearning_rate: 1.0e-4\nmax_steps: 1000\n',
    'override.yaml': 'per_device_train_batch_size: 8\nlearning_rate: 1.0e-4\nmax_steps: 1000\n',
  };
  const run = async (...args: readonly string[]): Promise<readonly [number, readonly string[]]> => {
    const { code, stderr } = await runPv(['check', ...args], { files });
    return [
      code,
      [...stderr.matchAll(/^(\w+)\[PV-7047\]: (.*)$/gm)].map(([, severity, message]) => `${severity}: ${message}`),
    ];
  };

  it('of a log and its config agree, and epochs are recorded whole', async () => {
    expect(await run('trainer_state.json', '--with', 'same.yaml')).toEqual([exitCodes.ok, []]);
  });

  it('of a log and the config of another run are an error, with both places', async () => {
    const [code, found] = await run('trainer_state.json', '--with', 'other.yaml');
    expect([code, found]).toEqual([exitCodes.findings, ['error: max_steps is 500 here, and 1000 in other.yaml:3:12']]);
  });

  it('of two configs may be meant', async () => {
    const data = ['--set', 'num_sequences=100000', '--set', 'num_parameters=1000', '--set', 'seq_len=128'];
    const [, found] = await run('override.yaml', '--with', 'other.yaml', ...data);
    expect(found).toEqual(['warning: batch_size is 8 here, and 4 in other.yaml:1:30']);
  });

  it('are decided by a setting', async () => {
    expect((await run('trainer_state.json', '--with', 'other.yaml', '--set', 'max_steps=500'))[1]).toEqual([]);
  });
});
