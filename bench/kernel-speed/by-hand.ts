/** The kernels written by hand for typed arrays: flat, row-major, in float64 with a rounding at each store. */
/* oxlint-disable typescript/no-non-null-assertion -- checks of reads would be timed too */

type Vector = Float32Array;

export function softmaxRows(x: Vector, rows: number, n: number): Vector {
  const output = new Float32Array(rows * n);
  for (let r = 0; r < rows; r++) {
    const from = r * n;
    let largest = -Infinity;
    for (let i = from; i < from + n; i++) if (x[i]! > largest) largest = x[i]!;
    let sum = 0;
    for (let i = from; i < from + n; i++) sum += output[i] = Math.exp(x[i]! - largest);
    for (let i = from; i < from + n; i++) output[i] = output[i]! / sum;
  }
  return output;
}

export function rmsnormRows(x: Vector, gamma: Vector, epsilon: number, rows: number, n: number): Vector {
  const output = new Float32Array(rows * n);
  for (let r = 0; r < rows; r++) {
    const from = r * n;
    let sum = 0;
    for (let i = from; i < from + n; i++) sum += x[i]! * x[i]!;
    const scale = 1 / Math.sqrt(sum / n + epsilon);
    for (let i = 0; i < n; i++) output[from + i] = x[from + i]! * scale * gamma[i]!;
  }
  return output;
}

export function geluTanh(x: Vector): Vector {
  const output = new Float32Array(x.length);
  for (let i = 0; i < x.length; i++) {
    const value = x[i]!;
    output[i] = 0.5 * value * (1 + Math.tanh(0.7978845608028654 * (value + 0.044715 * value * value * value)));
  }
  return output;
}

export function matmul(A: Vector, B: Vector, m: number, k: number, n: number): Vector {
  const output = new Float32Array(m * n);
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let l = 0; l < k; l++) sum += A[i * k + l]! * B[l * n + j]!;
      output[i * n + j] = sum;
    }
  }
  return output;
}

export function attention(
  Q: Vector,
  K: Vector,
  V: Vector,
  sizes: Readonly<Record<'n' | 'd' | 's' | 'v', number>>,
): Vector {
  const { n, d, s, v } = sizes;
  const output = new Float32Array(n * v);
  const weights = new Float32Array(s);
  for (let i = 0; i < n; i++) {
    let largest = -Infinity;
    for (let j = 0; j < s; j++) {
      let dot = 0;
      for (let l = 0; l < d; l++) dot += Q[i * d + l]! * K[j * d + l]!;
      weights[j] = dot / Math.sqrt(d);
      if (weights[j]! > largest) largest = weights[j]!;
    }
    let sum = 0;
    for (let j = 0; j < s; j++) sum += weights[j] = Math.exp(weights[j]! - largest);
    for (let j = 0; j < s; j++) {
      for (let c = 0; c < v; c++) output[i * v + c] = output[i * v + c]! + (weights[j]! / sum) * V[j * v + c]!;
    }
  }
  return output;
}

export function crossEntropy(z: Vector, y: Int32Array, rows: number, n: number): Vector {
  const output = new Float32Array(rows);
  for (let r = 0; r < rows; r++) {
    const from = r * n;
    let largest = -Infinity;
    for (let i = from; i < from + n; i++) if (z[i]! > largest) largest = z[i]!;
    let sum = 0;
    for (let i = from; i < from + n; i++) sum += Math.exp(z[i]! - largest);
    output[r] = Math.log(sum) + largest - z[from + y[r]!]!;
  }
  return output;
}

export function adamwUpdate(theta: Vector, m: Vector, v: Vector): Vector {
  const output = new Float32Array(theta.length);
  const [first, second] = [1 - 0.9 ** 10, 1 - 0.999 ** 10];
  for (let i = 0; i < theta.length; i++) {
    const step = m[i]! / first / (Math.sqrt(v[i]! / second) + 1e-8) + 0.1 * theta[i]!;
    output[i] = theta[i]! - 0.001 * step;
  }
  return output;
}

export function rope(x: Vector, base: number, n: number, d: number): Vector {
  const output = new Float32Array(n * d);
  for (let p = 0; p < n; p++) {
    for (let c = 0; c < d; c += 2) {
      const angle = p * base ** (-c / d);
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      const at = p * d + c;
      output[at] = x[at]! * cos - x[at + 1]! * sin;
      output[at + 1] = x[at]! * sin + x[at + 1]! * cos;
    }
  }
  return output;
}

export function swiglu(x: Vector, W: Vector, V: Vector, n: number, m: number): Vector {
  const output = new Float32Array(m);
  for (let j = 0; j < m; j++) {
    let gate = 0;
    let value = 0;
    for (let i = 0; i < n; i++) {
      gate += x[i]! * W[i * m + j]!;
      value += x[i]! * V[i * m + j]!;
    }
    output[j] = (gate / (1 + Math.exp(-gate))) * value;
  }
  return output;
}
