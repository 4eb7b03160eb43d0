/** Bounds of small networks, as bound to `contracts/certified-robustness-v1.yaml`. */
import { present } from '../../base/invariant.ts';
import { bounds, type Method } from '../robustness/bounds.ts';
import { createEvaluator } from '../robustness/evaluate.ts';
import { networkOf, type Layer, type Network } from '../robustness/network.ts';
import { certifiedRadius as radiusOf } from '../robustness/radius.ts';
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

/** The certified radius of label 0; −1 if the input has none. */
function radius(net: Network, input: Float32Array, upTo: number): number {
  const found = radiusOf(net, { input, label: 0 }, { upTo });
  if (!found.ok) throw new Error(found.error.message);
  return found.value.radius ?? -1;
}

/** The radius of label 0 in the affine network C·x + e with two outputs; −1 if another one is as large at `x`. */
export function affineRadius(x: Float32Array, C: Float32Array, e: Float32Array, upTo: number): number {
  return radius(networkOf(x.length, [{ weights: rowsOf(C, x.length), bias: e }]), x, upTo);
}

/** The largest radius, at most `upTo`, in which the output provably stays above 0; −1 if it is not above 0 at `x`. */
export function certifiedRadius(
  x: Float32Array,
  W: Float32Array,
  b: Float32Array,
  U: Float32Array,
  c: Float32Array,
  V: Float32Array,
  slope: number,
  upTo: number,
): number {
  const [first, second] = layersOf(W, b, U, c, V, slope);
  // The second output is always 0, so that label 0 is kept where the first is above 0.
  const last: Layer = { weights: [V, V.map(() => 0)], bias: [0, 0] };
  const layers = [present(first, 'there is a first layer'), present(second, 'there is a second layer'), last];
  return radius(networkOf(x.length, layers, 'float32'), x, upTo);
}
