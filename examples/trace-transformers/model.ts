/** The part of transformers.js that the example uses, and a small stand-in for it. */
import type { TensorLike, TransformersInputs } from '../../src/trace/index.ts';

export interface CausalModel {
  forward: (inputs: TransformersInputs) => Promise<{ readonly logits: TensorLike }>;
  readonly generate: (options: {
    readonly input_ids: TensorLike;
    readonly attention_mask: TensorLike;
    readonly max_new_tokens: number;
    readonly do_sample: boolean;
  }) => Promise<TensorLike>;
}

export const vocabSize = 64;

const int64 = (tokens: readonly number[]): TensorLike => ({
  type: 'int64',
  dims: [1, tokens.length],
  data: BigInt64Array.from(tokens, BigInt),
});

/** Called as transformers.js calls a decoder: the prompt first, then one token at a time, with a mask over all of them. */
export function standInModel(): CausalModel {
  return {
    async forward({ input_ids: ids, attention_mask: mask }) {
      const tokens = Array.from(ids?.data as BigInt64Array, Number);
      const start = (mask?.dims[1] ?? 0) - tokens.length;
      const data = new Float32Array(tokens.length * vocabSize);
      for (const [i, token] of tokens.entries()) {
        for (let j = 0; j < vocabSize; j++)
          data[i * vocabSize + j] = ((31 * token + 17 * (start + i) + 7 * j) % 97) / 10;
      }
      return { logits: { type: 'float32', dims: [1, tokens.length, vocabSize], data } };
    },
    async generate({ input_ids: prompt, max_new_tokens: count }) {
      const sequence = Array.from(prompt.data as BigInt64Array, Number);
      let fed = sequence.slice();
      for (let i = 0; i < count; i++) {
        const mask = int64(sequence.map(() => 1));
        const { logits } = await this.forward({ input_ids: int64(fed), attention_mask: mask });
        // Processors and the sampler work on the last row, in place.
        const row = (logits.data as Float32Array).subarray(-vocabSize);
        const token = row.indexOf(row.reduce((a, b) => Math.max(a, b)));
        row.fill(-Infinity);
        sequence.push(token);
        fed = [token];
      }
      return int64(sequence);
    },
  };
}
