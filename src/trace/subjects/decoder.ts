/**
 * The engines of `f32-strict/1`, whole, as `contracts/trace-decoder-v1.yaml` binds them: the tensors of a model in,
 * logits out.
 */
import type { Engine } from '../engine/engine.ts';
import { createStrictEngine } from '../engine/strict.ts';
import type { Model } from '../model/model.ts';
import { createFastEngine } from '../wasm/fast.ts';

/**
 * The logits after each of `tokens` (a row of vocabSize numbers a token): by the strict engine one by one, or by the
 * one in WebAssembly one by one or in a block.
 *
 * From position `back`, the engine was previously fed other tokens and is rewound: its memory of them must not show. Tensors
 * and sizes are those of `ModelWeights` and `ModelConfig`.
 */
export function logits(
  engine: number,
  back: number,
  tokens: Int32Array,
  tokenEmbedding: Float32Array,
  attentionNorm: Float32Array,
  query: Float32Array,
  key: Float32Array,
  value: Float32Array,
  output: Float32Array,
  feedForwardNorm: Float32Array,
  gate: Float32Array,
  down: Float32Array,
  up: Float32Array,
  finalNorm: Float32Array,
  classifier: Float32Array,
  dim: number,
  hiddenDim: number,
  heads: number,
  kvHeads: number,
  vocabSize: number,
): Float32Array {
  const attention = { attentionNorm, query, key, value, output };
  const weights = { tokenEmbedding, ...attention, feedForwardNorm, gate, down, up, finalNorm, classifier };
  const layers = attentionNorm.length / dim;
  const config = { dim, hiddenDim, layers, heads, kvHeads, vocabSize, sequenceLength: tokens.length };
  const feed = engineOf(engine, { config, weights, digest: 'of no file' });
  const first = feed(
    [...tokens].map((token, position) => (position < back ? token : (token + 1) % vocabSize)),
    0,
  );
  const again = back < tokens.length ? feed([...tokens.subarray(back)], back) : [];
  return Float32Array.from([...first.slice(0, back), ...again].flatMap((row) => [...row]));
}

/** The logits after each of some tokens, the first of which is at a given position. */
type Feed = (tokens: readonly number[], position: number) => readonly Float32Array[];

/**
 * 0: strict, 1: in WebAssembly, 2: there in one block. Throws for another number, and where WebAssembly is not to be
 * had: the claim would be about the strict one.
 */
function engineOf(number: number, model: Model): Feed {
  if (number === 0) return oneByOne(createStrictEngine(model));
  if (number !== 1 && number !== 2) throw new RangeError(`there is no engine ${number}`);
  const { engine, fallback } = createFastEngine(model);
  if (fallback) throw new Error(fallback.message);
  const { block } = engine;
  if (number === 1 || block === undefined) return oneByOne(engine);
  // An engine's arrays hold until its next call only.
  return (tokens, position) => block.forward(tokens, position).map((row) => row.slice());
}

const oneByOne =
  ({ forward }: Engine): Feed =>
  (tokens, position) =>
    tokens.map((token, i) => forward(token, position + i).slice());
