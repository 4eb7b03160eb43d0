/**
 * `pv resume check` on folders of the Hugging Face Trainer, healthy and broken.
 *
 * Holds src/cli/resume/run-check.ts, src/cli/resume/report-text.ts, src/checkpoint/resume-check.ts, src/checkpoint/byte-source.ts,
 * src/checkpoint/numbers.ts, src/checkpoint/learning-rates.ts, src/checkpoint/hugging-face/read-folder.ts,
 * src/checkpoint/hugging-face/python-json.ts, src/checkpoint/hugging-face/training-args.ts,
 * src/checkpoint/hugging-face/trainer-state.ts, src/checkpoint/torch/training-state.ts, src/checkpoint/checks/check.ts,
 * src/checkpoint/checks/matched-set.ts, src/checkpoint/checks/learning-rate.ts, src/checkpoint/checks/optimizer-alignment.ts,
 * src/checkpoint/checks/configuration.ts, src/cli/resume/read-config.ts, src/checkpoint/checks/checksums.ts,
 * src/checkpoint/checks/finite-tensors.ts, src/checkpoint/checks/required-files.ts.
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
    expect(first(ran)).toBe('PASSED: checkpoint-25 (Hugging Face Trainer folder): 7 of 7 checks passed');
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
      'NOT FULLY CHECKED: checkpoint-25 (Hugging Face Trainer folder): 6 of 7 checks passed, 1 not checked',
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
    expect(first(ran)).toMatch(/^PASSED WITH WARNINGS: .*6 of 7 checks passed, 1 warning$/u);
    expect(ran.stdout).toContain('WARN  matched set');
    expect(ran.code).toBe(0);
    expect((await check(files, '--strict')).code).toBe(1);
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
