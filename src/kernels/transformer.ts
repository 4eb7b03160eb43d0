/** A row-major matrix inside a longer array: `rows`×`columns` numbers from `offset` on. */
interface Matrix {
  readonly data: Float32Array;
  readonly offset: number;
  readonly rows: number;
  readonly columns: number;
}

const matrix = (data: Float32Array, rows: number, columns: number, index = 0): Matrix => ({
  data,
  offset: index * rows * columns,
  rows,
  columns,
});

const at = ({ data, offset, columns }: Matrix, row: number, column: number): number =>
  data[offset + row * columns + column] ?? NaN;

/**
 * One pre-norm decoder block: h = x + Σₐ causal attention of head a, output h + down(silu(gate) ⊙ up) of the normalised h.
 *
 * Every row is normalised by its root mean square (weights p and q); queries and keys are rotated by their position (base β);
 * head a reads key-value group ⌊a·G/L⌋; position t attends to positions 0 to t; heads are projected back by Z and added.
 *
 * Laws: a block whose Z and D are 0 is the identity; row t does not depend on later rows; one head per group is
 * multi-head attention.
 *
 * Shapes: X is T×c; p, q are c; P (queries) is L×c×e, U (keys) and R (values) are G×c×e, Z is L×e×c with L a multiple of G;
 * E (gate) and J (up) are c×f, D (down) is f×c; the output is T×c. e is even. Sums are in double precision, every
 * intermediate tensor is float32. Range: |gate| up to 88, beyond which e^-gate leaves float32 on graphics hardware.
 * Sources: Zhang & Sennrich (2019), arXiv:1910.07467, equation 4; Su et al. (2021), arXiv:2104.09864, equation 34; Ainslie et
 * al. (2023), arXiv:2305.13245, section 2.2; Shazeer (2020), arXiv:2002.05202, equation 5; put together as in Touvron et
 * al. (2023), arXiv:2302.13971, section 2.2.
 */
export function transformerBlock(
  X: Float32Array,
  p: Float32Array,
  q: Float32Array,
  P: Float32Array,
  U: Float32Array,
  R: Float32Array,
  Z: Float32Array,
  E: Float32Array,
  J: Float32Array,
  D: Float32Array,
  epsilon: number,
  base: number,
  T: number,
  c: number,
  L: number,
  e: number,
  G: number,
  f: number,
): Float32Array {
  const x = matrix(X, T, c);
  const normalised = normaliseRows(x, p, epsilon);
  const hidden = Float32Array.from(X);
  for (let head = 0; head < L; head++) {
    const group = Math.floor((head * G) / L);
    const queries = rotate(multiply(normalised, matrix(P, c, e, head)), base);
    const keys = rotate(multiply(normalised, matrix(U, c, e, group)), base);
    const values = multiply(normalised, matrix(R, c, e, group));
    const projected = multiply(attendCausally(queries, keys, values), matrix(Z, e, c, head));
    for (let i = 0; i < hidden.length; i++) hidden[i] = (hidden[i] ?? NaN) + (projected.data[i] ?? NaN);
  }
  const second = normaliseRows(matrix(hidden, T, c), q, epsilon);
  const gated = multiply(second, matrix(E, c, f)).data;
  const values = multiply(second, matrix(J, c, f)).data;
  const product = gated.map((gate, i) => (gate / (1 + Math.exp(-gate))) * (values[i] ?? NaN));
  const fed = multiply(matrix(product, T, f), matrix(D, f, c)).data;
  return hidden.map((value, i) => value + (fed[i] ?? NaN));
}

/**
 * Logits of a decoder with two blocks: embeddings of the tokens, {@link transformerBlock} twice, a last normalisation and a
 * product with the output weights.
 *
 * Laws: |logit of v| ≤ √c·Σᵢ|rᵢ·V_iv|; the logits of position t depend on tokens 0 to t alone.
 *
 * Shapes: k is T token ids below v; Q (embeddings) is v×c; the weights of the second block follow those
 * of the first, so that their first axis is twice as long; r is c, V is c×v; the output is T×v.
 * Source: Touvron et al. (2023), arXiv:2302.13971, section 2.2, with the embedding and output of Vaswani et al. (2017),
 * arXiv:1706.03762, section 3.4.
 */
export function alborForward(
  k: Int32Array,
  Q: Float32Array,
  p: Float32Array,
  q: Float32Array,
  P: Float32Array,
  U: Float32Array,
  R: Float32Array,
  Z: Float32Array,
  E: Float32Array,
  J: Float32Array,
  D: Float32Array,
  r: Float32Array,
  V: Float32Array,
  epsilon: number,
  base: number,
  T: number,
  v: number,
  c: number,
  L: number,
  e: number,
  G: number,
  f: number,
): Float32Array {
  let state: Float32Array = new Float32Array(T * c);
  for (let t = 0; t < T; t++) {
    const token = k[t] ?? 0;
    state.set(Q.subarray(token * c, (token + 1) * c), t * c);
  }
  const layers = 2;
  for (let layer = 0; layer < layers; layer++) {
    const own = (weights: Float32Array): Float32Array => {
      const length = weights.length / layers;
      return weights.subarray(layer * length, (layer + 1) * length);
    };
    const [p1, q1, P1, U1, R1] = [own(p), own(q), own(P), own(U), own(R)];
    const [Z1, E1, J1, D1] = [own(Z), own(E), own(J), own(D)];
    state = transformerBlock(state, p1, q1, P1, U1, R1, Z1, E1, J1, D1, epsilon, base, T, c, L, e, G, f);
  }
  return multiply(normaliseRows(matrix(state, T, c), r, epsilon), matrix(V, c, v)).data;
}

function multiply(a: Matrix, b: Matrix): Matrix {
  const product = new Float32Array(a.rows * b.columns);
  for (let row = 0; row < a.rows; row++) {
    for (let column = 0; column < b.columns; column++) {
      let sum = 0;
      for (let k = 0; k < a.columns; k++) sum += at(a, row, k) * at(b, k, column);
      product[row * b.columns + column] = sum;
    }
  }
  return matrix(product, a.rows, b.columns);
}

function normaliseRows(x: Matrix, weight: Float32Array, epsilon: number): Matrix {
  const result = new Float32Array(x.rows * x.columns);
  for (let row = 0; row < x.rows; row++) {
    let squares = 0;
    for (let i = 0; i < x.columns; i++) squares += at(x, row, i) ** 2;
    const root = Math.sqrt(squares / x.columns + epsilon);
    for (let i = 0; i < x.columns; i++) result[row * x.columns + i] = (at(x, row, i) / root) * (weight[i] ?? NaN);
  }
  return matrix(result, x.rows, x.columns);
}

/** Rotates the pair of columns 2k, 2k + 1 of row t by the angle t·base^(-2k/columns). */
function rotate(x: Matrix, base: number): Matrix {
  const result = new Float32Array(x.rows * x.columns);
  for (let row = 0; row < x.rows; row++) {
    for (let column = 0; column < x.columns; column += 2) {
      const angle = row * base ** (-column / x.columns);
      const [even, odd] = [at(x, row, column), at(x, row, column + 1)];
      result[row * x.columns + column] = even * Math.cos(angle) - odd * Math.sin(angle);
      result[row * x.columns + column + 1] = even * Math.sin(angle) + odd * Math.cos(angle);
    }
  }
  return matrix(result, x.rows, x.columns);
}

function attendCausally(queries: Matrix, keys: Matrix, values: Matrix): Matrix {
  const result = new Float32Array(queries.rows * values.columns);
  for (let row = 0; row < queries.rows; row++) {
    const scores = Array.from({ length: row + 1 }, (_, other) => {
      let dot = 0;
      for (let k = 0; k < queries.columns; k++) dot += at(queries, row, k) * at(keys, other, k);
      return dot / Math.sqrt(queries.columns);
    });
    const largest = Math.max(...scores);
    const weights = scores.map((score) => Math.exp(score - largest));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    for (let column = 0; column < values.columns; column++) {
      const weighted = weights.reduce((sum, weight, other) => sum + weight * at(values, other, column), 0);
      result[row * values.columns + column] = weighted / total;
    }
  }
  return matrix(result, queries.rows, values.columns);
}
