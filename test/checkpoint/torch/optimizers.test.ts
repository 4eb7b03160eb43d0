/** Several optimizers in a file of torch.save, and folders of accelerate. Holds src/checkpoint/torch/optimizers.ts, src/checkpoint/hugging-face/accelerate.ts. */
import { describe, expect, it } from 'vitest';
import { createMemoryHost } from '../../../src/host/memory-host.ts';
import { openCheckpoint } from '../../../src/checkpoint/open-checkpoint.ts';
import { writeSafetensors } from '../../../src/tensors/safetensors.ts';
import { runPv } from '../../support/memory-cli.ts';
import { torchFile, type Python } from '../../support/torch-file.ts';

const dict = (entries: Readonly<Record<string, Python>>): Map<Python, Python> => new Map(Object.entries(entries));
const tensor = (value: number, ...shape: readonly number[]) => ({
  shape,
  data: new Float32Array(shape.reduce((product, n) => product * n, 1)).fill(value),
});
const adam = (step: number, rate: number): Python =>
  dict({
    state: new Map<Python, Python>([
      [0, dict({ step: tensor(step), exp_avg: tensor(0, 2), exp_avg_sq: tensor(0, 2) })],
    ]),
    param_groups: [dict({ lr: rate, params: [0], amsgrad: false })],
  });
const network = (): Python => dict({ 'fc.weight': tensor(1, 2) });

async function opened(value: Python) {
  const host = createMemoryHost({ 'other.txt': '' });
  host.files.set('/project/gan.pt', torchFile(value));
  const read = await openCheckpoint(host, 'gan.pt');
  if (!read.ok) throw new Error(read.error.message);
  return { host, checkpoint: read.value.checkpoint };
}

describe('all optimizers are read, each with its own parameters', () => {
  it.each<readonly [string, Readonly<Record<string, Python>>]>([
    ['under keys of their own', { G: network(), D: network(), optG: adam(20, 0.1), optD: adam(100, 0.2), step: 20 }],
    ['as a list', { netG: network(), netD: network(), optimizer: [adam(20, 0.1), adam(100, 0.2)], step: 20 }],
    [
      'by name in a dict',
      { netG: network(), netD: network(), optimizers: dict({ g: adam(20, 0.1), d: adam(100, 0.2) }), step: 20 },
    ],
  ])('%s', async (_, entries) => {
    const { host, checkpoint } = await opened(dict({ ...entries, g_ema: network(), cpu_rng: tensor(0, 4) }));
    const { weights, others, optimizer } = checkpoint;
    expect(weights.map(({ name }) => name)).toEqual(
      Object.keys(entries)
        .slice(0, 2)
        .map((key) => `${key}.fc.weight`),
    );
    expect(others.map(({ name }) => name)).toEqual(['g_ema.fc.weight', 'cpu_rng']);
    expect(optimizer?.groups).toMatchObject([
      { learningRate: 0.1, parameters: [0] },
      { learningRate: 0.2, parameters: [1] },
    ]);
    expect(optimizer?.states.map(({ index, step }) => [index, step])).toEqual([
      [0, 20],
      [1, 100],
    ]);
    // One network is stepped five times as often as the other: that is no mix of two checkpoints.
    const { stdout } = await runPv(['resume', 'check', 'gan.pt'], { host });
    expect(stdout).toContain('NOT CHECKED  matched set');
    expect(stdout).toContain('PASS  optimizer alignment');
  });

  it('of a network under a customary key and one of its own, both are weights, and one scheduler is that of one optimizer', async () => {
    const scheduler = dict({ last_epoch: 20, _last_lr: [0.1], base_lrs: [0.1], lr_lambdas: [null] });
    const entries = { model: network(), disc: network(), best_model: network(), optimizer: adam(20, 0.1) };
    const value = dict({ ...entries, optimizer_d: adam(100, 0.2), scheduler, step: 20 });
    const { host, checkpoint } = await opened(value);
    expect(checkpoint.weights.map(({ name }) => name)).toEqual(['fc.weight', 'disc.fc.weight']);
    const { stdout } = await runPv(['resume', 'check', 'gan.pt'], { host });
    expect(stdout).not.toContain('CRITICAL');
    expect(stdout).toContain('PASS  optimizer alignment');
    expect(stdout).toMatch(/^Nothing to check: .*scheduler groups/mu);
    // A probe has one of the two optimizers.
    const parameter = { name: 'fc.weight', shape: [2], step: 100, state: {} };
    const optimizer = { kind: 'Adam', groups: [{ learning_rate: 0.2, parameters: [0] }], parameters: [parameter] };
    const probe = { format: 'pv-resume-probe/1', rank: 0, world_size: 1, step: 20, optimizer };
    host.files.set('/project/probe.json', Buffer.from(JSON.stringify(probe)));
    const probed = await runPv(['resume', 'check', 'gan.pt', '--probe', 'probe.json'], { host });
    expect(probed.stdout).not.toContain('CRITICAL');
    expect(probed.stdout).toContain('missing   the checkpoint has several optimizers, and the probe has one');
  });

  it.each<readonly [string, Readonly<Record<string, Python>>, readonly string[] | null]>([
    ['under one key', { rng_state: tensor(0, 4) }, ['cpu']],
    [
      'of PyTorch, Python and NumPy',
      { torch_rng: tensor(0, 4), python_rng: [3], numpy_rng_state: ['MT19937'] },
      ['cpu', 'python', 'numpy'],
    ],
    [
      'as nanoGPT and DeepSpeed name them',
      { cpu_rng_state: tensor(0, 4), random_rng_state: [3], cuda_rng_state_all: [tensor(0, 4)] },
      ['cpu', 'python', 'cuda'],
    ],
    ['by device', { rng_state_cpu: tensor(0, 4), rng_state_cuda: tensor(0, 4) }, ['cpu', 'cuda']],
    ['in a dict', { rng_states: dict({ torch_cpu: tensor(0, 4), numpy: ['MT19937'] }) }, ['cpu', 'numpy']],
    ['as a seed, which is none', { random_state: 42, random_seed: 42, random: 'x' }, null],
  ])('with random states %s', async (_, entries, found) => {
    const { checkpoint } = await opened(dict({ model: network(), optimizer: adam(1, 0.1), ...entries }));
    expect(checkpoint.randomStates).toEqual(found);
    expect(checkpoint.weights.map(({ name }) => name)).toEqual(['fc.weight']);
  });

  it('of an optimizer alone, nothing is a weight', async () => {
    const { checkpoint } = await opened(adam(7, 0.1));
    expect([checkpoint.weights, checkpoint.others, checkpoint.optimizer?.states[0]?.step]).toEqual([[], [], 7]);
  });
});

describe('a folder of accelerate', () => {
  async function folder(files: Readonly<Record<string, Python>>) {
    const host = createMemoryHost({ 'other.txt': '' });
    const weights = writeSafetensors([{ name: 'fc.weight', shape: [2], data: Float32Array.of(1, 2) }]);
    host.files.set('/project/state/model.safetensors', Buffer.concat(weights));
    for (const [name, value] of Object.entries(files)) host.files.set(`/project/state/${name}`, torchFile(value));
    return host;
  }
  const random = dict({ step: 0, random_state: [3], numpy_random_seed: [1], torch_manual_seed: tensor(0, 4) });

  it('has its optimizers, scheduler, random states and loss scale', async () => {
    const host = await folder({
      'optimizer_1.bin': adam(100, 0.2),
      'optimizer.bin': adam(20, 0.1),
      'scheduler.bin': dict({ last_epoch: 20, _last_lr: [0.1], base_lrs: [0.1] }),
      'scaler.pt': dict({ scale: 1024 }),
      'sampler.bin': dict({}),
      'random_states_0.pkl': random,
      'random_states_1.pkl': random,
    });
    const opened = await openCheckpoint(host, 'state');
    expect(opened).toMatchObject({
      ok: true,
      value: {
        checkpoint: {
          format: 'folder of accelerate',
          optimizer: { optimizers: 2, groups: [{ learningRate: 0.1 }, { learningRate: 0.2 }] },
          scheduler: { lastEpoch: 20 },
          randomStates: ['python', 'numpy', 'cpu'],
          randomBytes: [{ name: 'random_states_0.pkl' }, { name: 'random_states_1.pkl' }],
          lossScale: 1024,
          weights: [{ name: 'fc.weight' }],
          others: [],
        },
      },
    });
    const { stdout } = await runPv(['resume', 'check', 'state'], { host });
    expect(stdout).toContain('PASS  required files');
  });

  it('with an optimizer that is none is refused, with its file', async () => {
    const { code, stderr } = await runPv(['checkpoint', 'inspect', 'state'], {
      host: await folder({ 'optimizer.bin': dict({}) }),
    });
    expect(code).toBe(1);
    expect(stderr).toContain('error[PV-8504]: state: optimizer.bin: The optimizer state has no "state"');
  });
});
