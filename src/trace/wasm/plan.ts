/** The layout of a model, its caches and a step's intermediate results in one WebAssembly memory. */
import { invariant } from '../../base/invariant.ts';
import { exp32Table } from '../../numeric/elementary32/exp.ts';
import { kvDimension } from '../model/layout.ts';
import type { Model, ModelConfig } from '../model/model.ts';
import { createArena, type Arena } from './arena.ts';
import { exponentialTableAddress } from './exponential.ts';
import { tileRows } from '../../wasm/matrix-product.ts';
import { packRows, wholeTiles, type Matrix } from '../../wasm/pack.ts';

/** Addresses of what a layer consists of. */
export interface Layer {
  readonly attentionNorm: number;
  readonly query: Matrix;
  readonly key: Matrix;
  readonly value: Matrix;
  readonly output: Matrix;
  readonly feedForwardNorm: number;
  readonly gate: Matrix;
  readonly up: Matrix;
  readonly down: Matrix;
  /** One for each key-value head. */
  readonly caches: readonly Cache[];
}

/**
 * Attention's cache of past positions: its scores are the matrix of keys times the query, its result is the matrix of values
 * times the scores' softmax.
 */
interface Cache {
  /** A row for each position. */
  readonly keys: Matrix;
  /** A column for each position. */
  readonly values: Matrix;
}

/** Addresses of the vectors that a position writes. */
export interface Vectors {
  readonly residual: number;
  readonly normed: number;
  readonly query: number;
  readonly key: number;
  readonly value: number;
  readonly attended: number;
  readonly update: number;
  readonly gate: number;
  readonly up: number;
  readonly cosines: number;
  readonly sines: number;
  readonly logits: number;
}

/** Addresses of everything, in bytes. */
export interface Plan {
  readonly pages: number;
  /** One for each position of a block. */
  readonly vectors: readonly Vectors[];
  /** Bytes from a vector of one position to that of the next. */
  readonly stride: number;
  /** A number for each position that a head attends to. */
  readonly scores: number;
  readonly layers: readonly Layer[];
  readonly finalNorm: number;
  readonly embedding: Matrix;
  readonly classifier: Matrix;
  /** Writes the weights into a memory of zeros, all of which is `floats`. */
  readonly writeTo: (floats: Float32Array) => void;
}

/**
 * Positions of a block: with 4, 8, 16 and 32 the products of a model beyond the caches took 2.9, 4.2, 5.7 and 6.7 times
 * less than one by one (bench/trace, 2026-11); each takes room for its logits.
 */
const blockPositions = 16;

/** Gives everything of a model its place; nothing is allocated yet. */
export function planMemory({ config, weights }: Model): Plan {
  const arena = createArena(exponentialTableAddress + exp32Table.byteLength);
  const vectors = Array.from({ length: blockPositions }, () => planVectors(arena, config));
  const [first, second] = vectors;
  const scores = arena.floats(config.sequenceLength);
  invariant(first !== undefined && second !== undefined, 'a block has several positions');
  const caches = Array.from({ length: config.layers }, () => planCaches(arena, config));

  const writes: ((floats: Float32Array) => void)[] = [];
  const vector = (numbers: Float32Array): number => {
    const at = arena.floats(numbers.length);
    writes.push((floats) => floats.set(numbers, at / 4));
    return at;
  };
  const matrix = (numbers: Float32Array, columns: number): Matrix => {
    const planned = planMatrix(arena, numbers.length / columns, columns);
    writes.push((floats) => packRows(floats, planned, numbers));
    return planned;
  };

  const { dim, hiddenDim } = config;
  const layers = caches.map((own, index): Layer => {
    const part = (tensor: Float32Array): Float32Array => {
      const size = tensor.length / config.layers;
      return tensor.subarray(index * size, (index + 1) * size);
    };
    return {
      attentionNorm: vector(part(weights.attentionNorm)),
      query: matrix(part(weights.query), dim),
      key: matrix(part(weights.key), dim),
      value: matrix(part(weights.value), dim),
      output: matrix(part(weights.output), dim),
      feedForwardNorm: vector(part(weights.feedForwardNorm)),
      gate: matrix(part(weights.gate), dim),
      up: matrix(part(weights.up), dim),
      down: matrix(part(weights.down), hiddenDim),
      caches: own,
    };
  });
  const finalNorm = vector(weights.finalNorm);
  const embedding = matrix(weights.tokenEmbedding, dim);
  const shared = weights.classifier === weights.tokenEmbedding;
  const classifier = shared ? embedding : matrix(weights.classifier, dim);
  return {
    pages: arena.pages(),
    vectors,
    stride: second.residual - first.residual,
    scores,
    layers,
    finalNorm,
    embedding,
    classifier,
    writeTo: (floats) => {
      new BigUint64Array(floats.buffer, exponentialTableAddress).set(exp32Table);
      for (const write of writes) write(floats);
    },
  };
}

const planMatrix = (arena: Arena, rows: number, columns: number): Matrix => ({
  at: arena.floats(wholeTiles(rows) * columns),
  rows,
  columns,
});

function planCaches(arena: Arena, { kvHeads, dim, heads, sequenceLength }: ModelConfig): readonly Cache[] {
  const headSize = dim / heads;
  return Array.from({ length: kvHeads }, () => ({
    keys: planMatrix(arena, sequenceLength, headSize),
    values: planMatrix(arena, headSize, sequenceLength),
  }));
}

function planVectors(arena: Arena, config: ModelConfig): Vectors {
  const { dim, hiddenDim, vocabSize } = config;
  return {
    residual: arena.floats(dim),
    normed: arena.floats(dim),
    query: arena.floats(dim),
    key: arena.floats(kvDimension(config)),
    value: arena.floats(kvDimension(config)),
    // Heads write whole tiles, so the last one may write up to fifteen numbers past its end.
    attended: arena.floats(dim + tileRows),
    update: arena.floats(dim),
    gate: arena.floats(hiddenDim),
    up: arena.floats(hiddenDim),
    cosines: arena.floats(dim),
    sines: arena.floats(dim),
    logits: arena.floats(vocabSize),
  };
}
