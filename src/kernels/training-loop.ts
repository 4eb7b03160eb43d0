type Matrix = readonly (readonly number[])[];

/** What an optimizer step needs besides weights, moments and gradient. */
interface Hyperparameters {
  readonly maxNorm: number;
  readonly peak: number;
  readonly floor: number;
  readonly warmup: number;
  readonly total: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly kappa: number;
  readonly lambda: number;
}

/**
 * The mean cross-entropy of a tiny decoder on one sequence: embeddings, one causal attention on normalised rows with a
 * residual, a last normalisation, and logits. Two channels, two tokens.
 *
 * Laws: never negative; log 2 where the logits' weights are 0.
 *
 * Shapes: theta is 7×2×2 (embedding, queries, keys, values, output of attention, logits, gains of both norms), k (tokens) and y (next tokens) are
 * m, of 0 and 1; ε is that of the normalisations. Sums are in double precision.
 * Sources: Vaswani et al. (2017), arXiv:1706.03762, section 3, with pre-norm as in Touvron et al. (2023), arXiv:2302.13971,
 * section 2.2.
 */
export function modelLoss(theta: Float32Array, k: Int32Array, y: Int32Array, epsilon: number, m: number): number {
  const { logits } = forward(theta, k, epsilon);
  let sum = 0;
  for (const [t, row] of logits.entries()) sum -= Math.log(softmax(row)[y[t] ?? 0] ?? NaN);
  return sum / m;
}

/**
 * The gradient of {@link modelLoss} with respect to its weights, by backpropagation.
 *
 * Laws: the derivative of the loss along any direction; the logits' part sums to 0 over the tokens.
 *
 * Shapes: as {@link modelLoss}, the output 7×2×2.
 * Source: Goodfellow, Bengio & Courville (2016), Deep Learning, algorithm 6.4; of attention Dao et al. (2022),
 * arXiv:2205.14135, appendix B.2.
 */
export function modelGradient(
  theta: Float32Array,
  k: Int32Array,
  y: Int32Array,
  epsilon: number,
  m: number,
): Float32Array {
  const { x, n, a, b, c, weights, o, h, last, logits } = forward(theta, k, epsilon);
  const [, queries, keys, values, output, head, [gain = [], lastGain = []]] = matricesOf(theta);
  const dLogits = logits.map((row, t) => softmax(row).map((p, j) => (p - (y[t] === j ? 1 : 0)) / m));
  const dLast = multiply(dLogits, transpose(head));
  const dH = normaliseBackward(h, lastGain, dLast, epsilon);
  const dO = multiply(dH, transpose(output));
  const dWeights = multiply(dO, transpose(c));
  const dScores = weights.map((row, i) => {
    const mean = dot(row, dWeights[i] ?? []);
    return row.map((p, j) => (p * ((dWeights[i]?.[j] ?? NaN) - mean)) / Math.SQRT2);
  });
  const [dA, dB, dC] = [multiply(dScores, b), multiply(transpose(dScores), a), multiply(transpose(weights), dO)];
  const dN = add(add(multiply(dA, transpose(queries)), multiply(dB, transpose(keys))), multiply(dC, transpose(values)));
  const dX = add(dH, normaliseBackward(x, gain, dN, epsilon));
  const table = [0, 1].map((token) =>
    [0, 1].map((i) => sum(dX.map((row, t) => (k[t] === token ? (row[i] ?? NaN) : 0)))),
  );
  const parts = [table, ...[dA, dB, dC].map((d) => multiply(transpose(n), d))];
  const gains = [gainBackward(x, dN, epsilon), gainBackward(h, dLast, epsilon)];
  return Float32Array.from([...parts, multiply(transpose(o), dH), multiply(transpose(last), dLogits), gains].flat(2));
}

/**
 * The weights after one step of training: the gradients of N micro-batches are averaged by their tokens, clipped to a norm,
 * and AdamW updates with the rate of a warm-up and cosine schedule.
 *
 * Laws: a rate of 0 changes nothing; a micro-batch that comes twice does what it does once.
 *
 * Shapes: theta is 7×2×2, a and b (the moments) are 28, x (tokens) and q (next tokens) are N×m, the output 28.
 * Sources: Loshchilov & Hutter (2019), arXiv:1711.05101, algorithm 2; Pascanu, Mikolov & Bengio (2013), arXiv:1211.5063,
 * algorithm 1; Ott et al. (2018), arXiv:1806.00187, section 3.2.
 */
export function trainingStep(
  theta: Float32Array,
  a: Float32Array,
  b: Float32Array,
  x: Int32Array,
  q: Int32Array,
  epsilon: number,
  maxNorm: number,
  peak: number,
  floor: number,
  warmup: number,
  total: number,
  beta1: number,
  beta2: number,
  kappa: number,
  lambda: number,
  t: number,
  N: number,
  m: number,
): Float32Array {
  const gradient = new Array<number>(theta.length).fill(0);
  for (let batch = 0; batch < N; batch++) {
    const own = [x, q].map((tokens) => tokens.subarray(batch * m, (batch + 1) * m));
    const part = modelGradient(theta, own[0] ?? x, own[1] ?? q, epsilon, m);
    for (const [i, value] of part.entries()) gradient[i] = (gradient[i] ?? NaN) + value / N;
  }
  return update(theta, a, b, gradient, t, { maxNorm, peak, floor, warmup, total, beta1, beta2, kappa, lambda });
}

/** Clips the gradient, advances the moments and updates with the rate of step `t`, counted from 1. */
function update(
  theta: Float32Array,
  first: Float32Array,
  second: Float32Array,
  gradient: readonly number[],
  t: number,
  options: Hyperparameters,
): Float32Array {
  const { maxNorm, beta1, beta2, kappa, lambda } = options;
  const norm = Math.sqrt(dot(gradient, gradient));
  const scale = norm > maxNorm ? maxNorm / norm : 1;
  const rate = rateAt(t, options);
  return theta.map((weight, i) => {
    const g = (gradient[i] ?? NaN) * scale;
    const mean = (beta1 * (first[i] ?? NaN) + (1 - beta1) * g) / (1 - beta1 ** t);
    const square = (beta2 * (second[i] ?? NaN) + (1 - beta2) * g * g) / (1 - beta2 ** t);
    return weight - rate * (mean / (Math.sqrt(square) + kappa) + lambda * weight);
  });
}

/** A linear warm-up to the peak, then half a cosine down to the floor. */
function rateAt(t: number, { peak, floor, warmup, total }: Hyperparameters): number {
  if (t < warmup) return peak * (t / warmup);
  const progress = Math.min(1, (t - warmup) / (total - warmup));
  return floor + (peak - floor) * (0.5 * (1 + Math.cos(Math.PI * progress)));
}

interface Forward {
  readonly x: Matrix;
  readonly n: Matrix;
  readonly a: Matrix;
  readonly b: Matrix;
  readonly c: Matrix;
  /** The attention weights of every position over all positions, 0 for later ones. */
  readonly weights: Matrix;
  readonly o: Matrix;
  readonly h: Matrix;
  readonly last: Matrix;
  readonly logits: Matrix;
}

function forward(theta: Float32Array, k: Int32Array, epsilon: number): Forward {
  const [table, queries, keys, values, output, head, [gain = [], lastGain = []]] = matricesOf(theta);
  const x = Array.from(k, (token) => table[token] ?? []);
  const n = normalise(x, gain, epsilon);
  const [a, b, c] = [multiply(n, queries), multiply(n, keys), multiply(n, values)];
  const weights = a.map((query, i) => {
    const seen = softmax(b.slice(0, i + 1).map((key) => dot(query, key) / Math.SQRT2));
    return b.map((_key, j) => seen[j] ?? 0);
  });
  const o = multiply(weights, c);
  const h = add(x, multiply(o, output));
  const last = normalise(h, lastGain, epsilon);
  return { x, n, a, b, c, weights, o, h, last, logits: multiply(last, head) };
}

function matricesOf(theta: Float32Array): readonly [Matrix, Matrix, Matrix, Matrix, Matrix, Matrix, Matrix] {
  const at = (a: number): Matrix => [0, 1].map((i) => [0, 1].map((j) => theta[4 * a + 2 * i + j] ?? NaN));
  return [at(0), at(1), at(2), at(3), at(4), at(5), at(6)];
}

/** Every row divided by its root mean square, times the gain. */
function normalise(x: Matrix, gain: readonly number[], epsilon: number): Matrix {
  return x.map((row) => row.map((value, i) => (value / rootOf(row, epsilon)) * (gain[i] ?? NaN)));
}

/** (h − x·mean(h·x)/R²)/R for every row, with h = g·gain. */
function normaliseBackward(x: Matrix, gain: readonly number[], g: Matrix, epsilon: number): Matrix {
  return x.map((row, t) => {
    const own = gain.map((factor, i) => factor * (g[t]?.[i] ?? NaN));
    const root = rootOf(row, epsilon);
    const along = dot(own, row) / (row.length * root * root);
    return row.map((value, i) => ((own[i] ?? NaN) - value * along) / root);
  });
}

/** Σ g·x/R over the rows. */
function gainBackward(x: Matrix, g: Matrix, epsilon: number): readonly number[] {
  return [0, 1].map((i) => sum(x.map((row, t) => ((g[t]?.[i] ?? NaN) * (row[i] ?? NaN)) / rootOf(row, epsilon))));
}

const rootOf = (row: readonly number[], epsilon: number): number => Math.sqrt(dot(row, row) / row.length + epsilon);

function softmax(row: readonly number[]): readonly number[] {
  const largest = Math.max(...row);
  const weights = row.map((value) => Math.exp(value - largest));
  const total = sum(weights);
  return weights.map((weight) => weight / total);
}

const multiply = (a: Matrix, b: Matrix): Matrix => a.map((row) => transpose(b).map((column) => dot(row, column)));

const transpose = (a: Matrix): Matrix => (a[0] ?? []).map((_value, j) => a.map((row) => row[j] ?? NaN));

const add = (a: Matrix, b: Matrix): Matrix => a.map((row, i) => row.map((value, j) => value + (b[i]?.[j] ?? NaN)));

const dot = (a: readonly number[], b: readonly number[]): number => sum(a.map((value, i) => value * (b[i] ?? NaN)));

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
