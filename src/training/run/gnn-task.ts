/** `model: { kind: gnn }` on `data: { kind: planted_graph }`. */
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from '../../base/canonical-json.ts';
import { present } from '../../base/invariant.ts';
import { list, oneOf, record, type Decoder } from '../../evidence/decoder.ts';
import { createGnn, type Gnn, type GnnLayer, type GraphData } from '../model/gnn.ts';
import { permuted } from '../model/graph.ts';
import { glorotUniform } from '../model/initial.ts';
import { plantedGraph } from '../model/planted-graph.ts';
import type { ParametersInput } from '../parameters.ts';
import { between, whole } from './fields.ts';
import type { Weights } from '../model/module.ts';
import type { Task } from './task.ts';
import { certifyNodes } from '../robustness/certifier.ts';
import { orThrow } from '../training-error.ts';
import { chosen } from './chosen.ts';

/** The `model:` key of a graph network. */
export interface GnnModel {
  readonly kind: 'gnn';
  /** Widths of the hidden layers, from first to last. */
  readonly hidden: readonly number[];
}

/** The `data:` key of a graph generated from the seed. */
export interface PlantedGraphData {
  readonly kind: 'planted_graph';
  readonly nodes: number;
  readonly classes: number;
  readonly features: number;
  readonly degree: number;
  readonly homophily: number;
  readonly labelled: number;
}

export const gnnModel: Decoder<GnnModel> = record<GnnModel>({ kind: oneOf('gnn'), hidden: list(whole(1, 1024), 16) });

export const plantedGraphData: Decoder<PlantedGraphData> = record<PlantedGraphData>({
  kind: oneOf('planted_graph'),
  nodes: whole(2, 100_000),
  classes: whole(2, 100),
  features: whole(1, 1024),
  degree: whole(1, 100),
  homophily: between(0, 1),
  labelled: between(0.001, 1),
});

/** Full-batch training of a graph network: the same weights give the same loss at every step. */
export function gnnTask(seed: number, { hidden }: GnnModel, data: PlantedGraphData): Task {
  const widths = [data.features, ...hidden, data.classes];
  const graph = plantedGraph({ ...data, seed });
  const gnn = createGnn(widths, graph);
  const layers = widths.slice(1).map((outputs, l) => ({
    name: `conv${l + 1}`,
    inputs: present(widths[l], 'a layer has inputs'),
    outputs,
  }));
  const layersOf = (weights: Weights): readonly GnnLayer[] =>
    layers.map(({ name }) => ({ weight: weights(`${name}.weight`), bias: weights(`${name}.bias`) }));
  /** The same graph with the labels of some nodes, for losses of single samples; its buffers are made when they are needed. */
  const some = { ...graph, labels: new Int32Array(graph.labels.length) };
  let partial: Gnn | null = null;
  const labelled = [...graph.labels.keys()].filter((node) => (graph.labels[node] ?? -1) >= 0);
  const named = (gradients: readonly GnnLayer[]): Readonly<Record<string, Float32Array>> =>
    Object.fromEntries(
      gradients.flatMap(({ weight, bias }, l): [string, Float32Array][] => {
        const { name } = present(layers[l], 'a gradient has its layer');
        return [
          [`${name}.weight`, weight],
          [`${name}.bias`, bias],
        ];
      }),
    );
  return {
    initial: () =>
      Object.fromEntries(
        layers.flatMap(({ name, inputs, outputs }): [string, ParametersInput[string]][] => [
          [`${name}.weight`, { shape: [inputs, outputs], data: glorotUniform(seed, name, inputs, outputs) }],
          [`${name}.bias`, { shape: [outputs], data: new Float32Array(outputs) }],
        ]),
      ),
    lossAndGradients(weights) {
      const { loss, gradients } = gnn.lossAndGradients(layersOf(weights));
      return { loss, gradients: named(gradients) };
    },
    samples: {
      count: labelled.length,
      at: () => [...labelled.keys()],
      lossAndGradients(weights, samples) {
        some.labels.fill(-1);
        for (const sample of samples) {
          // A checkpoint of strangers may name other samples: they have no label, and no loss.
          const node = labelled[sample];
          if (node !== undefined) some.labels[node] = graph.labels[node] ?? -1;
        }
        partial ??= createGnn(widths, some);
        const { loss, gradients } = partial.lossAndGradients(layersOf(weights));
        return { loss, gradients: named(gradients) };
      },
    },
    equivariance: {
      nodes: data.nodes,
      forward: (weights, order) => createGnn(widths, renamed(graph, data.features, order)).forward(layersOf(weights)),
    },
    certifyRobustness(weights, { epsilon, method, samples, radius }) {
      const some = chosen([...labelled.keys()], samples, seed, 'robustness', 0).sort((a, b) => a - b);
      const nodes = some.map((sample) => {
        const node = present(labelled[sample], 'a sample is a labelled node');
        return { node, label: graph.labels[node] ?? -1 };
      });
      const kind = method === 'hybrid' ? ({ kind: method, ibpWarmupEpochs: 0 } as const) : { kind: method };
      // One box for each node, and no clock: the result depends on the weights alone.
      const certifier = { epsilon, method: kind, withRadius: radius, maxBoxes: 1 };
      const { examples, ...certificate } = orThrow(certifyNodes(graph, layersOf(weights), nodes, certifier));
      return { ...certificate, nodes: examples.map((one, k) => ({ node: nodes[k]?.node ?? -1, ...one })) };
    },
    sequence: [],
    manifest: utf8ToBytes(canonicalJson({ ...data, seed })),
  };
}

/** The graph whose node i is node `order[i]` of this one. */
function renamed({ adjacency, features, labels }: GraphData, width: number, order: Int32Array): GraphData {
  const rows = new Float32Array(features.length);
  for (const [i, node] of order.entries()) rows.set(features.subarray(node * width, (node + 1) * width), i * width);
  return { adjacency: permuted(adjacency, order), features: rows, labels };
}
