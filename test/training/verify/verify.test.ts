/** Certificates of real and of forged runs. Holds src/training/run/train.ts, src/training/verify/check-ledger.ts, src/training/verify/check-bounds.ts, src/training/verify/replay.ts. */
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '../../../src/merkle/sha256.ts';
import { compactLedger } from '../../../src/training/ledger/compact.ts';
import { readLedger } from '../../../src/training/ledger/read-ledger.ts';
import { readCheckpoint, writeCheckpoint } from '../../../src/training/run/checkpoint.ts';
import { verifyCertificate, type Level } from '../../../src/training/verify/verify.ts';
import { certificateBytes, document, filesOf, trainedFiles, type TrainedFiles } from '../run/small-run.ts';
import { atRate, editStep, forged } from '../run/forged-run.ts';

const names = { certificate: 'certificate.json', weights: 'weights.safetensors' };

let honest: TrainedFiles;
beforeAll(async () => {
  honest = await trainedFiles();
});

const verify = async (files: TrainedFiles, level: Level, first = 0) =>
  verifyCertificate(filesOf(files), { level, segments: 2, keys: [], names, pick: (n) => Math.min(first, n - 1) });

describe('the final weights', () => {
  it('must have the last norms of the ledger', async () => {
    const shrunk = editStep(24, (record) => ({
      ...record,
      measured: record.measured.map((one) =>
        one.invariant === 'WeightNormBound' ? { ...one, value: one.value / 2 } : one,
      ),
    }));
    expect(await verify(forged(honest, shrunk), 'ledger')).toMatchObject({
      reached: 'files',
      problem: { code: 'PV-8411', position: 24 },
    });
  });
});

describe('a real run', () => {
  it.each(['files', 'ledger', 'spot', 'full'] as const)('is verified at level %s', async (level) => {
    expect(await verify(honest, level)).toMatchObject({ reached: level, problem: null });
  });

  it('is certified with its one refusal, and gives the same bytes again', async () => {
    expect(honest.certificate).toMatchObject({
      totalSteps: 24,
      committedSteps: 23,
      refusedSteps: 1,
      violations: 1,
      origin: 'replayable',
    });
    expect(honest.certificate.violationList[0]).toMatchObject({
      step: 9,
      invariant: 'LossStabilityBound',
      what: 'gradient norm',
      outcome: 'refused',
    });
    const again = await trainedFiles();
    expect(certificateBytes(again.certificate)).toEqual(certificateBytes(honest.certificate));
    expect(again.ledger).toBe(honest.ledger);
  });

  it('is replayed from any checkpoint', async () => {
    for (const first of [0, 1, 2, 3]) {
      const verdict = await verify(honest, 'spot', first);
      expect(verdict).toMatchObject({ reached: 'spot', replayed: 12 });
    }
  });

  it('verifies with every invariant of run files, whose states are part of the checkpoints', async () => {
    const files = await trainedFiles({
      ...document,
      expensive_check_interval: 4,
      schedule: { kind: 'reduce_on_plateau', factor: 0.5, patience: 2 },
      optimizer: { kind: 'adamw', learning_rate: 0.05 },
      invariants: [
        { LossStabilityBound: { spike_cap: 0.9, window: 5, max_gradient_norm: 50, max_step_size: 20 } },
        { WeightNormBound: { max_norm: 20, min_norm: 0.01 } },
        { LipschitzBound: { max_lipschitz: 20 } },
        { CoherenceBound: { min_coherence: 0 } },
        { EnergyGate: { min_energy: 0.99, critical_energy: 0.01, rate_factor: 0.5 } },
        { PermutationEquivariance: { max_deviation: 0.001, samples: 2, rng_seed: 1 } },
      ],
    });
    expect(files.certificate.invariantStats.map(({ name, checks }) => [name, checks > 0])).toEqual([
      ['LossStabilityBound', true],
      ['WeightNormBound', true],
      ['LipschitzBound', true],
      ['CoherenceBound', true],
      ['EnergyGate', true],
      ['PermutationEquivariance', true],
    ]);
    expect(files.certificate.finalCoherence).not.toBeNull();
    for (const level of ['ledger', 'full'] as const)
      expect(await verify(files, level)).toMatchObject({ reached: level, problem: null });
    for (const first of [0, 1, 2, 3])
      expect(await verify(files, 'spot', first)).toMatchObject({ reached: 'spot', problem: null });
  });

  it('verifies if failures are tolerated, and counts them', async () => {
    const files = await trainedFiles({ ...document, allow_override: true, warmup_steps: 3 });
    expect(files.certificate).toMatchObject({ overriddenSteps: expect.any(Number), refusedSteps: 0 });
    expect(files.certificate.overriddenSteps).toBeGreaterThan(0);
    expect(await verify(files, 'full')).toMatchObject({ reached: 'full' });
  });
});

describe('a run that ended early', () => {
  const stopped = async (after: number): Promise<TrainedFiles> => trainedFiles(document, null, after);

  it('is verified up to its last step', async () => {
    for (const after of [1, 6, 7, 18])
      for (const level of ['spot', 'full'] as const)
        expect(await verify(await stopped(after), level)).toMatchObject({
          certificate: { totalSteps: after },
          reached: level,
          problem: null,
        });
  });

  it('cannot be replayed without any step', async () => {
    // A rate of 0 keeps the initial weights.
    const initial = await trainedFiles({ ...document, optimizer: { kind: 'sgd', learning_rate: 0 } });
    const none = forged(
      honest,
      () => [],
      ({ invariantStats }) => ({
        checkpoints: [],
        finalLoss: null,
        weights: initial.certificate.weights,
        invariantStats: invariantStats.map((one) => ({
          ...one,
          checks: 0,
          satisfied: 0,
          overridden: 0,
          tierDistribution: [0, 0, 0],
        })),
      }),
    );
    for (const level of ['spot', 'full'] as const) {
      const verdict = await verify({ ...none, weights: initial.weights }, level);
      expect(verdict).toMatchObject({ reached: 'ledger', problem: { message: expect.stringContaining('no step') } });
    }
  });
});

describe('checkpoints', () => {
  const digest = 'ab'.repeat(32);
  it.each<[string, readonly number[], Level | null, string]>([
    ['twice in the list', [6, 6, 12, 18], null, 'checkpoints[1].step must be above'],
    ['out of order', [12, 6, 18], null, 'checkpoints[1].step must be above'],
    ['of step 0', [0, 6, 12, 18], null, 'checkpoints[0].step must be above'],
    ['after the last step', [6, 12, 18, 30], null, 'at most 24'],
    ['that the run file does not ask for', [1, 2, 3, 4], 'ledger', 'Its run file asks for other checkpoints.'],
    ['missing', [], 'ledger', 'Its run file asks for other checkpoints.'],
  ])('%s are refused', async (_, steps, reached, message) => {
    const checkpoints = steps.map(
      (step) => honest.certificate.checkpoints.find((one) => one.step === step) ?? { step, sha256: digest },
    );
    const verdict = await verify({ ...honest, certificate: { ...honest.certificate, checkpoints } }, 'spot');
    expect(verdict).toMatchObject({ reached, problem: { message: expect.stringContaining(message) } });
  });
});

describe('a checkpoint in the folder', () => {
  it('must be the one in the certificate at level full, although a replay does not read it', async () => {
    const other = honest.checkpoints.get(12) ?? new Uint8Array(0);
    const exchanged = { ...honest, checkpoints: new Map([...honest.checkpoints, [6, other]]) };
    expect(await verify(exchanged, 'full')).toMatchObject({
      reached: 'ledger',
      problem: { code: 'PV-8421', position: 6 },
    });
  });

  it('may be missing at level full', async () => {
    expect(await verify({ ...honest, checkpoints: new Map() }, 'full')).toMatchObject({ reached: 'full' });
  });
});

describe('a forged run', () => {
  it.each([
    [
      'a learning rate other than the one of its step size',
      (rate: number) => rate * 2,
      'is not its learning rate times',
    ],
    ['a negative learning rate', (rate: number) => -rate, 'is not its learning rate times'],
  ])('has no step with %s', async (_, change, message) => {
    const files = forged(
      honest,
      editStep(5, (record) => ({ ...record, rate: change(record.rate) })),
    );
    expect(await verify(files, 'ledger')).toMatchObject({
      reached: 'files',
      problem: { code: 'PV-8410', position: 5, message: expect.stringContaining(message) },
    });
  });

  it('has no negative learning rate, whatever its step size', async () => {
    const files = forged(
      honest,
      editStep(5, (record) => atRate(record, -record.rate)),
    );
    expect(await verify(files, 'ledger')).toMatchObject({
      problem: { code: 'PV-8410', position: 5, message: expect.stringContaining('is negative') },
    });
  });

  it('has no more steps than its run file asks for', async () => {
    for (const [steps, expected] of [
      [24, null],
      [23, { code: 'PV-8410', expected: '23', actual: '24' }],
      ['many', { code: 'PV-8410' }],
    ] as const) {
      const files = forged(
        honest,
        (records) => records,
        ({ config }) => ({ config: { ...config, run: { ...document, steps } } }),
      );
      const { problem } = await verify(files, 'ledger');
      if (expected === null) expect(problem).toBeNull();
      else expect(problem).toMatchObject(expected);
    }
  });

  it('has no times of checks', async () => {
    const invariantStats = honest.certificate.invariantStats.map((one) => ({ ...one, averageLatencyNs: 12 }));
    const certificate = { ...honest.certificate, invariantStats } as unknown as TrainedFiles['certificate'];
    expect(await verify({ ...honest, certificate }, 'files')).toMatchObject({
      reached: null,
      problem: { code: 'PV-8408', message: expect.stringContaining('averageLatencyNs is not null') },
    });
  });

  it.each<[string, Level | null, Level, (files: TrainedFiles) => TrainedFiles]>([
    [
      'other weights',
      null,
      'files',
      (files) => ({
        ...files,
        weights: files.weights.map((byte, i) => (i === files.weights.length - 1 ? byte ^ 1 : byte)),
      }),
    ],
    [
      'an edited line',
      'files',
      'ledger',
      (files) => ({ ...files, ledger: files.ledger.replace('"rate":0.3', '"rate":0.1') }),
    ],
    [
      'a missing line',
      'files',
      'ledger',
      (files) => ({ ...files, ledger: files.ledger.split('\n').toSpliced(5, 1).join('\n') }),
    ],
    [
      'two swapped lines',
      'files',
      'ledger',
      (files) => {
        const lines = files.ledger.split('\n');
        return { ...files, ledger: [...lines.slice(0, 5), lines[6], lines[5], ...lines.slice(7)].join('\n') };
      },
    ],
    ['a truncated last line', 'files', 'ledger', (files) => ({ ...files, ledger: files.ledger.slice(0, -9) })],
    [
      'a violation omitted from the certificate',
      'files',
      'ledger',
      (files) => ({ ...files, certificate: { ...files.certificate, violationList: [], violations: 0 } }),
    ],
    [
      'a refused step marked as committed',
      'files',
      'ledger',
      (files) =>
        forged(
          files,
          editStep(9, (record) => ({ ...record, verdict: 'committed' })),
        ),
    ],
    [
      'a spike without its comparison',
      'files',
      'ledger',
      (files) =>
        forged(
          files,
          editStep(9, (record) => ({
            ...record,
            verdict: 'committed',
            measured: record.measured.filter(({ what }) => what !== 'gradient norm' && what !== 'step size'),
          })),
        ),
    ],
    [
      'a spike under a forged bound',
      'files',
      'ledger',
      (files) =>
        forged(
          files,
          editStep(9, (record) => ({
            ...record,
            verdict: 'committed',
            measured: record.measured.map((one) => ({ ...one, bound: 1e9 })),
          })),
        ),
    ],
    [
      'a loss under a forged average',
      'files',
      'ledger',
      (files) =>
        forged(
          files,
          editStep(12, (record) => ({
            ...record,
            measured: record.measured.map((one) => (one.what === 'loss' ? { ...one, bound: 9 } : one)),
          })),
        ),
    ],
    [
      'comparisons of an invariant that is not configured',
      'files',
      'ledger',
      (files) =>
        forged(
          files,
          editStep(4, (record) => ({
            ...record,
            measured: [...record.measured, { invariant: 'Certified', what: 'all', value: 1, is: 'at most', bound: 2 }],
          })),
        ),
    ],
    [
      'weights that change between two steps',
      'files',
      'ledger',
      (files) =>
        forged(
          files,
          editStep(7, (record) => ({ ...record, before: '0'.repeat(64) })),
        ),
    ],
    [
      'a refused step that changes the weights',
      'files',
      'ledger',
      (files) =>
        forged(files, (records) =>
          records.map((record) =>
            record.step === 9
              ? { ...record, after: '1'.repeat(64) }
              : record.step === 10
                ? { ...record, before: '1'.repeat(64) }
                : record,
          ),
        ),
    ],
    [
      'counts of an invariant',
      'files',
      'ledger',
      (files) => ({
        ...files,
        certificate: {
          ...files.certificate,
          invariantStats: files.certificate.invariantStats.map((one) => ({ ...one, satisfied: one.checks })),
        },
      }),
    ],
    [
      'an invariant that was never configured',
      'files',
      'ledger',
      (files) => ({
        ...files,
        certificate: {
          ...files.certificate,
          invariantStats: files.certificate.invariantStats.map((one) => ({ ...one, settings: { max_norm: 1 } })),
        },
      }),
    ],
    [
      'smaller losses, with everything else consistent',
      'ledger',
      'full',
      (files) =>
        forged(files, (records) =>
          records.map((record) => ({
            ...record,
            loss: record.loss / 2,
            measured: record.measured.map((one) =>
              one.what === 'loss' ? { ...one, value: one.value / 2, bound: one.bound / 2 } : one,
            ),
          })),
        ),
    ],
    [
      'a different rate at the last step, with everything else consistent',
      'ledger',
      'full',
      (files) =>
        forged(
          files,
          editStep(24, (record) => atRate(record, 0.1)),
        ),
    ],
    [
      'another configuration',
      'ledger',
      'full',
      (files) =>
        forged(
          files,
          (records) => records,
          ({ config }) => ({
            config: { ...config, optimizer: { kind: 'sgd', learning_rate: 0.3, momentum: 0.6, weight_decay: 0 } },
          }),
        ),
    ],
    [
      'another run file',
      'ledger',
      'full',
      (files) =>
        forged(
          files,
          (records) => records,
          ({ config }) => ({ config: { ...config, run: { ...document, seed: 4 } } }),
        ),
    ],
    [
      'a concealed drill',
      'ledger',
      'full',
      (files) =>
        forged(
          files,
          (records) => records,
          ({ config }) => ({ config: { ...config, run: { ...document, drills: [] } } }),
        ),
    ],
    [
      'other data',
      'ledger',
      'full',
      (files) => ({ ...files, certificate: { ...files.certificate, datasetManifest: null } }),
    ],
    [
      'evidence of the wrong class',
      'ledger',
      'full',
      (files) => ({
        ...files,
        certificate: {
          ...files.certificate,
          invariantStats: files.certificate.invariantStats.map((one) => ({ ...one, evidence: { class: 'external' } })),
        },
      }),
    ],
    [
      'tiers',
      'ledger',
      'full',
      (files) => ({
        ...files,
        certificate: {
          ...files.certificate,
          invariantStats: files.certificate.invariantStats.map((one) => ({
            ...one,
            tierDistribution: [0, 0, one.checks],
          })),
        },
      }),
    ],
    [
      'a checkpoint of other weights',
      'ledger',
      'spot',
      (files) => ({
        ...files,
        checkpoints: new Map(
          [...files.checkpoints].map(([step, file]) => [
            step,
            file.map((byte, i) => (i === file.length - 1 ? byte ^ 1 : byte)),
          ]),
        ),
      }),
    ],
    ['no checkpoints', 'ledger', 'spot', (files) => ({ ...files, checkpoints: new Map() })],
  ])('with %s reaches %s, not %s', async (_, reached, level, attack) => {
    const verdict = await verify(attack(honest), level, 1);
    expect(verdict.problem).not.toBeNull();
    expect(verdict.reached).toBe(reached);
  });

  it('is not verified from the first step that differs on, and what differs is named', async () => {
    const lied = forged(honest, (records) =>
      records.map((record) => (record.step < 17 ? record : atRate(record, 0.25))),
    );
    for (const [level, first] of [
      ['full', 0],
      ['spot', 2],
    ] as const) {
      const { problem } = await verify(lied, level, first);
      expect(problem).toMatchObject({ code: 'PV-8412', position: 17 });
      expect(problem?.expected).toMatch(/^0\.25; /);
      expect(problem?.actual).toMatch(/^0\.3; /);
      expect(problem?.message).toMatch(
        /^Replaying step 17 .* What differs: learning rate and LossStabilityBound: step size/,
      );
    }
  });

  it('with a compacted ledger is not verified at full, and the steps that may differ are named', async () => {
    const lied = forged(
      honest,
      editStep(14, (record) => ({ ...record, rate: 0.25 })),
    );
    const ledger = readLedger(lied.ledger);
    if (!ledger.ok) throw new Error(ledger.error.message);
    const compacted = utf8ToBytes(JSON.stringify(compactLedger(ledger.value, [6, 12, 18])));
    const { reached, problem } = await verifyCertificate(
      { ...filesOf(lied), ledger: null, compacted },
      { level: 'full', segments: 1, keys: [], names, pick: () => 0 },
    );
    expect(reached).toBe('files');
    expect(problem).toMatchObject({ code: 'PV-8412', position: 18 });
    expect(problem?.message).toContain('the first 12 steps are the same, and one of the steps 13 to 18 differs');
  });

  it('with optimizer state exchanged at a checkpoint is not verified at spot, whose stretches must meet', async () => {
    const file = honest.checkpoints.get(12);
    const read = file === undefined ? null : readCheckpoint(file);
    if (read === null || !read.ok) throw new Error('a checkpoint reads back');
    const arrays = read.value.arrays.map((one) =>
      one.name.startsWith('optimizer/') ? { ...one, data: new Float32Array(one.data.length) } : one,
    );
    const swapped = concatBytes(...writeCheckpoint({ ...read.value, arrays }));
    const files: TrainedFiles = {
      ...honest,
      checkpoints: new Map([...honest.checkpoints, [12, swapped]]),
      certificate: {
        ...honest.certificate,
        checkpoints: honest.certificate.checkpoints.map((one) =>
          one.step === 12 ? { ...one, sha256: bytesToHex(sha256(swapped)) } : one,
        ),
      },
    };
    expect(await verify(files, 'spot', 1)).toMatchObject({
      reached: 'ledger',
      problem: { code: 'PV-8412', position: 12 },
    });
  });

  it('does not verify with any byte of the certificate changed', async () => {
    const bytes = certificateBytes(honest.certificate);
    const survivors: string[] = [];
    for (let i = 0; i < bytes.length; i += 7) {
      const changed = bytes.slice();
      changed[i] = (changed[i] ?? 0) ^ 1;
      const verdict = await verifyCertificate(
        { ...filesOf(honest), certificate: changed },
        { level: 'full', segments: 1, keys: [], names, pick: () => 0 },
      );
      if (verdict.reached === 'full')
        survivors.push(new TextDecoder().decode(changed.slice(Math.max(0, i - 30), i + 10)));
    }
    expect(survivors).toEqual([]);
  });
});
