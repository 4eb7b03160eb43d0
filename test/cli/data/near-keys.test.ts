/** Keys that may have been meant for a known name: they block its default, and are the first lines of the report. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../../src/api/exit-code.ts';
import { runPv, type Ran } from '../../support/memory-cli.ts';

const name = 'training-config-kernel-v1.yaml';
const contract = readFileSync(new URL(`../../../contracts/${name}`, import.meta.url), 'utf8');
const check = (text: string, ...args: readonly string[]): Promise<Ran> =>
  runPv(['check', name, '--data', 'train.yaml', ...args], { files: { [name]: contract, 'train.yaml': text } });
const lines = ({ stdout }: Ran): readonly string[] => stdout.split('\n');

const trainers = {
  'Hugging Face': (warmup: string) =>
    `output_dir: out\nsave_strategy: "no"\nper_device_train_batch_size: 8\nlearning_rate: 5e-5\nmax_steps: 1000\n${warmup}: 100\n`,
  torchtune: (warmup: string) =>
    [
      'tokenizer: { _component_: torchtune.models.llama3.llama3_tokenizer, path: /tmp/t, max_seq_len: 4096 }',
      'dataset: { _component_: torchtune.datasets.alpaca_dataset }',
      'batch_size: 2',
      'epochs: 1',
      'max_steps_per_epoch: 1000',
      'gradient_accumulation_steps: 8',
      'optimizer: { _component_: torch.optim.AdamW, lr: 2e-5 }',
      'lr_scheduler:',
      '  _component_: torchtune.training.lr_schedulers.get_cosine_schedule_with_warmup',
      `  ${warmup}: 100`,
      '',
    ].join('\n'),
  axolotl: (warmup: string) =>
    [
      'base_model: NousResearch/Llama-2-7b-hf',
      'datasets: [{ path: mhenrichsen/alpaca_2k_test, type: alpaca }]',
      'sequence_len: 4096',
      'micro_batch_size: 2',
      'gradient_accumulation_steps: 4',
      'num_epochs: 4',
      'learning_rate: 2e-4',
      'lr_scheduler: cosine',
      `${warmup}: 10`,
      '',
    ].join('\n'),
};

describe.each([
  ['Hugging Face', 'warmup_stpes', 'warmup_steps', 'train.yaml:6:'],
  ['torchtune', 'num_warmup_stpes', 'num_warmup_steps', 'train.yaml:10:'],
  ['axolotl', 'warmup_stpes', 'warmup_steps', 'train.yaml:9:'],
] as const)('a misspelt key of %s', (trainer, slip, key, place) => {
  it('is the first line of the report, and blocks the default', async () => {
    const ran = await check(trainers[trainer](slip), '--set', 'num_sequences=22079');
    expect(ran.code).toBe(exitCodes.findings);
    expect(lines(ran)[0]).toMatch(/^! PV-7039 /);
    expect(lines(ran)[0]).toContain(place);
    expect(lines(ran)[0]).toMatch(new RegExp(`Nothing reads '.*${slip}', which looks like '.*${key}'$`));
    expect(ran.stdout).toContain('? CFG-003 undetermined');
    expect(ran.stdout).not.toMatch(/assumed.*warmup_steps|default of.*warmup_steps/);
    const waved = await check(trainers[trainer](slip), '--set', 'num_sequences=22079', '--allow-unevaluated');
    expect(waved.code).toBe(exitCodes.findings);
  });

  it('is none where it is spelt right', async () => {
    const ran = await check(trainers[trainer](key), '--set', 'num_sequences=22079');
    expect(lines(ran)[0]).toMatch(/^training-config-kernel-v1 on train\.yaml/);
    expect(ran.stdout).toContain('✓ CFG-003 satisfied');
  });
});

it('lists a default that only decides a branch', async () => {
  const ran = await check(trainers.axolotl('warmup_steps'), '--set', 'num_sequences=22079', '--claim', 'CFG-010');
  expect(ran.stdout).toMatch(/assumed, since the data do not say: .*drop_last = true/);
});

describe('numbers that a format scales or that cannot be read', () => {
  const entrenar = (changes: Readonly<Record<string, string>>): string => {
    const v = { seq: '1K', warmup: '100', epochs: '200', steps: '5000', ...changes };
    return [
      'data: { train: data/, batch_size: 4, seq_len: ' + v.seq + ' }',
      'optimizer: { name: adamw, lr: 3.0e-4 }',
      'training:',
      '  mode: causal_lm',
      `  epochs: ${v.epochs}`,
      '  lr_scheduler: cosine',
      `  warmup_steps: ${v.warmup}`,
      '  gradient_accumulation: 128',
      `  max_steps: ${v.steps}`,
      '',
    ].join('\n');
  };

  it('are powers of two where the format says so', async () => {
    const ran = await check(entrenar({ warmup: '1K' }), '--set', 'num_sequences=22079', '--claim', 'CFG-004');
    expect(ran.stdout).toContain('1024 / 5000');
  });

  it.each([
    ['a text', { warmup: 'soon' }, 'PV-9002'],
    ['a placeholder', { warmup: '"${WARMUP}"' }, 'PV-7041'],
    ['a negative number', { warmup: '-5' }, 'PV-9003'],
    ['an unknown unit', { warmup: '1KK' }, 'PV-9002'],
  ])('block the default: %s', async (_, changes, code) => {
    const ran = await check(entrenar(changes), '--set', 'num_sequences=22079', '--allow-unevaluated');
    expect([ran.code, ran.stdout]).toEqual([exitCodes.findings, expect.stringContaining(code)]);
    expect(ran.stdout).toContain('? CFG-003 undetermined');
    expect(ran.stdout).not.toMatch(/assumed.*warmup_steps/);
  });
});

it.each([
  ['lasts -10 µs', { dur: -10, bytes: 100 }],
  ['-100', { dur: 10, bytes: -100 }],
])('an event of a profile that %s is an error', async (says, { dur, bytes }) => {
  const event = (ph: object): object => ({ ph: 'X', pid: 1, tid: 1, ...ph });
  const events = [
    event({ cat: 'user_annotation', name: 'ProfilerStep#1', ts: 1000, dur: 1000 }),
    event({ cat: 'cuda_runtime', name: 'cudaMemcpyAsync', ts: 1100, dur: 10, args: { correlation: 5 } }),
    event({
      cat: 'gpu_memcpy',
      name: 'Memcpy HtoD (Pinned -> Device)',
      ts: 1110,
      dur,
      args: { correlation: 5, bytes, stream: 7 },
    }),
    event({ cat: 'kernel', name: 'k', ts: 1200, dur: 100, args: { correlation: 6, stream: 7 } }),
  ];
  const gpu = 'training-gpu-kernel-v1.yaml';
  const text = readFileSync(new URL(`../../../contracts/${gpu}`, import.meta.url), 'utf8');
  const files = { [gpu]: text, 'profile.json': JSON.stringify({ traceEvents: events }) };
  const ran = await runPv(['check', gpu, '--data', 'profile.json', '--allow-unevaluated'], { files });
  expect([ran.code, ran.stderr]).toEqual([exitCodes.findings, expect.stringContaining('error[PV-7042]')]);
  expect(ran.stderr).toContain(says);
});
