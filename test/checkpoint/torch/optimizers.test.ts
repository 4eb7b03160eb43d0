/**
 * Optimizers that are not one Adam: Adafactor, whose squares are by rows and columns, and several optimizers of one run. The layouts
 * are those that transformers 4.57 (optimization.py), PyTorch 2.5 (torch/optim/_adafactor.py) and Lightning 2.4 save.
 *
 * Holds src/checkpoint/parameter-shape.ts, src/checkpoint/torch/optimizers.ts, src/checkpoint/checks/several-optimizers.ts and
 * src/checkpoint/checks/steps.ts.
 */
import { describe, expect, it } from 'vitest';
import { createMemoryHost } from '../../../src/host/memory-host.ts';
import { runPv, type Ran } from '../../support/memory-cli.ts';
import { torchFile, type Python } from '../../support/torch-file.ts';

const dict = (members: Readonly<Record<string, Python>>): Python => new Map(Object.entries(members));
const filled = (value: number, ...shape: number[]): Python => ({
  shape,
  data: new Float32Array(shape.reduce((product, n) => product * n, 1)).fill(value),
});

async function pv(command: readonly string[], file: Python): Promise<Ran> {
  const host = createMemoryHost();
  host.files.set('/project/last.ckpt', torchFile(file));
  return runPv([...command, 'last.ckpt'], { host });
}

/** The statuses of checks of `pv resume check`, by name, and the report. */
async function checked(file: Python) {
  const ran = await pv(['resume', 'check', '--json'], file);
  expect(ran.stderr).toBe('');
  const { findings } = JSON.parse(ran.stdout) as { readonly findings: readonly Record<string, string>[] };
  const of = (name: string): string | undefined => findings.find(({ check }) => check === name)?.['status'];
  const critical = findings.flatMap(({ check, status }) => (status === 'CRITICAL' ? [check] : []));
  return { text: ran.stdout, of, critical };
}

const adafactorGroup = { lr: 0.001, beta1: null, relative_step: false, params: [0, 1, 2] };
const weights = dict({ conv: filled(1, 4, 1, 3, 3), bias: filled(1, 4), head: filled(1, 6, 4) });

const adafactor = (states: readonly Python[]): Python =>
  dict({
    model: weights,
    optimizer: dict({
      state: new Map(states.map((state, i) => [i, state])),
      param_groups: [dict(adafactorGroup)],
    }),
    scheduler: dict({ last_epoch: 9, _last_lr: [0.001], base_lrs: [0.001] }),
    rng_state: filled(0, 4),
    global_step: 9,
  });

const transformers = [
  { step: 9, exp_avg_sq_row: filled(1, 4, 1, 3), exp_avg_sq_col: filled(1, 4, 1, 3), RMS: filled(1) },
  { step: 9, exp_avg_sq: filled(1, 4), RMS: filled(1) },
  { step: 9, exp_avg_sq_row: filled(1, 6), exp_avg_sq_col: filled(1, 4), RMS: filled(1) },
];
const pytorch = [
  { step: filled(9), row_var: filled(1, 4, 1, 3, 1), col_var: filled(1, 4, 1, 1, 3) },
  { step: filled(9), variance: filled(1, 4) },
  { step: filled(9), row_var: filled(1, 6, 1), col_var: filled(1, 1, 4) },
];
describe.each([
  ['transformers', transformers, 'exp_avg_sq_col'],
  ['PyTorch', pytorch, 'col_var'],
] as const)('Adafactor of %s', (_, states, columns) => {
  const whole = states.map((state) => dict(state));
  const isTransformers = columns === 'exp_avg_sq_col';
  /** All states, that of parameter `index` with other members. */
  const changed = (index: number, members: Readonly<Record<string, Python>>): readonly Python[] =>
    states.map((state, i) => dict(i === index ? { ...state, ...members } : state));
  /** All states, that of parameter `index` without a member. */
  const lacking = (index: number, key: string): readonly Python[] =>
    states.map((state, i) =>
      dict(Object.fromEntries(Object.entries(state).filter(([name]) => i !== index || name !== key))),
    );

  it('passes', async () => {
    const { of } = await checked(adafactor(whole));
    for (const name of ['matched set', 'optimizer alignment', 'finite tensors', 'scheduler groups'])
      expect([name, of(name)]).toEqual([name, 'PASS']);
  });

  it('passes with averages of gradients too', async () => {
    const shapes = [[4, 1, 3, 3], [4], [6, 4]] as const;
    const averaged = states.map((state, i) => dict({ ...state, exp_avg: filled(0.1, ...(shapes[i] ?? [])) }));
    expect((await checked(adafactor(averaged))).of('optimizer alignment')).toBe('PASS');
  });

  it.each<readonly [string, readonly Python[], string, string]>([
    ['columns that are missing', lacking(2, columns), 'optimizer alignment', `state 2 has no ${columns}`],
    [
      'squares of a vector that are missing',
      lacking(1, isTransformers ? 'exp_avg_sq' : 'variance'),
      'optimizer alignment',
      'state 1 ',
    ],
    [
      'the shape of another model',
      changed(2, { [columns]: isTransformers ? filled(1, 5) : filled(1, 1, 5) }),
      'optimizer alignment',
      'of shape [6, 5]',
    ],
    [
      'a negative square',
      changed(0, { [columns]: isTransformers ? filled(-1, 4, 1, 3) : filled(-1, 4, 1, 1, 3) }),
      'finite tensors',
      `state[0].${columns}[0] = -1`,
    ],
    ['a state of another step', changed(2, { step: 3 }), 'matched set', 'optimizer 3 to 9'],
  ])('fails with %s', async (_name, broken, check, words) => {
    const { of, text } = await checked(adafactor(broken));
    expect(of(check)).toBe('CRITICAL');
    expect(text).toContain(words);
  });
});

const adam = (step: number, shape: readonly number[], more: Readonly<Record<string, Python>> = {}): Python =>
  dict({
    state: new Map([
      [0, dict({ step: filled(step), exp_avg: filled(0.1, ...shape), exp_avg_sq: filled(0.1, ...shape), ...more })],
    ]),
    param_groups: [dict({ lr: 0.1, amsgrad: false, params: [0] })],
  });
const scheduler = (steps: number, groups = 1): Python =>
  dict({ last_epoch: steps, _last_lr: Array<number>(groups).fill(0.1), base_lrs: Array<number>(groups).fill(0.1) });

const gan = (more: Readonly<Record<string, Python>> = {}): Python =>
  dict({
    'pytorch-lightning_version': '2.4.0',
    epoch: 0,
    global_step: 24,
    state_dict: dict({ 'G.weight': filled(1, 3, 2), 'D.weight': filled(1, 1, 3) }),
    optimizer_states: [adam(8, [3, 2]), adam(16, [1, 3])],
    lr_schedulers: [scheduler(8), scheduler(16)],
    ...more,
  });

describe('a Lightning checkpoint with several optimizers', () => {
  it('passes, with the steps of all of them together', async () => {
    const { of, text } = await checked(gan());
    for (const name of ['matched set', 'optimizer alignment', 'finite tensors', 'scheduler groups'])
      expect([name, of(name)]).toEqual([name, 'PASS']);
    expect(text).toContain('optimizer 0: 8, scheduler 8; optimizer 1: 16, scheduler 16');
  });

  it.each<readonly [string, Readonly<Record<string, Python>>]>([
    ['one scheduler for two optimizers', { lr_schedulers: [scheduler(8)] }],
    ['no scheduler', { lr_schedulers: [] }],
    [
      'an SGD whose steps are unknown',
      {
        optimizer_states: [
          adam(8, [3, 2]),
          dict({ state: dict({}), param_groups: [dict({ lr: 0.1, momentum: 0, params: [0] })] }),
        ],
        lr_schedulers: [],
      },
    ],
    ['rounds that are counted, as in loops', { global_step: 16 }],
    [
      'a dict of optimizers',
      {
        optimizer_states: dict({ G: adam(8, [3, 2]), D: adam(16, [1, 3]) }),
        lr_schedulers: dict({ G: scheduler(8), D: scheduler(16) }),
      },
    ],
  ])('passes with %s', async (_, more) => {
    const { critical, of } = await checked(gan(more));
    expect(of('matched set')).toBe('PASS');
    expect(critical).toEqual([]);
  });

  it.each<readonly [string, Readonly<Record<string, Python>>, string, string]>([
    [
      'an optimizer that started afresh',
      { optimizer_states: [adam(8, [3, 2]), adam(1, [1, 3])], lr_schedulers: [] },
      'matched set',
      'another number of steps than the trainer',
    ],
    [
      'a stale scheduler',
      { lr_schedulers: [scheduler(8), scheduler(3)] },
      'matched set',
      'optimizer 1 and its scheduler are of different steps',
    ],
    [
      'schedulers that were exchanged',
      { lr_schedulers: [scheduler(16), scheduler(8)] },
      'matched set',
      'optimizer 0 and its scheduler',
    ],
    [
      'optimizers of another model',
      { optimizer_states: [adam(8, [3, 2]), adam(16, [1, 5])] },
      'optimizer alignment',
      'state 1 is of a parameter of shape [1, 5]',
    ],
    [
      'a NaN in the second',
      { optimizer_states: [adam(8, [3, 2]), adam(16, [1, 3], { exp_avg: filled(NaN, 1, 3) })] },
      'finite tensors',
      'optimizer_states[1].state[0].exp_avg[0] = NaN',
    ],
    ['a scheduler of other groups', { lr_schedulers: [scheduler(8), scheduler(16, 2)] }, 'scheduler groups', '2 rates'],
  ])('fails with %s', async (_, more, check, words) => {
    const { of, text } = await checked(gan(more));
    expect(of(check)).toBe('CRITICAL');
    expect(text).toContain(words);
  });

  it('is shown with all of them', async () => {
    const { code, stdout } = await pv(['checkpoint', 'inspect'], gan());
    expect(code).toBe(0);
    expect(stdout).toContain('optimizer     2 optimizers, 2 groups, 2 states at step 8 and 16;');
    expect(stdout).toContain('scheduler     after 8 steps, rate 0.1; after 16 steps, rate 0.1\n');
    expect(stdout).toContain('optimizer_states[1].state[0].exp_avg_sq  F32 [1, 3]');
  });

  it('whose list has something else shows no optimizer', async () => {
    const { stdout } = await pv(['checkpoint', 'inspect'], gan({ optimizer_states: [adam(8, [3, 2]), 7] }));
    expect(stdout).toContain('optimizer     not saved, or not in a form that pv reads');
  });
});

it('a tar archive of PyTorch before 0.1.10 is refused by its name', async () => {
  const tar = new Uint8Array(10240);
  tar.set(Buffer.from('sys_info'), 0);
  tar.set(Buffer.from('ustar\0'), 257);
  const host = createMemoryHost();
  host.files.set('/project/old.pth.tar', tar);
  host.files.set('/project/folder/old.pt', tar);
  for (const path of ['old.pth.tar', 'folder']) {
    const ran = await runPv(['checkpoint', 'inspect', path], { host });
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain('error[PV-8501]');
    expect(ran.stderr).toContain('a tar archive, as torch.save wrote before PyTorch 0.1.10');
  }
});
