/** The promises of ADR-049 that its own code does not keep, one test for each that is kept here; the numbers are those of our list of them. */
import { compactLedger, readCompacted } from '../../src/training/ledger/compact.ts';
import { readLedger } from '../../src/training/ledger/read-ledger.ts';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { describe, expect, it, vi } from 'vitest';
import { fullFisherBound } from '../../src/training/continual/full-fisher.ts';
import { digestsOf } from '../../src/training/certificate/seal.ts';
import { coherenceBound } from '../../src/training/invariants/coherence.ts';
import { custom } from '../../src/training/invariants/custom.ts';
import { energyGate } from '../../src/training/invariants/energy-gate.ts';
import { lipschitzBound } from '../../src/training/invariants/lipschitz.ts';
import { lossStabilityBound } from '../../src/training/invariants/loss-stability.ts';
import { permutationAt, permutationEquivariance } from '../../src/training/invariants/permutation-equivariance.ts';
import { weightNormBound } from '../../src/training/invariants/weight-norm.ts';
import { stepDecay } from '../../src/training/optimizer/schedule.ts';
import { certifyExamples, type CertificationMethod } from '../../src/training/robustness/certifier.ts';
import { networkOf } from '../../src/training/robustness/network.ts';
import { rollbackStrategies } from '../../src/training/trainer/rollback.ts';
import { writeSafetensors } from '../../src/tensors/safetensors.ts';
import { concatBytes } from '@noble/hashes/utils.js';
import { verifyCertificate } from '../../src/training/verify/verify.ts';
import { gradientOf, trainerWith } from './invariants/fixture.ts';
import { document, filesOf, trainedFiles } from './run/small-run.ts';

const zero = gradientOf(0, 0, 0, 0);
const spike = gradientOf(-1e4, 0, 0, 0);
const norms = weightNormBound({ max: 10 });
const weightsOf = (trainer: ReturnType<typeof trainerWith>) => [...(trainer.parameters[0]?.data ?? [])];

describe('the promises of ADR-049', () => {
  it('1: a step changes real weights by a real optimizer from real gradients', async () => {
    const trainer = trainerWith([norms]);
    await trainer.step({ loss: 1, gradients: gradientOf(1, 0, 0, -1) });
    expect(weightsOf(trainer)).toEqual([Math.fround(2.9), 0, 0, Math.fround(4.1)]);
  });

  it.each(rollbackStrategies)(
    '2: %s leaves every weight unchanged when a step is refused',
    async (rollbackStrategy) => {
      const trainer = trainerWith([norms], { rollbackStrategy });
      expect((await trainer.step({ loss: 1, gradients: spike })).verdict).toBe('refused');
      expect(weightsOf(trainer)).toEqual([3, 0, 0, 4]);
    },
  );

  it('3: CoherenceBound exists, and refuses a layer that falls apart', async () => {
    const trainer = trainerWith([coherenceBound({ minCoherence: 0.3 })]);
    expect((await trainer.step({ loss: 1, gradients: zero })).verdict).toBe('refused');
    expect((await trainer.step({ loss: 1, gradients: gradientOf(-1, -30, -30, 0) })).verdict).toBe('committed');
  });

  it('4: Custom exists, and decides', async () => {
    const mine = custom({
      name: 'Mine',
      complexity: 1,
      phase: 'before',
      check: ({ loss }) => [{ what: 'loss', value: loss, is: 'at most', bound: 1 }],
    });
    const trainer = trainerWith([mine]);
    expect((await trainer.step({ loss: 1, gradients: zero })).verdict).toBe('committed');
    expect((await trainer.step({ loss: 2, gradients: zero })).verdict).toBe('refused');
  });

  it('5: equivariance runs the model on real permutations, as many as `samples`', async () => {
    const orders: string[] = [];
    const forward = (_: unknown, order: Int32Array) => {
      orders.push(order.join());
      return Float32Array.from(order);
    };
    await trainerWith([permutationEquivariance({ nodes: 6, samples: 2, seed: 4, maxDeviation: 0, forward })]).step({
      loss: 1,
      gradients: zero,
    });
    expect(orders).toEqual(['0,1,2,3,4,5', permutationAt(4, 0, 6).join(), permutationAt(4, 1, 6).join()]);
  });

  it('6: power iteration runs, and more iterations come closer', async () => {
    const estimate = async (weights: readonly number[]) => {
      const trainer = trainerWith([lipschitzBound({ maxLipschitz: 100 })], {
        parameters: { 'a.weight': { shape: [2, 2], data: Float32Array.from(weights) } },
      });
      return (await trainer.step({ loss: 1, gradients: zero })).measured[0]?.value;
    };
    expect(await estimate([3, 0, 0, 4])).toBeCloseTo(4, 4);
    expect(await estimate([1, 2, 2, 4])).toBeCloseTo(5, 4);
  });

  it('7: norms are bounded below as well, layer by layer', async () => {
    const trainer = trainerWith([weightNormBound({ max: 10, min: 1 })], {
      parameters: { 'a.weight': Float32Array.of(3, 4), 'b.weight': Float32Array.of(1.05, 0) },
    });
    const gradients = { 'a.weight': Float32Array.of(0, 0), 'b.weight': Float32Array.of(1, 0) };
    const { violations } = await trainer.step({ loss: 1, gradients });
    expect(violations).toMatchObject([{ what: 'b', is: 'at least', bound: 1 }]);
  });

  it('8 and 9: the energy gate escalates to the deep tier, and refuses below the critical energy', async () => {
    const trainer = trainerWith(
      [
        energyGate({ minEnergy: 2, criticalEnergy: 1, energy: ({ loss }) => loss }),
        custom({
          name: 'Deep',
          complexity: 99,
          phase: 'after',
          check: () => [{ what: 'depth', value: 0, is: 'at most', bound: 0 }],
        }),
      ],
      { expensiveCheckInterval: 1000 },
    );
    const seen = [];
    for (const loss of [3, 1.5, 0.5]) {
      const { verdict, measured } = await trainer.step({ loss, gradients: zero });
      seen.push([verdict, measured.length]);
    }
    expect(seen).toEqual([
      ['committed', 1],
      ['committed', 2],
      ['refused', 1],
    ]);
  });

  it('10: an attestation binds step, loss and weights', async () => {
    const attested = async (loss: number, first: number, before = 0) => {
      const trainer = trainerWith([norms]);
      for (let i = 0; i < before; i++) await trainer.step({ loss, gradients: zero });
      return bytesToHex((await trainer.step({ loss, gradients: gradientOf(first, 0, 0, 0) })).attestation);
    };
    const all = await Promise.all([attested(1, 0), attested(2, 0), attested(1, 1), attested(1, 0, 1)]);
    expect(new Set(all.map((text) => text.slice(0, 64))).size).toBe(4);
    expect(await attested(1, 0)).toBe(all[0]);
  });

  it('11: refusals and overrides are attested, and differ from commits', async () => {
    const attested = async (max: number, allowOverride: boolean) => {
      const trainer = trainerWith([weightNormBound({ max })], { allowOverride });
      const { verdict, attestation } = await trainer.step({ loss: 1, gradients: zero });
      return [verdict, bytesToHex(attestation)] as const;
    };
    const all = [await attested(10, false), await attested(1, false), await attested(1, true)];
    expect(all.map(([verdict]) => verdict)).toEqual(['committed', 'refused', 'overridden']);
    expect(new Set(all.map(([, text]) => text)).size).toBe(3);
  });

  it('12: the ledger has a line for every attempt', async () => {
    const lines: string[] = [];
    const trainer = trainerWith([norms], { ledger: (line) => lines.push(line) });
    for (const gradients of [zero, spike, zero]) await trainer.step({ loss: 1, gradients });
    expect(lines).toHaveLength(4);
    expect(lines[2]).toContain('"refused"');
  });

  it('13: compaction leaves a witness that what is kept was part of the whole', async () => {
    const lines: string[] = [];
    const trainer = trainerWith([norms], { ledger: (line) => lines.push(line) });
    for (const gradients of [zero, spike, zero]) await trainer.step({ loss: 1, gradients });
    const ledger = readLedger(lines.join(''));
    if (!ledger.ok) throw new Error(ledger.error.message);
    const compacted = compactLedger(ledger.value, [1]);
    expect(compacted.root).toBe((await trainer.seal()).ledger.root);
    expect(compacted.kept.map(({ index }) => index)).toEqual([0, 2, 3]);
    expect(readCompacted(JSON.stringify(compacted)).ok).toBe(true);
    expect(readCompacted(JSON.stringify({ ...compacted, leaves: 5 })).ok).toBe(false);
  });

  it('14: the attestation of the run is composed of those of its steps', async () => {
    const sealed = async (losses: readonly number[]) => {
      const trainer = trainerWith([norms]);
      for (const loss of losses) await trainer.step({ loss, gradients: zero });
      return (await trainer.seal()).attestation;
    };
    expect(await sealed([1, 2, 3])).toBe(await sealed([1, 2, 3]));
    expect(await sealed([1, 2, 3])).not.toBe(await sealed([1, 2.5, 3]));
  });

  it('15: BLAKE3 is BLAKE3', () => {
    // The official test vector of three bytes is that of 0, 1, 2.
    expect(digestsOf(Uint8Array.of(0, 1, 2)).blake3).toBe(
      'e1be4d7a8ab5560aa4199eea339849ba8e293d55ca0a81006726d184519e647f',
    );
    expect(digestsOf(utf8ToBytes('')).blake3).toBe('af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262');
  });

  it('16: weights_hash is that of the weights that were trained', async () => {
    const trainer = trainerWith([norms]);
    await trainer.step({ loss: 1, gradients: gradientOf(1, 2, 3, 4) });
    const bytes = concatBytes(...writeSafetensors(trainer.parameters));
    expect((await trainer.seal()).weights).toEqual(digestsOf(bytes));
  });

  it('17: a certifier bounds by IBP, DeepPoly and Hybrid, finds counterexamples, and its result is in the certificate', async () => {
    // The scores are x and ½, so the label of 1 is 0 down to ½.
    const network = networkOf(1, [
      { weights: [[1], [-1]], bias: [0, 0], slope: 0 },
      {
        weights: [
          [1, -1],
          [0, 0],
        ],
        bias: [0, 0.5],
      },
    ]);
    const certified = (epsilon: number, method: CertificationMethod, epoch?: number) => {
      const found = certifyExamples(network, [{ input: [1], label: 0 }], { epsilon, method, withRadius: true }, epoch);
      if (!found.ok) throw new Error(found.error.message);
      return found.value;
    };
    const hybrid = { kind: 'hybrid', ibpWarmupEpochs: 2 } as const;
    for (const method of [{ kind: 'ibp' }, { kind: 'deeppoly' }, hybrid] as const) {
      expect(certified(0.4, method)).toMatchObject({ certifiedFraction: 1, certifiedRadius: 0.4 });
      const beyond = certified(0.6, method);
      expect(beyond).toMatchObject({ certifiedFraction: 0, examples: [{ verdict: 'violated' }] });
      expect(beyond.certifiedRadius).toBeGreaterThan(0.49);
      expect(beyond.certifiedRadius).toBeLessThan(0.5);
    }
    expect([0, 1, 2].map((epoch) => certified(0.4, hybrid, epoch).method)).toEqual(['ibp', 'ibp', 'hybrid']);
    const { certificate } = await trainedFiles({ ...document, robustness: { epsilon: 0.01, method: 'hybrid' } });
    expect(certificate.robustness).toMatchObject({ epsilon: 0.01, method: 'hybrid' });
  });

  it('18: scheduler, EWC and replay are part of a step, and EWC widens the bound on norms', async () => {
    const task = {
      name: 'old',
      anchor: { 'a.weight': Float32Array.of(12, 0, 0, 0) },
      fisher: { 'a.weight': Float32Array.of(1, 0, 0, 0) },
    };
    const trainer = trainerWith([norms], {
      schedule: stepDecay({ every: 1, gamma: 0.5 }),
      ewc: { lambda: 1, tasks: [task] },
      replay: { capacity: 2 },
    });
    const first = await trainer.step({ loss: 1, gradients: zero, samples: [8] });
    expect(first).toMatchObject({ rate: 0.1, loss: 41.5 });
    expect(first.measured[0]?.bound).toBe(12);
    expect(weightsOf(trainer)[0]).toBe(Math.fround(3.9));
    expect(trainer.replay?.held).toEqual([8]);
    expect((await trainer.step({ loss: 1, gradients: zero })).rate).toBe(0.05);
  });

  it('19: expensive checks run at their interval, cheap ones at every step', async () => {
    const forward = (_: unknown, order: Int32Array) => new Float32Array(order.length).fill(1);
    const deep = permutationEquivariance({ nodes: 3, maxDeviation: 0, forward });
    const trainer = trainerWith([norms, deep], { expensiveCheckInterval: 5 });
    for (let i = 0; i < 12; i++) await trainer.step({ loss: 1, gradients: zero });
    expect((await trainer.seal()).invariantStats.map(({ checks }) => checks)).toEqual([12, 2]);
  });

  it('20: deep checks run beside the training in two phases, the full Fisher matrix is checked, and no cache can go stale', async () => {
    const fisher = fullFisherBound({
      sampleGradients: () => [Float32Array.of(1, 1, 0, 0)],
      everyEpochs: 2,
      stepsPerEpoch: 1,
      maxInteraction: 0.5,
    });
    let asked: (() => void) | null = null;
    const trainer = trainerWith([fisher], {
      deepChecks: {
        // The interaction of the two weights above, measured whenever the test says so.
        measure: async ({ attempt }) => {
          if (attempt.step % 2 === 1) return [[]];
          await new Promise<void>((resolve) => (asked = resolve));
          return [[{ what: 'interaction', value: Math.SQRT1_2, is: 'at most', bound: 0.5 }]];
        },
        close: () => undefined,
      },
    });
    const step = () => trainer.step({ loss: 1, gradients: gradientOf(1, 0, 0, 0) });
    const committed = await step();
    expect(committed.verdict).toBe('committed');
    // cache_hit_rate_bps: there is no cache whose rate could fall.
    expect([...committed.attestation.subarray(80)]).toEqual([0, 0]);
    const undecided = step();
    expect(weightsOf(trainer)[0]).toBeCloseTo(2.8, 5);
    await vi.waitFor(() => expect(asked).not.toBeNull());
    (asked as (() => void) | null)?.();
    expect((await undecided).verdict).toBe('refused');
    expect(weightsOf(trainer)[0]).toBe(Math.fround(2.9));
  });

  it('22: one bad update is one violation with its step and its name, and the hash is that of the final weights', async () => {
    const trainer = trainerWith([
      lossStabilityBound({ spikeCap: 9, window: 3, maxGradientNorm: 1e9, maxStepSize: 1e9 }),
      norms,
    ]);
    for (let i = 0; i < 4; i++) await trainer.step({ loss: 1, gradients: zero });
    await trainer.step({ loss: 1, gradients: spike });
    const certificate = await trainer.seal();
    expect(certificate.violationList).toMatchObject([{ step: 5, invariant: 'WeightNormBound', outcome: 'refused' }]);
    expect(certificate).toMatchObject({ violations: 1, refusedSteps: 1 });
    expect(certificate.weights).toEqual(digestsOf(concatBytes(...writeSafetensors(trainer.parameters))));
  });

  it('23: a third party verifies the files, and finds a run that did not happen', async () => {
    const names = { certificate: 'certificate.json', weights: 'weights.safetensors' };
    const files = await trainedFiles();
    const verify = async (of: typeof files) =>
      verifyCertificate(filesOf(of), { level: 'full', segments: 1, keys: [], names, pick: () => 0 });
    const [good, bad] = [
      await verify(files),
      await verify({ ...files, ledger: files.ledger.replace('"committed"', '"refused"') }),
    ];
    expect(good).not.toEqual(bad);
    expect(JSON.stringify(good)).not.toContain('PV-84');
    expect(JSON.stringify(bad)).toContain('PV-84');
  });
});
