/** jax-js on its WebAssembly backend. Each use but the last of an array takes a reference of its own (`ref`). */
import { nn, numpy as np } from '@jax-js/jax';

const vector = (x) => np.array(Float32Array.from(x));
const matrix = (x, rows, columns) => vector(x).reshape([rows, columns]);

const causalMask = (n) =>
  matrix(
    Array.from({ length: n * n }, (_, o) => (o % n <= Math.floor(o / n) ? 0 : -Infinity)),
    n,
    n,
  );
// nn.dotProductAttention needs iterator helpers, which Node has from 22 on.
const attend = (Q, K, V, d, mask = null) => {
  const scores = np.matmul(Q, K.transpose()).div(Math.sqrt(d));
  return np.matmul(nn.softmax(mask ? scores.add(mask) : scores, -1), V);
};

const calls = {
  'softmax-kernel-v1/softmax': (x) => nn.softmax(vector(x)),
  'attention-weights-kernel-v1/attention_weights': (x) => nn.softmax(vector(x)),
  'sampling-kernel-v1/temperature_softmax': (z, t, r, v) => nn.softmax(matrix(z, r, v).div(t), -1),
  'matmul-kernel-v1/matmul': (A, B, m, k, n) => np.matmul(matrix(A, m, k), matrix(B, k, n)),
  'linear-kernel-v1/linear': (x, W, b, r, n, m) =>
    np.matmul(matrix(x, r, n), matrix(W, m, n).transpose()).add(vector(b)),
  'tied-embeddings-kernel-v1/tied_logits': (h, W, n, d, v) => np.matmul(matrix(h, n, d), matrix(W, v, d).transpose()),
  'attention-kernel-v1/attention': (Q, K, V, n, d, s, v) =>
    attend(matrix(Q, n, d), matrix(K, s, d), matrix(V, s, v), d),
  'attention-kernel-v1/causal_attention': (Q, K, V, n, d, v) =>
    attend(matrix(Q, n, d), matrix(K, n, d), matrix(V, n, v), d, causalMask(n)),
  'activation-kernel-v1/relu': (x) => nn.relu(vector(x)),
  'activation-kernel-v1/leaky_relu': (x, a) => nn.leakyRelu(vector(x), a),
  'activation-kernel-v1/elu': (x, a) => nn.elu(vector(x), a),
  'activation-kernel-v1/sigmoid_unit': (x) => nn.sigmoid(vector(x)),
  'activation-kernel-v1/tanh_unit': (x) => np.tanh(vector(x)),
  'activation-kernel-v1/softplus_unit': (x) => nn.softplus(vector(x)),
  'activation-kernel-v1/mish': (x) => nn.mish(vector(x)),
  'activation-kernel-v1/hard_swish': (x) => nn.hardSwish(vector(x)),
  'silu-kernel-v1/silu': (x) => nn.silu(vector(x)),
  'gelu-kernel-v1/gelu': (x) => nn.gelu(vector(x), { approximate: false }),
  'gelu-kernel-v1/gelu_tanh': (x) => nn.gelu(vector(x), { approximate: true }),
  'cross-entropy-kernel-v1/cross_entropy': (z, y, r, v) => {
    const labels = matrix(
      Array.from({ length: r * v }, (_, o) => (y[Math.floor(o / v)] === o % v ? 1 : 0)),
      r,
      v,
    );
    return np.sum(nn.logSoftmax(matrix(z, r, v), -1).mul(labels), -1).neg();
  },
  'layernorm-kernel-v1/layernorm': (x, g, b, e, r, n) =>
    nn
      .standardize(matrix(x, r, n), -1, { epsilon: e })
      .mul(vector(g))
      .add(vector(b)),
};

/** Claims that these break, for reasons that docs/found-in-the-wild.md gives. */
const inaccurate = {
  'activation-kernel-v1/tanh_unit': 'AC-EQV-005',
  'activation-kernel-v1/softplus_unit': 'AC-EQV-006',
  'activation-kernel-v1/mish': 'AC-EQV-007',
  'layernorm-kernel-v1/layernorm': 'LN-EQV-001',
};

export const kernels = Object.entries(calls).map(([equation, call]) => ({
  name: 'jax-js, wasm',
  equation,
  ...(inaccurate[equation] ? { inaccurate: inaccurate[equation] } : {}),
  call: async (...values) => {
    const result = call(...values);
    return Float32Array.from(await result.data());
  },
}));
