/**
 * A language model as llama2.c stores it (karpathy/llama2.c, `run.c`: `Config`, `TransformerWeights`), read and checked.
 */

/** Sizes of a decoder with grouped-query attention; all are whole and positive. */
export interface ModelConfig {
  /** Width of the residual stream; a multiple of `heads`. */
  readonly dim: number;
  /** Width of the gated feed-forward layer. */
  readonly hiddenDim: number;
  readonly layers: number;
  /** Query heads; a multiple of `kvHeads`. */
  readonly heads: number;
  readonly kvHeads: number;
  readonly vocabSize: number;
  /** The longest sequence, in tokens. */
  readonly sequenceLength: number;
}

/** Row-major float32 tensors, one row per output; all layers are stored one after the other. */
export interface ModelWeights {
  /** vocabSize × dim. */
  readonly tokenEmbedding: Float32Array;
  /** layers × dim. */
  readonly attentionNorm: Float32Array;
  /** layers × dim × dim. */
  readonly query: Float32Array;
  /** layers × (kvHeads·headSize) × dim. */
  readonly key: Float32Array;
  /** layers × (kvHeads·headSize) × dim. */
  readonly value: Float32Array;
  /** layers × dim × dim. */
  readonly output: Float32Array;
  /** layers × dim. */
  readonly feedForwardNorm: Float32Array;
  /** layers × hiddenDim × dim: the gate (w1 of llama2.c). */
  readonly gate: Float32Array;
  /** layers × dim × hiddenDim: back down (w2). */
  readonly down: Float32Array;
  /** layers × hiddenDim × dim: the values (w3). */
  readonly up: Float32Array;
  /** dim. */
  readonly finalNorm: Float32Array;
  /** vocabSize × dim; the very array of `tokenEmbedding` where the checkpoint shares it. */
  readonly classifier: Float32Array;
}

/** A model that was read whole. */
export interface Model {
  readonly config: ModelConfig;
  readonly weights: ModelWeights;
  /** `sha256:` of the checkpoint file's bytes. */
  readonly digest: string;
}

/** A byte-pair vocabulary with scores, as llama2.c's tokenizer.bin holds it. */
export interface Tokenizer {
  readonly vocabSize: number;
  /** `sha256:` of the tokenizer file's bytes. */
  readonly digest: string;
  /**
   * Token ids of a text: BOS (1) first, then a dummy space as SentencePiece has it, merges by score, bytes as fallback.
   */
  readonly encode: (text: string) => readonly number[];
  /**
   * The bytes that `token` adds to the text after `previous`; tokens may contain parts of characters, and invalid ids add
   * nothing.
   */
  readonly decode: (previous: number, token: number) => Uint8Array;
}
