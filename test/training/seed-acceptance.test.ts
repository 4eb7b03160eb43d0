/** The acceptance test of ADR-049, as written there: 200 steps, one bad update, one violation. */
import { describe, expect, it } from 'vitest';
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js';
import { blake3 } from '@noble/hashes/blake3.js';
import { createGnn, type GnnLayer } from '../../src/training/model/gnn.ts';
import { glorotUniform } from '../../src/training/model/initial.ts';
import { plantedGraph } from '../../src/training/model/planted-graph.ts';
import { lossStabilityBound } from '../../src/training/invariants/loss-stability.ts';
import { weightNormBound } from '../../src/training/invariants/weight-norm.ts';
import { sgd } from '../../src/training/optimizer/rules.ts';
import { createVerifiedTrainer } from '../../src/training/trainer/trainer.ts';
import { writeSafetensors } from '../../src/tensors/safetensors.ts';

const widths = [8, 16, 16, 4];
const graph = plantedGraph({ nodes: 120, classes: 4, features: 8, degree: 5, homophily: 0.9, labelled: 0.5, seed: 1 });
const gnn = createGnn(widths, graph);

function initialLayers(): readonly GnnLayer[] {
  return widths.slice(1).map((out, l) => ({
    weight: glorotUniform(7, `conv${l + 1}`, widths[l] ?? 0, out),
    bias: new Float32Array(out),
  }));
}

const named = (layers: readonly GnnLayer[]): Record<string, Float32Array> =>
  Object.fromEntries(
    layers.flatMap(({ weight, bias }, l) => [
      [`conv${l + 1}.weight`, weight],
      [`conv${l + 1}.bias`, bias],
    ]),
  );

describe('200 steps with one bad update', () => {
  it('refuses the update, records it, and certifies the weights that are there', async () => {
    const layers = initialLayers();
    const lines: string[] = [];
    const trainer = createVerifiedTrainer({
      parameters: named(layers),
      optimizer: sgd({ learningRate: 0.2, momentum: 0.9 }),
      invariants: [
        lossStabilityBound({ spikeCap: 0.5, window: 20, maxGradientNorm: 1e12, maxStepSize: 1e12 }),
        weightNormBound({ max: 30, min: 0.01 }),
      ],
      ledger: (line) => lines.push(line),
    });
    const losses: number[] = [];
    for (let i = 0; i < 199; i++) {
      const { loss, gradients } = gnn.lossAndGradients(layers);
      const { verdict } = await trainer.step({ loss, gradients: named(gradients) });
      expect(verdict).toBe('committed');
      losses.push(loss);
    }
    expect(losses.at(-1)).toBeLessThan(0.5 * (losses[0] ?? 0));

    const before = concatBytes(...writeSafetensors(trainer.parameters));
    const { loss, gradients } = gnn.lossAndGradients(layers);
    gradients[1]?.weight.fill(1e3);
    const refused = await trainer.step({ loss, gradients: named(gradients) });
    expect(refused.verdict).toBe('refused');
    expect(concatBytes(...writeSafetensors(trainer.parameters))).toEqual(before);

    const certificate = await trainer.seal();
    expect(certificate).toMatchObject({ totalSteps: 200, committedSteps: 199, refusedSteps: 1, violations: 1 });
    expect(certificate.violationList.map(({ step, invariant }) => ({ step, invariant }))).toContainEqual({
      step: 200,
      invariant: 'WeightNormBound',
    });
    expect(certificate.weights.blake3).toBe(bytesToHex(blake3(concatBytes(...writeSafetensors(trainer.parameters)))));
    expect(lines).toHaveLength(201);
  });
});
