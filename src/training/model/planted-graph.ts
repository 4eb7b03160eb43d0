/** A graph with learnable classes: nodes of the same class are linked more often, and their features are shifted alike. */
import { streamFor, unitDouble, uniformInteger } from '../../numeric/xoshiro.ts';
import type { GraphData } from './gnn.ts';
import { normalisedAdjacency, type Edge } from './graph.ts';

/** Sizes and probabilities of a planted partition. */
export interface PlantedGraphOptions {
  readonly nodes: number;
  readonly classes: number;
  /** Features per node. */
  readonly features: number;
  /** Edges that each node draws. */
  readonly degree: number;
  /** The share of edges within a class, in [0, 1]. */
  readonly homophily: number;
  /** The share of nodes that have a label, in (0, 1]. */
  readonly labelled: number;
  readonly seed: number;
}

/**
 * The stochastic block model with equal blocks: node i has class i mod classes. Features are uniform in [−1, 1), with 1 added to
 * feature (class mod number of features).
 *
 * Source: Holland, Laskey & Leinhardt (1983), Stochastic blockmodels: First steps.
 */
export function plantedGraph(options: PlantedGraphOptions): GraphData {
  const { nodes, classes, degree, homophily, labelled, seed } = options;
  const [links, values, chosen] = [streamFor(seed, 'edges'), streamFor(seed, 'features'), streamFor(seed, 'labels')];
  const classOf = (node: number): number => node % classes;
  const edges: Edge[] = [];
  for (let node = 0; node < nodes; node++) {
    for (let e = 0; e < degree; e++) {
      const among = unitDouble(links) < homophily ? Math.ceil((nodes - classOf(node)) / classes) : null;
      const other =
        among === null
          ? uniformInteger(links, 0, nodes - 1)
          : classOf(node) + classes * uniformInteger(links, 0, among - 1);
      edges.push([node, other]);
    }
  }
  const features = new Float32Array(nodes * options.features);
  for (let i = 0; i < features.length; i++) {
    const node = Math.floor(i / options.features);
    features[i] = 2 * unitDouble(values) - 1 + (i % options.features === classOf(node) % options.features ? 1 : 0);
  }
  const labels = Int32Array.from({ length: nodes }, (_, node) => (unitDouble(chosen) < labelled ? classOf(node) : -1));
  if (!labels.some((label) => label >= 0)) labels[0] = 0;
  return { adjacency: normalisedAdjacency(nodes, edges), features, labels };
}
