/** What an optimizer step needs besides parameters, moments and gradient. */
interface Hyperparameters {
  readonly maxNorm: number;
  readonly peak: number;
  readonly floor: number;
  readonly warmup: number;
  readonly total: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
  readonly lambda: number;
}

/** Clips `gradient` to `maxNorm`, advances the moments, and updates with the rate of step `t` (from 1). */
function update(
  theta: Float32Array,
  first: Float32Array,
  second: Float32Array,
  gradient: Float64Array,
  t: number,
  options: Hyperparameters,
): Float32Array {
  const { maxNorm, beta1, beta2, epsilon, lambda } = options;
  const norm = Math.hypot(...gradient);
  const scale = norm > maxNorm ? maxNorm / norm : 1;
  const rate = rateAt(t, options);
  return theta.map((parameter, i) => {
    const g = (gradient[i] ?? NaN) * scale;
    const mean = (beta1 * (first[i] ?? NaN) + (1 - beta1) * g) / (1 - beta1 ** t);
    const spread = Math.sqrt((beta2 * (second[i] ?? NaN) + (1 - beta2) * g * g) / (1 - beta2 ** t));
    return parameter - rate * (mean / (spread + epsilon) + lambda * parameter);
  });
}

/** A linear warm-up to the peak, then half a cosine down to the floor. */
function rateAt(t: number, { peak, floor, warmup, total }: Hyperparameters): number {
  if (t < warmup) return peak * (t / warmup);
  const progress = Math.min(1, (t - warmup) / (total - warmup));
  return floor + (peak - floor) * (0.5 * (1 + Math.cos(Math.PI * progress)));
}

/** exp(x/temperature) over its sum, in double precision. */
function softmaxOf(x: readonly number[], temperature = 1): readonly number[] {
  const largest = Math.max(...x);
  const weights = x.map((value) => Math.exp((value - largest) / temperature));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

/** The logits of a row of features: features times weights, d×v and flat. */
function logitsOf(theta: Float32Array, features: Float32Array, v: number): readonly number[] {
  return Array.from({ length: v }, (_, j) =>
    features.reduce((sum, feature, l) => sum + feature * (theta[l * v + j] ?? NaN), 0),
  );
}

/**
 * One step of distilling a teacher into a student of one layer.
 *
 * The gradient of a row's logits is α·τ·(q − p) + (1 − α)·(s − label), with p and q the softmax of teacher and student at
 * temperature τ and s the student's at 1; averaged over the rows and taken back to the weights; then clipped AdamW.
 *
 * Laws: a student that agrees with its teacher (α = 1) learns nothing; without features, nothing changes.
 *
 * Shapes: theta, a and b (the moments) are d·v; x (features) is r×d, z (teacher) is r×v, k (labels) is r; the output is d·v.
 * Sources: Hinton, Vinyals & Dean (2015), arXiv:1503.02531, section 2; Loshchilov & Hutter (2019), arXiv:1711.05101,
 * algorithm 2.
 */
export function distillStep(
  theta: Float32Array,
  a: Float32Array,
  b: Float32Array,
  x: Float32Array,
  z: Float32Array,
  k: Int32Array,
  temperature: number,
  alpha: number,
  maxNorm: number,
  peak: number,
  floor: number,
  warmup: number,
  total: number,
  beta1: number,
  beta2: number,
  epsilon: number,
  lambda: number,
  t: number,
  d: number,
  v: number,
  r: number,
): Float32Array {
  const gradient = new Float64Array(d * v);
  for (let row = 0; row < r; row++) {
    const features = x.subarray(row * d, (row + 1) * d);
    const student = logitsOf(theta, features, v);
    const teacher = Array.from(z.subarray(row * v, (row + 1) * v));
    const [p, q] = [softmaxOf(teacher, temperature), softmaxOf(student, temperature)];
    const plain = softmaxOf(student);
    for (let j = 0; j < v; j++) {
      const soft = temperature * ((q[j] ?? NaN) - (p[j] ?? NaN));
      const hard = (plain[j] ?? NaN) - (k[row] === j ? 1 : 0);
      for (let l = 0; l < d; l++) {
        gradient[l * v + j] =
          (gradient[l * v + j] ?? 0) + ((features[l] ?? NaN) * (alpha * soft + (1 - alpha) * hard)) / r;
      }
    }
  }
  const options = { maxNorm, peak, floor, warmup, total, beta1, beta2, epsilon, lambda };
  return update(theta, a, b, gradient, t, options);
}
