/**
 * Recipes of LitGPT, written as its `config_hub` does: what its scripts that fine-tune and `pretrain` make of the same keys.
 *
 * Holds src/data/read/formats/litgpt.ts, src/data/read/formats/irrelevant/litgpt.ts.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readFileContent, type ReadFile } from '../../support/read-data-file.ts';

const finetune = (train: string, more: string = 'devices: 2\n'): string =>
  `checkpoint_dir: checkpoints/microsoft/phi-2
${more}train: { save_interval: 200, log_interval: 1, global_batch_size: 8, micro_batch_size: 4, ${train} }
eval: { interval: 25, max_new_tokens: 100, max_iters: 100, initial_validation: false, final_validation: true }
optimizer: { class_path: torch.optim.AdamW, init_args: { lr: 0.0002, weight_decay: 0.1, betas: [0.9, 0.95] } }
`;
const pretrain = (train: string, more: string = 'devices: 4\n'): string =>
  `model_name: stories15M
model_config: { n_layer: 6, n_head: 6, n_embd: 288, padded_vocab_size: 32000, block_size: 256 }
initial_checkpoint_dir:
${more}train: { global_batch_size: 48, micro_batch_size: 12, lr_warmup_steps: 2000, ${train} }
eval: { interval: 1000, max_iters: 100, initial_validation: false, final_validation: false }
optimizer: AdamW
`;

const valuesOf = ({ data }: ReadFile, names: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.keys(names).map((name) => {
      const found = data?.values.get(name);
      return [name, found?.unread === undefined ? found?.value : '?'];
    }),
  );
const defaultsOf = ({ data }: ReadFile): Readonly<Record<string, unknown>> =>
  Object.fromEntries([...(data?.defaults ?? [])].map(([name, { value }]) => [name, value]));

test.each([
  [
    'fine-tuning ends at a rate of 0 and does not clip, whatever min_lr and max_norm say',
    finetune('lr_warmup_steps: 200, epochs: 1, max_steps: 100, max_norm: 1.0, min_lr: 6.0e-05'),
    {
      batch_size: 4,
      global_batch_size: 8,
      num_devices: 2,
      num_epochs: 1,
      max_steps: 100,
      warmup_steps: 200,
      learning_rate: 2e-4,
      min_learning_rate: undefined,
      max_grad_norm: undefined,
      optimizer: 'AdamW',
      beta2: 0.95,
      from_scratch: false,
      eval_interval: 25,
    },
    { lr_schedule: 'cosine', drop_last: false },
  ],
  [
    'fine-tuning runs 5 epochs with 100 steps of warm-up on one device by default',
    finetune('max_seq_length: 512', ''),
    { num_epochs: undefined, warmup_steps: undefined, num_devices: undefined },
    { num_epochs: 5, warmup_steps: 100, num_devices: 1 },
  ],
  [
    'devices are those of one node',
    finetune('epochs: 1', 'devices: 4\nnum_nodes: 2\n'),
    { num_devices: 8 },
    { warmup_steps: 100 },
  ],
  [
    'Alpaca2k holds out a twentieth',
    finetune('epochs: 1', 'data: { class_path: litgpt.data.Alpaca2k }\n'),
    { val_set_size: 0.05 },
    {},
  ],
  [
    'a share that is given counts',
    finetune('epochs: 1', 'data: { class_path: litgpt.data.Alpaca2k, init_args: { val_split_fraction: 0.1 } }\n'),
    { val_set_size: 0.1 },
    {},
  ],
  [
    'what another module holds out is not known',
    finetune('epochs: 1', 'data: { class_path: mine.data.Poems }\n'),
    { val_set_size: '?' },
    {},
  ],
  [
    'pre-training counts tokens: ⌊⌊3e12/4⌋/(12·2048)⌋ micro-batches of a device, each a step',
    pretrain('max_tokens: 3000000000000, max_seq_length: 2048, max_norm: 1.0, min_lr: 4.0e-05'),
    {
      max_steps: 30_517_578,
      min_learning_rate: 4e-5,
      max_grad_norm: 1,
      num_layers: 6,
      vocab_size: 32_000,
      max_positions: 256,
      optimizer: 'AdamW',
      num_epochs: undefined,
      from_scratch: undefined,
    },
    { lr_schedule: 'cosine', weight_decay: 0.01 },
  ],
  [
    'on 3 devices 16 sequences are one micro-batch of 12',
    pretrain('max_tokens: 3686400, max_seq_length: 1024', 'devices: 3\n'),
    { max_steps: 100 },
    {},
  ],
  [
    'without a length the tokens of a step are not known, and a fraction is one of an epoch',
    pretrain('max_tokens: 1000000').replace('lr_warmup_steps: 2000', 'lr_warmup_steps: 0, lr_warmup_fraction: 0.01'),
    { max_steps: '?', warmup_steps: '?' },
    {},
  ],
  [
    'more devices than sequences have no batch',
    pretrain('max_tokens: 1000000, max_seq_length: 1024', 'devices: 8\n'),
    { max_steps: '?' },
    {},
  ],
])('%s', async (_, text, names, defaults) => {
  const read = await readFileContent('full.yaml', text);
  expect(read.data?.format).toBe('litgpt');
  expect(valuesOf(read, names)).toEqual(names);
  expect(defaultsOf(read)).toMatchObject(defaults);
});

test('pre-training has none of the defaults of fine-tuning', async () => {
  const found = defaultsOf(await readFileContent('p.yaml', pretrain('max_seq_length: 8', '')));
  expect(Object.keys(found).toSorted()).toEqual(['beta1', 'beta2', 'epsilon', 'lr_schedule', 'weight_decay']);
});

test("a config of Lightning's command line is not one of LitGPT", async () => {
  const text = 'train: { global_batch_size: 8, micro_batch_size: 4 }\noptimizer: { class_path: torch.optim.AdamW }\n';
  expect((await readFileContent('c.yaml', text)).data?.format).toBe('plain');
});

const folder = new URL('../../../../shared/data/strangers/configs/litgpt/', import.meta.url).pathname;
describe('the official recipes', () => {
  const files = existsSync(folder) ? readdirSync(folder) : [];
  test.runIf(files.length > 0)('are all read as what they are', async () => {
    for (const file of files) {
      const read = await readFileContent(file, readFileSync(`${folder}${file}`, 'utf8'));
      const isPretraining = file.includes('pretrain');
      expect([file, read.data?.format]).toEqual([file, 'litgpt']);
      expect([file, read.data?.values.has('min_learning_rate')]).toEqual([file, isPretraining]);
      expect([file, read.data?.values.get('warmup_steps')?.value]).not.toEqual([file, undefined]);
    }
  });
  test.runIf(files.length === 0)(`are not checked: ${folder} has none`, () => {
    expect(files).toEqual([]);
  });
});
