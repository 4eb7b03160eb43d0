/**
 * The training loop, healthy and with each bug: what its tables record is the symptom that the bug's contract asks for.
 */
import { describe, expect, it } from 'vitest';
import { bugs, type BugName } from '../../examples/training-loop/config.ts';
import { entropyOfTask } from '../../examples/training-loop/data.ts';
import { openKernels } from '../../examples/training-loop/kernels.ts';
import { train, type RunFiles } from '../../examples/training-loop/train.ts';
import { repositoryRoot } from '../support/built.ts';

type Row = Readonly<Record<string, number | string>>;

const run = await openKernels(repositoryRoot);

/** NaN and Infinity stand in the files as they are, which JSON does not know. */
function rowsOf(files: RunFiles, name: string): readonly Row[] {
  const lines = (files[`${name}.jsonl`] ?? '').trimEnd().split('\n');
  return lines.map((line) => {
    const quoted = line.replaceAll(/: (NaN|-?Infinity)\b/g, ': "$1"');
    return Object.fromEntries(
      Object.entries(JSON.parse(quoted) as Row).map(([key, value]) => [
        key,
        /^(?:NaN|-?Infinity)$/.test(String(value)) ? Number(value) : value,
      ]),
    );
  });
}

const column = (files: RunFiles, table: string, name: string): readonly number[] =>
  rowsOf(files, table).map((row) => Number(row[name]));
const withBug = (bug: BugName): RunFiles => train(run, { bug, steps: 20 });
const where = (
  files: RunFiles,
  table: string,
  wrong: (row: Row) => boolean,
): readonly (string | number | undefined)[] =>
  rowsOf(files, table)
    .filter(wrong)
    .map(({ name }) => name);

const overflows = (row: Row): boolean => Number(row['required']) > Number(row['allocated']);
const refused = (row: Row): boolean => row['src_len'] !== row['dst_len'];
/** A matrix product that reads or writes beyond a buffer. */
const outgrows = ({ m, k, n, a_len, b_len, c_len }: Row): boolean =>
  Number(a_len) < Number(m) * Number(k) ||
  Number(b_len) < Number(k) * Number(n) ||
  Number(c_len) < Number(m) * Number(n);
const misplaced = (row: Row): boolean => row['columns_of_output'] !== row['stride_of_output'];
const differs = (row: Row): boolean =>
  Object.entries(row).some(([key, value]) => key.startsWith('config_') && row[key.slice('config_'.length)] !== value);

/** What the tables of the static bricks say of a run: names of the rows that are wrong. */
const findings = (files: RunFiles) => ({
  buffers: where(files, 'buffers', overflows),
  products: where(files, 'buffers', outgrows),
  copies: where(files, 'copies', refused),
  gemms: where(files, 'gemms', misplaced),
  optimizers: where(files, 'optimizers', differs),
  state: where(files, 'state', (row) => row['m_max'] !== 0 || row['v_max'] !== 0),
});
const nothing = { buffers: [], products: [], copies: [], gemms: [], optimizers: [], state: [] };

/** Steps and copies of a profile, and how many copies to the host began while a kernel ran. */
function profileOf(files: RunFiles): {
  readonly steps: number;
  readonly copies: number;
  readonly bytes: readonly number[];
  readonly early: number;
} {
  const { traceEvents } = JSON.parse(files['profile.json'] ?? '') as { traceEvents: readonly Row[] };
  const copies = traceEvents.filter(({ cat }) => cat === 'gpu_memcpy');
  const kernels = traceEvents.filter(({ cat }) => cat === 'kernel');
  const runsAt = (time: number): boolean =>
    kernels.some(({ ts, dur }) => Number(ts) < time && time < Number(ts) + Number(dur));
  return {
    steps: traceEvents.filter(({ name }) => String(name).startsWith('ProfilerStep#')).length,
    copies: copies.length,
    bytes: copies.slice(0, 3).map(({ args }) => Number((args as unknown as Row)['bytes'])),
    early: copies.filter(({ name, ts }) => String(name).includes('DtoH') && runsAt(Number(ts))).length,
  };
}

describe('a healthy run', () => {
  const files = train(run, { bug: null });
  const losses = column(files, 'run', 'loss');
  const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

  it('learns the task to near its entropy', () => {
    expect(losses).toHaveLength(240);
    expect(mean(losses.slice(0, 10))).toBeGreaterThan(2.3);
    expect(mean(losses.slice(-40))).toBeLessThan(entropyOfTask(12) + 0.15);
  });

  it('records nothing that a contract would refuse', () => {
    expect(findings(files)).toEqual(nothing);
    expect(column(files, 'run', 'weights_nan_count').every((count) => count === 0)).toBe(true);
    expect(column(files, 'run', 'skipped').every((count) => count === 0)).toBe(true);
    expect(Math.max(...column(files, 'run', 'clipped_grad_norm'))).toBeLessThanOrEqual(1 + 1e-5);
    expect(column(files, 'gradients', 'grad_max').every((value) => value > 0 && value < 10)).toBe(true);
  });

  it('follows the schedule: the peak at the end of warm-up, the floor at the end', () => {
    const rates = column(files, 'run', 'learning_rate');
    expect([rates[23], rates.at(-1)]).toEqual([Math.fround(0.01), Math.fround(0.001)]);
    expect(Math.max(...rates)).toBe(rates[23]);
  });

  it('gives the same checkpoint twice', () => {
    const { first_digest, second_digest, ...steps } = JSON.parse(files['checkpoints.json'] ?? '') as Row;
    expect(first_digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(second_digest).toBe(first_digest);
    expect(steps).toEqual({ seed: 42, first_step: 100, second_step: 100 });
  });

  it('profiles three transfers per micro-batch, and a synchronisation before the one that the host reads', () => {
    const { steps, copies, bytes, early } = profileOf(files);
    expect(steps).toBe(4);
    expect(copies).toBe(3 * steps);
    expect(bytes).toEqual([4 * 32 * 8, 4 * 32 * 12, 4 * 32 * 12]);
    expect(early).toBe(0);
  });
});

/** The static finding that each bug leaves; the dynamic ones stand below. */
const recorded: Readonly<Record<BugName, Partial<ReturnType<typeof findings>>>> = {
  // Whoever reads the buffer that is too small reads beyond it as well.
  'alb-043': {
    buffers: ['siluBackward → grad_gate'],
    products: ['gemmBackwardB → block1.w_up.micro', 'gemmBackwardA → grad_input', 'gemmBackwardB → block0.w_up.micro'],
  },
  'alb-041': { copies: ['block1.gate → grad_hidden'] },
  transpose: {
    buffers: ['transpose → lm_head.transposed'],
    products: ['matmul → logits', 'gemmBackwardA → grad_hidden'],
  },
  'short-sequence': { copies: ['embedded → hidden0'] },
  'alb-044-clip': { optimizers: ['embedding'] },
  'alb-044-beta2': { optimizers: ['embedding'] },
  'alb-059-gemm': {
    buffers: ['gemmBackwardA → grad_hidden'],
    products: ['gemmBackwardA → grad_hidden'],
    gemms: ['lm_head.grad_hidden'],
  },
  'alb-059-init': { state: ['block0.w_up', 'block0.w_down', 'block1.w_up', 'block1.w_down', 'lm_head', 'embedding'] },
  'alb-060': {},
  'alb-065': {},
};

describe('a bug', () => {
  const names = Object.keys(bugs) as BugName[];
  const files = new Map(names.map((bug) => [bug, withBug(bug)]));
  const of = (bug: BugName): RunFiles => files.get(bug) ?? {};

  it.each(names)('%s leaves its finding in the tables, and no other', (bug) => {
    expect(findings(of(bug))).toEqual({ ...nothing, ...recorded[bug] });
  });

  it('alb-041 leaves everything below the refused copy without a gradient', () => {
    expect(rowsOf(of('alb-041'), 'gradients').filter(({ step }) => step === 0)).toMatchObject([
      { name: 'embedding', grad_max: 0 },
      { name: 'block0.w_up', grad_max: 0 },
      { name: 'block0.w_down', grad_max: 0 },
      { name: 'block1.w_up', grad_max: expect.closeTo(0.055, 2) },
      { name: 'block1.w_down', grad_max: expect.closeTo(0.073, 2) },
      { name: 'lm_head', grad_max: expect.closeTo(0.172, 2) },
    ]);
  });

  it('alb-043 computes the correct numbers by luck: only the sizes reveal it', () => {
    expect(column(of('alb-043'), 'run', 'loss')).toEqual(column(train(run, { bug: null, steps: 20 }), 'run', 'loss'));
  });

  it('short-sequence skips every short micro-batch', () => {
    const skipped = rowsOf(of('short-sequence'), 'run').filter((row) => row['skipped'] !== 0);
    expect(skipped.map(({ step }) => step)).toEqual([7, 15]);
  });

  it('alb-044-clip: 1e35 and more reach the embedding, whose weights turn to NaN within a step', () => {
    const [first, second] = rowsOf(of('alb-044-clip'), 'gradients').filter(({ name }) => name === 'embedding');
    expect(Number(first?.['grad_max'])).toBeGreaterThan(1e35);
    expect(second?.['grad_max']).not.toBe(0);
    const rows = rowsOf(of('alb-044-clip'), 'run');
    expect(rows[0]?.['weights_nan_count']).toBeGreaterThan(0);
    expect(rows[0]?.['clipped_grad_norm']).toBeLessThanOrEqual(1);
    expect(rows[1]?.['loss']).toBeNaN();
  });

  it('alb-044-beta2: the embedding holds 0.999 where the config says 0.95', () => {
    const held = rowsOf(of('alb-044-beta2'), 'optimizers').find(({ name }) => name === 'embedding');
    expect(held).toMatchObject({ beta2: 0.999, config_beta2: 0.95, weight_decay: 0.01, config_weight_decay: 0.1 });
    const file = of('alb-044-beta2')['optimizer-embedding.json'] ?? '';
    expect(JSON.parse(file)).toMatchObject({ beta2: 0.95, effective: { beta2: 0.999 } });
  });

  it.each(['alb-059-gemm', 'alb-059-init'] as const)('%s: a second moment below zero makes NaN', (bug) => {
    const rows = rowsOf(of(bug), 'run');
    expect(rows[0]?.['loss']).toBeCloseTo(2.59, 1);
    expect(rows[0]?.['weights_nan_count']).toBeGreaterThan(0);
    expect(rows[1]?.['loss']).toBeNaN();
  });

  it('alb-060: 43 steps end at 6.45e-6, and the loss is flat', () => {
    const rows = rowsOf(train(run, { bug: 'alb-060' }), 'run');
    expect(rows).toHaveLength(43);
    expect(rows.at(-1)?.['learning_rate']).toBeCloseTo(6.45e-6, 12);
    expect(rows.at(-1)?.['loss']).toBeGreaterThan(2.4);
  });

  it('alb-065: the host reads logits that nothing has written yet', () => {
    expect(Number(rowsOf(of('alb-065'), 'run')[0]?.['loss'])).toBeGreaterThan(100);
    expect(profileOf(of('alb-065'))).toMatchObject({ steps: 4, early: 4 });
  });
});
