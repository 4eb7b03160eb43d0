/** What configs of public repositories taught: forms that one trainer shares with others, and numbers that mean something else. */
import { describe, expect, test } from 'vitest';
import { readFileContent } from '../../support/read-data-file.ts';

/** The value of a name, why it is not known, or undefined. */
async function valueOf(file: string, text: string, name: string): Promise<unknown> {
  const { data } = await readFileContent(file, text);
  const found = data?.values.get(name);
  return found?.unread ?? found?.value ?? data?.doubts?.get(name)?.why;
}

describe('names that another trainer has too', () => {
  const script = (flags: string): string => `python finetune.py \\\n  --base_model m --micro_batch_size 4 ${flags}\n`;

  test.each(['--data_path d', '--cutoff_len 256', '--prompt_template_name t'])(
    "alpaca-lora's are not axolotl's: %s",
    async (flag) => {
      const { data } = await readFileContent('a.sh', script(`--val_set_size 0 --num_epochs 3 ${flag}`));
      expect([data?.format, data?.defaults?.size]).toEqual(['plain', 0]);
    },
  );
});

describe('a number of devices that is -1', () => {
  test.each([
    [
      'a.yaml',
      'trainer:\n  devices: -1\n  max_epochs: 2\nmodel:\n  train_ds: { batch_size: 4 }\nexp_manager: { name: x }\n',
    ],
    ['a.yaml', 'max_epochs: 2\nbatch_size: 4\ndevices: -1\n'],
    [
      'a.toml',
      '[job]\ndump_folder = "o"\n[training]\nsteps = 10\nseq_len = 8\n[parallelism]\ndata_parallel_shard_degree = -1\n',
    ],
  ])('means every one there is, and gets no default: %s %#', async (file, text) => {
    expect(await valueOf(file, text, 'num_devices')).toBe('is -1: every device of the machine');
  });

  test('is used if another key says it', async () => {
    const { value } = await readFileContent('a.yaml', 'max_epochs: 2\nworld_size: 4\ndevices: -1\n');
    expect(value('num_devices')).toBe(4);
  });
});

describe('the size of a batch', () => {
  test.each([
    ['numel', 'batch_type is numel'],
    ['folded', 'batch_type is folded'],
    ['dynamic', 'batch_type is dynamic'],
    ['tokens', 'it counts tokens: batch_type'],
    ['sentence', 16],
    ['sorted', 16],
    ['static', 16],
  ])('depends on its type %s', async (type, value) => {
    expect(await valueOf('a.yaml', `max_epochs: 2\nbatch_size: 16\nbatch_type: ${type}\n`, 'batch_size')).toBe(value);
  });

  test.each([
    [524_288, 1024, 'it may count tokens: 512 sequences of 1024'],
    [512, 1024, 512],
    [32_768, 77, 32_768],
    [1024, 32, 1024],
  ])('in total %i, of sequences of %i, may count tokens', async (total, length, value) => {
    const text = `batch_size = 16\ntotal_batch_size = ${total}\nsequence_length = ${length}\nnum_iterations = 100\n`;
    expect(await valueOf('a.py', text, 'global_batch_size')).toBe(value);
  });

  test('in total counts sequences without their length', async () => {
    expect(await valueOf('a.yaml', 'total_batch_size: 32768\nmax_steps: 10\n', 'global_batch_size')).toBe(32_768);
  });
});

describe('torchtitan', () => {
  const titan = (more: string): string =>
    `[job]\ndump_folder = "o"\n[model]\nflavor = "8B"\n[training]\nsteps = 100\nseq_len = 8\n${more}`;

  test.each(['enable', 'enable_checkpoint'])('saves nothing with %s off', async (key) => {
    const section = (on: boolean): string => titan(`[checkpoint]\n${key} = ${on}\ninterval = 5\n`);
    expect(await valueOf('a.toml', section(false), 'save_interval')).toBeUndefined();
    expect(await valueOf('a.toml', section(true), 'save_interval')).toBe(5);
  });

  test('evaluates nothing with validation off', async () => {
    const section = (on: boolean): string => titan(`[validation]\nenable = ${on}\nfreq = 5\n`);
    expect(await valueOf('a.toml', section(false), 'eval_interval')).toBeUndefined();
    expect(await valueOf('a.toml', section(true), 'eval_interval')).toBe(5);
  });
});

describe("Megatron's warm-up as a fraction of the decay", () => {
  const script = (iterations: number, fraction: string): string =>
    `torchrun pretrain_gpt.py --train-iters ${iterations} --lr-decay-iters 430000 --lr-warmup-fraction ${fraction} --lr-decay-style cosine --lr 1e-4 --micro-batch-size 1 --seq-length 8\n`;

  test('is a number of steps where it is more than the run', async () => {
    const { value } = await readFileContent('a.sh', script(40, '.001'));
    expect([value('warmup_steps'), value('warmup_ratio')]).toEqual([430, undefined]);
  });

  test('is a ratio otherwise', async () => {
    const { value } = await readFileContent('a.sh', script(43_000, '.001'));
    expect([value('warmup_steps'), value('warmup_ratio')]).toEqual([undefined, 0.01]);
  });

  test('of samples is not known where it is more than the run', async () => {
    const text =
      'torchrun pretrain_gpt.py --train-samples 100 --lr-decay-samples 10000 --lr-warmup-fraction .1 --lr-decay-style cosine --lr 1e-4 --micro-batch-size 1 --global-batch-size 4 --seq-length 8\n';
    expect(await valueOf('a.sh', text, 'warmup_steps')).toBe(
      'it is a fraction of the decay, which is longer than the run',
    );
  });
});

test('an annotation of several lines and texts is passed over', async () => {
  const text =
    '@dataclass\nclass Train:\n  optim: Literal[\n    "adamw",\n    "sgd",\n  ] = "adamw"\n  batch_size: "Optional[int]" = 4\n  max_steps: int = 10\n';
  const { value } = await readFileContent('a.py', text);
  expect([value('optimizer'), value('batch_size'), value('max_steps')]).toEqual(['adamw', 4, 10]);
});
