/**
 * A small transformer with seeded weights and its own vocabulary, in llama2.c's two file formats, for demonstrations and tests
 * without a trained model. It generates nonsense, but the same bytes everywhere.
 */
import { streamFor, unitFloat, type Xoshiro } from '../../numeric/xoshiro.ts';
import { headerBytes, headerFields, tensorPlaces, type TensorPlace } from './layout.ts';
import type { ModelConfig } from './model.ts';
import { tinyVocabulary, type TinyToken } from './tiny-vocabulary.ts';

/** The options of the tiny model. */
export interface TinyModelOptions {
  /** Whether the classifier has separate weights rather than those of the token embedding. */
  readonly separateClassifier?: boolean;
  /** Sizes other than the usual ones; the vocabulary is always the tiny one. */
  readonly config?: Partial<Omit<ModelConfig, 'vocabSize'>>;
}

/** The bytes of its two files. */
export interface TinyModel {
  /** A legacy llama2.c checkpoint, about 100 KB. */
  readonly checkpoint: Uint8Array;
  /** Its tokenizer.bin. */
  readonly tokenizer: Uint8Array;
}

/** Four query heads share two heads of keys and values. */
const usualConfig: ModelConfig = {
  dim: 32,
  hiddenDim: 64,
  layers: 2,
  heads: 4,
  kvHeads: 2,
  vocabSize: tinyVocabulary.length,
  sequenceLength: 256,
};

/** The model and the tokenizer of `seed` (an integer of magnitude below 2⁵³): the same arguments give the same bytes. */
export function tinyModel(seed: number, options: TinyModelOptions = {}): TinyModel {
  const config: ModelConfig = { ...usualConfig, ...options.config };
  return {
    checkpoint: writeCheckpoint(config, seed, options.separateClassifier ?? false),
    tokenizer: writeTokenizer(tinyVocabulary),
  };
}

function writeCheckpoint(config: ModelConfig, seed: number, separateClassifier: boolean): Uint8Array {
  const places = tensorPlaces(config, !separateClassifier);
  const numbers = places.reduce((sum, { count }) => sum + count, 0);
  const view = new DataView(new ArrayBuffer(headerBytes + 4 * numbers));
  headerFields.forEach((field, i) => {
    const sign = field === 'vocabSize' && separateClassifier ? -1 : 1;
    view.setInt32(4 * i, sign * config[field], true);
  });
  let offset = headerBytes;
  for (const { name, count } of places) {
    const stream = streamFor(seed, `tiny model: ${name}`);
    for (let i = 0; i < count; i++, offset += 4) view.setFloat32(offset, weight(name, i, config, stream), true);
  }
  return new Uint8Array(view.buffer);
}

function weight(name: TensorPlace['name'], index: number, { dim, hiddenDim }: ModelConfig, stream: Xoshiro): number {
  const spread = 2 * unitFloat(stream) - 1;
  switch (name) {
    case 'attentionNorm':
    case 'feedForwardNorm':
    case 'finalNorm':
      return 1 + spread / 4;
    // Without a layer's work outweighing the embedding, the likeliest token after any other would be that one again.
    case 'output':
      return spread * 4 * Math.sqrt(3 / dim);
    case 'down':
      return spread * 4 * Math.sqrt(3 / hiddenDim);
    case 'tokenEmbedding':
    case 'classifier':
      return spread * (tinyVocabulary[Math.floor(index / dim)]?.loudness ?? 1);
    // Readers skip the tables, so their content does not matter.
    case 'ropeCosines':
    case 'ropeSines':
      return 0;
    default:
      return spread * Math.sqrt(3 / dim);
  }
}

function writeTokenizer(tokens: readonly TinyToken[]): Uint8Array {
  const encoder = new TextEncoder();
  const pieces = tokens.map(({ text, score }) => ({ bytes: encoder.encode(text), score }));
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + 8 + piece.bytes.length, 4));
  const view = new DataView(bytes.buffer);
  view.setInt32(0, Math.max(...pieces.map((piece) => piece.bytes.length)), true);
  let offset = 4;
  for (const piece of pieces) {
    view.setFloat32(offset, piece.score, true);
    view.setInt32(offset + 4, piece.bytes.length, true);
    bytes.set(piece.bytes, offset + 8);
    offset += 8 + piece.bytes.length;
  }
  return bytes;
}
