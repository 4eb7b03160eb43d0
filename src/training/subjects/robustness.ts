/** Bounds of small networks, as bound to `contracts/certified-robustness-v1.yaml`. */
import { present } from '../../base/invariant.ts';
import { bounds, type Method } from '../robustness/bounds.ts';
import { createEvaluator } from '../robustness/evaluate.ts';
import { networkOf, type Layer, type Network } from '../robustness/network.ts';
import { certifiedRadius } from '../robustness/radius.ts';
import type { Arithmetic } from '../robustness/rounding.ts';

const methods: readonly Method[] = ['ibp', 'deeppoly', 'hybrid'];

function rowsOf(matrix: Float32Array, columns: number): readonly Float32Array[] {
  return Array.from({ length: matrix.length / columns }, (_, r) => matrix.subarray(r * columns, (r + 1) * columns));
}

/** Two hidden layers, `W` with `b` and `U` with `c`, and the output layer `V`. */
function layersOf(
  W: Float32Array,
  b: Float32Array,
  U: Float32Array,
  c: Float32Array,
  V: Float32Array,
  slope: number,
): readonly Layer[] {
  return [
    { weights: rowsOf(W, W.length / b.length), bias: b, slope },
    { weights: rowsOf(U, b.length), bias: c, slope },
    { weights: [V], bias: [0] },
  ];
}

/** The output, every operation rounded to float32. */
export function network(
  x: Float32Array,
  W: Float32Array,
  b: Float32Array,
  U: Float32Array,
  c: Float32Array,
  V: Float32Array,
  slope: number,
): number {
  const evaluate = createEvaluator(networkOf(x.length, layersOf(W, b, U, c, V, slope), 'float32'), 'float32');
  return present(evaluate(x)[0], 'the network has an output');
}

function boundsOf(
  net: Network,
  lo: Float32Array,
  width: Float32Array,
  method: number,
  arithmetic: Arithmetic,
): readonly [number, number] {
  const hi = lo.map((l, i) => l + (width[i] ?? NaN));
  const found = bounds(net, { lo, hi }, present(methods[method], 'methods are numbered from 0 to 2'), arithmetic);
  const [lower, upper] = [found.lo[net.output]?.[0], found.hi[net.output]?.[0]];
  return [present(lower, 'the output has a lower bound'), present(upper, 'the output has an upper bound')];
}

/** Lower and upper interval bounds over the reals, for inputs from `lo` to `lo + width`. */
export function intervalBounds(
  lo: Float32Array,
  width: Float32Array,
  W: Float32Array,
  b: Float32Array,
  U: Float32Array,
  c: Float32Array,
  V: Float32Array,
  slope: number,
): Float32Array {
  return Float32Array.from(boundsOf(networkOf(lo.length, layersOf(W, b, U, c, V, slope)), lo, width, 0, 'real'));
}

/** The lower (0) or upper (1) bound of the output in float32. */
export function outputBound(
  lo: Float32Array,
  width: Float32Array,
  W: Float32Array,
  b: Float32Array,
  U: Float32Array,
  c: Float32Array,
  V: Float32Array,
  slope: number,
  method: number,
  side: number,
): number {
  const net = networkOf(lo.length, layersOf(W, b, U, c, V, slope), 'float32');
  const [lower, upper] = boundsOf(net, lo, width, method, 'float32');
  return side === 0 ? lower : upper;
}

/** The certified radius of label 0 in the affine network C·x + e; −1 if another output is as large at `x`. */
export function affineRadius(x: Float32Array, C: Float32Array, e: Float32Array, upTo: number): number {
  const net = networkOf(x.length, [{ weights: rowsOf(C, x.length), bias: e }]);
  const found = certifiedRadius(net, { input: x, label: 0 }, { upTo, method: 'deeppoly' });
  if (!found.ok) throw new Error(found.error.message);
  return found.value.radius ?? -1;
}
