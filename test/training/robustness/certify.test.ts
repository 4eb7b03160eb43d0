/**
 * Verdicts: proofs, counterexamples, what is left open; radii and certificates.
 *
 * Holds src/training/robustness/ball.ts, src/training/robustness/branch.ts, src/training/robustness/certifier.ts,
 * src/training/robustness/counterexample.ts, src/training/robustness/gnn-network.ts, src/training/robustness/property.ts,
 * src/training/robustness/radius.ts, src/training/robustness/region.ts, src/training/robustness/search.ts,
 * src/training/robustness/specification.ts.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGnn } from '../../../src/training/model/gnn.ts';
import { glorotUniform } from '../../../src/training/model/initial.ts';
import { plantedGraph } from '../../../src/training/model/planted-graph.ts';
import { ballProperty } from '../../../src/training/robustness/ball.ts';
import { bounds } from '../../../src/training/robustness/bounds.ts';
import { certifyExamples, certifyNodes, methodAt } from '../../../src/training/robustness/certifier.ts';
import { certify, type CertifyOptions, type Verdict } from '../../../src/training/robustness/certify.ts';
import { createEvaluator } from '../../../src/training/robustness/evaluate.ts';
import { gnnNetwork } from '../../../src/training/robustness/gnn-network.ts';
import { networkOf, type Network } from '../../../src/training/robustness/network.ts';
import { isUnsafe, type LinearConstraint, type Property } from '../../../src/training/robustness/property.ts';
import { certifiedRadius } from '../../../src/training/robustness/radius.ts';
import { figure3, hasRobustnessData, instances, jsonAt, networkAt, propertyAt } from '../../support/robustness-data.ts';

function valueOf<T>(
  result:
    { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: { readonly message: string } },
): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

const verdictOf = (network: Network, property: Property, options?: CertifyOptions): Verdict =>
  valueOf(certify(network, property, options));

/** Over [−1, 1]ⁿ: unsafe where c · y ≤ bound, for each of the constraints. */
const over = (
  network: Network,
  ...constraints: readonly (readonly [readonly number[], number, boolean?])[]
): Property => ({
  inputSize: network.inputSize,
  outputSize: network.outputSize,
  cases: [
    {
      box: {
        lo: Array.from({ length: network.inputSize }, () => -1),
        hi: Array.from({ length: network.inputSize }, () => 1),
      },
      constraints: constraints.map(([c, bound, isStrict = false]): LinearConstraint => ({
        inputs: null,
        outputs: Float64Array.from(c),
        bound,
        isStrict,
      })),
    },
  ],
});

/** |x| as relu(x) + relu(−x). */
const magnitude = networkOf(1, [
  { weights: [[1], [-1]], bias: [0, 0], slope: 0 },
  { weights: [[1, 1]], bias: [0] },
]);

describe('certify', () => {
  it('proves x11 > x12 of figure 3 by DeepPoly in one box', () => {
    const verdict = verdictOf(figure3(), over(figure3(), [[1, -1], 0]), { method: 'deeppoly', maxBoxes: 1 });
    expect(verdict).toMatchObject({ verdict: 'holds', boxes: 1, open: 0, arithmetic: 'float64', counterexample: null });
  });

  it('needs to branch where one box is too loose', () => {
    // |x| > −0.1 holds; by one box the lower bound is −1 with DeepPoly.
    const property = over(magnitude, [[1], -0.1]);
    expect(verdictOf(magnitude, property, { method: 'deeppoly' }).verdict).toBe('holds');
    expect(verdictOf(magnitude, over(magnitude, [[-1], -1.1]), { method: 'ibp', maxBoxes: 1 })).toMatchObject({
      verdict: 'undecided',
      reason: 'boxes',
      open: 2,
      openShare: 1,
    });
    expect(verdictOf(magnitude, over(magnitude, [[-1], -1.1]), { method: 'ibp' }).verdict).toBe('holds');
  });

  it('finds an input that the network maps into the unsafe set', () => {
    const property = over(magnitude, [[1], 0.01], [[-1], -0.005]);
    const { verdict, counterexample } = verdictOf(magnitude, property);
    expect(verdict).toBe('violated');
    const [y = Number.NaN] = createEvaluator(magnitude)(counterexample?.inputs ?? []);
    expect(y).toBeGreaterThanOrEqual(0.005);
    expect(y).toBeLessThanOrEqual(0.01);
    expect(counterexample?.outputs).toEqual([y]);
    expect(counterexample?.unsafeIn).toEqual(['float64', 'float32']);
  });

  it('counts the edge of the unsafe set as unsafe, unless the comparison is strict', () => {
    expect(verdictOf(magnitude, over(magnitude, [[1], 0])).verdict).toBe('violated');
    expect(verdictOf(magnitude, over(magnitude, [[1], 0, true]), { maxBoxes: 500 }).verdict).not.toBe('violated');
  });

  it('says what is left when the time runs out', () => {
    let time = 0;
    const property = over(magnitude, [[1], 0, true]);
    const verdict = verdictOf(magnitude, property, { now: () => (time += 1), maxMilliseconds: 100 });
    expect(verdict).toMatchObject({ verdict: 'undecided', reason: 'time' });
    expect(verdict.open).toBeGreaterThan(0);
    expect(verdict.openShare).toBeGreaterThan(0);
  });

  it('does not spend more time than there is on one box', () => {
    let time = 0;
    const property = over(magnitude, [[1], -1]);
    expect(verdictOf(magnitude, property, { method: 'deeppoly' }).verdict).toBe('holds');
    const late = { method: 'deeppoly', now: () => (time += 1), maxMilliseconds: 1 } as const;
    expect(verdictOf(magnitude, property, late)).toMatchObject({ verdict: 'undecided', reason: 'time' });
  });

  it('returns the same for the same arguments', () => {
    const property = over(figure3(), [[1, -1], 1.5]);
    expect(verdictOf(figure3(), property)).toEqual(verdictOf(figure3(), property));
  });

  it('refuses a property of another network', () => {
    const result = certify(figure3(), over(magnitude, [[1], 0]));
    expect(result.ok ? 'certified' : result.error.code).toBe('PV-8313');
  });

  it('refuses a proof for float32 of float64 weights, which an engine would round', () => {
    const result = certify(figure3(), over(figure3(), [[1, -1], 0]), { arithmetic: 'float32' });
    expect(result.ok ? 'certified' : result.error.code).toBe('PV-8315');
  });

  it('never contradicts sampling', () => {
    const number = fc.double({ min: -2, max: 2, noNaN: true });
    const row = fc.tuple(number, number);
    fc.assert(
      fc.property(
        fc.tuple(row, row, row),
        fc.tuple(number, number, number),
        fc.tuple(number, number, number),
        number,
        fc.constantFrom('ibp', 'deeppoly', 'hybrid'),
        fc.array(row, { maxLength: 20 }),
        (weights, bias, out, bound, method, points) => {
          const network = networkOf(2, [
            { weights, bias, slope: 0 },
            { weights: [out], bias: [0] },
          ]);
          const property = over(network, [[1], bound]);
          const { verdict, counterexample } = verdictOf(network, property, { method, maxBoxes: 200 });
          const evaluate = createEvaluator(network);
          const [only] = property.cases;
          const hit = points
            .map((x) => x.map((value) => value / 2))
            .find((x) => isUnsafe(only?.constraints ?? [], x, evaluate(x)));
          if (hit) expect(verdict).not.toBe('holds');
          if (counterexample) {
            expect(isUnsafe(only?.constraints ?? [], counterexample.inputs, evaluate(counterexample.inputs))).toBe(
              true,
            );
            expect(counterexample.inputs.every((x) => x >= -1 && x <= 1)).toBe(true);
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('the certified radius', () => {
  // The larger of (x, 0.5): label 0 while x > 0.5.
  const threshold = networkOf(1, [{ weights: [[1], [0]], bias: [0, 0.5] }]);

  it('is the distance to the decision boundary of an affine network, from below', () => {
    const { radius, refutedAt } = valueOf(certifiedRadius(threshold, { input: [0.75], label: 0 }, { steps: 40 }));
    expect(radius).toBeLessThan(0.25);
    expect(radius).toBeGreaterThan(0.25 - 1e-9);
    expect(refutedAt).toBeGreaterThanOrEqual(0.25);
    expect(refutedAt).toBeLessThan(1);
  });

  it('is the requested maximum if all of it is proved, and null for a wrong label', () => {
    expect(valueOf(certifiedRadius(threshold, { input: [9], label: 0 }, { upTo: 2 }))).toEqual({
      radius: 2,
      refutedAt: null,
    });
    expect(valueOf(certifiedRadius(threshold, { input: [0], label: 0 }))).toEqual({ radius: null, refutedAt: 0 });
  });

  it('is clipped to the domain', () => {
    const domain = { lo: 0.6, hi: 1 };
    expect(valueOf(certifiedRadius(threshold, { input: [0.75], label: 0 }, { domain })).radius).toBe(1);
  });

  it('refuses what no ball can be around', () => {
    const code = (input: readonly number[], label: number, epsilon: number): string => {
      const property = ballProperty(2, { input, label }, epsilon, { lo: 0, hi: 1 });
      return property.ok ? 'ball' : property.error.code;
    };
    expect([
      code([0.5], 0, 0.1),
      code([0.5], 2, 0.1),
      code([Number.NaN], 0, 0.1),
      code([2], 0, 0.1),
      code([0.5], 0, -1),
      code([0.5], 0, Infinity),
    ]).toEqual(['ball', 'PV-8313', 'PV-8314', 'PV-8314', 'PV-8314', 'PV-8314']);
  });
});

describe('a certificate over several examples', () => {
  const threshold = networkOf(1, [{ weights: [[1], [0]], bias: [0, 0.5] }]);
  const examples = [
    { input: [0.75], label: 0 },
    { input: [0.52], label: 0 },
    { input: [0.1], label: 1 },
    { input: [0.1], label: 0 },
  ];

  it('has the share that keeps its label, and a radius for all', () => {
    const certificate = valueOf(
      certifyExamples(threshold, examples.slice(0, 3), {
        epsilon: 0.1,
        method: { kind: 'hybrid', ibpWarmupEpochs: 0 },
        withRadius: true,
      }),
    );
    expect(certificate.certifiedFraction).toBe(2 / 3);
    expect(certificate.certifiedRadius).toBeCloseTo(0.02, 6);
    expect(certificate.examples.map(({ verdict }) => verdict)).toEqual(['holds', 'violated', 'holds']);
    expect(certificate.method).toBe('hybrid');
    expect(certificate.scope).toContain('float64');
  });

  it('has no radius if an example gets another label', () => {
    const certificate = valueOf(
      certifyExamples(threshold, examples, { epsilon: 0.01, method: { kind: 'ibp' }, withRadius: true }),
    );
    expect(certificate.certifiedRadius).toBe(0);
    expect(certificate.certifiedFraction).toBe(3 / 4);
    expect(certificate.examples.at(-1)).toEqual({ verdict: 'violated', radius: null });
  });

  it('uses intervals alone in the first epochs of a hybrid', () => {
    const method = { kind: 'hybrid', ibpWarmupEpochs: 3 } as const;
    expect([0, 2, 3, undefined].map((epoch) => methodAt(method, epoch))).toEqual(['ibp', 'ibp', 'hybrid', 'hybrid']);
  });
});

describe('a graph convolutional network', () => {
  const data = plantedGraph({ nodes: 40, classes: 3, features: 4, degree: 2, homophily: 0.8, labelled: 1, seed: 3 });
  const widths = [4, 5, 3];
  const layers = [0, 1].map((l) => ({
    weight: glorotUniform(5, `layer ${l}`, widths[l] ?? 0, widths[l + 1] ?? 0),
    bias: new Float32Array(widths[l + 1] ?? 0).fill(0.1),
  }));
  const scores = createGnn(widths, data).forward(layers).slice();
  const labelOf = (node: number): number =>
    [0, 1, 2].reduce((best, k) => ((scores[3 * node + k] ?? 0) > (scores[3 * node + best] ?? 0) ? k : best), 0);

  it('is the network that the engine runs', () => {
    const { network } = gnnNetwork(data.adjacency, layers);
    for (const [j, y] of createEvaluator(network)(data.features).entries())
      expect(Math.abs(y - (scores[j] ?? 0))).toBeLessThan(1e-5);
    const found = bounds(network, { lo: data.features, hi: data.features }, 'ibp', 'float32');
    for (const [j, y] of scores.entries()) {
      expect(found.lo[network.output]?.[j]).toBeLessThanOrEqual(y);
      expect(found.hi[network.output]?.[j]).toBeGreaterThanOrEqual(y);
    }
  });

  it('gives a node the same scores on its neighbourhood as on the graph', () => {
    const { network, inputs, outputs } = gnnNetwork(data.adjacency, layers, [7]);
    expect(outputs).toEqual([7]);
    expect(inputs.length).toBeLessThan(40);
    const features = inputs.flatMap((node) => [...data.features.subarray(4 * node, 4 * node + 4)]);
    for (const [k, y] of createEvaluator(network)(features).entries())
      expect(Math.abs(y - (scores[21 + k] ?? 0))).toBeLessThan(1e-5);
  });

  it('is certified node by node', () => {
    const nodes = [0, 1, 2, 3, 4, 5].map((node) => ({ node, label: labelOf(node) }));
    const fraction = (epsilon: number): number =>
      valueOf(
        certifyNodes(data, layers, nodes, {
          epsilon,
          method: { kind: 'deeppoly' },
          arithmetic: 'float32',
          maxBoxes: 1,
        }),
      ).certifiedFraction;
    expect(fraction(1e-4)).toBe(1);
    expect(fraction(10)).toBe(0);
  });
});

describe.runIf(hasRobustnessData)('the instances of VNN-COMP 2021', () => {
  // Quick ones; the benchmark decides them all.
  const quick = instances().filter(
    ({ onnx, vnnlib }) => onnx.startsWith('tiny') || (/_2_[4-9]_/.test(onnx) && /prop_[34]/.test(vnnlib)),
  );
  it.each(quick)('$onnx on $vnnlib: the verdict of the competition', ({ onnx, vnnlib, consensus }) => {
    const found = verdictOf(networkAt(onnx), propertyAt(vnnlib), { maxBoxes: 2000 });
    // Where one tool contradicts the others, these are right.
    expect(found.verdict).toBe(consensus === 'sat' ? 'violated' : 'holds');
  });

  it('never contradicts the counterexamples of others', () => {
    interface Known {
      readonly onnx: string;
      readonly vnnlib: string;
      readonly x: readonly number[];
    }
    const known = jsonAt<readonly Known[]>('counterexamples.json', []).filter(({ onnx }) => onnx.startsWith('ACASXU'));
    for (const { onnx, vnnlib, x } of known.slice(0, 6)) {
      const network = networkAt(`acasxu/${onnx}`);
      const outputs = createEvaluator(network)(x);
      const property = propertyAt(`acasxu/${vnnlib}`);
      expect(property.cases.some(({ constraints }) => isUnsafe(constraints, x, outputs))).toBe(true);
      expect(verdictOf(network, property, { maxBoxes: 20 }).verdict).not.toBe('holds');
    }
  });
});
