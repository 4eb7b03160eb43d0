/** ONNX Runtime's operators, on its CPU provider with one thread. */
import * as ort from 'onnxruntime-node';
import { onnxModel } from './onnx-model.mjs';

const options = { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3 };

/** A session of a graph; `feeds(...values)` gives `[data, shape]` by input. */
function graph(equation, name, { nodes, inputs, rank, feeds }) {
  let session = null;
  return {
    name: `onnxruntime-node, ${name}`,
    equation,
    call: async (...values) => {
      session ??= await ort.InferenceSession.create(onnxModel({ nodes, inputs, rank }), options);
      const given = Object.entries(feeds(...values)).map(([input, [data, shape]]) => [
        input,
        new ort.Tensor('float32', Float32Array.from(data), shape),
      ]);
      const results = await session.run(Object.fromEntries(given));
      return Float32Array.from(Object.values(results)[0].data);
    },
  };
}

const one = (op, inputs, attributes = {}, domain) => [{ op, inputs, outputs: ['y'], attributes, domain }];
const unary = (equation, op, attributes, domain) =>
  graph(equation, op, {
    nodes: one(op, ['x'], attributes, domain),
    inputs: { x: 1 },
    rank: 1,
    feeds: (x) => ({ x: [x, [x.length]] }),
  });

const silu = [
  { op: 'Sigmoid', inputs: ['x'], outputs: ['s'] },
  { op: 'Mul', inputs: ['x', 's'], outputs: ['y'] },
];

const attentionNodes = [
  { op: 'Sqrt', inputs: ['d'], outputs: ['r'] },
  { op: 'Transpose', inputs: ['K'], outputs: ['T'], attributes: { perm: [1, 0] } },
  { op: 'MatMul', inputs: ['Q', 'T'], outputs: ['S'] },
  { op: 'Div', inputs: ['S', 'r'], outputs: ['Z'] },
  { op: 'Softmax', inputs: ['Z'], outputs: ['P'], attributes: { axis: -1 } },
  { op: 'MatMul', inputs: ['P', 'V'], outputs: ['y'] },
];

const attentionOperator = (equation, causal, sizesOf) =>
  graph(equation, causal ? 'Attention, causal' : 'Attention', {
    nodes: one('Attention', ['Q', 'K', 'V'], causal ? { is_causal: 1 } : {}),
    inputs: { Q: 4, K: 4, V: 4 },
    rank: 4,
    feeds: (Q, K, V, ...sizes) => {
      const { n, d, s, v } = sizesOf(...sizes);
      return { Q: [Q, [1, 1, n, d]], K: [K, [1, 1, s, d]], V: [V, [1, 1, s, v]] };
    },
  });

export const kernels = [
  graph('softmax-kernel-v1/softmax', 'Softmax', {
    nodes: one('Softmax', ['x'], { axis: -1 }),
    inputs: { x: 2 },
    rank: 2,
    feeds: (x, n) => ({ x: [x, [1, n]] }),
  }),
  graph('attention-weights-kernel-v1/attention_weights', 'Softmax', {
    nodes: one('Softmax', ['x'], { axis: -1 }),
    inputs: { x: 2 },
    rank: 2,
    feeds: (x, n) => ({ x: [x, [1, n]] }),
  }),
  graph('sampling-kernel-v1/temperature_softmax', 'Div, Softmax', {
    nodes: [
      { op: 'Div', inputs: ['z', 't'], outputs: ['q'] },
      { op: 'Softmax', inputs: ['q'], outputs: ['y'], attributes: { axis: -1 } },
    ],
    inputs: { z: 2, t: 0 },
    rank: 2,
    feeds: (z, t, r, v) => ({ z: [z, [r, v]], t: [[t], []] }),
  }),
  graph('matmul-kernel-v1/matmul', 'MatMul', {
    nodes: one('MatMul', ['A', 'B']),
    inputs: { A: 2, B: 2 },
    rank: 2,
    feeds: (A, B, m, k, n) => ({ A: [A, [m, k]], B: [B, [k, n]] }),
  }),
  graph('linear-kernel-v1/linear', 'Gemm', {
    nodes: one('Gemm', ['x', 'W', 'b'], { transB: 1 }),
    inputs: { x: 2, W: 2, b: 1 },
    rank: 2,
    feeds: (x, W, b, r, n, m) => ({ x: [x, [r, n]], W: [W, [m, n]], b: [b, [m]] }),
  }),
  graph('tied-embeddings-kernel-v1/tied_logits', 'Gemm', {
    nodes: one('Gemm', ['h', 'W'], { transB: 1 }),
    inputs: { h: 2, W: 2 },
    rank: 2,
    feeds: (h, W, n, d, v) => ({ h: [h, [n, d]], W: [W, [v, d]] }),
  }),
  graph('attention-kernel-v1/attention', 'MatMul, Softmax, MatMul', {
    nodes: attentionNodes,
    inputs: { Q: 2, K: 2, V: 2, d: 0 },
    rank: 2,
    feeds: (Q, K, V, n, d, s, v) => ({ Q: [Q, [n, d]], K: [K, [s, d]], V: [V, [s, v]], d: [[d], []] }),
  }),
  attentionOperator('attention-kernel-v1/attention', false, (n, d, s, v) => ({ n, d, s, v })),
  attentionOperator('attention-kernel-v1/causal_attention', true, (n, d, v) => ({ n, d, s: n, v })),
  unary('activation-kernel-v1/relu', 'Relu'),
  graph('activation-kernel-v1/leaky_relu', 'PRelu', {
    nodes: one('PRelu', ['x', 'a']),
    inputs: { x: 1, a: 1 },
    rank: 1,
    feeds: (x, a) => ({ x: [x, [x.length]], a: [[a], [1]] }),
  }),
  unary('activation-kernel-v1/sigmoid_unit', 'Sigmoid'),
  unary('activation-kernel-v1/tanh_unit', 'Tanh'),
  unary('activation-kernel-v1/softplus_unit', 'Softplus'),
  unary('activation-kernel-v1/mish', 'Mish'),
  unary('activation-kernel-v1/hard_swish', 'HardSwish'),
  graph('silu-kernel-v1/silu', 'Sigmoid, Mul', {
    nodes: silu,
    inputs: { x: 1 },
    rank: 1,
    feeds: (x) => ({ x: [x, [x.length]] }),
  }),
  unary('silu-kernel-v1/silu', 'QuickGelu', { alpha: { float: 1 } }, 'com.microsoft'),
  unary('gelu-kernel-v1/gelu', 'Gelu'),
  unary('gelu-kernel-v1/gelu', 'Gelu', {}, 'com.microsoft'),
  unary('gelu-kernel-v1/gelu_tanh', 'Gelu', { approximate: 'tanh' }),
  graph('gelu-kernel-v1/gelu_tanh', 'FastGelu', {
    nodes: one('FastGelu', ['x'], {}, 'com.microsoft'),
    inputs: { x: 2 },
    rank: 2,
    feeds: (x) => ({ x: [x, [1, x.length]] }),
  }),
  graph('swiglu-kernel-v1/swiglu', 'MatMul, Sigmoid, Mul', {
    nodes: [
      { op: 'MatMul', inputs: ['v', 'W'], outputs: ['x'] },
      { op: 'MatMul', inputs: ['v', 'V'], outputs: ['b'] },
      { op: 'Sigmoid', inputs: ['x'], outputs: ['s'] },
      { op: 'Mul', inputs: ['x', 's'], outputs: ['a'] },
      { op: 'Mul', inputs: ['a', 'b'], outputs: ['y'] },
    ],
    inputs: { v: 2, W: 2, V: 2 },
    rank: 2,
    feeds: (x, W, V, n, m) => ({ v: [x, [1, n]], W: [W, [n, m]], V: [V, [n, m]] }),
  }),
  graph('batchnorm-kernel-v1/batch_norm_inference', 'Sub, Sqrt, Div, Mul, Add', {
    nodes: [
      { op: 'Sub', inputs: ['x', 'm'], outputs: ['c'] },
      { op: 'Add', inputs: ['s', 'e'], outputs: ['t'] },
      { op: 'Sqrt', inputs: ['t'], outputs: ['r'] },
      { op: 'Div', inputs: ['c', 'r'], outputs: ['q'] },
      { op: 'Mul', inputs: ['q', 'g'], outputs: ['p'] },
      { op: 'Add', inputs: ['p', 'b'], outputs: ['y'] },
    ],
    inputs: { x: 2, g: 1, b: 1, m: 1, s: 1, e: 0 },
    rank: 2,
    feeds: (x, g, b, m, s, e, r, n) => ({
      x: [x, [r, n]],
      g: [g, [n]],
      b: [b, [n]],
      m: [m, [n]],
      s: [s, [n]],
      e: [[e], []],
    }),
  }),
  graph('bias-add-kernel-v1/bias_add', 'Add', {
    nodes: one('Add', ['x', 'b']),
    inputs: { x: 2, b: 1 },
    rank: 2,
    feeds: (x, b, r, n) => ({ x: [x, [r, n]], b: [b, [n]] }),
  }),
  graph('residual-kernel-v1/residual', 'Add', {
    nodes: one('Add', ['x', 'f']),
    inputs: { x: 1, f: 1 },
    rank: 1,
    feeds: (x, f) => ({ x: [x, [x.length]], f: [f, [f.length]] }),
  }),
];

/** A graph that has epsilon as an attribute: one session for each value. */
function withEpsilon(equation, name, { nodesOf, inputs, rank, feeds, epsilonAt }) {
  const byEpsilon = new Map();
  return {
    name: `onnxruntime-node, ${name}`,
    equation,
    call: (...values) => {
      const epsilon = values[epsilonAt];
      const known = byEpsilon.get(epsilon) ?? graph(equation, name, { nodes: nodesOf(epsilon), inputs, rank, feeds });
      if (byEpsilon.size < 4) byEpsilon.set(epsilon, known);
      return known.call(...values);
    },
  };
}

kernels.push(
  withEpsilon('layernorm-kernel-v1/layernorm', 'LayerNormalization', {
    nodesOf: (epsilon) => one('LayerNormalization', ['x', 'g', 'b'], { axis: -1, epsilon: { float: epsilon } }),
    inputs: { x: 2, g: 1, b: 1 },
    rank: 2,
    feeds: (x, g, b, _e, r, n) => ({ x: [x, [r, n]], g: [g, [n]], b: [b, [n]] }),
    epsilonAt: 3,
  }),
  withEpsilon('rmsnorm-kernel-v1/rmsnorm', 'SimplifiedLayerNormalization', {
    nodesOf: (epsilon) =>
      one('SimplifiedLayerNormalization', ['x', 'g'], { axis: -1, epsilon: { float: epsilon }, stash_type: 1 }),
    inputs: { x: 2, g: 1 },
    rank: 2,
    feeds: (x, g, _e, n) => ({ x: [x, [1, n]], g: [g, [n]] }),
    epsilonAt: 2,
  }),
);
