/**
 * What `pv check` prints of a stranger's config: what decides most first, and no remark on which no verdict depends.
 *
 * Holds src/api/data/findings-that-matter.ts.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { exitCodes } from '../../../src/api/exit-code.ts';
import { formatNames } from '../../../src/data/read/registry.ts';
import { runPv } from '../../support/memory-cli.ts';
import { createMemoryHost } from '../../../src/host/memory-host.ts';

const shipped = Object.fromEntries(
  ['training-config-kernel-v1', 'training-intervals-v1'].map((name) => [
    `/pv/contracts/${name}.yaml`,
    readFileSync(new URL(`../../../contracts/${name}.yaml`, import.meta.url), 'utf8'),
  ]),
);

const check = (content: string, ...args: readonly string[]): ReturnType<typeof runPv> =>
  runPv(['check', 'c.yaml', ...args], { files: { ...shipped, 'c.yaml': content } });

const axolotl =
  'base_model: m\ndatasets: [{ path: d, type: alpaca }]\nmicro_batch_size: 2\nsequence_len: 512\nnum_epochs: 3\n' +
  'learning_rate: 1e-4\nwarmup_ratio: 0.05\nbf16: auto\ngradient_accumulation_steps: 4\nval_set_size: 0\n';
const fairseq =
  'task: { _name: language_modeling, tokens_per_sample: 512 }\ncriterion: { _name: cross_entropy }\n' +
  'dataset: { max_tokens: 2048 }\noptimization: { max_update: 50000, lr: [0.0005], update_freq: [16] }\n' +
  'optimizer: { _name: adam }\nlr_scheduler: { _name: polynomial_decay, warmup_updates: 4000 }\n';

test('the one number that decides is asked for, and what follows from it is not', async () => {
  const { stdout, stderr, code } = await check(axolotl);
  expect(stdout.split('\n')[1]).toMatch(/^ {2}not in the data: num_sequences \(.*\), needed by 8 obligations$/);
  expect(stdout).toContain('give it with --set num_sequences=…,');
  expect(stdout).not.toContain('--set max_steps');
  expect(stdout).toContain(
    '? CFG-003 undetermined: Warm-up completes and leaves steps at the peak: needs num_sequences; holds at num_sequences = 8 and larger values tried\n',
  );
  // What that rests on is listed, but for what follows from the missing number.
  expect(stdout).toMatch(/assumed, since the data do not say: .*num_devices = 1, drop_last = true, /);
  expect(stdout).not.toContain('max_steps =');
  expect([stderr, code]).toEqual(['', exitCodes.findings]);
  expect((await check(axolotl, '--set', 'num_sequences=20000')).code).toBe(exitCodes.ok);
});

test('a key that leaves a name unset is remarked where the name is asked for', async () => {
  const { stderr } = await check(axolotl.replace('learning_rate: 1e-4', 'learning_rate: null'));
  expect(stderr).toContain('learning_rate is null, which leaves learning_rate unset');
  expect(stderr).not.toContain('bf16');
});

test('a value that only advice waits for does not fail a file that does not have it', async () => {
  const { stdout, stderr, code } = await check(fairseq);
  expect(stdout).toContain(
    '? CFG-006 undetermined (advice): Training tokens suffice for the parameters: batch_size is not known',
  );
  expect(stdout).not.toContain('✗');
  expect([stderr, code]).toEqual(['', exitCodes.ok]);
  const strict = await check(fairseq, '--strict');
  expect([strict.stderr.includes('PV-7041'), strict.code]).toEqual([true, exitCodes.findings]);
});

test('a value of the wrong kind is a fault all the same', async () => {
  const { stdout, code } = await check(fairseq.replace('tokens_per_sample: 512', 'tokens_per_sample: many'));
  expect(stdout).toContain('✗ PV-9002');
  expect(code).toBe(exitCodes.findings);
});

test('a key in a section of its own does not fail advice and is not the first line; a misspelt one is', async () => {
  const nemo =
    'exp_manager: { name: x }\ntrainer: { devices: 1, max_steps: 1000, accumulate_grad_batches: 1 }\n' +
    'model: { train_ds: { batch_size: 4 }, decoder_rnn: { num_layers: 2 }, optim: { lr: 1e-3, sched: { name: CosineAnnealing, warmup_steps: 10 } } }\n';
  const { stdout, stderr, code } = await check(nemo);
  expect([stdout.startsWith('training-config-kernel-v1 on c.yaml (nemo)'), stderr, code]).toEqual([
    true,
    '',
    exitCodes.ok,
  ]);
  const slip = await check(nemo.replace('warmup_steps', 'warmup_stpes'));
  expect(slip.stdout).toMatch(/^! PV-7039 c\.yaml:/);
});

const script = (flags: string): ReturnType<typeof runPv> =>
  runPv(['check', 'run.sh'], {
    files: {
      ...shipped,
      'run.sh': `python finetune.py --per_device_train_batch_size 8 --learning_rate 1e-4 --output_dir out --lora_rank 8 ${flags}\n`,
    },
  });

test('a run that ends before its first checkpoint is advice, and none is shown where it does not', async () => {
  const never = await script('--max_steps=1 --save_steps=50');
  expect(never.stdout).toContain('✗ INTERVAL-003 violated (advice): A checkpoint is saved before the run ends');
  expect(never.stdout).toContain('claimed: save_interval ≤ max_steps');
  expect(never.code).toBe(exitCodes.ok);
  for (const flags of ['--max_steps=100 --save_steps=50', '--num_train_epochs=3 --save_steps=50', '--max_steps=1'])
    expect((await script(flags)).stdout).not.toContain('INTERVAL');
  const kept = await script('--max_steps=1 --save_steps=50 --eval_steps 50 --load_best_model_at_end true');
  expect([kept.stdout.includes('✗ INTERVAL-003 violated: '), kept.code]).toEqual([true, exitCodes.findings]);
});

test('what a trainer takes for a ratio is not the number of steps', async () => {
  const ran = await check(
    'per_device_train_batch_size: 8\nlr_scheduler_type: cosine\nmax_steps: 800\nwarmup_steps: 0.05\n',
  );
  expect(ran.stdout).toContain('✓ CFG-003 satisfied');
  expect(ran.stdout).toContain('warmup_steps = 40');
});

const titan = (steps: number): string =>
  `    return Trainer.Config(\n        training=TrainingConfig(local_batch_size=8, seq_len=2048, steps=${steps}),\n` +
  '        metrics=MetricsProcessor.Config(log_freq=1),\n        optimizer=OptimizersContainer.Config(lr=8e-4),\n' +
  '        lr_scheduler=LRSchedulersContainer.Config(warmup_steps=100),\n        hf_assets_path="x",\n    )\n\n';
const registry = `def small() -> Trainer.Config:\n${titan(500)}def large() -> Trainer.Config:\n${titan(5000)}def made():\n    for x in y:\n        pass\n`;

test('each config of a registry is judged for itself, and named', async () => {
  const files = { ...shipped, 'registry.py': registry };
  const { stdout, stderr, code } = await runPv(['check', 'registry.py'], { files });
  expect(stdout).toContain('training-config-kernel-v1 on registry.py, small (torchtitan)\n  ✗ CFG-004 violated');
  expect(stdout).toContain('training-config-kernel-v1 on registry.py, large (torchtitan)\n');
  expect(stdout.match(/✗/g)).toHaveLength(1);
  expect(stderr).toContain('A function is not read as configs: made');
  expect(code).toBe(exitCodes.findings);
  // Beside a log it is not known which of them was used.
  const log = Array.from({ length: 20 }, (_, i) => JSON.stringify({ step: i, loss: 2 - i / 20 })).join('\n');
  const beside = await runPv(['check', 'log.jsonl', '--with', 'registry.py'], {
    files: { ...files, 'log.jsonl': log },
  });
  expect(beside.code).toBe(exitCodes.usage);
  const one = registry.slice(0, registry.indexOf('def large'));
  expect((await runPv(['check', 'one.py'], { files: { ...shipped, 'one.py': one } })).stdout).toContain('one.py');
});

test('what nanoGPT reads only in its schedule does not count without it', async () => {
  const config =
    'init_from = "gpt2"\nbatch_size = 1\nblock_size = 64\nmax_iters = 20\nwarmup_iters = 2000\nlr_decay_iters = 4000\n';
  const { stdout } = await runPv(['check', 'c.py'], { files: { ...shipped, 'c.py': `${config}decay_lr = False\n` } });
  expect(stdout).not.toContain('✗');
  const decays = await runPv(['check', 'c.py'], { files: { ...shipped, 'c.py': config } });
  expect(decays.stdout).toContain('✗ CFG-003 violated');
});

test('that a config builds on another is said once', async () => {
  const { stdout } = await check(
    '_BASE_: "../Base-RetinaNet.yaml"\nMODEL: { WEIGHTS: x.pkl }\nSOLVER: { STEPS: "(210000, 250000)", MAX_ITER: 270000 }\n',
  );
  expect(stdout.match(/names another config, which may give it/g)).toHaveLength(1);
  expect(stdout).toContain(
    'CFG-007 undetermined: The learning rate decays within the run: lr_schedule is not known, as above\n',
  );
});

test('a setting for one of the contracts that judge a file is not a mistake in the others; one for none of them is', async () => {
  const content =
    'output_dir: out\nper_device_train_batch_size: 8\nlearning_rate: 5e-5\nmax_steps: 1000\nsave_strategy: steps\nsave_steps: 100\n' +
    'eval_strategy: steps\neval_steps: 100\nload_best_model_at_end: true\n';
  const given = await check(content, '--set', 'num_parameters=1000', '--set', 'seq_len=512');
  expect([given.stdout.includes('training-intervals-v1'), given.stdout.includes('✗'), given.code]).toEqual([
    true,
    false,
    exitCodes.ok,
  ]);
  const wrong = await check(content, '--set', 'num_paramters=1000');
  expect([wrong.stdout.includes('✗ PV-9004'), wrong.code]).toEqual([true, exitCodes.findings]);
});

test('NeMo reads the batch of its loaders in their own section', async () => {
  const nemo =
    'exp_manager: { name: x }\ntrainer: { devices: 1, max_epochs: 10, accumulate_grad_batches: 1 }\n' +
    'model: { train_ds: { dataset: { sample_rate: 3 }, dataloader_params: { batch_size: 32, drop_last: false } }, optim: { lr: 1e-3, sched: { name: CosineAnnealing, warmup_steps: 10 } } }\n';
  const { stdout } = await check(nemo, '--set', 'num_sequences=3201');
  expect(stdout).toContain('max_steps = 1010');
});

test('axolotl: shards and replicas see batches of their own, and ReLoRA begins its schedule again', async () => {
  const steps = async (more: string): Promise<string | undefined> =>
    /max_steps = (\d+)/.exec((await check(`${axolotl}${more}`, '--set', 'num_sequences=24000')).stdout)?.[1];
  expect(await steps('')).toBe('9000');
  expect(await steps('dp_shard_size: 4\ndp_replicate_size: 2\nworld_size: 16\ntensor_parallel_size: 2\n')).toBe('1125');
  expect(await steps('dp_shard_size: 4\n')).toBe('2250');
  const relora = await check(`${axolotl}lr_scheduler: cosine\nrelora_steps: 150\n`, '--set', 'num_sequences=24000');
  expect(relora.stdout).toContain('∅ CFG-007 vacuous');
});

test('an argument that Megatron-LM has is not a misspelling of another; one that it does not have is', async () => {
  const run = (flag: string): ReturnType<typeof runPv> =>
    runPv(['check', 'run.sh'], {
      files: {
        ...shipped,
        'run.sh':
          'python pretrain_t5.py --encoder-seq-length 512 --micro-batch-size 4 --global-batch-size 32 --lr 1e-4 --train-iters 1000 ' +
          `--lr-decay-style linear --tensor-model-parallel-size 1 --num-layers 2 --hidden-size 64 ${flag}\n`,
      },
    });
  expect((await run('--decoder-seq-length 128')).stdout).not.toContain('! PV-7039');
  expect((await run('--encoder-seq-lenght 128')).stdout).toContain('! PV-7039');
});

test.each([
  ['nanoGPT', 'n.py', (every: number) => `max_iters = 5000\nlr_decay_iters = 5000\neval_interval = ${every}\n`],
  [
    'an unknown trainer',
    'c.yaml',
    (every: number) => `max_steps: 5000\nlearning_rate: 1e-4\neval_interval: ${every}\n`,
  ],
])('a run that ends before its first evaluation is advice for %s', async (_, file, text) => {
  const ran = await runPv(['check', file], { files: { ...shipped, [file]: text(20000) } });
  expect(ran.stdout).toContain('✗ INTERVAL-002 violated (advice)');
  const often = await runPv(['check', file], { files: { ...shipped, [file]: text(500) } });
  expect(often.stdout).not.toContain('INTERVAL');
});

test.each([
  ['warmup_steps', axolotl.replace('warmup_ratio: 0.05', 'warmup_steps: many'), 'warmup_steps needs a whole number'],
  [
    'a key of another name',
    fairseq.replace('max_update: 50000', 'max_update: many'),
    'optimization.max_update gives max_steps, which needs a whole number',
  ],
])(
  'a value that is not a number is named by its key, and by its name where that differs: %s',
  async (_, config, says) => {
    const { stderr } = await check(config);
    expect(stderr).toContain(`warning[PV-7017]: ${says}, not 'many'`);
  },
);

test.each([
  ['several documents', `${axolotl}---\n${axolotl}`, 'The file contains 2 YAML documents; a config contains one'],
  ['a list', '- 1\n- 2\n', 'The file contains a list; a config is a mapping of keys'],
])('a config is not called a contract: %s', async (_, config, says) => {
  const { stderr } = await check(config);
  expect(stderr).toContain(says);
  expect(stderr).not.toMatch(/contract|metadata/u);
});

test('what a script spreads into its arguments is shown as it is written', async () => {
  const script =
    'from transformers import TrainingArguments\nextra = load()\n' +
    'args = TrainingArguments(output_dir="o", max_steps=100, **extra)\n';
  const { stdout } = await runPv(['check', 'c.py'], { files: { ...shipped, 'c.py': script } });
  expect(stdout).toContain("'**extra' at c.py:3 is code that is not run, and may give it");
  expect(stdout).not.toContain("'<<' at");
});

test('a training script that is not read is answered with what works in its place', async () => {
  const script =
    'import keras\nEPOCHS = 10\nschedule = keras.optimizers.schedules.CosineDecay(0.0, 1000, warmup_target=1e-3, warmup_steps=5000)\n' +
    'model = keras.Sequential([])\nmodel.compile(optimizer=keras.optimizers.AdamW(schedule))\nmodel.fit(data, epochs=EPOCHS)\n';
  const { stdout, stderr, code } = await runPv(['check', 'c.py'], { files: { ...shipped, 'c.py': script } });
  expect([stdout, code]).toEqual(['', exitCodes.usage]);
  const [, values = ''] =
    /write the values that the run uses into a file of YAML, such as (.*); or check/u.exec(stderr) ?? [];
  expect(stderr).toContain('or check the log or the history that the run wrote');
  // --set changes nothing about a file that cannot be read.
  expect(stderr).not.toContain('--set');
  const written = await check(`${values.replaceAll(', ', '\n')}\n`);
  expect(written.stdout).toContain('✓ CFG-003 satisfied');
});

test('a file that no format fits is not answered with the names of all formats; the page of the code has them', async () => {
  const unknown = await check('colour: green\npets: 3\n');
  expect(unknown.stderr).toContain('name its format with --as (pv explain PV-7010 lists the formats)');
  const host = createMemoryHost(shipped);
  await host.writeFileAtomic('c.bin', Uint8Array.from([1, 2, 0, 3]));
  const binary = await runPv(['check', 'c.bin'], { host });
  expect(binary.stderr).toContain('Of binary files, pv check reads the event files of TensorBoard');
  for (const { stderr } of [unknown, binary]) expect(stderr).not.toContain('deepspeed');
  const page = readFileSync(new URL('../../../docs/codes/PV-7010.md', import.meta.url), 'utf8');
  expect(formatNames.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
