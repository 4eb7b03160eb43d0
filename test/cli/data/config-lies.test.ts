/**
 * Configs that once passed although they say something else, and their honest neighbours.
 *
 * Holds src/api/data/allowed.ts, src/api/data/data-files.ts, src/api/data/show-findings.ts,
 * src/cli/data/allowance-flags.ts, src/cli/data/show-checks.ts, src/contract/data-contract.ts,
 * src/data/report/data-report.ts, src/data/report/place-text.ts, src/data/report/text.ts.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { exitCodes } from '../../../src/api/exit-code.ts';
import { runPv } from '../../support/memory-cli.ts';

const contract = 'training-config-kernel-v1.yaml';
const text = readFileSync(new URL(`../../../contracts/${contract}`, import.meta.url), 'utf8');
const always = ['--set', 'num_sequences=200000', '--set', 'num_parameters=1000', '--set', 'seq_len=512'];

interface Checked {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function check(file: string, content: string, ...args: readonly string[]): Promise<Checked> {
  return runPv(['check', contract, '--data', file, ...always, ...args], {
    files: { [contract]: text, [file]: content },
  });
}

const huggingFace =
  'output_dir: out\nsave_strategy: "no"\nper_device_train_batch_size: 8\nlearning_rate: 5e-5\nmax_steps: 1000\n';
const torchtune =
  'batch_size: 2\nepochs: 1\ngradient_accumulation_steps: 8\noptimizer: { _component_: torch.optim.AdamW, lr: 2e-5 }\n' +
  'device: cuda\nprofiler: { _component_: p, warmup_steps: 3 }\n';
const plainRun = 'batch_size: 8\nlearning_rate: 0.1\nmax_steps: 1000\ngradient_accumulation: 1\n';
const titan = (schedule: string, training: string = ''): string =>
  '[job]\ndump_folder = "out"\n[model]\nflavor = "8B"\n[optimizer]\nlr = 8e-4\n' +
  `[lr_scheduler]\nwarmup_steps = 20\n${schedule}\n[training]\nlocal_batch_size = 8\nseq_len = 512\nsteps = 1000\n${training}`;
const lightning =
  'trainer: { devices: 8, num_nodes: 4, max_steps: 1000, accumulate_grad_batches: 1 }\n' +
  'data: { batch_size: 8 }\noptimizer: { lr: 0.1 }\n';
const scratch = 'init_from = "scratch"\nbatch_size = 4\nblock_size = 64\ngradient_accumulation_steps = 1\n';

describe('a config is not passed while something it says is unread', () => {
  test.each([
    ['a misspelt warm-up', 'a.yaml', `${huggingFace}warmup_stpes: 5000\n`],
    ['one letter too few', 'a.yaml', `${huggingFace}warmup_step: 5000\n`],
    ['another case', 'a.yaml', `${huggingFace}warmupSteps: 5000\n`],
    ['the word of another trainer', 'a.yaml', `${huggingFace}num_warmup_steps: 5000\n`],
    ['a warm-up in epochs', 'a.yaml', `${huggingFace}warmup_epochs: 3\n`],
    ['a placeholder', 'a.yaml', `${huggingFace}warmup_steps: \${WARMUP}\n`],
    ['a placeholder for the schedule', 'a.yaml', `${huggingFace}lr_scheduler_type: \${oc.env:SCHEDULE}\n`],
    ['a tag', 'a.yaml', `${huggingFace}warmup_steps: !env WARMUP\n`],
    ['a value that is decided elsewhere', 'a.yaml', `${huggingFace}warmup_steps: auto\n`],
    [
      'a value of the environment',
      'c.py',
      `${scratch}max_iters = 5000\nlr_decay_iters = 5000\nwarmup_iters = int(os.environ["W"])\n`,
    ],
    ['steps of an epoch', 'a.yaml', `${torchtune}max_steps_per_epoch: 50\nlr_scheduler: { num_warmup_steps: 100 }\n`],
    ['the devices of a launcher', 'a.yaml', `${huggingFace}nproc_per_node: 8\n`],
    ['a list of devices', 'a.yaml', `${torchtune}gpus: [0, 1, 2, 3]\n`],
    ['accumulation in another trainer’s word', 'a.yaml', `${huggingFace}update_freq: [128]\n`],
    [
      'epochs in another trainer’s word',
      'a.yaml',
      'batch_size: 8\nlearning_rate: 0.1\nmax_steps: 1000\ntotal_epochs: 1\n',
    ],
    ['the values of a sweep', 'a.yaml', `${huggingFace}warmup_steps: { values: [5000] }\n`],
    ['schedules of a sweep', 'a.yaml', `${torchtune}lr_schedule: { values: [cosine, linear] }\nmax_steps: 9\n`],
    [
      'the warm-up that DeepSpeed takes',
      'a.json',
      '{"train_micro_batch_size_per_gpu": 8, "gradient_accumulation_steps": 3, "zero_optimization": {"stage": 2},' +
        ' "optimizer": {"params": {"lr": 0.1}}, "max_steps": 1050, "scheduler": {"type": "WarmupLR", "params": {}}}',
    ],
    ['a global batch that nothing makes', 'a.yaml', `${plainRun}global_batch_size: 100\n`],
    ['one that given devices do not make', 'a.yaml', `${plainRun}num_devices: 4\nglobal_batch_size: 64\n`],
    ['one that asks for more devices', 'a.yaml', `${plainRun}global_batch_size: 64\n`],
    ['a share of the warm-up beside no steps', 'a.yaml', `${plainRun}warmup_steps: 0\nwarmup_ratio: 0.9\n`],
    ['tokens of a step that nothing makes', 'a.yaml', `${plainRun}seq_len: 512\ntokens_per_step: 524288\n`],
    [
      'tokens of a step that the devices do not make',
      'a.yaml',
      `${plainRun}num_devices: 2\nseq_len: 512\ntokens_per_batch: 4096\n`,
    ],
    [
      'tokens of a step of unknown sequences',
      'a.yaml',
      'batch_size: 8\nlearning_rate: 0.1\nmax_steps: 1000\ntokens_per_step: 4096\n',
    ],
    ['a virtual batch that nothing makes', 'a.yaml', `${plainRun}virtual_batch_size: 256\n`],
    ['a global batch of one of four nodes', 'a.yaml', `${lightning}global_batch_size: 64\n`],
    ['devices of one node or of all', 'a.yaml', `${plainRun}num_gpus: 8\nnum_nodes: 4\n`],
    ['two batch sizes', 'a.yaml', `${plainRun}data: { batch_size: 4 }\n`],
    ['two shapes of the schedule', 'a.yaml', `${plainRun}lr_schedule: cosine\nscheduler: constant\n`],
    ['a schedule of torchtitan that goes on', 'a.toml', titan('decay_type = "cosine"\ntotal_steps = 100000')],
    ['two schedules of torchtitan', 'a.toml', titan('decay_type = "linear"\ntype = "constant"')],
    ['two numbers of steps', 'a.toml', titan('decay_type = "linear"', 'total_steps = 500\n')],
    ['a schedule in a section', 'a.yaml', `${plainRun}lr_schedule: { name: cosine, total_steps: 100000 }\n`],
    ['a misspelt limit of the contract', 'a.yaml', `${huggingFace}warmup_steps: 90\nmax_warmup_fracton: 0.01\n`],
    [
      'heads that do not divide the width',
      'a.yaml',
      'batch_size: 8\nlearning_rate: 0.1\nmax_steps: 1000\nglobal_batch_size: 100\n',
    ],
    [
      'a global batch that the devices do not divide',
      'a.yaml',
      'batch_size: 8\nnum_devices: 3\nglobal_batch_size: 64\nlearning_rate: 0.1\nmax_steps: 1000\n',
    ],
  ])('%s', async (_, file, content) => {
    const { code, stdout, stderr } = await check(file, content);
    expect([code, stdout + stderr]).toEqual([exitCodes.findings, expect.stringMatching(/undetermined|violated/)]);
  });

  test.each([
    ['no warm-up at all', 'a.yaml', huggingFace],
    ['a warm-up that is short', 'a.yaml', `${huggingFace}warmup_steps: 50\n`],
    ['one that is not set', 'a.yaml', `${huggingFace}warmup_steps: null\n`],
    ['a key that says nothing of the kind', 'a.yaml', `${huggingFace}hub_model_id: me/model\nddp_timeout: 1800\n`],
    ['a path that is filled in', 'a.yaml', `${huggingFace}logging_dir: \${OUT}/logs\nmodel_name_or_path: \${MODEL}\n`],
    ['one device, in other words', 'a.yaml', `${huggingFace}nproc_per_node: 1\nnum_nodes: 1\nupdate_freq: [1]\n`],
    ['devices that are given', 'a.yaml', `${torchtune}num_devices: 4\nnproc_per_node: 4\n`],
    ['a sweep of what nothing asks for', 'a.yaml', `${huggingFace}weight_decay: { values: [0, 0.1] }\n`],
    ['a seed that is drawn', 'a.yaml', `${huggingFace}seed: random\n`],
    [
      'activations that are kept elsewhere',
      'a.yaml',
      'base_model: x\nmicro_batch_size: 8\ngradient_accumulation_steps: 1\nsequence_len: 512\nlearning_rate: 2e-4\n' +
        'lr_scheduler: cosine\ndatasets: [{ path: y }]\nwarmup_steps: 10\ngradient_checkpointing: offload\n',
    ],
    ['no limit on the epochs', 'a.yaml', 'batch_size: 8\nlearning_rate: 0.1\nmax_epochs: -1\nmax_steps: 1000\n'],
    ['a global batch of its parts', 'a.yaml', `${plainRun}num_devices: 4\nglobal_batch_size: 32\n`],
    ['a global batch of one device', 'a.yaml', `${plainRun}global_batch_size: 8\n`],
    ['a warm-up of no steps and no share', 'a.yaml', `${plainRun}warmup_steps: 0\nwarmup_ratio: 0\n`],
    ['tokens of a step', 'a.yaml', `${plainRun}seq_len: 512\ntokens_per_step: 4096\n`],
    [
      'tokens of a step that say the accumulation',
      'a.yaml',
      `${plainRun.replace(/gradient.*\n/, '')}seq_len: 512\ntokens_per_step: 8192\n`,
    ],
    ['tokens of a step of evaluations', 'a.yaml', `${plainRun}eval: { tokens_per_step: 100 }\n`],
    ['a virtual batch of its parts', 'a.yaml', `${plainRun}num_devices: 4\nvirtual_batch_size: 32\n`],
    ['ghost batches', 'a.yaml', `${plainRun}virtual_batch_size: 4\n`],
    ['devices of several nodes', 'a.yaml', lightning],
    ['a global batch of several nodes', 'a.yaml', `${lightning}global_batch_size: 256\n`],
    ['all devices beside the nodes', 'a.yaml', `${plainRun}world_size: 8\nnum_nodes: 4\n`],
    ['devices of a single node', 'a.yaml', `${plainRun}num_gpus: 8\nnum_nodes: 1\n`],
    ['one batch size in two places', 'a.yaml', `${plainRun}data: { batch_size: 8 }\n`],
    ['two seeds that nothing asks for', 'a.yaml', `${plainRun}seed: 1\ndata: { seed: 2 }\n`],
    [
      'one shape of the schedule in two spellings',
      'a.yaml',
      `${plainRun}lr_schedule: cosine\nscheduler: CosineAnnealingLR\n`,
    ],
    ['a schedule of torchtitan', 'a.toml', titan('decay_type = "cosine"\ndecay_ratio = 0.8\ntotal_steps = 1000')],
    ['a schedule of the run', 'a.yaml', `${plainRun}lr_schedule: { name: cosine, total_steps: 1000 }\n`],
    ['a misspelt key next to the right one', 'a.yaml', `${huggingFace}warmup_steps: 50\nwarmup_stpes: 5000\n`],
    [
      'a recipe of torchtune',
      'a.yaml',
      `${torchtune}max_steps_per_epoch: null\nlr_scheduler: { num_warmup_steps: 100 }\n`,
    ],
    ['constants of Python', 'c.py', `${scratch}max_iters = 5000\nlr_decay_iters = 5000\nwarmup_iters = 5 * 20\n`],
    ['evaluations', 'a.yaml', `${huggingFace}per_device_eval_batch_size: 4\nmax_eval_steps: 10\n`],
    [
      'a global batch that is divided',
      'a.yaml',
      'batch_size: 8\nglobal_batch_size: 64\nlearning_rate: 0.1\nmax_steps: 1000\n',
    ],
  ])('an honest neighbour: %s', async (_, file, content) => {
    const { code, stdout } = await check(file, content);
    expect([stdout, code]).toEqual([expect.not.stringContaining('undetermined'), exitCodes.ok]);
  });

  test.each([
    ['Hydra’s defaults list', 'a.yaml', `defaults:\n  - schedule\n  - _self_\n${huggingFace}`],
    ['a group of Hydra', 'a.yaml', `defaults:\n  - optim: adamw\n  - override /schedule: cosine\n${huggingFace}`],
    ['extends', 'a.yaml', `extends: ./base.yaml\n${huggingFace}`],
    ['a list of parents', 'a.yaml', `extends:\n  - base.yaml\n${huggingFace}`],
    ['_base_', 'a.yaml', `_base_: ../base.yaml\n${huggingFace}`],
    ['_base_ in Python', 'c.py', `_base_ = ["./base.py"]\n${scratch}max_iters = 5000\nlr_decay_iters = 5000\n`],
    ['base_config', 'a.yaml', `base_config: base\n${huggingFace}`],
    ['inherit_from', 'a.yaml', `inherit_from: base.yml\n${huggingFace}`],
    ['include', 'a.yaml', `include: [base.yaml]\n${huggingFace}`],
    ['a merged file', 'a.yaml', `<<: !include base.yaml\n${huggingFace}`],
    ['a config without a framework’s defaults', 'a.yaml', `extends: b.yaml\n${torchtune}max_steps_per_epoch: null\n`],
    ['JSON', 'a.json', '{ "extends": "b", "batch_size": 8, "learning_rate": 0.1, "max_steps": 1000 }'],
  ])('a value that a composed config may take from another file: %s', async (_, file, content) => {
    const { code, stdout } = await check(file, content);
    expect([stdout, code]).toEqual([
      expect.stringMatching(/is not known, and no default .* names another config, which may give it/),
      exitCodes.findings,
    ]);
  });

  const whole =
    `${huggingFace}warmup_steps: 50\nwarmup_ratio: 0\nmin_learning_rate: 0\nlr_scheduler_type: linear\nmodel_name_or_path: base\n` +
    'gradient_accumulation_steps: 1\nnum_train_epochs: 1\ndataloader_drop_last: true\nworld_size: 1\n';

  test.each([
    ['values that the file states', `extends: base.yaml\n${whole}`],
    [
      'a ratio for the warm-up',
      `extends: base.yaml\n${whole.replace('warmup_steps: 50\nwarmup_ratio: 0', 'warmup_ratio: 0.01')}`,
    ],
    ['a list that names nothing else', `defaults:\n  - _self_\n${huggingFace}`],
    ['Hydra’s own settings', `defaults:\n  - override hydra/launcher: submitit\n  - _self_\n${huggingFace}`],
    ['a group that is left out', `defaults:\n  - optim: null\n${huggingFace}`],
    ['defaults that are values', `defaults: { verbose: yes }\n${huggingFace}`],
    ['a model’s base', `base_model: org/model\nbase: org/model\nparent: run-7\n${huggingFace}`],
    ['no parent', `extends: null\n_base_: ""\n${huggingFace}`],
    ['a parent further down', `callbacks: { extends: base.yaml }\n${huggingFace}`],
    ['an anchor of the file', `shared: &shared { max_steps: 1000 }\n<<: *shared\n${huggingFace}`],
    ['an empty merge key', `<<:\n${huggingFace}`],
  ])('an honest neighbour of a composed config: %s', async (_, content) => {
    const { code, stdout } = await check('a.yaml', content);
    expect([stdout, code]).toEqual([expect.not.stringContaining('undetermined'), exitCodes.ok]);
  });

  test.each([
    ['num_tokens: 1000', false],
    ['num_tokens: 200000000', false],
    ['num_tokens: 102400000', true],
    ['num_tokens: 90000000', true],
  ])('200,000 sequences of 512 tokens and %s', async (tokens, isPossible) => {
    const content = `${plainRun}seq_len: 512\nnum_sequences: 200000\nnum_epochs: 1\n${tokens}\n`;
    const { stdout, code } = await runPv(['check', contract, '--data', 'a.yaml', '--set', 'num_parameters=1000'], {
      files: { [contract]: text, 'a.yaml': content },
    });
    expect([stdout.includes('undetermined'), code]).toEqual([
      !isPossible,
      isPossible ? exitCodes.ok : exitCodes.findings,
    ]);
  });

  test('of a key that is written twice in YAML neither value is judged; what it does not touch is', async () => {
    const twice = await check('a.yaml', `${huggingFace}warmup_steps: 0\nwarmup_steps: 5000\n`);
    expect(twice.stdout).toContain('? CFG-003 undetermined');
    expect(twice.stdout).toContain('its key is repeated in this mapping');
    expect(twice.stderr).toContain('warmup_steps appears twice, so neither warmup_steps nor warmup_ratio is known');
    expect(twice.stdout).toContain('✓ CFG-001 satisfied');
    expect(twice.code).toBe(exitCodes.findings);
    expect((await check('a.yaml', `${huggingFace}warmup_steps: 0\n`)).stdout).toContain('✓ CFG-003 satisfied');
  });

  test.each([
    ['01604', 'is 900 to PyYAML and 1604 to other readers'],
    ['0189', 'is a text to PyYAML and 189 to other readers'],
  ])('%s is a number that readers of YAML disagree about', async (written, why) => {
    const { stdout, stderr, code } = await check('a.yaml', `${huggingFace}warmup_steps: ${written}\n`);
    expect([stdout.includes('? CFG-003 undetermined'), code]).toEqual([true, exitCodes.findings]);
    expect(stderr).toContain(`The value of \`warmup_steps\` is unknown, and with it warmup_ratio: ${written} ${why}`);
    expect(stderr).toContain(`The value of \`warmup_steps\` is unknown: ${written} ${why}`);
    expect((await check('a.yaml', `${huggingFace}warmup_steps: 07\n`)).stdout).toContain('✓ CFG-003 satisfied');
  });

  test('a key that ends in a blank is shown with it', async () => {
    const { stdout } = await check('a.yaml', `${huggingFace}"warmup_steps ": 10\n`);
    expect(stdout).toContain("Nothing reads 'warmup_steps␠', which looks like 'warmup_steps'");
  });

  test('a setting decides between two keys', async () => {
    const content = `${plainRun}data: { batch_size: 4 }\n`;
    expect((await check('a.yaml', content, '--allow-unevaluated')).code).toBe(exitCodes.findings);
    expect((await check('a.yaml', content, '--set', 'batch_size=8')).code).toBe(exitCodes.ok);
  });

  test('the devices of all nodes are counted', async () => {
    const { stdout } = await check(
      'a.yaml',
      lightning.replace('num_nodes: 4', 'num_nodes: 4000'),
      '--set',
      'num_epochs=1',
    );
    expect(stdout).toContain('⌊200000 / (8·32000)⌋ = 0');
  });

  test('a known key in another section is shown with the mapping that reads it', async () => {
    const moved = 'max_steps: 1000\nlearning_rate: 1.0e-4\nmodel:\n  init_args:\n    warmup_steps: 6000\n';
    const { stdout } = await check('a.yaml', moved);
    const [, flag = '', pair = ''] =
      /^! PV-7039 a\.yaml:5:19: .*\((--map) (\S+) if it is the same\)$/mu.exec(stdout) ?? [];
    expect((await check('a.yaml', moved, flag, pair)).stdout).toContain('✗ CFG-003 violated');
  });

  test('the key and its line are named, and so is every key that is not used', async () => {
    const { stdout, stderr } = await check('a.yaml', `${huggingFace}warmup_stpes: 5000\nhub_model_id: x\n`);
    expect(stdout).toMatch(/^! PV-7039 a\.yaml:6:15: Nothing reads 'warmup_stpes', which looks like 'warmup_steps'\n/);
    expect(stderr).not.toContain('PV-7039');
    // Where the report does not say it, stderr does.
    for (const flags of [['--format', 'json'], ['--quiet']])
      expect((await check('a.yaml', `${huggingFace}warmup_stpes: 5000\n`, ...flags)).stderr).toContain(
        "warning[PV-7039]: Nothing reads 'warmup_stpes', which looks like 'warmup_steps'",
      );
    expect(stdout).toContain("warmup_steps is not known, and no default is used: 'warmup_stpes' at a.yaml:6");
    expect(stdout).toContain('not used: 1 key (warmup_stpes), and 3 known to be irrelevant');
  });

  test('--allow-unevaluated does not excuse it', async () => {
    expect((await check('a.yaml', `${huggingFace}warmup_stpes: 5000\n`, '--allow-unevaluated')).code).toBe(
      exitCodes.findings,
    );
  });

  test('every default that a verdict depends on is listed, even one that only decides what counts', async () => {
    const { stdout } = await check('a.yaml', huggingFace.replace('max_steps: 1000', 'num_train_epochs: 1'));
    expect(stdout).toMatch(/default of Hugging Face TrainingArguments, since the data do not say: .*drop_last = false/);
    const plain = await check('a.yaml', 'batch_size: 8\nlearning_rate: 0.1\nmax_steps: 1000\nnum_epochs: 1\n');
    expect(plain.stdout).toMatch(/assumed, since the data do not say: .*drop_last = true/);
  });

  test('a width that the heads do not divide', async () => {
    const model =
      'vocab_size: 100\nhidden_size: 1000\nnum_layers: 2\nnum_heads: 16\nintermediate_size: 64\nfrom_scratch: true\n';
    const run = (size: string): Promise<Checked> =>
      runPv(['check', contract, '--data', 'm.yaml', ...always.slice(0, 2), '--set', 'seq_len=512'], {
        files: {
          [contract]: text,
          'm.yaml': `batch_size: 8\nlearning_rate: 0.1\nmax_steps: 10000\n${model}${size}`,
        },
      });
    const ran = await run('');
    expect(ran.stdout).toContain('head_dim would be hidden_size / num_heads = 62.5, which is not a whole number');
    expect(ran.code).toBe(exitCodes.findings);
    expect((await run('head_dim: 64\n')).stdout).not.toContain('62.5');
  });
});
