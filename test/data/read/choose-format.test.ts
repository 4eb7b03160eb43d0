/**
 * Below the score of every trainer, what would decide.
 *
 * Holds src/data/read/choose-format.ts, src/data/read/formats/unread-key.ts.
 */
import { describe, expect, test } from 'vitest';
import { configFormats } from '../../../src/data/read/registry.ts';
import { readFileContent } from '../../support/read-data-file.ts';

describe('a config that is near a trainer', () => {
  test('is read by its names, and the key that decides is named', async () => {
    const read = await readFileContent('a.yaml', 'base_model: x\nlearning_rate: 0.1\nbatch_size: 4\n');
    expect([read.data?.format, read.codes, read.data?.defaults?.size]).toEqual(['plain', ['PV-7045'], 0]);
    expect(read.messages[0]).toContain('axolotl (it has base_model; adapter or micro_batch_size or sequence_len');
  });

  test('says which key speaks against it', async () => {
    const read = await readFileContent('a.yaml', 'save_strategy: "no"\noutput_dir: x\nlr: 0.1\n');
    expect(read.messages[0]).toContain('training-arguments (it has save_strategy, but lr does not belong to it)');
  });

  const nearly =
    'per_device_train_batch_size: 8\nlearning_rate: 5.0e-5\nmax_steps: 1000\nlr_scheduler_type: cosine\nsave_strategy: steps\n';

  test.each(['num_warmup_steps', 'lr_warmup_steps'])(
    'does not use %s, which that trainer does not read',
    async (key) => {
      const text = `${nearly}${key}: 10\n`;
      const read = await readFileContent('a.yaml', text);
      expect([read.data?.format, read.codes, read.value('warmup_steps')]).toEqual([
        'plain',
        ['PV-7045', 'PV-7040'],
        undefined,
      ]);
      expect(read.data?.doubts?.get('warmup_steps')).toMatchObject({ scalar: { key, value: 10, line: 6 } });
      expect([read.value('max_steps'), read.value('batch_size')]).toEqual([1000, 8]);
      // The user decides.
      const plain = await readFileContent('a.yaml', text, { format: 'plain' });
      const mapped = await readFileContent('a.yaml', text, { mapping: new Map([['warmup_steps', key]]) });
      expect([plain, mapped].map((one) => [one.value('warmup_steps'), one.data?.doubts?.size])).toEqual([
        [10, 0],
        [10, 0],
      ]);
      const named = await readFileContent('a.yaml', text, { format: 'training-arguments' });
      expect([named.value('warmup_steps'), named.data?.doubts?.has('warmup_steps')]).toEqual([undefined, true]);
    },
  );

  test.each([
    ['a plain config', 'max_steps: 1000\nlearning_rate: 0.1\nnum_warmup_steps: 10\n'],
    ['accelerate', nearly.replace('save_strategy: steps', 'num_train_epochs: 3') + 'num_warmup_steps: 10\n'],
    ['another trainer, by two keys', `${nearly}num_warmup_steps: 10\nepochs: 3\n`],
  ])('%s keeps its num_warmup_steps', async (_, text) => {
    const read = await readFileContent('a.yaml', text);
    expect([read.data?.format, read.value('warmup_steps'), read.data?.doubts?.size]).toEqual(['plain', 10, 0]);
  });

  test('is refused if none of its keys is a name, and the nearest formats are named', async () => {
    const host = await readFileContent('a.yaml', 'zero_optimization: { stage: 2 }\nother: 1\n');
    expect([host.data, host.codes]).toEqual([null, ['PV-7010']]);
  });

  test('ms-swift has the keys of TrainingArguments, and other defaults', async () => {
    const text =
      'swift sft \\\n  --model Qwen/Qwen2-7B-Instruct \\\n  --train_type full \\\n  --num_train_epochs 1 \\\n  --per_device_train_batch_size 1 \\\n  --gradient_accumulation_steps 16 \\\n  --learning_rate 1e-5\n';
    const read = await readFileContent('train.sh', text);
    expect([read.data?.format, read.data?.defaults?.size]).toEqual(['plain', 0]);
    const names = ['batch_size', 'gradient_accumulation', 'num_epochs', 'learning_rate'];
    expect(names.map((name) => read.value(name))).toEqual([1, 16, 1, 1e-5]);
  });

  test.each([
    [
      'an override of Hydra',
      'python3 -m verl.trainer.main_ppo \\\n    data.train_batch_size=1024 \\\n    actor.optim.lr=1e-6\n',
      true,
    ],
    [
      'several in a line',
      'fairseq-hydra-train dataset.max_tokens=14 optimization.lr=[0.1] task.data=d --config-dir e --config-name w\n',
      true,
    ],
    ['a command of Ultralytics', 'yolo detect train data=a.yaml epochs=100 batch=16\n', true],
    ['a script that trains nothing', '#!/bin/sh\necho a=b\n', false],
  ])('%s is refused with what to check in its place', async (_, text, isComposed) => {
    const read = await readFileContent('run.sh', text);
    expect([read.data, read.codes]).toEqual([null, ['PV-7010']]);
    expect(read.messages[0]?.includes('overrides keys of a config')).toBe(isComposed);
  });

  test.each(['plain', 'axolotl'])('is not asked about if the user says that it is %s', async (format) => {
    const read = await readFileContent('a.yaml', 'base_model: x\nlearning_rate: 0.1\n', { format });
    expect([read.data?.format, read.codes.includes('PV-7045')]).toEqual([format, false]);
  });

  test('a key of every trainer alone asks, or is enough', async () => {
    for (const { name, marks } of configFormats) {
      const key = marks?.own.find((one) => /^[a-z_]+$/.test(one));
      if (key === undefined) continue;
      const read = await readFileContent('a.json', JSON.stringify({ [key]: 'x', learning_rate: 0.1 }));
      expect([name, read.data?.format === name || read.messages.join().includes(`${name} (it has ${key};`)]).toEqual([
        name,
        true,
      ]);
    }
  });

  test('a config with nobody’s keys is not asked about', async () => {
    const read = await readFileContent('a.yaml', 'learning_rate: 0.1\nbatch_size: 4\n');
    expect([read.data?.format, read.codes]).toEqual(['plain', []]);
  });
});
