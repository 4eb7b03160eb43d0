import { describe, expect, it } from 'vitest';
import { checkTexts, idsOf, obligationOf, shippedContract, type Settings } from './shipped.ts';

const contract = await shippedContract('training-config-kernel-v1');

const entrenar = (epochs: number, warmup = 2000, maxSteps = 5000): string => `# a run of a 370M model
data:
  train: "data/train/"
  batch_size: 4
  seq_len: 1024
  input_column: input_ids
optimizer:
  name: adamw
  lr: 3.0e-4
training:
  mode: causal_lm
  epochs: ${epochs}
  grad_clip: 1.0
  lr_scheduler: cosine
  warmup_steps: ${warmup}
  gradient_accumulation: 128
  max_steps: ${maxSteps}
`;
const known: Settings = { num_sequences: 22079, num_parameters: 2.6e8 };

describe('the run that ended after 43 of 5000 steps', () => {
  it('is found before it starts, with its numbers, its lines and its mends', async () => {
    const found = await checkTexts(contract, { 'train.yaml': entrenar(1) }, known);
    expect(idsOf(found, 'violated')).toEqual([
      'CFG-001',
      'CFG-002',
      'CFG-003',
      'CFG-004',
      'CFG-005',
      'CFG-006',
      'CFG-007',
    ]);
    const steps = obligationOf(found, 'CFG-001');
    expect(steps.numbers[0]).toBe('43 ≥ 5000');
    expect(steps.numbers.join('\n')).toContain(
      'steps_per_epoch = min(epoch_step_limit, ⌊batches_per_epoch / gradient_accumulation⌋) = min(∞, ⌊5519 / 128⌋) = 43',
    );
    expect(steps.places.map(({ at, text }) => `${at} ${text}`)).toContain('12 training.epochs: 1');
    expect(steps.mends.slice(0, 2).map(({ key, was, becomes }) => [key, was, becomes])).toEqual([
      ['training.epochs', 1, 117],
      ['training.max_steps', 5000, 43],
    ]);
    const peak = obligationOf(found, 'CFG-005');
    expect(peak.numbers[0]).toBe('6.45e-6 = 0.0003'.replace('6.45e-6', '0.00000645'));
  });

  it('is not sound once the epochs are mended: warm-up takes 40 % of it', async () => {
    const found = await checkTexts(contract, { 'train.yaml': entrenar(117) }, known);
    expect(idsOf(found, 'violated')).toEqual(['CFG-004']);
    const share = obligationOf(found, 'CFG-004');
    expect(share.numbers[0]).toBe('0.4 ≤ 0.1');
    expect(share.mends.map(({ key, becomes }) => [key, becomes])).toEqual([['training.warmup_steps', 500]]);
  });

  it('is sound with the mended warm-up, and with a limit of its own', async () => {
    const mended = await checkTexts(contract, { 'train.yaml': entrenar(117, 500) }, known);
    expect([idsOf(mended, 'violated'), idsOf(mended, 'undetermined')]).toEqual([[], []]);
    const other = await checkTexts(contract, { 'train.yaml': entrenar(117) }, { ...known, max_warmup_fraction: 0.4 });
    expect(idsOf(other, 'violated')).toEqual([]);
  });
});

describe('what a config does not say', () => {
  it('is requested by name, and nothing that needs it passes', async () => {
    const found = await checkTexts(contract, { 'train.yaml': entrenar(117, 500) });
    expect(idsOf(found, 'satisfied')).toEqual(['CFG-008', 'CFG-009']);
    expect(obligationOf(found, 'CFG-001').missing.map(({ name }) => name)).toEqual(['num_sequences']);
    expect(obligationOf(found, 'CFG-006').missing.map(({ name }) => name)).toEqual(['num_sequences', 'num_parameters']);
  });

  it('may follow from tokens, from a global batch, from the shape of the model', async () => {
    const text = `[training]\nlocal_batch_size = 4\nglobal_batch_size = 32\nseq_len = 1000\nsteps = 100\n
[optimizer]\nlr = 3e-4\n[lr_scheduler]\nwarmup_steps = 5\ndecay_type = "cosine"\n[model]\nflavor = "8B"\n`;
    const found = await checkTexts(contract, { 'run.toml': text }, { num_devices: 4, num_parameters: 3.2e5 });
    expect([idsOf(found, 'violated'), idsOf(found, 'undetermined')]).toEqual([[], []]);
    expect(obligationOf(found, 'CFG-006').numbers).toContain(
      'total_tokens = actual_total_steps·batch_size·gradient_accumulation·num_devices·seq_len = 100·4·2·4·1000 = 3200000',
    );
  });

  // meta-llama/Llama-2-7b-hf and TinyLlama-1.1B, as their model cards count them.
  it.each([
    [{ vocab_size: 32000, hidden_size: 4096, num_layers: 32, num_heads: 32, intermediate_size: 11008 }, 6738415616],
    [
      { vocab_size: 32000, hidden_size: 2048, num_layers: 22, num_heads: 32, num_kv_heads: 4, intermediate_size: 5632 },
      1100048384,
    ],
  ])('counts the parameters of %o', async (shape, parameters) => {
    const found = await checkTexts(
      contract,
      { 'train.yaml': entrenar(117, 500) },
      { ...shape, tie_embeddings: false, num_sequences: 22079 },
    );
    expect(obligationOf(found, 'CFG-006').assumed).toContainEqual({
      name: 'num_parameters',
      value: parameters,
      meaning: 'trainable parameters',
      defaultOf: null,
    });
  });
});

const huggingFace = (fields: Readonly<Record<string, number | string | boolean>>): string =>
  JSON.stringify(
    {
      output_dir: 'out',
      per_device_train_batch_size: 8,
      gradient_accumulation_steps: 4,
      learning_rate: 2e-5,
      lr_scheduler_type: 'cosine',
      num_train_epochs: 3,
      max_steps: -1,
      warmup_ratio: 0.03,
      ...fields,
    },
    null,
    2,
  );

const axolotl = `base_model: NousResearch/Llama-2-7b-hf
datasets:
  - path: mhenrichsen/alpaca_2k_test
    type: alpaca
adapter: lora
lora_r: 32
sequence_len: 4096
micro_batch_size: 2
gradient_accumulation_steps: 4
num_epochs: 4
lr_scheduler: cosine
learning_rate: 0.0002
warmup_steps: 10
`;

const nanogpt = `# config for training GPT-2 (124M)
batch_size = 12
block_size = 1024
gradient_accumulation_steps = 5 * 8
max_iters = 600000
lr_decay_iters = 600000
learning_rate = 6e-4
min_lr = 6e-5
warmup_iters = 2000
n_layer = 12
n_head = 12
n_embd = 768
`;

const llamaFactory = `### model
model_name_or_path: meta-llama/Meta-Llama-3-8B-Instruct
stage: sft
do_train: true
finetuning_type: lora
lora_rank: 8
template: llama3
cutoff_len: 2048
per_device_train_batch_size: 1
gradient_accumulation_steps: 8
learning_rate: 1.0e-4
num_train_epochs: 3.0
lr_scheduler_type: cosine
warmup_ratio: 0.1
bf16: true
`;

const torchtitan = (warmup: number, steps: number): string => `[job]
dump_folder = "./outputs"
[model]
name = "llama3"
flavor = "8B"
[optimizer]
name = "AdamW"
lr = 3e-4
[lr_scheduler]
warmup_steps = ${warmup}
decay_type = "linear"
[training]
local_batch_size = 1
seq_len = 8192
max_norm = 1.0
steps = ${steps}
dataset = "c4"
`;

const trained = { from_scratch: false };

describe.each<readonly [string, string, string, Settings, readonly string[], string]>([
  ['fine-tuning by epochs', 'args.json', huggingFace({}), { num_sequences: 52002, ...trained }, [], ''],
  [
    'steps that override epochs: no data set is too small for them',
    'args.json',
    huggingFace({ max_steps: 10000, num_train_epochs: 1 }),
    trained,
    [],
    '',
  ],
  [
    'a ratio that becomes a step more than the limit: ⌈0.101·1000⌉',
    'args.json',
    huggingFace({ max_steps: 1000, warmup_ratio: 0.101 }),
    trained,
    ['CFG-004'],
    '0.101 ≤ 0.1',
  ],
  [
    'warm-up longer than the three epochs of a small set',
    'args.json',
    huggingFace({ warmup_steps: 500, warmup_ratio: 0 }),
    { num_sequences: 1000, ...trained },
    ['CFG-003', 'CFG-004', 'CFG-005', 'CFG-008'],
    '500 < 93',
  ],
  ['adapters on a data set of 2000 rows', 'config.yml', axolotl, { num_sequences: 2000 }, [], ''],
  [
    'the same on 150 rows, whose warm-up is too long',
    'config.yml',
    axolotl,
    { num_sequences: 150 },
    ['CFG-004'],
    '0.138889 ≤ 0.1',
  ],
  ['GPT-2 on OpenWebText', 'train_gpt2.py', nanogpt, { num_parameters: 123587328 }, [], ''],
  [
    'a decay planned for six times the steps',
    'train_gpt2.py',
    nanogpt.replace('max_iters = 600000', 'max_iters = 100000'),
    { num_parameters: 123587328 },
    ['CFG-007'],
    '100000 ≥ 0.9·600000',
  ],
  [
    'a floor above the peak',
    'train_gpt2.py',
    nanogpt.replace('learning_rate = 6e-4', 'learning_rate = 3e-5'),
    { num_parameters: 123587328 },
    ['CFG-009'],
    '0.00006 ≤ 0.00003',
  ],
  ['adapters of an 8B model', 'llama3_lora_sft.yaml', llamaFactory, { num_sequences: 1091 }, [], ''],
  [
    'a data set smaller than one step',
    'llama3_lora_sft.yaml',
    llamaFactory,
    { num_sequences: 7 },
    ['CFG-001', 'CFG-002', 'CFG-003', 'CFG-004', 'CFG-005', 'CFG-007', 'CFG-008', 'CFG-010'],
    '0 ≥ 1',
  ],
  [
    'a long run on 64 devices',
    'llama3_8b.toml',
    torchtitan(2000, 200000),
    { num_devices: 64, num_parameters: 8.03e9 },
    [],
    '',
  ],
  [
    'a short run with a long warm-up, and hardly any tokens',
    'llama3_8b.toml',
    torchtitan(200, 1000),
    { num_devices: 64, num_parameters: 8.03e9 },
    ['CFG-004', 'CFG-006'],
    '0.2 ≤ 0.1',
  ],
])('%s (%s)', (_, path, text, settings, violated, numbers) => {
  it('violates what it should, with its numbers, and leaves nothing open', async () => {
    const found = await checkTexts(contract, { [path]: text }, settings);
    expect(found.problems).toEqual([]);
    expect(idsOf(found, 'violated')).toEqual(violated);
    expect(idsOf(found, 'undetermined')).toEqual([]);
    if (violated[0]) expect(obligationOf(found, violated[0]).numbers[0]).toContain(numbers);
  });
});

describe('bad values', () => {
  it.each([
    ['epochs: 0', entrenar(0), 'PV-9003', 'num_epochs is 0, and must be > 0'],
    ['epochs: -1', entrenar(-1), 'PV-9003', 'num_epochs is -1, and must be > 0'],
    [
      'a batch of 0',
      entrenar(1).replace('batch_size: 4', 'batch_size: 0'),
      'PV-9003',
      'batch_size is 0, and must be ≥ 1',
    ],
    ['half a step', entrenar(1, 2.5), 'PV-9002', "warmup_steps is '2.5', which is not a whole number"],
    [
      'an endless learning rate',
      entrenar(1).replace('3.0e-4', '.inf'),
      'PV-9003',
      'learning_rate is Infinity, and a finite number is needed',
    ],
  ])('%s is refused at its line, and nothing that needs it passes', async (__, text, code, message) => {
    const found = await checkTexts(contract, { 'train.yaml': text }, known);
    expect(found.problems.map((problem) => [problem.code, problem.message])).toEqual([[code, message]]);
    expect(found.problems[0]?.place?.at).toBeGreaterThan(0);
    expect(idsOf(found, 'undetermined').length).toBeGreaterThan(0);
    expect(idsOf(found, 'violated')).not.toContain('CFG-009');
  });
});
