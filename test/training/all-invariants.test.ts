/** The integration test of ADR-049: a small graph network, 100 steps with all seven invariants, and its certificate verified. */
import { describe, expect, it } from 'vitest';
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js';
import { sha256 } from '../../src/merkle/sha256.ts';
import { coherenceBound } from '../../src/training/invariants/coherence.ts';
import { custom } from '../../src/training/invariants/custom.ts';
import { energyGate } from '../../src/training/invariants/energy-gate.ts';
import { lipschitzBound } from '../../src/training/invariants/lipschitz.ts';
import { lossStabilityBound } from '../../src/training/invariants/loss-stability.ts';
import { permutationEquivariance } from '../../src/training/invariants/permutation-equivariance.ts';
import { weightNormBound } from '../../src/training/invariants/weight-norm.ts';
import { readRecord } from '../../src/training/ledger/step-record.ts';
import { createGnn, type GnnLayer } from '../../src/training/model/gnn.ts';
import { createGnnProbe } from '../../src/training/model/gnn-probe.ts';
import { glorotUniform } from '../../src/training/model/initial.ts';
import { plantedGraph } from '../../src/training/model/planted-graph.ts';
import { adamW } from '../../src/training/optimizer/rules.ts';
import { cosineAnnealing } from '../../src/training/optimizer/schedule.ts';
import { createVerifiedTrainer } from '../../src/training/trainer/trainer.ts';
import { checkBounds } from '../../src/training/verify/check-bounds.ts';
import { writeSafetensors } from '../../src/tensors/safetensors.ts';

const widths = [8, 16, 16, 4];
const names = ['conv1', 'conv2', 'conv3'];
const graph = plantedGraph({ nodes: 80, classes: 4, features: 8, degree: 5, homophily: 0.9, labelled: 0.5, seed: 1 });
const probe = createGnnProbe(widths, graph, 32);

/** Trains 100 steps; the same bits each time. */
async function train() {
  const gnn = createGnn(widths, graph);
  const layers = names.map((name, l): GnnLayer => {
    const [inputs, outputs] = [widths[l] ?? 0, widths[l + 1] ?? 0];
    return { weight: glorotUniform(7, name, inputs, outputs), bias: new Float32Array(outputs) };
  });
  const byName = (of: readonly GnnLayer[]) =>
    of.flatMap(({ weight, bias }, l) => [
      { name: `${names[l]}.weight`, shape: [widths[l] ?? 0, widths[l + 1] ?? 0], data: weight },
      { name: `${names[l]}.bias`, shape: [bias.length], data: bias },
    ]);
  const lines: string[] = [];
  const trainer = createVerifiedTrainer({
    parameters: Object.fromEntries(byName(layers).map(({ name, ...array }) => [name, array])),
    optimizer: adamW({ learningRate: 0.01 }),
    schedule: cosineAnnealing({ steps: 100, floor: 0.001 }),
    expensiveCheckInterval: 10,
    ledger: (line) => lines.push(line),
    invariants: [
      lossStabilityBound({ spikeCap: 0.5, window: 20, maxGradientNorm: 100, maxStepSize: 10 }),
      weightNormBound({ max: 30, min: 0.01 }),
      permutationEquivariance({
        nodes: probe.nodes,
        samples: 2,
        maxDeviation: 1e-4,
        seed: 3,
        forward: (weights, order) =>
          probe.forward(
            names.map((name) => ({ weight: weights(`${name}.weight`), bias: weights(`${name}.bias`) })),
            order,
          ),
      }),
      lipschitzBound({ maxLipschitz: 20 }),
      coherenceBound({ minCoherence: 0.2 }),
      energyGate({ minEnergy: 0.9, criticalEnergy: 0.1 }),
      custom({
        name: 'LossIsPositive',
        complexity: 1,
        phase: 'before',
        check: ({ loss }) => [{ what: 'loss', value: loss, is: 'at least', bound: 0 }],
      }),
    ],
  });
  const losses: number[] = [];
  for (let i = 0; i < 100; i++) {
    const { loss, gradients } = gnn.lossAndGradients(layers);
    const step = { loss, gradients: Object.fromEntries(byName(gradients).map(({ name, data }) => [name, data])) };
    const { verdict } = await trainer.step(step);
    expect(verdict).toBe('committed');
    losses.push(loss);
  }
  return { certificate: await trainer.seal(), parameters: trainer.parameters, lines, losses };
}

describe('100 steps with all seven invariants', () => {
  it('end in a certificate that covers each invariant and replays bit for bit', async () => {
    const { certificate, parameters, lines, losses } = await train();
    expect(losses.at(-1)).toBeLessThan(0.7 * (losses[0] ?? 0));
    expect(certificate).toMatchObject({ totalSteps: 100, committedSteps: 100, violations: 0, violationList: [] });
    expect(certificate.weights.sha256).toBe(bytesToHex(sha256(concatBytes(...writeSafetensors(parameters)))));
    expect(certificate.finalCoherence).toBeGreaterThan(0.2);
    const stats = certificate.invariantStats.map(({ name, checks, satisfied, evidence, tierDistribution }) => [
      name,
      evidence.class,
      checks,
      satisfied,
      tierDistribution,
    ]);
    expect(stats).toEqual([
      ['LossStabilityBound', 'exact', 100, 100, [100, 0, 0]],
      ['WeightNormBound', 'exact', 100, 100, [0, 100, 0]],
      ['PermutationEquivariance', 'statistical', 10, 10, [0, 0, 10]],
      ['LipschitzBound', 'bound', 100, 100, [0, 100, 0]],
      ['CoherenceBound', 'estimate', 100, 100, [0, 100, 0]],
      ['EnergyGate', 'exact', 100, 100, [100, 0, 0]],
      ['LossIsPositive', 'external', 100, 100, [0, 100, 0]],
    ]);

    const records = lines
      .slice(1)
      .map((line) => readRecord(line.slice('{"record":'.length, line.lastIndexOf(',"att'))));
    const known = records.filter((record) => record !== null);
    expect(known).toHaveLength(100);
    expect(checkBounds(certificate.config, known)).toEqual({ ok: true, value: null });
    // Any bound of any invariant of pv that is widened in the ledger alone is found.
    const last = known.at(-1) ?? expect.fail('there are records');
    for (const [i, one] of last.measured.entries()) {
      const measured = last.measured.with(i, { ...one, bound: one.bound + (one.is === 'at most' ? 1 : -1) });
      const widened = checkBounds(certificate.config, [...known.slice(0, -1), { ...last, measured }]);
      expect(widened.ok, one.what).toBe(one.invariant === 'LossIsPositive');
    }

    // Any omitted comparison is found, except those of custom invariants, which only a replay knows.
    for (const [i, one] of last.measured.entries()) {
      const measured = last.measured.toSpliced(i, 1);
      const shortened = checkBounds(certificate.config, [...known.slice(0, -1), { ...last, measured }]);
      expect(shortened.ok, `${one.invariant} ${one.what}`).toBe(one.invariant === 'LossIsPositive');
      const turned = last.measured.with(i, { ...one, is: one.is === 'at most' ? 'at least' : 'at most' });
      const flipped = checkBounds(certificate.config, [...known.slice(0, -1), { ...last, measured: turned }]);
      expect(flipped.ok, `${one.invariant} ${one.what}`).toBe(one.invariant === 'LossIsPositive');
    }
    const other = last.measured.map((one) => ({
      ...one,
      what: one.what.replace(/^permutation ..../, 'permutation 0000'),
    }));
    expect(checkBounds(certificate.config, [...known.slice(0, -1), { ...last, measured: other }]).ok).toBe(false);

    const again = await train();
    expect(again.lines).toEqual(lines);
    expect(again.certificate).toEqual(certificate);
  });
});
