/**
 * `pv resume check` on folders of the Hugging Face Trainer, healthy and broken.
 *
 * Holds src/cli/resume/run-check.ts, src/cli/resume/report-text.ts, src/checkpoint/resume-check.ts, src/checkpoint/byte-source.ts,
 * src/checkpoint/numbers.ts, src/checkpoint/learning-rates.ts, src/checkpoint/hugging-face/read-folder.ts,
 * src/checkpoint/hugging-face/python-json.ts, src/checkpoint/hugging-face/training-args.ts,
 * src/checkpoint/hugging-face/trainer-state.ts, src/checkpoint/torch/training-state.ts, src/checkpoint/checks/check.ts,
 * src/checkpoint/checks/matched-set.ts, src/checkpoint/checks/learning-rate.ts, src/checkpoint/checks/optimizer-alignment.ts,
 * src/checkpoint/checks/configuration.ts, src/cli/resume/read-config.ts, src/checkpoint/checks/checksums.ts,
 * src/checkpoint/checks/finite-tensors.ts, src/checkpoint/checks/zeros.ts, src/checkpoint/checks/moments.ts,
 * src/checkpoint/checks/logged-losses.ts, src/checkpoint/checks/optimizer-settings.ts,
 * src/checkpoint/checks/required-files.ts.
 */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createMemoryHost } from '../../../src/host/memory-host.ts';
import { createNodeHost } from '../../../src/host/node-host.ts';
import { writeSafetensors } from '../../../src/tensors/safetensors.ts';
import { runPv, type Ran } from '../../support/memory-cli.ts';
import { torchFile, type Python } from '../../support/torch-file.ts';
import { trainerFolder, type FolderOptions } from '../../support/trainer-folder.ts';

async function check(files: ReadonlyMap<string, Uint8Array>, ...args: readonly string[]): Promise<Ran> {
  const host = createMemoryHost();
  for (const [name, bytes] of files) host.files.set(`/project/checkpoint-25/${name}`, bytes);
  return runPv(['resume', 'check', 'checkpoint-25', ...args], { host });
}

const first = ({ stdout }: Ran): string => stdout.split('\n')[0] ?? '';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const emptyWeights = Buffer.concat(writeSafetensors([]));

describe('a healthy checkpoint', () => {
  it('passes, says what it did not cover, and imports nothing', async () => {
    const ran = await check(trainerFolder());
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(first(ran)).toBe(
      'PASSED: checkpoint-25 (Hugging Face Trainer folder): 7 of 7 checks passed; whether the run restored them needs a probe',
    );
    expect(ran.stdout).toContain('linear after 25 of 100 steps, 10 of them warm-up');
    expect(ran.stdout).toContain('Not covered without --config: configuration.');
    expect(ran.stdout).toMatch(/Not covered without --probe: position, weights loaded, .*data order/u);
    expect(ran.stdout).toContain('not imported: transformers.trainer_utils.SchedulerType');
  });

  it('is reported to programs', async () => {
    const ran = await check(trainerFolder(), '--json');
    expect(JSON.parse(ran.stdout)).toMatchObject({ verdict: 'passed', counts: { PASS: 7, CRITICAL: 0 } });
  });

  it('may have an optimizer without states, and groups with peaks of their own', async () => {
    const stateless = await check(trainerFolder({ states: [], group: [['momentum', 0]] }));
    expect(first(stateless)).toContain('7 of 7 checks passed');
    const peaks = await check(trainerFolder({ peaks: [0.001, 0.01] }));
    expect(first(peaks)).toContain('7 of 7 checks passed');
  });

  it('may have enumerations as Python 3.11 pickles them: getattr of a class and the name of a member, which is not called', async () => {
    const enumeration = 'transformers.trainer_utils.SchedulerType';
    const kind = (name: string): FolderOptions => ({
      settings: [['lr_scheduler_type', { member: [enumeration, name] }]],
    });
    const ran = await check(trainerFolder(kind('LINEAR')));
    expect(first(ran)).toContain('7 of 7 checks passed');
    expect(ran.stdout).toContain('linear after 25 of 100 steps');
    expect(ran.stdout).toContain('not imported: builtins.getattr, transformers.trainer_utils.SchedulerType');
    const configured = await check(trainerFolder(kind('REDUCE_ON_PLATEAU')));
    expect(configured.stdout).toContain('reduce_lr_on_plateau');
    // An attribute of anything else is nothing that pv could know.
    const other = trainerFolder({ settings: [['lr_scheduler_type', { member: ['os.environ', 'LINEAR'] }]] });
    expect((await check(other)).stdout).toContain('NOT CHECKED  learning rate');
  });

  it("may have a config.json of a model of one's own, which says nothing that its weights could contradict", async () => {
    const config = bytesOf('{"architectures": ["Mine"], "channels": 7}');
    const ran = await check(new Map([...trainerFolder(), ['config.json', config]]));
    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatch(/^Nothing to check: .*model configuration/mu);
  });

  it('may have weights of torch.save, and a log with NaN', async () => {
    const files = new Map(trainerFolder({ without: ['model.safetensors'] }));
    const weights = [
      ['embed.weight', { shape: [3, 2], data: new Float32Array(6) }],
      ['head.bias', { shape: [2], data: new Float32Array(2) }],
    ] as const;
    files.set('pytorch_model.bin', torchFile(new Map<Python, Python>(weights)));
    const log =
      '{"global_step": 25, "max_steps": 100, "log_history": [{"step": 25, "loss": NaN, "grad_norm": -Infinity}]}';
    files.set('trainer_state.json', new TextEncoder().encode(log));
    expect(first(await check(files))).toContain('7 of 7 checks passed');
  });
});

describe("a scheduler that is not the Trainer's", () => {
  it('of a plateau is stepped at evaluations, and has the rates that it measured', async () => {
    const plateau: FolderOptions = {
      schedulerSteps: 3,
      settings: [['lr_scheduler_type', 'reduce_lr_on_plateau']],
      scheduler: [
        ['num_bad_epochs', 1],
        ['base_lrs', []],
      ],
    };
    const ran = await check(trainerFolder(plateau));
    expect(first(ran)).toMatch(/^NOT FULLY CHECKED: .*: 6 of 7 checks passed, 1 not checked;/u);
    expect(ran.stdout).toContain('actual    1 rate (_last_lr), no peaks');
    expect(ran.stdout).toContain('missing   the rates of ReduceLROnPlateau follow what the run measured');
  });

  it.each([
    ['OneCycleLR', '_schedule_phases'],
    ['CosineAnnealingLR', 'T_max'],
    ['SequentialLR', '_milestones'],
    ['StepLR', 'step_size'],
  ])('but a %s, is not held to the settings', async (kind, key) => {
    const own: FolderOptions = { rate: 0.0007, scheduler: [[key, 1]] };
    const ran = await check(trainerFolder(own));
    expect(first(ran)).toMatch(/^NOT FULLY CHECKED: .*: 6 of 7 checks passed, 1 not checked;/u);
    expect(ran.stdout).toContain(`missing   the scheduler that was saved is a ${kind}`);
    const apart = await check(trainerFolder({ ...own, scheduler: [...(own.scheduler ?? []), ['_last_lr', [0.002]]] }));
    expect(apart.code).toBe(1);
    expect(apart.stdout).toContain('why       scheduler and optimizer disagree');
    expect((await check(trainerFolder({ ...own, schedulerSteps: 20 }))).stdout).toContain('CRITICAL  matched set');
  });
});

describe('an optimizer that is not as the Trainer builds it', () => {
  const built = (betas: readonly number[], more: readonly (readonly [string, Python])[] = []): FolderOptions => ({
    peaks: [0.001, 0.001],
    group: [['betas', betas], ['eps', 1e-8], ['weight_decay', 0], ['amsgrad', false], ['maximize', false], ...more],
    settings: [
      ['optim', { call: ['transformers.training_args.OptimizerNames', 'adamw_torch'] }],
      ['adam_beta1', 0.9],
      ['adam_beta2', 0.999],
      ['adam_epsilon', 1e-8],
      ['weight_decay', 0],
    ],
  });
  it.each<readonly [string, FolderOptions, string]>([
    ['betas', built([0.5, 0.999]), 'actual    betas 0 0.5, 0.5 in the groups'],
    ['eps', built([0.9, 0.999], [['eps', 1]]), 'actual    eps 1, 1 in the groups'],
    ['direction', built([0.9, 0.999], [['maximize', true]]), 'actual    maximize True'],
    ['weight decay', built([0.9, 0.999], [['weight_decay', 0.1]]), 'expected  weight_decay 0 (training_args.bin)'],
  ])('is a warning: %s', async (_, options, words) => {
    const ran = await check(trainerFolder(options));
    expect(first(ran)).toMatch(/^PASSED WITH WARNINGS: .*6 of 7 checks passed/u);
    expect(ran.stdout).toContain(words);
  });

  it('unless it is as built, or one that the settings do not describe', async () => {
    const { peaks: _, ...one } = built([0.5, 0.999]);
    const arguments_ = { ...built([0.5, 0.999]) };
    const own = {
      ...arguments_,
      settings: [...(arguments_.settings ?? []), ['optim_args', 'betas=(0.5, 0.999)']] as const,
    };
    for (const options of [built([0.9, 0.999]), one, own])
      expect(first(await check(trainerFolder(options)))).toContain('7 of 7 checks passed');
  });

  it('LBFGS has one state for all parameters', async () => {
    const ran = await check(trainerFolder({ states: [0], group: [['tolerance_grad', 1e-7]] }));
    expect(ran.stdout).toMatch(/^PASS {2}optimizer alignment$/mu);
  });
});

describe('random states of ranks', () => {
  const ranks = (...which: readonly number[]): ReadonlyMap<string, Uint8Array> => {
    const files = new Map(trainerFolder());
    const state = files.get('rng_state.pth') ?? new Uint8Array();
    files.delete('rng_state.pth');
    for (const rank of which) files.set(`rng_state_${rank}.pth`, state);
    return files;
  };
  it('are all there', async () => {
    expect((await check(ranks(0, 1, 2, 3))).code).toBe(0);
    const ran = await check(ranks(0, 1, 3));
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain('actual    missing: rng_state_2.pth');
  });
});

describe("the model's config.json", () => {
  const layer = 'model.layers.0';
  const shapes = [
    ['model.embed_tokens.weight', [6, 8]],
    [`${layer}.self_attn.q_proj.weight`, [8, 8]],
    [`${layer}.self_attn.k_proj.weight`, [4, 8]],
    [`${layer}.mlp.gate_proj.weight`, [16, 8]],
  ] as const;
  const sizes = { vocab_size: 6, hidden_size: 8, intermediate_size: 16, num_hidden_layers: 1, num_attention_heads: 4 };
  const llama = { model_type: 'llama', ...sizes, num_key_value_heads: 2 };
  const checked = (config: unknown): Promise<Ran> =>
    check(new Map([...trainerFolder({ shapes }), ['config.json', bytesOf(JSON.stringify(config))]]));
  it.each([
    ['as it is', llama],
    ['with heads of their own size', { ...llama, num_attention_heads: 2, num_key_value_heads: 1, head_dim: 4 }],
    ['of a type that pv does not know', { ...llama, model_type: 'mine', num_attention_heads: 3 }],
  ])('passes %s', async (_, config) => {
    expect((await checked(config)).stdout).toMatch(/^PASS {2}model configuration$/mu);
  });
  it.each([
    ['CRITICAL', 'intermediate_size 32', { ...llama, intermediate_size: 32 }],
    ['CRITICAL', 'num_attention_heads 3', { ...llama, num_attention_heads: 3 }],
    ['CRITICAL', 'num_key_value_heads 1', { ...llama, num_key_value_heads: 1 }],
    ['CRITICAL', 'weights of a model of type gpt2', { ...llama, model_type: 'gpt2' }],
    ['WARN', 'the type and sizes of the model', {}],
  ])('%s: %s', async (status, words, config) => {
    const ran = await checked(config);
    expect(ran.stdout).toContain(`${status}  model configuration\n    expected  ${words}`);
  });
});

describe('the losses that were logged before the save', () => {
  const logged = (lossOf: (step: number) => number | string): Promise<Ran> => {
    const rows = Array.from({ length: 25 }, (_, i) => `{"step": ${i + 1}, "loss": ${lossOf(i + 1)}}`);
    const state = `{"global_step": 25, "max_steps": 100, "epoch": 0.25, "log_history": [${rows.join()}]}`;
    return check(new Map([...trainerFolder(), ['trainer_state.json', bytesOf(state)]]));
  };
  it.each<readonly [string, (step: number) => number | string, RegExp]>([
    ['go down', (step) => 4 / step, /^PASS {2}finite tensors$/mu],
    ['rise again', (step) => (step > 20 ? 8 : 4 / step), /^PASS {2}finite tensors$/mu],
    ['are NaN twice', (step) => (step > 23 ? 'NaN' : 1), /^PASS {2}finite tensors$/mu],
    ['are around zero', (step) => (step > 22 ? 0.9 : -0.1), /^PASS {2}finite tensors$/mu],
    ['are NaN at last', (step) => (step > 20 ? 'NaN' : 1), /^CRITICAL {2}finite tensors$/mu],
    ['have grown beyond all measure', (step) => (step > 20 ? 2000 : 4), /^WARN {2}finite tensors$/mu],
  ])('%s', async (_, lossOf, status) => {
    expect((await logged(lossOf)).stdout).toMatch(status);
  });
});

describe('numbers that training does not leave', () => {
  const shapes = [
    ['embed.weight', [8, 4]],
    ['head.weight', [8, 4]],
    ['norm.bias', [2]],
  ] as const;
  const betas = [
    ['betas', [0.9, 0.999]],
    ['amsgrad', false],
  ] as const;
  const sized = (value: (i: number) => number, size = 32): Float32Array =>
    Float32Array.from({ length: size }, (_, i) => value(i));
  const halved = (value: number): Float32Array => sized((i) => (i < 16 ? value : 0));

  it.each<readonly [string, NonNullable<FolderOptions['numbers']>, string]>([
    ['a weight of zeros', { 'head.weight': sized(() => -0) }, '100 % of head.weight in model.safetensors'],
    ['a weight whose end is lost', { 'embed.weight': halved(0.5) }, '50 % of embed.weight'],
    ['a weight whose beginning is', { 'embed.weight': halved(0.5).toReversed() }, '50 % of embed.weight'],
    [
      'only zeros',
      { 'embed.weight': sized(() => 0), 'head.weight': sized(() => 0), 'norm.bias': sized(() => 0, 2) },
      'all 66 numbers of 3 weights are 0',
    ],
    [
      'emptied moments',
      { '0.exp_avg': sized(() => 0), '1.exp_avg': sized(() => 0), '2.exp_avg': sized(() => 0, 2) },
      'state[0].exp_avg and all others like it are 0',
    ],
    [
      'second moments of zero',
      { '1.exp_avg_sq': sized(() => 0) },
      'at most 7.27 times the root of state[1].exp_avg_sq',
    ],
    [
      'first moments of another run',
      { '1.exp_avg': sized((i) => (i === 31 ? 1e6 : 0.1)) },
      '1000000, and the root is 0.1',
    ],
    [
      'one moment for both',
      { '1.exp_avg': sized((i) => 0.01 * i), '1.exp_avg_sq': sized((i) => 0.01 * i) },
      'the same numbers',
    ],
  ])('%s', async (_, numbers, words) => {
    const ran = await check(trainerFolder({ shapes, numbers, group: betas }));
    expect(ran.code).toBe(1);
    expect(ran.stdout).toMatch(/^CRITICAL {2}finite tensors$/mu);
    expect(ran.stdout).toContain(words);
  });

  it.each<readonly [string, FolderOptions]>([
    ['a frozen weight of zeros', { numbers: { 'head.weight': sized(() => 0) }, parameters: [0, 2], states: [0, 2] }],
    ['a weight that never had a gradient', { numbers: { 'head.weight': sized(() => 0), '1.exp_avg': sized(() => 0) } }],
    ['rows without gradients', { numbers: { 'head.weight': halved(0.5), '1.exp_avg': halved(0.1) } }],
    ['scattered zeros of a pruned weight', { numbers: { 'head.weight': sized((i) => (i % 10 === 5 ? 0.5 : 0)) } }],
    ['a short bias of zeros', { numbers: { 'norm.bias': sized(() => 0, 2) } }],
    ['gradients that are gone by now', { numbers: { '1.exp_avg': sized(() => 0) } }],
    [
      'gradients too small to be squared',
      { numbers: { '1.exp_avg': sized(() => 1e-22), '1.exp_avg_sq': sized(() => 0) } },
    ],
    [
      'decays that allow anything',
      {
        numbers: { '1.exp_avg_sq': sized(() => 1e-12) },
        group: [
          ['betas', [0.95, 0.9]],
          ['amsgrad', false],
        ],
      },
    ],
    ['a weight before its first update', { globalStep: 1, rate: 0.0001, numbers: { 'head.weight': sized(() => 0) } }],
  ])('but not %s', async (_, options) => {
    const ran = await check(trainerFolder({ shapes, group: betas, ...options }));
    expect(ran.stdout).toMatch(/^PASS {2}finite tensors$/mu);
  });
});

describe('a broken checkpoint fails', () => {
  it.each<readonly [string, FolderOptions, string, string]>([
    ['a scheduler that started afresh', { schedulerSteps: 1 }, 'matched set', 'fresh and stale states are mixed'],
    [
      'a scheduler stepped by each of 4 processes',
      { schedulerSteps: 100 },
      'matched set',
      'stepped 4 times per optimizer step',
    ],
    ['an optimizer that started afresh', { adamSteps: [0, 0] }, 'matched set', 'fewer steps than the trainer'],
    ['one parameter of another step', { adamSteps: [25, 24] }, 'matched set', 'optimizer 24 to 25'],
    ['more steps than the run has', { globalStep: 120, rate: 0 }, 'matched set', 'more steps than it has'],
    [
      'another peak in the scheduler',
      { peaks: [0.5], rate: 0.001 * (75 / 90) },
      'learning rate',
      '0.5 in the scheduler',
    ],
    ['another length in training_args.bin', { settings: [['max_steps', 50]] }, 'learning rate', 'max_steps 50'],
    ['a NaN in its settings', { group: [['eps', NaN]] }, 'optimizer alignment', 'eps NaN'],
    ['a rate of another step', { rate: 0.001 }, 'learning rate', 'it is the rate of step 10'],
    ['a rate of another configuration', { rate: 0.005 }, 'learning rate', 'no step of this schedule has this rate'],
    [
      'an infinite second moment',
      { secondMoments: Float32Array.of(1, Infinity) },
      'finite tensors',
      'state[1].exp_avg_sq[1] = Infinity',
    ],
    [
      'a negative second moment',
      { secondMoments: Float32Array.of(-1, 1) },
      'finite tensors',
      'state[1].exp_avg_sq[0] = -1',
    ],
    [
      'an optimizer without parameters',
      { parameters: [], states: [] },
      'optimizer alignment',
      'saved without parameters',
    ],
    ['states that are missing', { states: [] }, 'optimizer alignment', 'none for parameter 0, 1'],
    ['a rate that is a text', { group: [['lr', '1e-3']] }, 'optimizer alignment', "lr as the text '1e-3'"],
    ['a parameter in two groups', { parameters: [0, 1, 1] }, 'optimizer alignment', 'parameter 1 in two groups'],
    ['no optimizer', { without: ['optimizer.pt'] }, 'required files', 'missing: optimizer.pt'],
    ['no random state', { without: ['rng_state.pth'] }, 'required files', 'missing: rng_state.pth'],
    ['no loss scale with fp16', { settings: [['fp16', true]] }, 'required files', 'missing: scaler.pt'],
  ])('with %s', async (_, options, name, words) => {
    const ran = await check(trainerFolder(options));
    expect(ran.code).toBe(1);
    expect(first(ran)).toMatch(/^FAILED: .*critical/u);
    const block = ran.stdout.split('\n\n').find((part) => part.startsWith(`CRITICAL  ${name}`));
    expect(block).toContain(words);
    expect(block).toMatch(/fix {7}\S/u);
  });

  it.each<readonly [string, string, Uint8Array, string]>([
    ['a scheduler that is a list', 'scheduler.pt', torchFile([]), 'is not the state of a scheduler'],
    [
      'a scheduler that was never stepped',
      'scheduler.pt',
      torchFile(new Map([['last_epoch', null]])),
      'is not the state',
    ],
    ['an empty random state', 'rng_state.pth', new Uint8Array(), 'rng_state.pth: The archive cannot be read'],
    ['a repeated key', 'trainer_state.json', bytesOf('{"global_step": 9, "global_step": 25}'), 'has a key twice'],
  ])('with %s, as a malformed file', async (_, name, bytes, words) => {
    const ran = await check(new Map([...trainerFolder(), [name, bytes]]));
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain(words);
  });

  it.each<readonly [string, readonly (readonly [string, Uint8Array])[], string]>([
    ['random states of nothing', [['rng_state.pth', torchFile(new Map())]], 'the CPU state in rng_state.pth'],
    [
      'a shard that its index misses',
      [['model.safetensors.index.json', bytesOf('{"weight_map": {"w9": "model.safetensors"}}')]],
      'w9 in model.safetensors',
    ],
    ['one of two shards', [['model-00001-of-00002.safetensors', emptyWeights]], 'model-00002-of-00002.safetensors'],
  ])('with %s', async (_, changes, words) => {
    const ran = await check(new Map([...trainerFolder(), ...changes]));
    expect(ran.code).toBe(1);
    expect(ran.stdout.split('\n\n')[1]).toContain(words);
  });

  it('with one bit of the optimizer flipped', async () => {
    const files = new Map(trainerFolder());
    const bytes = files.get('optimizer.pt')?.slice() ?? new Uint8Array();
    const at = Buffer.from(bytes).indexOf('archive/data/1') + 'archive/data/1'.length;
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    files.set('optimizer.pt', bytes);
    const ran = await check(files);
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain('CRITICAL  checksums\n    expected  optimizer.pt: archive/data/1 with CRC-32');
  });

  it('with the optimizer of another model', async () => {
    const files = new Map(trainerFolder());
    files.set('model.safetensors', trainerFolder().get('model.safetensors') ?? new Uint8Array());
    const other = new Map([['head.bias', { shape: [2], data: new Float32Array(2) }]] as const);
    files.delete('model.safetensors');
    files.set('pytorch_model.bin', torchFile(other));
    const ran = await check(files);
    expect(ran.stdout).toContain('state 0 is of a parameter of shape [3, 2]');
    expect(ran.code).toBe(1);
  });
});

describe('the configuration of the resumed run', () => {
  const compared = async (config: string): Promise<Ran> =>
    check(
      new Map([...trainerFolder(), ['train.yaml', new TextEncoder().encode(config)]]),
      '--config',
      'checkpoint-25/train.yaml',
    );

  it.each([
    ['the same settings', 'learning_rate: 1e-3\nwarmup_steps: 10\nmodel: other', 'PASSED', 'PASS  configuration', 0],
    ['numbers as text', 'learning_rate: "0.001"', 'PASSED', 'actual    learning_rate 0.001', 0],
    ['another peak', 'learning_rate: 0.002\nwarmup_steps: 10', 'FAILED', 'expected  learning_rate 0.001', 1],
    ['another schedule', 'lr_scheduler_type: cosine', 'FAILED', 'actual    lr_scheduler_type cosine', 1],
    ['another precision', 'fp16: true', 'PASSED WITH WARNINGS', 'WARN  configuration', 0],
    ['JSON', '{"learning_rate": 0.001}', 'PASSED', '8 of 8 checks passed', 0],
    ['none of the settings', 'training: {lr: 0.001}', 'NOT FULLY CHECKED', 'has none of the settings', 5],
  ])('with %s', async (_, config, word, words, code) => {
    const ran = await compared(config);
    expect(first(ran).split(':')[0]).toBe(word);
    expect(ran.stdout).toContain(words);
    expect(ran.code).toBe(code);
  });

  it.each([
    ['sgd', 'CRITICAL'],
    ['adamw_torch_fused', 'WARN'],
  ])('with the optimizer %s: %s', async (optim, status) => {
    const files = trainerFolder({
      settings: [['optim', { call: ['transformers.training_args.OptimizerNames', 'adamw_torch'] }]],
    });
    const ran = await check(
      new Map([...files, ['train.yaml', bytesOf(`optim: ${optim}`)]]),
      '--config',
      'checkpoint-25/train.yaml',
    );
    expect(ran.stdout).toContain(`${status}  configuration`);
  });

  it('is a usage error where it cannot be read', async () => {
    expect(await compared('a: [')).toMatchObject({ code: 2, stdout: '' });
    expect(await check(trainerFolder(), '--config', 'none.yaml')).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('what cannot be checked', () => {
  it('is neither passed nor failed, unless --strict', async () => {
    const options = { settings: [['lr_scheduler_type', 'my_schedule']] } as const;
    const ran = await check(trainerFolder(options));
    expect(first(ran)).toBe(
      'NOT FULLY CHECKED: checkpoint-25 (Hugging Face Trainer folder): 6 of 7 checks passed, 1 not checked; whether the run restored them needs a probe',
    );
    expect(ran.stdout).toContain('missing   pv does not know the schedule "my_schedule"');
    expect(ran.code).toBe(5);
    expect((await check(trainerFolder(options), '--strict')).code).toBe(1);
  });

  it('a folder whose name is of another step is a warning', async () => {
    const ran = await check(trainerFolder({ globalStep: 50 }));
    expect(first(ran)).toMatch(/^PASSED WITH WARNINGS/u);
    expect(ran.stdout).toContain("expected  25 steps, as the folder's name says");
  });

  it('with fp16, skipped steps are a warning', async () => {
    const files = new Map(
      trainerFolder({ schedulerSteps: 23, adamSteps: [23, 23], rate: 0.001 * (77 / 90), settings: [['fp16', true]] }),
    );
    files.set('scaler.pt', torchFile(new Map([['scale', 1024]])));
    const ran = await check(files);
    expect(first(ran)).toMatch(/^PASSED WITH WARNINGS: .*6 of 7 checks passed, 1 warning;/u);
    expect(ran.stdout).toContain('WARN  matched set');
    expect(ran.code).toBe(0);
    expect((await check(files, '--strict')).code).toBe(1);
  });
});

describe('a log', () => {
  it.each([
    ['that is missing', 'nope.jsonl', 'error[PV-8001]'],
    ['without steps', 'checkpoint-25/empty.csv', 'the log has no rows with a step'],
  ])('%s is one error', async (_, path, words) => {
    const ran = await check(new Map([...trainerFolder(), ['empty.csv', bytesOf('a,b\n1,2\n')]]), '--log', path);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(words);
    expect(ran.stderr.match(/^(?:error\[|pv: )/gmu)).toHaveLength(1);
  });
});

describe('words', () => {
  it('say what is missing in any format, without files that it does not have', async () => {
    const host = createMemoryHost();
    const loop = new Map<Python, Python>([
      ['model', new Map([['w', { shape: [1], data: new Float32Array(1) }]])],
      ['step', 3],
    ]);
    host.files.set('/project/loop.pt', torchFile(loop));
    const { stdout } = await runPv(['resume', 'check', 'loop.pt'], { host });
    expect(stdout).toContain('the file of torch.save has no optimizer state that pv reads');
    expect(stdout).toContain('missing   no settings with lr_scheduler_type and learning_rate were saved');
    expect(stdout).not.toContain('training_args.bin');
  });

  it('count one pytorch_model.bin as a folder of weights', async () => {
    const host = createMemoryHost();
    const nested = new Map<Python, Python>([['module', new Map([['w', { shape: [1], data: new Float32Array(1) }]])]]);
    host.files.set('/project/model/pytorch_model.bin', torchFile(nested));
    const { stdout } = await runPv(['checkpoint', 'inspect', 'model'], { host });
    expect(stdout).toMatch(/^model: folder of weights, 1 file, /u);
  });
});

describe('files that cannot be read', () => {
  it.each([
    ['no folder', undefined, 2, 'there is no such folder'],
    ['no state', ['trainer_state.json', null], 1, 'PV-8504'],
    ['a state that is not JSON', ['trainer_state.json', '{'], 1, 'PV-8504'],
    ['a state without steps', ['trainer_state.json', '{}'], 1, 'PV-8504'],
    ['an optimizer that is not an archive', ['optimizer.pt', 'text'], 1, 'optimizer.pt: The archive cannot be read'],
    ['an empty scheduler', ['scheduler.pt', ''], 1, 'PV-8501'],
    ['weights that are cut off', ['model.safetensors', 'abc'], 1, 'PV-8420'],
  ] as const)('%s', async (_, change, code, words) => {
    const files = new Map(change === undefined ? [] : trainerFolder());
    if (change !== undefined && change[1] === null) files.delete(change[0]);
    else if (change !== undefined) files.set(change[0], new TextEncoder().encode(change[1] ?? ''));
    const ran = await check(files);
    expect(ran).toMatchObject({ code, stdout: '' });
    expect(ran.stderr).toContain(words);
  });
});

const real = '../shared/data/resume/hf_full_checkpoint/checkpoint-1000';

describe.skipIf(!existsSync(real))('a checkpoint of a real run', () => {
  it('passes, with the learning rate to the last bit', async () => {
    const ran = await runPv(['resume', 'check', real], { host: createNodeHost() });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toContain('expected  0.00002972976566439479\n    actual    0.00002972976566439479');
    expect(ran.stdout).toContain('29 states; 30 weights and buffers');
  });

  it('is refused when its optimizer is cut off anywhere, and fails when its numbers are', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pv-resume-'));
    try {
      cpSync(real, folder, { recursive: true });
      const whole = readFileSync(join(real, 'optimizer.pt'));
      for (const share of [0.1, 0.5, 0.999]) {
        writeFileSync(join(folder, 'optimizer.pt'), whole);
        truncateSync(join(folder, 'optimizer.pt'), Math.floor(share * whole.length));
        const ran = await runPv(['resume', 'check', folder], { host: createNodeHost() });
        expect(ran).toMatchObject({ code: 1, stdout: '' });
        expect(ran.stderr).toContain('PV-8501');
      }
      writeFileSync(join(folder, 'optimizer.pt'), whole);
      const scheduler = readFileSync(join(real, 'scheduler.pt'));
      const at = scheduler.indexOf('last_epoch') + 'last_epoch'.length + 3;
      scheduler.writeUInt16LE(999, at);
      writeFileSync(join(folder, 'scheduler.pt'), scheduler);
      const ran = await runPv(['resume', 'check', folder], { host: createNodeHost() });
      expect(ran.stdout).toContain('scheduler 999, optimizer 1000');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
