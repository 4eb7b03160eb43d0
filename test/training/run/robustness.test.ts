/** `robustness:` in a run file: what is certified about the final weights, and what verification makes of it. */
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/canonical-json.ts';
import { streamFor, unitDouble } from '../../../src/numeric/xoshiro.ts';
import { float32Of, readSafetensors } from '../../../src/tensors/safetensors.ts';
import { createGnn } from '../../../src/training/model/gnn.ts';
import { plantedGraph } from '../../../src/training/model/planted-graph.ts';
import { readRun } from '../../../src/training/run/run-file.ts';
import { verifyCertificate, type Level } from '../../../src/training/verify/verify.ts';
import { document, filesOf, trainedFiles, type TrainedFiles } from './small-run.ts';

const names = { certificate: 'certificate.json', weights: 'weights.safetensors' };
const verify = (files: TrainedFiles, level: Level) =>
  verifyCertificate(filesOf(files), { level, segments: 1, keys: [], names, pick: () => 0 });

const certified = async (robustness: JsonObject): Promise<TrainedFiles> =>
  trainedFiles({ ...document, steps: 40, checkpoint_interval: 40, robustness });
const fractionOf = ({ certificate }: TrainedFiles): number => Number(certificate.robustness?.['certifiedFraction']);

const nodesOf = ({ nodes }: JsonObject): readonly JsonObject[] => (Array.isArray(nodes) ? (nodes as JsonObject[]) : []);
const without = (object: JsonObject, key: string): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
const held = (node: JsonObject): JsonObject => ({ ...node, verdict: 'holds', radius: 0.5 });

describe('the robustness of the final weights', () => {
  it.each(['ibp', 'deeppoly', 'hybrid'])('is certified with %s, and replays', async (method) => {
    const files = await certified({ epsilon: 0.01, method, samples: 6, radius: true });
    expect(files.certificate.robustness).toMatchObject({ epsilon: 0.01, method, arithmetic: 'float32' });
    const nodes: JsonValue = files.certificate.robustness?.['nodes'] ?? null;
    expect(nodes).toHaveLength(6);
    for (const level of ['ledger', 'full'] as const)
      expect(await verify(files, level)).toMatchObject({ reached: level });
  });

  it('shrinks as the ball grows, down to nothing', async () => {
    const fractions = [];
    for (const epsilon of [0, 0.05, 0.5, 50]) fractions.push(fractionOf(await certified({ epsilon })));
    expect(fractions).toEqual(fractions.toSorted((a, b) => b - a));
    expect(fractions[0]).toBeGreaterThan(0);
    expect(fractions.at(-1)).toBe(0);
  });

  it('holds for sampled perturbations of the features of all nodes', async () => {
    const epsilon = 0.2;
    const files = await certified({ epsilon, samples: 30 });
    const tensors = readSafetensors(files.weights);
    if (!tensors.ok) throw new Error(tensors.error.message);
    const array = (name: string): Float32Array => {
      const tensor = tensors.value.tensors.get(name);
      return (tensor === undefined ? null : float32Of(tensor)) ?? new Float32Array();
    };
    const layers = ['conv1', 'conv2'].map((name) => ({ weight: array(`${name}.weight`), bias: array(`${name}.bias`) }));
    const graph = plantedGraph({
      nodes: 30,
      classes: 3,
      features: 4,
      degree: 3,
      homophily: 0.9,
      labelled: 0.6,
      seed: 3,
    });
    const nodes = files.certificate.robustness?.['nodes'];
    const robust = (Array.isArray(nodes) ? nodes : []).flatMap((one) =>
      typeof one === 'object' && one !== null && 'verdict' in one && one['verdict'] === 'holds'
        ? [Number(one['node'])]
        : [],
    );
    expect(robust.length).toBeGreaterThan(0);
    expect(robust.length).toBeLessThan(Array.isArray(nodes) ? nodes.length : 0);
    const stream = streamFor(1, 'perturbation');
    for (let trial = 0; trial < 50; trial++) {
      const features = graph.features.map((value) => value + (unitDouble(stream) < 0.5 ? -epsilon : epsilon));
      const scores = createGnn([4, 6, 3], { ...graph, features }).forward(layers);
      for (const node of robust) {
        const own = [...scores.subarray(3 * node, 3 * node + 3)];
        expect(own.indexOf(Math.max(...own))).toBe(graph.labels[node]);
      }
    }
  });

  it.each<[string, (robustness: JsonObject) => JsonObject | null]>([
    ['of a larger share', (robustness) => ({ ...robustness, certifiedFraction: 1 })],
    ['of a larger common radius', (robustness) => ({ ...robustness, certifiedRadius: 0.5 })],
    ['of another radius', (robustness) => ({ ...robustness, epsilon: 0.6 })],
    ['by another method', (robustness) => ({ ...robustness, method: 'deeppoly' })],
    ['of more examples', (robustness) => ({ ...robustness, scope: '116 examples, all of them robust' })],
    ['for other arithmetic', (robustness) => ({ ...robustness, arithmetic: 'real' })],
    ['of more nodes', (robustness) => ({ ...robustness, nodes: [...nodesOf(robustness), ...nodesOf(robustness)] })],
    ['of fewer nodes', (robustness) => ({ ...robustness, nodes: nodesOf(robustness).slice(1) })],
    ['with another verdict', (robustness) => ({ ...robustness, nodes: nodesOf(robustness).map(held) })],
    ['without its list', (robustness) => without(robustness, 'nodes')],
    ['left out', () => null],
  ])('is refused at every level when its summary is %s', async (_, change) => {
    const files = await certified({ epsilon: 0.5, method: 'ibp' });
    expect(fractionOf(files)).toBeLessThan(1);
    const robustness = change(files.certificate.robustness ?? {});
    const forged = { ...files, certificate: { ...files.certificate, robustness } };
    expect(await verify(forged, 'files')).toMatchObject({ reached: null, problem: { code: 'PV-8408' } });
  });

  it('is refused if the run file does not ask for it', async () => {
    const [asked, files] = [await certified({ epsilon: 0.5 }), await trainedFiles()];
    const forged = { ...files, certificate: { ...files.certificate, robustness: asked.certificate.robustness } };
    expect(await verify(forged, 'files')).toMatchObject({ reached: null, problem: { code: 'PV-8408' } });
  });

  it('is refused by a replay if the list is invented too; the ledger knows nothing of it', async () => {
    const files = await certified({ epsilon: 0.5 });
    const robustness = files.certificate.robustness ?? {};
    const invented = {
      ...robustness,
      certifiedFraction: 1,
      certifiedRadius: 0.5,
      nodes: nodesOf(robustness).map(held),
    };
    const forged = { ...files, certificate: { ...files.certificate, robustness: invented } };
    expect(await verify(forged, 'ledger')).toMatchObject({ reached: 'ledger' });
    const { reached, problem } = await verify(forged, 'full');
    expect(reached).toBe('ledger');
    expect(problem?.message).toContain('gives another certificate.robustness.');
  });

  it.each<[JsonObject, string]>([
    [{ epsilon: -1 }, 'run.robustness.epsilon is -1'],
    [{ epsilon: 1, method: 'magic' }, 'run.robustness.method'],
    [{ epsilon: 1, samples: 0 }, 'run.robustness.samples is 0'],
    [{}, 'run.robustness'],
  ])('takes no %j', (robustness, message) => {
    const run = readRun({ ...document, robustness });
    expect(run.ok ? '' : run.error.message).toContain(message);
  });
});
