/** The arrays for analysing a network, allocated once and used for every box. */
import { invariant } from '../../base/invariant.ts';
import { weightMagnitudes, type Network, type NetworkNode } from './network.ts';
import { analysisError, nodeRounding, productError, productUnderflow, type Arithmetic } from './rounding.ts';

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
    readonly absolute: Float64Array;
    /** What a weight that is flushed to zero costs, as a share of the values that the node reads; 0 if no weight can be. */
    readonly flushed: number;
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
  /** Whether a node has coefficients at present. */
  readonly pending: Uint8Array;
  /** Whether an activation reads the node. */
  readonly feedsActivation: Uint8Array;
}

const none = new Float64Array(0);

/** Fresh arrays for a network. */
export function createAnalysis(network: Network, arithmetic: Arithmetic): Analysis {
  const error = analysisError(network);
  const states = network.nodes.map((node): NodeState => {
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
      rounding: roundingOf(node, arithmetic, error),
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
    pending: new Uint8Array(network.nodes.length),
    feedsActivation: Uint8Array.from(network.nodes, (_, index) =>
      network.nodes.some((node) => node.kind === 'activation' && node.from === index) ? 1 : 0,
    ),
  };
}

function roundingOf(node: NetworkNode, arithmetic: Arithmetic, error: number): NodeState['rounding'] {
  if (node.kind !== 'affine') return { relative: 0, largest: Infinity, absolute: none, flushed: 0 };
  const { relative, largest, absolute, smallest } = nodeRounding(node, arithmetic, error);
  const isFlushed = node.terms.some(({ matrix }) => matrix.values.some((w) => w !== 0 && Math.abs(w) < smallest));
  return { relative, largest, absolute: weightMagnitudes(node).map(absolute), flushed: isFlushed ? smallest : 0 };
}

/** The state of a node that the network refers to. */
export function stateOf(analysis: Analysis, index: number): NodeState {
  const state = analysis.states[index];
  invariant(state !== undefined, 'a network refers to its own nodes');
  return state;
}
