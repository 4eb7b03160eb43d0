/**
 * The layout of a legacy llama2.c checkpoint (karpathy/llama2.c, `run.c`: `memory_map_weights`; `export.py`:
 * `legacy_export`): a header of seven little-endian int32, then float32 tensors one after the other.
 */
import type { ModelConfig, ModelWeights } from './model.ts';

/** The header, in order. A negative vocabulary size says that the classifier has its own weights. */
export const headerFields = [
  'dim',
  'hiddenDim',
  'layers',
  'heads',
  'kvHeads',
  'vocabSize',
  'sequenceLength',
] as const satisfies readonly (keyof ModelConfig)[];

/** Bytes before the first tensor. */
export const headerBytes = 4 * headerFields.length;

/** The tables of cosines and sines that old checkpoints carry; llama2.c skips them, and so does every engine here. */
const skippedTensors = ['ropeCosines', 'ropeSines'] as const;
type SkippedTensor = (typeof skippedTensors)[number];

/** Whether the tensor is unused, so that its values do not matter. */
export const isSkipped = (name: TensorPlace['name']): name is SkippedTensor =>
  skippedTensors.some((skipped) => skipped === name);

/** A tensor of the file, by its name and size. */
export interface TensorPlace {
  readonly name: keyof ModelWeights | SkippedTensor;
  /** In float32 numbers. */
  readonly count: number;
}

/** Numbers of one key or value vector: kvHeads heads of dim / heads each. */
export const kvDimension = ({ dim, heads, kvHeads }: ModelConfig): number => (dim / heads) * kvHeads;

/** The tensors after the header, in the order of the file. */
export function tensorPlaces(config: ModelConfig, sharedClassifier: boolean): readonly TensorPlace[] {
  const { dim, hiddenDim, layers, heads, vocabSize, sequenceLength } = config;
  const kvDim = kvDimension(config);
  const ropeTable = sequenceLength * (dim / heads / 2);
  const places: TensorPlace[] = [
    { name: 'tokenEmbedding', count: vocabSize * dim },
    { name: 'attentionNorm', count: layers * dim },
    { name: 'query', count: layers * dim * dim },
    { name: 'key', count: layers * kvDim * dim },
    { name: 'value', count: layers * kvDim * dim },
    { name: 'output', count: layers * dim * dim },
    { name: 'feedForwardNorm', count: layers * dim },
    { name: 'gate', count: layers * hiddenDim * dim },
    { name: 'down', count: layers * dim * hiddenDim },
    { name: 'up', count: layers * hiddenDim * dim },
    { name: 'finalNorm', count: dim },
    { name: 'ropeCosines', count: ropeTable },
    { name: 'ropeSines', count: ropeTable },
  ];
  return sharedClassifier ? places : [...places, { name: 'classifier', count: vocabSize * dim }];
}

/** Bytes of a whole checkpoint, header included; beyond 2⁵³ it is approximate, and no file is that long. */
export function checkpointBytes(config: ModelConfig, sharedClassifier: boolean): number {
  return tensorPlaces(config, sharedClassifier).reduce((bytes, { count }) => bytes + 4 * count, headerBytes);
}
