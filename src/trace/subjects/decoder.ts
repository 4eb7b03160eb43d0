/**
 * The engines of `f32-strict/1` as `contracts/trace-decoder-v1.yaml` and `contracts/trace-operations-v1.yaml` bind them: tensors in, logits out.
 */
import { createRotations, rotate } from '../engine/rope.ts';
import { matrixProduct, swiglu } from '../engine/operations.ts';
import { createStrictEngine } from '../engine/strict.ts';
import type { Engine } from '../engine/engine.ts';
import type { Model } from '../model/model.ts';
import { createFastEngine } from '../wasm/fast.ts';

/** Position p of `x` (n × heads × d), turned as the engine turns queries and keys at position p. */
export function rotated(x: Float32Array, n: number, h: number, d: number): Float32Array {
  const rotationAt = createRotations(d);
  const turned = new Float32Array(x.length);
  for (let p = 0; p < n; p++) {
    const { cosines, sines } = rotationAt(p);
    turned.set(rotate(x.subarray(p * h * d, (p + 1) * h * d), cosines, sines), p * h * d);
  }
  return turned;
}

/** The gated layer up to its way back down; `gate` and `up` have a row per output. */
export function gated(x: Float32Array, gate: Float32Array, up: Float32Array): Float32Array {
  return swiglu(matrixProduct(gate, x), matrixProduct(up, x));
}

/** Logits (positions × vocabSize) of a model, whose weights and sizes are those of `ModelWeights` and `ModelConfig`. */
type Decode = (
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
) => Float32Array;

/** What the strict engine makes of each token, fed one after the other. */
export const logits = decode((model, tokens) => feed(createStrictEngine(model), tokens));

/** The same from an engine that has been through the tokens once and was taken back to the start. */
export const replayedLogits = decode((model, tokens) => {
  const engine = createStrictEngine(model);
  feed(engine, tokens);
  return feed(engine, tokens);
});

/** The same from the engine in WebAssembly; throws where it falls back to the strict one. */
export const wasmLogits = decode((model, tokens) => {
  const { engine, fallback } = createFastEngine(model);
  if (fallback) throw new Error(fallback.message);
  return feed(engine, tokens);
});

function decode(run: (model: Model, tokens: Int32Array) => Float32Array): Decode {
  return (
    tokens,
    tokenEmbedding,
    attentionNorm,
    query,
    key,
    value,
    output,
    feedForwardNorm,
    gate,
    down,
    up,
    finalNorm,
    classifier,
    dim,
    hiddenDim,
    heads,
    kvHeads,
    vocabSize,
  ) => {
    const attention = { attentionNorm, query, key, value, output };
    const weights = { tokenEmbedding, ...attention, feedForwardNorm, gate, down, up, finalNorm, classifier };
    const layers = attentionNorm.length / dim;
    const config = { dim, hiddenDim, layers, heads, kvHeads, vocabSize, sequenceLength: tokens.length };
    return run({ config, weights, digest: 'of no file' }, tokens);
  };
}

/** An engine's array holds until its next call only. */
function feed({ config, forward }: Engine, tokens: Int32Array): Float32Array {
  const { vocabSize } = config;
  const fed = new Float32Array(tokens.length * vocabSize);
  tokens.forEach((token, position) => fed.set(forward(token, position), position * vocabSize));
  return fed;
}
