/**
 * Other libraries on the same work, if they are installed: `npm install --ignore-scripts` in bench/peers. Each gives
 * tasks by the name of the kernel; a kernel for which it has no operators is left out.
 */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { onnxModel, type OnnxNode, type OnnxValue } from './onnx-model.ts';
import type { Work } from './work.ts';

/** Runs the work once and returns the numbers. */
export type Task = () => unknown;

export interface Peer {
  readonly name: string;
  readonly tasks: ReadonlyMap<string, Task>;
}

const home = createRequire(pathToFileURL('bench/peers/package.json'));

/** The module, or null if it is not installed. Its types are missing then, too. */
// oxlint-disable-next-line typescript/no-explicit-any -- third-party libraries, whose types are not installed
async function load(name: string): Promise<any> {
  try {
    return await import(pathToFileURL(home.resolve(name)).href);
  } catch {
    return null;
  }
}

export async function peersOf(work: Work): Promise<readonly Peer[]> {
  const peers = [await tfjs('cpu', work), await tfjs('wasm', work), await onnx(work), await jax(work)];
  return peers.filter((peer) => peer !== null);
}

async function tfjs(
  backend: 'cpu' | 'wasm',
  { rows, n, k, d, x, gamma, A, B, Q, K, V, theta, m, v }: Work,
): Promise<Peer | null> {
  const tf = await load('@tensorflow/tfjs-core');
  const registered = await load(`@tensorflow/tfjs-backend-${backend}`);
  if (!tf || !registered) return null;
  await tf.setBackend(backend);
  await tf.ready();
  const run =
    (compute: () => { dataSync: () => unknown }): Task =>
    () => {
      if (tf.getBackend() !== backend) tf.setBackend(backend);
      return tf.tidy(() => compute().dataSync());
    };
  const t = {
    x: tf.tensor2d(x, [rows, n]),
    gamma: tf.tensor1d(gamma),
    A: tf.tensor2d(A, [rows, k]),
    B: tf.tensor2d(B, [k, rows]),
    Q: tf.tensor2d(Q, [rows, d]),
    K: tf.tensor2d(K, [n, d]),
    V: tf.tensor2d(V, [n, d]),
    theta: tf.tensor1d(theta),
    m: tf.tensor1d(m),
    v: tf.tensor1d(v),
  };
  const { add, div, mul, sub, sqrt, matMul, softmax, square, tanh, mean, rsqrt } = tf;
  const tasks = new Map<string, Task>([
    ['softmax', run(() => softmax(t.x))],
    ['rmsnorm', run(() => mul(mul(t.x, rsqrt(add(mean(square(t.x), 1, true), 1e-5))), t.gamma))],
    [
      'gelu',
      run(() => mul(mul(t.x, 0.5), add(tanh(mul(add(t.x, mul(mul(square(t.x), t.x), 0.044715)), 0.7978845608)), 1))),
    ],
    ['matmul', run(() => matMul(t.A, t.B))],
    ['attention', run(() => matMul(softmax(div(matMul(t.Q, t.K, false, true), Math.sqrt(d))), t.V))],
    ['cross-entropy', run(() => tf.logSumExp(t.x, 1))],
    [
      'adamw',
      run(() => sub(t.theta, mul(add(div(div(t.m, 0.65), add(sqrt(div(t.v, 0.01)), 1e-8)), mul(t.theta, 0.1)), 0.001))),
    ],
  ]);
  return { name: `tfjs ${backend}`, tasks };
}

async function onnx({ rows, n, k, d, x, A, B, Q, Kt, V }: Work): Promise<Peer | null> {
  const module = await load('onnxruntime-node');
  if (!module) return null;
  const { InferenceSession, Tensor } = module.default ?? module;
  const tasks = new Map<string, Task>();
  const model = async (
    name: string,
    nodes: readonly OnnxNode[],
    inputs: readonly (OnnxValue & { data: Float32Array })[],
    shape: readonly number[],
  ): Promise<void> => {
    const session = await InferenceSession.create(onnxModel(nodes, inputs, { name: 'y', shape }), {
      intraOpNumThreads: 1,
    });
    const feeds = Object.fromEntries(inputs.map((one) => [one.name, new Tensor('float32', one.data, one.shape)]));
    tasks.set(name, () => session.run(feeds));
  };
  await model(
    'softmax',
    [{ operator: 'Softmax', inputs: ['x'], output: 'y' }],
    [{ name: 'x', shape: [rows, n], data: x }],
    [rows, n],
  );
  await model(
    'matmul',
    [{ operator: 'MatMul', inputs: ['A', 'B'], output: 'y' }],
    [
      { name: 'A', shape: [rows, k], data: A },
      { name: 'B', shape: [k, rows], data: B },
    ],
    [rows, rows],
  );
  await model(
    'gelu',
    [{ operator: 'Gelu', inputs: ['x'], output: 'y' }],
    [{ name: 'x', shape: [rows, n], data: x }],
    [rows, n],
  );
  await model(
    'attention',
    [
      { operator: 'MatMul', inputs: ['Q', 'Kt'], output: 's' },
      { operator: 'Softmax', inputs: ['s'], output: 'p' },
      { operator: 'MatMul', inputs: ['p', 'V'], output: 'y' },
    ],
    [
      { name: 'Q', shape: [rows, d], data: Q },
      { name: 'Kt', shape: [d, n], data: Kt },
      { name: 'V', shape: [n, d], data: V },
    ],
    [rows, d],
  );
  return { name: 'onnxruntime', tasks };
}

async function jax({ rows, n, k, x, A, B }: Work): Promise<Peer | null> {
  const module = await load('@jax-js/jax');
  if (!module) return null;
  const { init, defaultDevice, nn, numpy: np } = module;
  await init('wasm');
  defaultDevice('wasm');
  const array = (data: Float32Array, shape: readonly number[]): { readonly ref: unknown } =>
    np.array(data).reshape(shape);
  const [ax, aA, aB] = [array(x, [rows, n]), array(A, [rows, k]), array(B, [k, rows])];
  const tasks = new Map<string, Task>([
    ['softmax', () => nn.softmax(ax.ref, -1).data()],
    ['gelu', () => nn.gelu(ax.ref).data()],
    ['matmul', () => np.matmul(aA.ref, aB.ref).data()],
  ]);
  return { name: 'jax-js wasm', tasks };
}
