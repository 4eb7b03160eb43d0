/** TensorFlow.js on its CPU and its WebAssembly backend. */
import * as tf from '@tensorflow/tfjs-core';
import * as cpu from '@tensorflow/tfjs-backend-cpu';
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

setWasmPaths(`${dirname(createRequire(import.meta.url).resolve('@tensorflow/tfjs-backend-wasm'))}/`);
if (cpu.version_cpu !== tf.version_core) throw new Error('the CPU backend is of another version');
// It would advise to install another backend.
tf.env().set('IS_TEST', true);
// Threads of its own would outlive the tests.
tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);

const causalMask = (n) =>
  tf.tensor2d(
    Array.from({ length: n * n }, (_, o) => (o % n <= Math.floor(o / n) ? 0 : -Infinity)),
    [n, n],
  );
const attend = (Q, K, V, d, mask) => {
  const scores = tf.div(tf.matMul(Q, K, false, true), tf.scalar(Math.sqrt(d)));
  return tf.matMul(tf.softmax(mask ? tf.add(scores, mask) : scores), V);
};
// tf.oneHot takes no single class.
const oneHot = (y, r, v) =>
  tf.tensor2d(
    Array.from({ length: r * v }, (_, o) => (y[Math.floor(o / v)] === o % v ? 1 : 0)),
    [r, v],
  );
const rowMoments = (x) => tf.moments(x, -1, true);

const calls = {
  'softmax-kernel-v1/softmax': (x, n) => tf.softmax(tf.tensor2d(x, [1, n])),
  'attention-weights-kernel-v1/attention_weights': (x, n) => tf.softmax(tf.tensor2d(x, [1, n])),
  'sampling-kernel-v1/temperature_softmax': (z, t, r, v) => tf.softmax(tf.div(tf.tensor2d(z, [r, v]), tf.scalar(t))),
  'matmul-kernel-v1/matmul': (A, B, m, k, n) => tf.matMul(tf.tensor2d(A, [m, k]), tf.tensor2d(B, [k, n])),
  'linear-kernel-v1/linear': (x, W, b, r, n, m) =>
    tf.add(tf.matMul(tf.tensor2d(x, [r, n]), tf.tensor2d(W, [m, n]), false, true), tf.tensor1d(b)),
  'tied-embeddings-kernel-v1/tied_logits': (h, W, n, d, v) =>
    tf.matMul(tf.tensor2d(h, [n, d]), tf.tensor2d(W, [v, d]), false, true),
  'attention-kernel-v1/attention': (Q, K, V, n, d, s, v) =>
    attend(tf.tensor2d(Q, [n, d]), tf.tensor2d(K, [s, d]), tf.tensor2d(V, [s, v]), d, null),
  'attention-kernel-v1/causal_attention': (Q, K, V, n, d, v) =>
    attend(tf.tensor2d(Q, [n, d]), tf.tensor2d(K, [n, d]), tf.tensor2d(V, [n, v]), d, causalMask(n)),
  'activation-kernel-v1/relu': (x) => tf.relu(tf.tensor1d(x)),
  'activation-kernel-v1/leaky_relu': (x, a) => tf.leakyRelu(tf.tensor1d(x), a),
  'activation-kernel-v1/elu': (x, a) => {
    const t = tf.tensor1d(x);
    return tf.where(tf.greater(t, 0), t, tf.mul(tf.scalar(a), tf.elu(tf.minimum(t, 0))));
  },
  'activation-kernel-v1/sigmoid_unit': (x) => tf.sigmoid(tf.tensor1d(x)),
  'activation-kernel-v1/tanh_unit': (x) => tf.tanh(tf.tensor1d(x)),
  'activation-kernel-v1/softplus_unit': (x) => tf.softplus(tf.tensor1d(x)),
  'activation-kernel-v1/mish': (x) => tf.mul(tf.tensor1d(x), tf.tanh(tf.softplus(tf.tensor1d(x)))),
  'silu-kernel-v1/silu': (x) => tf.mul(tf.tensor1d(x), tf.sigmoid(tf.tensor1d(x))),
  'gelu-kernel-v1/gelu': (x) =>
    tf.mul(tf.mul(tf.tensor1d(x), 0.5), tf.add(tf.erf(tf.div(tf.tensor1d(x), Math.SQRT2)), 1)),
  'gelu-kernel-v1/gelu_tanh': (x) => {
    const t = tf.tensor1d(x);
    const inner = tf.mul(tf.add(t, tf.mul(tf.mul(tf.mul(t, t), t), 0.044715)), Math.sqrt(2 / Math.PI));
    return tf.mul(tf.mul(t, 0.5), tf.add(tf.tanh(inner), 1));
  },
  'layernorm-kernel-v1/layernorm': (x, g, b, e, r, n) => {
    const t = tf.tensor2d(x, [r, n]);
    const { mean, variance } = rowMoments(t);
    return tf.add(tf.mul(tf.mul(tf.sub(t, mean), tf.rsqrt(tf.add(variance, e))), tf.tensor1d(g)), tf.tensor1d(b));
  },
  'batchnorm-kernel-v1/batch_norm_inference': (x, g, b, m, s, e, r, n) =>
    tf.batchNorm(tf.tensor2d(x, [r, n]), tf.tensor1d(m), tf.tensor1d(s), tf.tensor1d(b), tf.tensor1d(g), e),
  'rmsnorm-kernel-v1/rmsnorm': (x, g, e) => {
    const t = tf.tensor1d(x);
    return tf.mul(tf.mul(t, tf.rsqrt(tf.add(tf.mean(tf.square(t)), e))), tf.tensor1d(g));
  },
  'cross-entropy-kernel-v1/cross_entropy': (z, y, r, v) =>
    tf.neg(tf.sum(tf.mul(oneHot(y, r, v), tf.logSoftmax(tf.tensor2d(z, [r, v]))), -1)),
  'losses-kernel-v1/squared_error': (x, y, r, n) =>
    tf.mean(tf.squaredDifference(tf.tensor2d(x, [r, n]), tf.tensor2d(y, [r, n])), -1),
  'losses-kernel-v1/absolute_error': (x, y, r, n) =>
    tf.mean(tf.abs(tf.sub(tf.tensor2d(x, [r, n]), tf.tensor2d(y, [r, n]))), -1),
};

/** What the WebAssembly backend does not have. */
const onlyOnCpu = ['activation-kernel-v1/softplus_unit', 'activation-kernel-v1/mish', 'gelu-kernel-v1/gelu'];

const kernel = (backend, [equation, call]) => ({
  name: `tfjs, ${backend}`,
  equation,
  call: async (...values) => {
    if (tf.getBackend() !== backend) await tf.setBackend(backend);
    const result = tf.tidy(() => call(...values));
    // A copy: the WebAssembly backend gives a view of memory that it uses again.
    const output = Float32Array.from(result.dataSync());
    result.dispose();
    return output;
  },
});

export const kernels = Object.entries(calls).flatMap((entry) => [
  kernel('cpu', entry),
  ...(onlyOnCpu.includes(entry[0]) ? [] : [kernel('wasm', entry)]),
]);
