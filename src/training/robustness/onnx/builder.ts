/**
 * Builds a network from affine maps and activations. An affine map of an affine node becomes one node where the magnitudes of
 * their weights multiply too (a permutation, a moderate scaling, a bias), so that reshaping and normalising cost nothing later.
 */
import { invariant } from '../../../base/invariant.ts';
import { wrong, type Problem } from '../../../base/problem.ts';
import { ok, type Result } from '../../../base/result.ts';
import { packed, type SparseMatrix } from '../matrix.ts';
import type { Network, NetworkNode } from '../network.ts';
import type { Budget } from './budget.ts';
import { mostScaling } from '../rounding.ts';
import { sparseRows } from '../sparse-rows.ts';

/** An affine map of one node: matrix · node + bias. */
export interface AffineMap {
  readonly from: number;
  readonly matrix: SparseMatrix;
}

interface Part {
  readonly terms: readonly AffineMap[];
  readonly bias: Float64Array;
  readonly biasMagnitude: Float64Array;
  readonly roundings: number;
  /** By what factor values between the operators that it stands for may be scaled up or down to their effect on the result. */
  readonly scaling: number;
}

type Built = Exclude<NetworkNode, { kind: 'affine' }> | ({ readonly kind: 'affine'; readonly size: number } & Part);

export interface Builder {
  /** The sum of maps and a bias, which an engine computes with as many roundings; the index of its node. */
  readonly affine: (maps: readonly AffineMap[], bias: Float64Array, roundings: number) => Result<number, Problem>;
  /** max(x, 0) + slope · min(x, 0). */
  readonly activation: (from: number, slopes: Float64Array) => Result<number, Problem>;
  readonly size: (node: number) => number;
  /** Says that an operator was replaced by others that round otherwise: see {@link Network.isRewritten}. */
  readonly rewrite: () => void;
  /** The network whose output is a node, without the nodes that it does not need. */
  readonly finish: (output: number, weights: Network['weights']) => Network;
}

/** A network of millions of values takes hours to certify. */
const mostValues = 4_000_000;

export function createBuilder(inputSize: number, budget: Budget): Builder {
  const nodes: Built[] = [{ kind: 'input', size: inputSize }];
  let values = inputSize;
  let isRewritten = false;
  const add = (node: Built): Result<number, Problem> => {
    values += node.size;
    return values > mostValues ? tooLarge() : ok(nodes.push(node) - 1);
  };
  return {
    affine(maps, bias, roundings) {
      const allowed = budget.keep(maps.reduce((sum, map) => sum + weightsOf(nodes, map), bias.length));
      if (!allowed.ok) return allowed;
      const parts = maps.map((map) => composed(nodes, map));
      isRewritten ||= maps.some((map) => reorders(nodes, map, maps.length, bias));
      return add({ kind: 'affine', size: bias.length, ...summed(parts, bias, roundings) });
    },
    activation(from, slopes) {
      const allowed = budget.keep(slopes.length);
      return allowed.ok ? add({ kind: 'activation', size: slopes.length, from, slopes }) : allowed;
    },
    size: (node) => nodes[node]?.size ?? 0,
    rewrite: () => {
      isRewritten = true;
    },
    finish: (output, format) => ({ ...pruned(nodes, output, format), ...(isRewritten && { isRewritten }) }),
  };
}

function summed(parts: readonly Part[], bias: Float64Array, roundings: number): Part {
  const total = bias.slice();
  const magnitude = bias.map(Math.abs);
  for (const part of parts) {
    for (let j = 0; j < bias.length; j++) {
      total[j] = (total[j] ?? 0) + (part.bias[j] ?? 0);
      magnitude[j] = (magnitude[j] ?? 0) + (part.biasMagnitude[j] ?? 0);
    }
  }
  return {
    terms: parts.flatMap(({ terms }) => terms),
    bias: total,
    biasMagnitude: magnitude,
    roundings: roundings + parts.reduce((most, part) => Math.max(most, part.roundings), 0),
    scaling: parts.reduce((most, part) => Math.max(most, part.scaling), 1),
  };
}

const tooLarge = (): Result<never, Problem> =>
  wrong('PV-8305', 'network size', 'The network is larger than pv certifies.', {
    expected: `at most ${mostValues} values`,
  });

/** The affine node that a map is composed with; null if it is composed with none. */
function composedWith(nodes: readonly Built[], { from, matrix }: AffineMap): Part | null {
  const inner = nodes[from];
  invariant(inner !== undefined, 'a map reads a node that is there');
  const composes =
    inner.kind === 'affine' &&
    (isSelection(matrix)
      ? inner.scaling * scalingOf(matrix) <= mostScaling
      : inner.terms.length === 1 &&
        inner.biasMagnitude.every((one) => one < mostBias) &&
        inner.terms.every((term) => isInjection(term.matrix) && inner.scaling * scalingOf(term.matrix) <= mostScaling));
  return composes ? inner : null;
}

/**
 * Whether the composition of a map, one of `count` with a common bias, rounds in another order than its node and the map after it.
 * Moving values, changing signs, and adding a bias to a sum that has none do not.
 */
function reorders(nodes: readonly Built[], map: AffineMap, count: number, bias: Float64Array): boolean {
  const inner = composedWith(nodes, map);
  if (inner === null) return false;
  const hasBias = inner.bias.some((one) => one !== 0);
  const [term] = inner.terms;
  if (inner.terms.length === 1 && term !== undefined && isMove(term.matrix) && !hasBias) return false;
  return count > 1 || !isMove(map.matrix) || (hasBias && bias.some((one) => one !== 0));
}

/** Whether a matrix only moves values, and changes the sign of some. */
const isMove = (matrix: SparseMatrix): boolean =>
  isSelection(matrix) && matrix.values.every((value) => Math.abs(value) === 1);

/** With a larger bias a sum might overflow, and a small weight would hide it. */
const mostBias = 2 ** 100;

/** The largest factor by which a selection scales, up or down; infinite where a factor is zero. */
const scalingOf = ({ values }: SparseMatrix): number =>
  values.reduce((most, value) => Math.max(most, Math.abs(value), 1 / Math.abs(value)), 1);

/** How many weights and rows the composed map will have: rows that are selected again and again multiply them. */
function weightsOf(nodes: readonly Built[], map: AffineMap): number {
  const inner = composedWith(nodes, map);
  if (inner === null) return map.matrix.values.length + map.matrix.rows;
  let count = inner.terms.length * map.matrix.rows;
  for (const { matrix } of inner.terms)
    for (const source of map.matrix.at) count += (matrix.starts[source + 1] ?? 0) - (matrix.starts[source] ?? 0);
  return count;
}

/** The map itself, or the map of what its node is made of. */
function composed(nodes: readonly Built[], map: AffineMap): Part {
  const { matrix } = map;
  const inner = composedWith(nodes, map);
  if (inner !== null) return throughRows(matrix, inner);
  const zeros = new Float64Array(matrix.rows);
  // The first of the factors, whatever it is, scales no value between two operators.
  return { terms: [map], bias: zeros, biasMagnitude: zeros, roundings: 0, scaling: 1 };
}

/** Whether each row has one entry at most. */
const isSelection = ({ starts }: SparseMatrix): boolean =>
  starts.every((start, r) => r === 0 || start - (starts[r - 1] ?? 0) <= 1);

/** Whether each row and each column has one entry at most. */
function isInjection(matrix: SparseMatrix): boolean {
  if (!isSelection(matrix)) return false;
  return new Set(matrix.at).size === matrix.at.length;
}

/** outer · inner: each entry of the outer matrix brings the row of the inner ones that it points at. */
function throughRows(outer: SparseMatrix, inner: Part): Part {
  const bias = new Float64Array(outer.rows);
  const biasMagnitude = new Float64Array(outer.rows);
  for (let r = 0; r < outer.rows; r++) {
    for (let k = outer.starts[r] ?? 0; k < (outer.starts[r + 1] ?? 0); k++) {
      const factor = outer.values[k] ?? 0;
      const source = outer.at[k] ?? 0;
      bias[r] = (bias[r] ?? 0) + factor * (inner.bias[source] ?? 0);
      biasMagnitude[r] = (biasMagnitude[r] ?? 0) + Math.abs(factor) * (inner.biasMagnitude[source] ?? 0);
    }
  }
  const terms = inner.terms.map(({ from, matrix }) => ({ from, matrix: product(outer, matrix) }));
  const scaling = isSelection(outer)
    ? inner.scaling * scalingOf(outer)
    : inner.terms.reduce((most, { matrix }) => Math.max(most, inner.scaling * scalingOf(matrix)), 1);
  return { terms, bias, biasMagnitude, roundings: inner.roundings, scaling };
}

function product(outer: SparseMatrix, inner: SparseMatrix): SparseMatrix {
  const count = outer.at.reduce(
    (sum, source) => sum + (inner.starts[source + 1] ?? 0) - (inner.starts[source] ?? 0),
    0,
  );
  const entries = sparseRows(outer.rows, inner.columns, count);
  for (let r = 0; r < outer.rows; r++) {
    for (let k = outer.starts[r] ?? 0; k < (outer.starts[r + 1] ?? 0); k++) {
      const source = outer.at[k] ?? 0;
      const factor = outer.values[k] ?? 0;
      for (let m = inner.starts[source] ?? 0; m < (inner.starts[source + 1] ?? 0); m++)
        entries.add(inner.at[m] ?? 0, factor * (inner.values[m] ?? 0));
    }
    entries.endRow();
  }
  return entries.matrix();
}

function pruned(nodes: readonly Built[], output: number, weights: Network['weights']): Network {
  const needed = new Set([0, output]);
  for (let n = output; n > 0; n--) {
    const node = nodes[n];
    if (!needed.has(n) || node === undefined || node.kind === 'input') continue;
    for (const from of node.kind === 'affine' ? node.terms.map((term) => term.from) : [node.from]) needed.add(from);
  }
  const kept = nodes.flatMap((node, n) => (needed.has(n) ? [{ node, n }] : []));
  const places = new Map(kept.map(({ n }, place) => [n, place]));
  const place = (n: number): number => places.get(n) ?? 0;
  return {
    nodes: kept.map(({ node }): NetworkNode => {
      if (node.kind === 'input') return node;
      if (node.kind === 'activation') return { ...node, from: place(node.from) };
      return { ...node, terms: node.terms.map(({ from, matrix }) => ({ from: place(from), matrix: packed(matrix) })) };
    }),
    inputSize: nodes[0]?.size ?? 0,
    outputSize: nodes[output]?.size ?? 0,
    output: place(output),
    weights,
  };
}
