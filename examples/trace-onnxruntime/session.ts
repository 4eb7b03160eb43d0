/** The part of onnxruntime-node that the example uses, and a small stand-in for it. */
import type { TensorLike } from '../../src/trace/index.ts';

export interface Runtime {
  readonly tensor: (type: 'int64', data: BigInt64Array, dims: readonly number[]) => TensorLike;
  /** Runs the graph; its inputs and outputs go by name. */
  readonly run: (feeds: Readonly<Record<string, TensorLike>>) => Promise<Readonly<Record<string, TensorLike>>>;
}

export async function openSession(path: string): Promise<Runtime> {
  const packageName = 'onnxruntime-node';
  // The package is not among ours, so that its types are not there: this is what the example uses of it.
  const { InferenceSession, Tensor } = (await import(packageName)) as {
    readonly InferenceSession: { create: (path: string, options: object) => Promise<Pick<Runtime, 'run'>> };
    readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => TensorLike;
  };
  // Threads change the order of sums, and with it the bits.
  const options = { executionProviders: ['cpu'], intraOpNumThreads: 1, interOpNumThreads: 1 };
  const session = await InferenceSession.create(path, options);
  return { tensor: (...of) => new Tensor(...of), run: (feeds) => session.run(feeds) };
}

const vocabSize = 64;

/** A graph with `input_ids` and `attention_mask` of shape [1, n], and `logits` of shape [1, n, 64]. */
export function standInSession(): Runtime {
  return {
    tensor: (type, data, dims) => ({ type, data, dims }),
    async run({ input_ids: ids }) {
      const tokens = Array.from(ids?.data as BigInt64Array, Number);
      const data = new Float32Array(tokens.length * vocabSize);
      for (const [i, token] of tokens.entries()) {
        for (let j = 0; j < vocabSize; j++) data[i * vocabSize + j] = ((31 * token + 17 * i + 7 * j) % 97) / 10;
      }
      return { logits: { type: 'float32', dims: [1, tokens.length, vocabSize], data } };
    },
  };
}
