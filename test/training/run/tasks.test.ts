/** Several tasks in one run: `tasks`, `ewc`, `replay` and `FullFisher` of run files, up to their replay. Holds src/training/run/sequence.ts. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/canonical-json.ts';
import { readCheckpoint, writeCheckpoint } from '../../../src/training/run/checkpoint.ts';
import { readRun } from '../../../src/training/run/run-file.ts';
import { verifyCertificate, type Level } from '../../../src/training/verify/verify.ts';
import { gradientOf, trainerWith } from '../invariants/fixture.ts';
import { editStep, forged, recordsOf } from './forged-run.ts';
import { document, filesOf, trainedFiles, type TrainedFiles } from './small-run.ts';

const names = { certificate: 'certificate.json', weights: 'weights.safetensors' };
const verify = (files: TrainedFiles, level: Level, first = 0) =>
  verifyCertificate(filesOf(files), { level, segments: 2, keys: [], names, pick: (n) => Math.min(first, n - 1) });

const { drills: _, ...rest } = document;
const data = { kind: 'planted_graph', nodes: 24, classes: 3, features: 4, degree: 3, homophily: 0.2, labelled: 0.9 };
/**
 * Three tasks, whose boundaries are in the middle and at the end of segments. The warm-up lets norms exceed their bound, so that
 * the anchors widen it; the energy gate sends some steps to the deep checks.
 */
const continual: JsonObject = {
  ...rest,
  warmup_steps: 24,
  expensive_check_interval: 4,
  tasks: [
    { name: 'north', steps: 10 },
    { name: 'south', steps: 8, seed: 9, data },
    { name: 'east', steps: 6, seed: 4 },
  ],
  ewc: { lambda: 3, fisher_samples: 8 },
  replay: { capacity: 12, samples_per_step: 5 },
  invariants: [
    { LossStabilityBound: { spike_cap: 0.9, window: 5, max_gradient_norm: 50, max_step_size: 20 } },
    { WeightNormBound: { max_norm: 2.3, min_norm: 0.01 } },
    { LipschitzBound: { max_lipschitz: 20, gram_iterations: 3 } },
    { EnergyGate: { min_energy: 0.92, critical_energy: 0.01 } },
    { PermutationEquivariance: { max_deviation: 0.001 } },
    { FullFisher: { every_epochs: 2, max_interaction: 1, samples: 6, rng_seed: 2 } },
  ],
};

const honest = await trainedFiles(continual);
const at = (step: number) => recordsOf(honest)[step - 1]?.measured ?? [];
const bound = (step: number, what: string) =>
  at(step).find((one) => one.what === what && one.is === 'at most')?.bound ?? null;
const value = (step: number, what: string) => at(step).find((one) => one.what === what)?.value ?? null;

describe('a run of several tasks', () => {
  it.each([
    ['files', 0],
    ['ledger', 0],
    ['spot', 0],
    ['spot', 1],
    ['spot', 2],
    ['spot', 3],
    ['full', 0],
  ] as const)('verifies at level %s, from segment %i', async (level, first) => {
    expect(await verify(honest, level, first)).toMatchObject({ reached: level, problem: null });
  });

  it('gives the same bytes again', async () => {
    expect((await trainedFiles(continual)).ledger).toBe(honest.ledger);
  });

  it('begins the average of losses anew with each task', () => {
    expect([1, 2, 10, 11, 12, 18, 19, 20].map((step) => bound(step, 'loss') !== null)).toEqual([
      false,
      true,
      true,
      false,
      true,
      true,
      false,
      true,
    ]);
  });

  it('widens norms to the anchors of the tasks that have ended, and no earlier', () => {
    expect(bound(10, 'conv2')).toBe(2.3);
    expect(value(10, 'conv2')).toBeGreaterThan(2.3);
    expect(bound(11, 'conv2')).toBe(value(10, 'conv2'));
    expect(honest.certificate.config['ewc']).toEqual({
      lambda: 3,
      tasks: [
        { name: 'north', after: 10 },
        { name: 'south', after: 18 },
      ],
    });
  });

  it('replays samples from the second step on, and checks them', () => {
    expect([1, 2, 24].map((step) => value(step, 'replayed gradient norm') !== null)).toEqual([false, true, true]);
  });

  it('holds the loss of the first task down while it learns another', async () => {
    const tasks = [
      { name: 'north', steps: 60 },
      { name: 'south', steps: 60, seed: 9, data },
    ];
    /** The loss on the first task after the second. */
    const lossAfter = async (more: JsonObject) => {
      const free = { ...rest, invariants: [], steps: 120, tasks, ...more };
      const run = readRun(free);
      if (!run.ok) throw new Error(run.error.message);
      const { parameters } = await import('../../../src/training/run/train.ts').then(({ train }) =>
        train(run.value, { ledger: () => undefined, checkpoint: async () => undefined, progress: async () => false }),
      );
      const arrays = new Map(parameters.map((one) => [one.name, one.data]));
      return run.value.task().lossAndGradients((name) => arrays.get(name) ?? new Float32Array(), 1).loss;
    };
    const forgotten = await lossAfter({});
    expect(await lossAfter({ ewc: { lambda: 20 } })).toBeLessThan(forgotten);
    expect(await lossAfter({ replay: { capacity: 64, samples_per_step: 20 } })).toBeLessThan(forgotten);
  });
});

const without = (step: number, left: (what: string) => boolean) => (files: TrainedFiles) =>
  forged(
    files,
    editStep(step, (record) => ({ ...record, measured: record.measured.filter(({ what }) => !left(what)) })),
  );

describe('a forged run of several tasks', () => {
  const escalated = [...Array(24).keys()]
    .map((i) => i + 1)
    .find((step) => step % 4 !== 0 && step % 2 === 0 && value(step, 'interaction') !== null);

  it('has a step that only the energy gate sent to the deep checks', () => {
    expect(escalated).toBeDefined();
  });

  it.each<[string, (files: TrainedFiles) => TrainedFiles]>([
    ['a step that replays nothing', without(9, (what) => what.startsWith('replayed '))],
    ['a replayed loss left out', without(9, (what) => what === 'replayed loss')],
    ['a due check of the Fisher matrix left out', without(8, (what) => what === 'interaction')],
    [
      'a check of the Fisher matrix left out that the energy gate made due',
      without(escalated ?? 0, (what) => what === 'interaction'),
    ],
    [
      'permutations left out that the energy gate made due',
      without(escalated ?? 0, (what) => what.startsWith('permutation')),
    ],
    [
      'a norm under an anchor of nobody',
      (files) =>
        forged(
          files,
          editStep(20, (record) => ({
            ...record,
            measured: record.measured.map((one) =>
              one.what === 'conv2' && one.is === 'at most' ? { ...one, bound: 99 } : one,
            ),
          })),
        ),
    ],
    [
      'an average that begins anew where no task does',
      (files) =>
        forged(
          files,
          editStep(6, (record) => ({ ...record, measured: record.measured.filter(({ what }) => what !== 'loss') })),
        ),
    ],
  ])('with %s is not verified at level ledger', async (_, attack) => {
    expect(await verify(attack(honest), 'ledger')).toMatchObject({ reached: 'files', problem: { code: 'PV-8410' } });
  });

  it('without the anchors in a checkpoint is not verified at spot', async () => {
    const read = readCheckpoint(honest.checkpoints.get(12) ?? new Uint8Array());
    if (!read.ok) throw new Error(read.error.message);
    const names = read.value.arrays.map(({ name }) => name).filter((name) => name.startsWith('ewc/'));
    expect(names).toContain('ewc/0/anchor/conv1.weight');
    expect(names).toHaveLength(8);
    const { createHash } = await import('node:crypto');
    for (const [arrays, code] of [
      [read.value.arrays.filter(({ name }) => !name.startsWith('ewc/')), 'PV-8412'],
      [read.value.arrays.filter(({ name }) => !name.startsWith('ewc/0/fisher/')), 'PV-8413'],
    ] as const) {
      const file = Uint8Array.from(Buffer.concat([...writeCheckpoint({ ...read.value, arrays })]));
      const sha256 = createHash('sha256').update(file).digest('hex');
      const checkpoints = honest.certificate.checkpoints.map((one) => (one.step === 12 ? { ...one, sha256 } : one));
      const files = {
        ...honest,
        checkpoints: new Map([...honest.checkpoints, [12, file]]),
        certificate: { ...honest.certificate, checkpoints },
      };
      expect(await verify(files, 'spot', 2)).toMatchObject({ reached: 'ledger', problem: { code } });
    }
  });
});

describe('a run file of several tasks', () => {
  it.each<[JsonObject, string]>([
    [
      { ewc: { lambda: 1 } },
      'run.ewc keeps the weights near those of earlier tasks, so run.tasks must list two or more',
    ],
    [{ tasks: [{ name: 'a', steps: 20 }] }, 'run.steps is 24; it must be 20'],
    [
      {
        tasks: [
          { name: 'a', steps: 12 },
          { name: 'a', steps: 12 },
        ],
      },
      "run.tasks[1].name is 'a' again",
    ],
    [
      {
        tasks: [
          { name: 'a', steps: 12 },
          { name: 'b', steps: 12, data: { ...data, classes: 4 } },
        ],
      },
      'run.tasks[1].data.classes is 4; it must be 3',
    ],
    [{ tasks: [{ name: 'a\u202e', steps: 24 }] }, 'run.tasks[0].name is not a name'],
    [{ replay: { capacity: 0, samples_per_step: 1 } }, 'run.replay.capacity is 0'],
    [{ replay: { capacity: 3 } }, 'run.replay'],
    [{ invariants: [{ FullFisher: { every_epochs: 0, max_interaction: 0.5 } }] }, 'everyEpochs is 0'],
    [{ invariants: [{ PermutationEquivariance: { max_deviation: -1 } }] }, 'maxDeviation is -1'],
    [{ invariants: [{ Custom: { name: 'x' } }] }, 'run.invariants[0].Custom has no place in a run file'],
  ])('is refused: %j', (more, message) => {
    const run = readRun({ ...document, ...more });
    expect(run.ok ? '' : run.error.message).toContain(message);
  });
});

describe('a trainer of your own that learns several tasks', () => {
  it('anchors the weights that a task ends with, once a step of it was committed', async () => {
    const trainer = trainerWith([], {
      taskStarts: [3],
      ewc: {
        lambda: 2,
        tasks: [{ name: 'first', after: 2, fisher: () => ({ 'a.weight': Float32Array.of(1, 1, 1, 1) }) }],
      },
    });
    for (const _ of [1, 2, 3]) await trainer.step({ loss: 1, gradients: gradientOf(1, 0, 0, 0) });
    expect(trainer.keep().arrays.map(({ name }) => name)).toContain('ewc/0/anchor/a.weight');
    // The third step moved 0.1 away from the anchor: λ/2·0.1² = 0.01.
    expect((await trainer.step({ loss: 1, gradients: gradientOf(0, 0, 0, 0) })).loss).toBeCloseTo(1.01, 6);

    const idle = trainerWith([], { ewc: { lambda: 2, tasks: [{ name: 'first', after: 1, fisher: () => ({}) }] } });
    await idle.step({ loss: NaN, gradients: gradientOf(1, 0, 0, 0) });
    expect((await idle.step({ loss: 1, gradients: gradientOf(1, 0, 0, 0) })).verdict).toBe('committed');
  });

  it('must replay if the option says so', async () => {
    const trainer = trainerWith([], { replay: { capacity: 4, perStep: 2 } });
    const gradients = gradientOf(0, 0, 0, 0);
    await trainer.step({ loss: 1, gradients, samples: [5] });
    await expect(trainer.step({ loss: 1, gradients })).rejects.toThrow(/^PV-8402: A step replays no samples/);
    expect((await trainer.step({ loss: 1, gradients, replayed: { loss: 1, gradients } })).verdict).toBe('committed');
  });

  it('takes starts in ascending order', () => {
    expect(() => trainerWith([], { taskStarts: [5, 5] })).toThrow('PV-8403: taskStarts[1] is 5');
    expect(() => trainerWith([], { taskStarts: [1] })).toThrow('PV-8403: taskStarts[0] is 1');
  });
});
