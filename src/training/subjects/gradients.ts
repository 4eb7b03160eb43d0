/** The parts of the character transformer and their gradients, as bound to `contracts/character-transformer-v1.yaml`. */
import { attend, attendBackward, type Head } from '../model/attention.ts';
import { crossEntropy } from '../model/cross-entropy.ts';
import { geluBackward, geluOf } from '../model/gelu.ts';
import { normalise, normaliseBackward } from '../model/norm.ts';

function headOf(q: Float32Array, k: Float32Array, v: Float32Array, positions: number): Head {
  return { q, k, v, shares: new Float32Array(positions * positions) };
}

/** The output of one attention head. */
export function attentionHead(q: Float32Array, k: Float32Array, v: Float32Array, n: number, d: number): Float32Array {
  const out = new Float32Array(n * d);
  attend(out, headOf(q, k, v, n), n, d);
  return out;
}

/** The gradients of one attention head: those by queries, keys and values, one below the other. */
export function attentionHeadGradients(
  q: Float32Array,
  k: Float32Array,
  v: Float32Array,
  g: Float32Array,
  n: number,
  d: number,
): Float32Array {
  const head = headOf(q, k, v, n);
  const all = new Float32Array(3 * n * d);
  const part = (i: number): Float32Array => all.subarray(i * n * d, (i + 1) * n * d);
  attend(part(0), head, n, d);
  attendBackward({ q: part(0), k: part(1), v: part(2) }, g, head, n, d);
  return all;
}

/** The rows of `x`, normalised. */
export function normalisedRows(x: Float32Array, gain: Float32Array, bias: Float32Array): Float32Array {
  const out = new Float32Array(x.length);
  normalise(out, x, gain, bias);
  return out;
}

/** The gradient of {@link normalisedRows} by x. */
export function normalisedRowsGradient(x: Float32Array, gain: Float32Array, g: Float32Array): Float32Array {
  const n = gain.length;
  const out = { x: new Float32Array(x.length), gain: new Float32Array(n), bias: new Float32Array(n) };
  normaliseBackward(out, g, x, gain);
  return out.x;
}

/** The gradients of {@link normalisedRows} by gain and by bias, one below the other; they depend on neither. */
export function normalisedRowsParameterGradients(x: Float32Array, g: Float32Array, n: number): Float32Array {
  const all = new Float32Array(2 * n);
  const out = { x: new Float32Array(x.length), gain: all.subarray(0, n), bias: all.subarray(n) };
  normaliseBackward(out, g, x, new Float32Array(n).fill(1));
  return all;
}

/** GELU of each number. */
export function geluValues(x: Float32Array): Float32Array {
  const out = new Float32Array(x.length);
  geluOf(out, x);
  return out;
}

/** The gradient of {@link geluValues}. */
export function geluGradient(x: Float32Array, g: Float32Array): Float32Array {
  const out = new Float32Array(x.length);
  geluBackward(out, g, x);
  return out;
}

/** The cross-entropy of each row. */
export function rowLosses(logits: Float32Array, labels: Int32Array, classes: number): Float32Array {
  return Float32Array.from(labels, (_, row) =>
    crossEntropy(logits.subarray(row * classes, (row + 1) * classes), labels.subarray(row, row + 1), classes),
  );
}

/** The mean cross-entropy of the rows. */
export function meanCrossEntropy(logits: Float32Array, labels: Int32Array, classes: number): number {
  return crossEntropy(logits, labels, classes);
}

/** The gradient of {@link meanCrossEntropy} by the logits. */
export function meanCrossEntropyGradient(logits: Float32Array, labels: Int32Array, classes: number): Float32Array {
  const gradient = new Float32Array(logits.length);
  crossEntropy(logits, labels, classes, gradient);
  return gradient;
}
