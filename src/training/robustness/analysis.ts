/** The arrays for analysing a network, allocated once and used for every box. */
import { invariant } from '../../base/invariant.ts';
import { weightMagnitudes, type Network, type NetworkNode } from './network.ts';
import { analysisError, nodeRounding, productError, productUnderflow, tiny, type Arithmetic } from './rounding.ts';

/** What is known of one node while a box is analysed. */
export interface NodeState {
  readonly node: NetworkNode;
  /** Lower and upper bounds of its values. */
  readonly lo: Float64Array;
  readonly hi: Float64Array;
  /** max(|lo|, |hi|). */
  readonly magnitude: Float64Array;
  /** Coefficients of a linear form that is being substituted backwards; all zero between two of them. */
  readonly coefficients: Float64Array;
  /** For an affine node: how far its computed value may be from W x + b. */
  readonly slack: Float64Array;
  /** For an affine node: see {@link nodeRounding}. */
  readonly rounding: {
    readonly relative: number;
    readonly largest: number;
    /** What products that underflow cost, as a share of the node's extent. */
    readonly underflow: number;
    /** The largest sum of the magnitudes of a row, at least 1, and the largest bias: they make the extent. */
    readonly scale: number;
    readonly bias: number;
  };
  /** For an activation: lowerSlope · x + lowerOffset ≤ activation(x) ≤ upperSlope · x + upperOffset. */
  readonly lowerSlope: Float64Array;
  readonly lowerOffset: Float64Array;
  readonly upperSlope: Float64Array;
  readonly upperOffset: Float64Array;
}

export interface Analysis {
  readonly network: Network;
  readonly arithmetic: Arithmetic;
  readonly states: readonly NodeState[];
  /** The share of a sum of magnitudes that the rounding of the analysis itself may cost. */
  readonly error: number;
  /** The share of |α x| that a leaky ReLU may lose. */
  readonly productError: number;
  /** What it may also lose to underflow. */
  readonly productUnderflow: number;
  /** Once false, values get no bounds by back-substitution, which takes the longest. */
  readonly isInTime: () => boolean;
  /**
   * For each affine node: at least the magnitude of every product of values that a chain of affine nodes reads and of any of
   * their weights. An engine may multiply them in another order, or merge weights before it runs: onnxruntime merges a
   * convolution and a normalisation, and moves scalar factors past a product.
   */
  readonly extents: Float64Array;
  /** The largest extent so far. */
  readonly peak: Float64Array;
  /** Whether a node has coefficients at present. */
  readonly pending: Uint8Array;
  /** Whether an activation reads the node. */
  readonly feedsActivation: Uint8Array;
}

const none = new Float64Array(0);

/** Fresh arrays for a network. */
export function createAnalysis(
  network: Network,
  arithmetic: Arithmetic,
  isInTime: () => boolean = () => true,
): Analysis {
  const error = analysisError(network);
  const products = productCounts(network);
  const states = network.nodes.map((node, index): NodeState => {
    const isActivation = node.kind === 'activation';
    const array = (): Float64Array => new Float64Array(node.size);
    const relaxation = (): Float64Array => (isActivation ? array() : none);
    return {
      node,
      lo: array(),
      hi: array(),
      magnitude: array(),
      coefficients: array(),
      slack: node.kind === 'affine' ? array() : none,
      rounding: roundingOf(node, arithmetic, error, products[index] ?? 1),
      lowerSlope: relaxation(),
      lowerOffset: relaxation(),
      upperSlope: relaxation(),
      upperOffset: relaxation(),
    };
  });
  return {
    network,
    arithmetic,
    states,
    error,
    productError: productError(arithmetic, error),
    productUnderflow: productUnderflow(arithmetic),
    isInTime,
    extents: new Float64Array(network.nodes.length),
    peak: Float64Array.of(1),
    pending: new Uint8Array(network.nodes.length),
    feedsActivation: Uint8Array.from(network.nodes, (_, index) =>
      network.nodes.some((node) => node.kind === 'activation' && node.from === index) ? 1 : 0,
    ),
  };
}

function roundingOf(node: NetworkNode, arithmetic: Arithmetic, error: number, products: number): NodeState['rounding'] {
  if (node.kind !== 'affine') return { relative: 0, largest: Infinity, underflow: 0, scale: 1, bias: 0 };
  const { relative, largest, smallest } = nodeRounding(node, arithmetic, error);
  const scale = weightMagnitudes(node).reduce((most, sum) => Math.max(most, sum), 1);
  const bias = node.biasMagnitude.reduce((most, one) => Math.max(most, one), 0);
  return { relative, largest, underflow: products * smallest + tiny, scale, bias };
}

/** For each node, how many products its values are sums of at most, through the affine nodes that it reads. */
function productCounts({ nodes }: Network): Float64Array {
  const counts = new Float64Array(nodes.length).fill(1);
  for (const [index, node] of nodes.entries()) {
    if (node.kind !== 'affine') continue;
    const inner = node.terms.reduce((most, { from }) => Math.max(most, counts[from] ?? 1), 1);
    counts[index] = (node.roundings + 1) * Math.max(node.terms.length, 1) * inner;
  }
  return counts;
}

/** The state of a node that the network refers to. */
export function stateOf(analysis: Analysis, index: number): NodeState {
  const state = analysis.states[index];
  invariant(state !== undefined, 'a network refers to its own nodes');
  return state;
}
