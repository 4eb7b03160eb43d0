/** Training by interval bounds: gradients against differences, and a network that is worth certifying. */
import { describe, expect, it } from 'vitest';
import { streamFor, unitDouble } from '../../../src/numeric/xoshiro.ts';
import { glorotUniform } from '../../../src/training/model/initial.ts';
import { bounds } from '../../../src/training/robustness/bounds.ts';
import { certifyExamples } from '../../../src/training/robustness/certifier.ts';
import { createEvaluator } from '../../../src/training/robustness/evaluate.ts';
import { denseNetwork, ibpLoss, type DenseLayer } from '../../../src/training/robustness/ibp-training.ts';

const widths = [2, 16, 16, 2];
const initial = (): readonly DenseLayer[] =>
  [0, 1, 2].map((l) => ({
    weight: glorotUniform(1, `layer ${l}`, widths[l] ?? 0, widths[l + 1] ?? 0),
    bias: new Float32Array(widths[l + 1] ?? 0),
  }));

/** Points inside and outside a circle, with a margin of 0.3 between them. */
function circles(count: number): { readonly inputs: Float32Array; readonly labels: Int32Array } {
  const stream = streamFor(7, 'points');
  const labels = Int32Array.from({ length: count }, (_, k) => k % 2);
  const inputs = new Float32Array(2 * count);
  for (let k = 0; k < count; k++) {
    const angle = 2 * Math.PI * unitDouble(stream);
    const radius = labels[k] === 0 ? 0.7 * Math.sqrt(unitDouble(stream)) : 1 + 0.5 * unitDouble(stream);
    inputs[2 * k] = radius * Math.cos(angle);
    inputs[2 * k + 1] = radius * Math.sin(angle);
  }
  return { inputs, labels };
}

describe('ibpLoss', () => {
  const examples = circles(8);

  it('has the gradients of its loss', () => {
    const layers = initial();
    const options = { epsilon: 0.05, worstCaseShare: 0.5 };
    const { gradients } = ibpLoss(layers, examples, options);
    for (const [l, layer] of layers.entries())
      for (const part of ['weight', 'bias'] as const)
        for (let k = 0; k < layer[part].length; k += 5) {
          const before = layer[part][k] ?? 0;
          const at = (value: number): number => {
            layer[part][k] = value;
            const { loss } = ibpLoss(layers, examples, options);
            layer[part][k] = before;
            return loss;
          };
          const step = 2 ** -10;
          const difference = (at(before + step) - at(before - step)) / (2 * step);
          expect(Math.abs(difference - (gradients[l]?.[part][k] ?? Number.NaN))).toBeLessThan(2e-3);
        }
  });

  it('is the ordinary loss without a worst case, and no smaller with more of it', () => {
    const loss = (epsilon: number, worstCaseShare: number): number =>
      ibpLoss(initial(), examples, { epsilon, worstCaseShare }).loss;
    expect(loss(0.1, 0)).toBe(loss(0, 0));
    expect(loss(0.1, 1)).toBeGreaterThan(loss(0.05, 1));
    expect(loss(0.1, 1)).toBeGreaterThan(loss(0.1, 0.5));
  });

  it('takes the scores that certified intervals allow', () => {
    const layers = initial();
    const network = denseNetwork(layers);
    const [x = 0, y = 0] = examples.inputs;
    const found = bounds(network, { lo: [x - 0.1, y - 0.1], hi: [x + 0.1, y + 0.1] }, 'ibp');
    const lo = found.lo[network.output]?.[0] ?? 0;
    const hi = found.hi[network.output]?.[1] ?? 0;
    const one = { inputs: examples.inputs.slice(0, 2), labels: Int32Array.of(0) };
    expect(ibpLoss(layers, one, { epsilon: 0.1, worstCaseShare: 1 }).loss).toBeCloseTo(
      Math.log1p(Math.exp(hi - lo)),
      5,
    );
  });
});

describe('a network trained with it', () => {
  const examples = circles(64);

  function trained(worstCaseShare: number): readonly DenseLayer[] {
    const layers = initial();
    for (let step = 0; step < 300; step++) {
      const progress = Math.min(1, step / 150);
      const { gradients } = ibpLoss(layers, examples, {
        epsilon: 0.13 * progress,
        worstCaseShare: worstCaseShare * progress,
      });
      for (const [l, layer] of layers.entries())
        for (const part of ['weight', 'bias'] as const)
          for (const [k, g] of (gradients[l]?.[part] ?? []).entries()) layer[part][k] = (layer[part][k] ?? 0) - 0.3 * g;
    }
    return layers;
  }

  /** The shares of examples that get their label, and that intervals certify. */
  function shares(layers: readonly DenseLayer[]): { readonly right: number; readonly certified: number } {
    const network = denseNetwork(layers);
    const evaluate = createEvaluator(network);
    const cases = Array.from(examples.labels, (label, k) => ({
      input: [...examples.inputs.subarray(2 * k, 2 * k + 2)],
      label,
    }));
    const right = cases.filter(({ input, label }) => {
      const [a = 0, b = 0] = evaluate(input);
      return (a > b ? 0 : 1) === label;
    }).length;
    const certificate = certifyExamples(network, cases, { epsilon: 0.13, method: { kind: 'ibp' }, maxBoxes: 1 });
    return {
      right: right / cases.length,
      certified: certificate.ok ? certificate.value.certifiedFraction : Number.NaN,
    };
  }

  it('is certified by intervals where ordinary training is not', () => {
    const ordinary = shares(trained(0));
    const byIntervals = shares(trained(0.8));
    expect(ordinary.right).toBeGreaterThan(0.95);
    expect(byIntervals.right).toBeGreaterThan(0.95);
    expect(byIntervals.certified).toBeGreaterThan(0.9);
    expect(byIntervals.certified).toBeGreaterThan(ordinary.certified + 0.1);
  });
});
