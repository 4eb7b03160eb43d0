/**
 * Logs and configs of public projects that pv had read wrongly: each line is as its trainer writes it, with numbers of its own.
 *
 * Holds src/data/read/stream/text-counters.ts, src/data/read/recognise.ts, src/data/read/syntax/json.ts,
 * src/data/read/formats/plain.ts, src/data/read/formats/other-words.ts. Logs of one trainer each: strangers-logs.test.ts.
 */
import { describe, expect, test } from 'vitest';
import { judgedLog } from '../../support/judge-log.ts';
import { readFileContent } from '../../support/read-data-file.ts';

const fall = (i: number, n: number): string => (0.4 + 2 * Math.exp((-3 * i) / n)).toFixed(4);
const lines = (n: number, line: (i: number) => string): string =>
  `${Array.from({ length: n }, (_, i) => line(i)).join('\n')}\n`;

describe('logs', () => {
  test('of Swin (microsoft/Swin-Transformer, main.py) begin with a bracket, and are no JSON', async () => {
    const text = lines(
      9,
      (i) =>
        `[2021-04-06 11:01:12 swin](main.py 170): INFO Train: [${Math.floor(i / 3)}/300][${(i % 3) * 500}/1251]\teta 2:06:55 lr 0.000001\ttime 6.0 (6.1)\tloss ${fall(i, 9)} (6.9)\tgrad_norm 1.7 (1.8)\tmem 68MB`,
    );
    const read = await readFileContent('swin.log', text);
    expect([read.data?.format, read.column('log', 'step'), read.codes]).toEqual([
      'text-log',
      [0, 500, 1000, 1251, 1751, 2251, 2502, 3002, 3502],
      [],
    ]);
    expect(await judgedLog('swin.log', text)).toBe('0');
  });

  test.each([
    [
      'detectron2',
      (i: number) =>
        `[07/01 10:00:00 d2.utils.events]:  eta: 1:00:00  iter: ${20 * i}  total_loss: ${fall(i, 9)}  lr: 0.0002  max_mem: 3000M`,
    ],
    [
      'NeMo',
      (i: number) =>
        `Training epoch 0, iteration ${20 * i}/999 | lr: 1e-06 | global_batch_size: 32 | global_step: ${20 * i} | reduced_train_loss: ${fall(i, 9)}`,
    ],
  ])('of %s', async (_, line) => {
    const read = await readFileContent('run.log', lines(9, line));
    expect([read.column('log', 'step')?.at(-1), read.column('log', 'loss')?.[0], read.codes]).toEqual([160, 2.4, []]);
  });

  test('a list of JSON stays one', async () => {
    for (const text of [
      '[{"step": 1, "loss": 2.5}, {"step": 2, "loss": 2}]',
      '[[1.5, 1, 2.5], [1.6, 2, 2]]',
      '[\n{"step": 1, "loss": 2}]',
    ])
      expect((await readFileContent('train_loss.json', text)).column('log', 'loss')?.length).toBeGreaterThan(0);
  });

  test('a loss that never changes (X-CLIP) is found under its name there', async () => {
    const text = lines(40, (i) => `[2025-10-19 10:38:20] Train: [${i}/40][0/1819]    tot_loss 0.3105 (0.3105)`);
    expect(await judgedLog('x.log', text)).toBe('1 STABLE-007');
  });

  test('each epoch has its own bar, if only the last drawing is kept (Lightning)', async () => {
    const text = lines(
      8,
      (i) => `Epoch ${i}: 100%|█| 1563/1563 [01:57<00:00, 13.25it/s, v_num=0, train_loss=${fall(i, 8)}, train_acc=0.6]`,
    );
    const read = await readFileContent('bars.log', text);
    expect([read.column('log', 'loss')?.length, read.column('log', 'step')?.slice(0, 2)]).toEqual([8, [1563, 3126]]);
    expect(await judgedLog('bars.log', text)).toBe('0');
    expect(
      await judgedLog('bars.log', text.replace(/train_loss=[^,]*(?=, train_acc=0\.6\]\n$)/, 'train_loss=nan')),
    ).toMatch(/^1 STABLE-001/);
  });

  test('a bar that is drawn twice in an epoch is one row', async () => {
    const bar = (loss: string): string => `Epoch 0: 100%|█| 10/10 [00:01<00:00, 9it/s, train_loss=${loss}]\n`;
    expect((await readFileContent('bars.log', bar('2.5') + bar('2.5'))).column('log', 'loss')).toEqual([2.5]);
  });

  test('evaluations of fairseq before 0.10 are not rows of training', async () => {
    const text =
      lines(
        9,
        (i) => `| epoch 001: ${10 * i} / 31621 loss=${fall(i, 9)}, num_updates=${10 * i + 1}, lr=1e-07, gnorm=4.2`,
      ) + "| epoch 001 | valid on 'valid' subset | loss 8.185 | nll_loss 8.185 | ppl 291.06 | num_updates 82\n";
    const read = await readFileContent('fairseq.log', text);
    expect([read.column('log', 'loss')?.length, read.column('eval', 'eval_loss')]).toEqual([9, [8.185]]);
    expect(await judgedLog('fairseq.log', text)).toBe('0');
  });

  test('the same word in line after line is no mapping of YAML', async () => {
    const bars = lines(
      9,
      (i) => `Training:  13%|██▌     | ${100 * i + 100}/30000 [02:16<14:51, 29steps/s, loss=${fall(i, 9)}]`,
    );
    expect((await readFileContent('a.log', bars)).column('log', 'loss')?.length).toBe(9);
    const unknown = await readFileContent(
      'a.txt',
      lines(9, (i) => `Train: [${i}/30] | Total: ${fall(i, 9)}`),
    );
    expect(unknown.codes).toEqual(['PV-7026']);
    const config = await readFileContent('a.txt', 'model: a\nlr: 0.1\nepochs: 3\nbatch_size: 8\nseed: 1\n');
    expect(config.data?.format).toBe('plain');
  });

  test('averages of an epoch', async () => {
    const text = lines(9, (i) => `Epoch ${i + 1} - avg_train_loss: ${fall(i, 9)}  avg_val_loss: 0.9  time: 60s`);
    const read = await readFileContent('kaggle.log', text);
    expect([read.column('log', 'loss')?.length, read.column('eval', 'eval_loss')?.[0]]).toEqual([9, 0.9]);
  });
});

describe('configs', () => {
  test('JSON with comments (coqui-ai/TTS removes them)', async () => {
    const text = `{
      // training
      "lr": 0.0001, // "initial" rate
      /* of all
         devices */ "batch_size": 32,
      "url": "https://a.example/b", // end
      "epochs": 1000
    } // done`;
    const read = await readFileContent('config.json', text);
    expect([read.value('learning_rate'), read.value('batch_size'), read.value('num_epochs'), read.codes]).toEqual([
      0.0001,
      32,
      1000,
      [],
    ]);
    expect(read.data?.unused.find(({ key }) => key === 'url')?.value).toBe('https://a.example/b');
    expect(read.data?.values.get('num_epochs')?.line).toBe(7);
  });

  test.each(['{"lr": 0.1 /* never closed', '{"lr": /', '/'])('a comment that does not end: %s', async (text) => {
    expect((await readFileContent('config.json', text)).codes).toEqual(['PV-7014']);
  });

  test('number_of_epochs (SpeechBrain) may be the epochs', async () => {
    const read = await readFileContent('a.yaml', 'number_of_epochs: 15\nlr: 0.0008\nbatch_size: 6\n');
    expect([read.codes, read.data?.doubts?.has('num_epochs')]).toEqual([['PV-7040'], true]);
  });

  test.each([
    ['DINOv2', 'optim:\n  base_lr: 0.004\n  lr: 0.\n  epochs: 100\n'],
    ['MAE', 'blr: 1.5e-4\nlr: 0\nepochs: 100\n'],
  ])('a rate of zero beside a base rate (%s) is computed', async (_, text) => {
    const read = await readFileContent('a.yaml', text);
    expect(read.data?.values.get('learning_rate')?.unread).toMatch(/^it is computed from '(?:optim\.base_lr|blr)'/);
  });

  test.each([
    [
      'a.toml',
      'max_train_epochs = 15\nmax_train_steps = 1600\nlearning_rate = 0.0004\ntrain_batch_size = 2\n',
      15,
      undefined,
    ],
    [
      'a.sh',
      'accelerate launch train_network.py --max_train_steps 400 \\\n  --max_train_epoch 50 --learning_rate 1e-4\n',
      50,
      undefined,
    ],
    ['a.toml', 'max_train_steps = 1600\nlearning_rate = 0.0004\ntrain_batch_size = 2\n', undefined, 1600],
  ])('epochs of sd-scripts override its steps, though 1600 is its default: %s', async (file, text, epochs, steps) => {
    const read = await readFileContent(file, text);
    expect([read.value('num_epochs'), read.value('max_steps')]).toEqual([epochs, steps]);
  });

  test('open_clip says how many samples it trains on', async () => {
    const text =
      'python -m open_clip_train.main --train-num-samples 500000 \\\n --warmup 5000 --batch-size 256 --lr=2e-3 --epochs=2\n';
    const read = await readFileContent('a.sh', text);
    expect(['num_sequences', 'warmup_steps', 'batch_size', 'num_epochs'].map(read.value)).toEqual([
      500_000, 5000, 256, 2,
    ]);
  });

  test('a rate of zero alone is the rate', async () => {
    expect((await readFileContent('a.yaml', 'lr: 0\nepochs: 100\nbatch_size: 8\n')).value('learning_rate')).toBe(0);
  });

  const joey =
    'data:\n  src: de\n  train: test/data/toy/train\ntraining:\n  optimizer: adam\n  learning_rate: 0.001\n  learning_rate_min: 0.000001\n  learning_rate_warmup: 1000\n  batch_size: 250\n  batch_type: token\n  batch_multiplier: 1\n  scheduling: noam\n  epochs: 1\n';

  test('a batch of tokens is not one of sequences (JoeyNMT, OpenNMT-py), and JoeyNMT is not entrenar', async () => {
    const read = await readFileContent('transformer_small.yaml', joey);
    expect([read.data?.format, read.value('num_epochs'), read.data?.values.get('batch_size')?.unread]).toEqual([
      'plain',
      1,
      'it counts tokens: training.batch_type',
    ]);
    const sentences = await readFileContent('a.yaml', joey.replace('batch_type: token', 'batch_type: sentence'));
    expect(sentences.value('batch_size')).toBe(250);
    const opennmt = await readFileContent(
      'a.yml',
      'train_steps: 500000\nwarmup_steps: 8000\naccum_count: 8\nbatch_size: 4096\nbatch_type: tokens\nlearning_rate: 2.0\n',
    );
    expect([opennmt.value('max_steps'), opennmt.value('warmup_steps')]).toEqual([500_000, 8000]);
    expect(opennmt.data?.values.get('batch_size')?.unread).toBe('it counts tokens: batch_type');
    expect(opennmt.data?.doubts?.has('gradient_accumulation')).toBe(true);
  });

  test('train_batch_size of OpenRLHF is that of all devices, that of diffusers is of one', async () => {
    const flags =
      'deepspeed train_sft.py --train_batch_size 128 --learning_rate 5e-6 --max_epochs 1 --max_samples 500000';
    const [whole, one] = [
      await readFileContent('a.sh', `${flags} --micro_train_batch_size 1\n`),
      await readFileContent('a.sh', `${flags}\n`),
    ];
    expect([whole, one].map((read) => ['batch_size', 'global_batch_size'].map(read.value))).toEqual([
      [1, 128],
      [128, undefined],
    ]);
    // It caps the data, so the number of steps is not known without it.
    expect(whole.data?.doubts?.has('max_sequences')).toBe(true);
  });

  test('max_train_samples of the examples of transformers caps the data', async () => {
    const text = 'output_dir: x\nper_device_train_batch_size: 8\nlr_scheduler_type: cosine\nmax_train_samples: 1000\n';
    expect((await readFileContent('a.yaml', text)).value('max_sequences')).toBe(1000);
  });

  test('the batch of an evaluation beside batch_size_per_gpu (DINOv2) is not taken for it', async () => {
    const text = 'train:\n  batch_size_per_gpu: 64\noptim:\n  epochs: 100\n  lr: 0.001\nbatch_size: 256\n';
    const read = await readFileContent('a.yaml', text);
    expect([read.value('batch_size'), read.codes]).toEqual([undefined, ['PV-7018']]);
    expect((await readFileContent('a.yaml', text.replace('batch_size: 256\n', ''))).value('batch_size')).toBe(64);
  });

  test('0 epochs beside steps are no limit (SimpleTuner)', async () => {
    const text = '{"max_train_steps": 10000, "num_train_epochs": 0, "train_batch_size": 1, "learning_rate": "1e-4"}';
    const read = await readFileContent('config.json', text);
    expect([read.value('num_epochs'), read.value('max_steps')]).toEqual([undefined, 10_000]);
    expect((await readFileContent('a.json', text.replace('10000', '0'))).value('num_epochs')).toBe(0);
  });

  test('OLMo has durations in steps and is not LLM Foundry', async () => {
    const text =
      'model: { d_model: 2048, n_heads: 16, n_layers: 16 }\noptimizer: { name: adamw, learning_rate: 4.0e-4 }\nscheduler: { name: cosine_with_warmup, t_warmup: 2000, alpha_f: 0.1 }\nmax_duration: 739_328\nglobal_train_batch_size: 2048\ndevice_train_microbatch_size: 8\nprecision: amp_bf16\neval_interval: 1000\n';
    const read = await readFileContent('OLMo-1B.yaml', text);
    expect([read.data?.format, read.value('learning_rate'), read.value('max_steps')]).toEqual([
      'plain',
      4e-4,
      undefined,
    ]);
    expect(['max_steps', 'warmup_steps'].map((name) => read.data?.doubts?.has(name))).toEqual([true, true]);
  });

  test('variables that bring in flags are no values of the flag before (bigscience, slurm)', async () => {
    const text =
      '#!/bin/bash\nTRAIN_SAMPLES=220_000_000\nOPTIMIZER=" \\\n    --lr 6e-5 \\\n    --lr-decay-style cosine \\\n    "\npretrain_gpt.py --micro-batch-size 2 --global-batch-size 2048 --tensor-model-parallel-size 4 \\\n  --train-samples $TRAIN_SAMPLES \\\n  $OPTIMIZER --seq-length 2048 $EXTRA_ARGS --min-lr 6e-6 $@\n';
    const read = await readFileContent('a.slurm', text);
    expect(['max_steps', 'seq_len', 'min_learning_rate', 'learning_rate'].map(read.value)).toEqual([
      107_421, 2048, 6e-6, 6e-5,
    ]);
    expect(read.codes).toEqual([]);
  });
});
