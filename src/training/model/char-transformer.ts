/**
 * A small transformer that predicts the next symbol of a text: pre-norm blocks of causal attention and a feed-forward part.
 *
 * Source: Radford et al. (2019), Language models are unsupervised multitask learners (GPT-2), section 2.3.
 */
import { attention } from './attention.ts';
import { noBranches, type Branches } from './branch.ts';
import { crossEntropy } from './cross-entropy.ts';
import { embed, embedBackward } from './embedding.ts';
import { glorotUniform } from './initial.ts';
import { mlp, widening } from './mlp.ts';
import { add, type Module, type Weights } from './module.ts';
import { layerNorm } from './norm.ts';
import { multiply, multiplyTransposedLeft, multiplyTransposedRight } from './products.ts';

/** Sizes of the network. */
export interface CharTransformerSizes {
  /** Different symbols. */
  readonly vocabulary: number;
  readonly width: number;
  /** Divides `width`. */
  readonly heads: number;
  readonly layers: number;
  /** Positions of a sequence. */
  readonly context: number;
  /** Whether the output layer is the transpose of the symbols' table. */
  readonly tied: boolean;
}

/** A network with its buffers for `batch` sequences of `context` symbols. */
export interface CharTransformer {
  /** The outputs for each position, rows×vocabulary; the next call overwrites them. */
  readonly forward: (weights: Weights, tokens: Int32Array) => Float32Array;
  /** The mean cross-entropy of `targets`, in nats, and the gradient of each parameter; the next call overwrites them. */
  readonly lossAndGradients: (
    weights: Weights,
    tokens: Int32Array,
    targets: Int32Array,
  ) => { readonly loss: number; readonly gradients: Readonly<Record<string, Float32Array>> };
}

/** A parameter before training. */
interface InitialParameter {
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

/** The shapes of the parameters by name, in their order; a matrix is stored as inputs × outputs. */
export function charTransformerShapes({
  vocabulary,
  width,
  layers,
  context,
  tied,
}: CharTransformerSizes): Readonly<Record<string, readonly [number] | readonly [number, number]>> {
  const shapes: Record<string, readonly [number] | readonly [number, number]> = {};
  const affine = (name: string, inputs: number, outputs: number): void => {
    shapes[`${name}.weight`] = [inputs, outputs];
    shapes[`${name}.bias`] = [outputs];
  };
  const norm = (name: string): void => {
    shapes[`${name}.gain`] = [width];
    shapes[`${name}.bias`] = [width];
  };
  shapes['symbols.weight'] = [vocabulary, width];
  shapes['positions.weight'] = [context, width];
  for (let block = 1; block <= layers; block++) {
    norm(`block${block}.norm1`);
    for (const part of ['query', 'key', 'value', 'output']) affine(`block${block}.attention.${part}`, width, width);
    norm(`block${block}.norm2`);
    affine(`block${block}.mlp.up`, width, widening * width);
    affine(`block${block}.mlp.down`, widening * width, width);
  }
  norm('norm');
  if (!tied) shapes['head.weight'] = [vocabulary, width];
  return shapes;
}

/**
 * The parameters by name, seeded: matrices and tables by Glorot and Bengio, gains 1 and biases 0. `block1` to `blockN` each have
 * `norm1`, `attention.query`, `.key`, `.value`, `.output`, `norm2`, `mlp.up` and `mlp.down`.
 */
export const initialCharTransformer = (
  seed: number,
  sizes: CharTransformerSizes,
): Readonly<Record<string, InitialParameter>> =>
  Object.fromEntries(
    Object.entries(charTransformerShapes(sizes)).map(([name, shape]) => {
      const [rows, columns] = shape;
      const data =
        columns === undefined
          ? new Float32Array(rows).fill(name.endsWith('.gain') ? 1 : 0)
          : glorotUniform(seed, name.replace(/\.weight$/, ''), rows, columns);
      return [name, { shape, data }];
    }),
  );

/** Float32 numbers in the buffers of a network for one sequence, without its weights. */
export function bufferSize({ vocabulary, width, heads, layers, context }: CharTransformerSizes): number {
  const perLayer = (14 + 4 * widening) * width + heads * context;
  return context * (layers * perLayer + 4 * width + 2 * vocabulary);
}

/** The network for `batch` sequences; `branches` may add to the linear layers of its blocks. */
export function createCharTransformer(
  sizes: CharTransformerSizes,
  batch: number,
  branches: Branches = noBranches,
): CharTransformer {
  const { vocabulary, width, heads, context, tied } = sizes;
  const rows = batch * context;
  const blocks = Array.from({ length: sizes.layers }, (_, i) =>
    block(`block${i + 1}`, { batch, positions: context, heads, width }, branches),
  );
  const last = layerNorm('norm', rows, width);
  const head = tied ? 'symbols.weight' : 'head.weight';
  const input = new Float32Array(rows * width);
  const logits = new Float32Array(rows * vocabulary);
  const logitGradient = new Float32Array(rows * vocabulary);
  const headInputGradient = new Float32Array(rows * width);
  const symbols = new Float32Array(vocabulary * width);
  const places = new Float32Array(context * width);
  const headGradient = tied ? symbols : new Float32Array(vocabulary * width);
  const gradients = Object.assign({}, ...blocks.map((one) => one.gradients), last.gradients, {
    'symbols.weight': symbols,
    'positions.weight': places,
    [head]: headGradient,
  }) as Readonly<Record<string, Float32Array>>;

  /** What the output layer multiplies. */
  function features(weights: Weights, tokens: Int32Array): Float32Array {
    embed(input, tokens, weights('symbols.weight'), weights('positions.weight'), width);
    let x: Float32Array = input;
    for (const one of blocks) x = one.forward(weights, x);
    return last.forward(weights, x);
  }

  return {
    forward(weights, tokens) {
      multiplyTransposedRight(logits, features(weights, tokens), weights(head), rows, vocabulary, width);
      return logits;
    },
    lossAndGradients(weights, tokens, targets) {
      const x = features(weights, tokens);
      multiplyTransposedRight(logits, x, weights(head), rows, vocabulary, width);
      const loss = crossEntropy(logits, targets, vocabulary, logitGradient);
      symbols.fill(0);
      places.fill(0);
      multiplyTransposedLeft(headGradient, logitGradient, x, rows, vocabulary, width);
      multiply(headInputGradient, logitGradient, weights(head), rows, vocabulary, width);
      let g = last.backward(weights, headInputGradient);
      for (const one of blocks.toReversed()) g = one.backward(weights, g);
      embedBackward({ symbols, places }, g, tokens, width);
      return { loss, gradients };
    },
  };
}

/** x ↦ h + mlp(norm2(h)) with h = x + attention(norm1(x)). */
function block(name: string, sizes: Parameters<typeof attention>[1], branches: Branches): Module {
  const { batch, positions, width } = sizes;
  const rows = batch * positions;
  const [norm1, mixing] = [layerNorm(`${name}.norm1`, rows, width), attention(`${name}.attention`, sizes, branches)];
  const [norm2, feedForward] = [layerNorm(`${name}.norm2`, rows, width), mlp(`${name}.mlp`, rows, width, branches)];
  const [first, second] = [residual(rows * width, norm1, mixing), residual(rows * width, norm2, feedForward)];
  return {
    gradients: { ...first.gradients, ...second.gradients },
    forward: (weights, x) => second.forward(weights, first.forward(weights, x)),
    backward: (weights, g) => first.backward(weights, second.backward(weights, g)),
  };
}

/** x ↦ x + part(norm(x)). */
function residual(size: number, norm: Module, part: Module): Module {
  const [output, inputGradient] = [new Float32Array(size), new Float32Array(size)];
  return {
    gradients: { ...norm.gradients, ...part.gradients },
    forward(weights, x) {
      add(output, x, part.forward(weights, norm.forward(weights, x)));
      return output;
    },
    backward(weights, g) {
      add(inputGradient, g, norm.backward(weights, part.backward(weights, g)));
      return inputGradient;
    },
  };
}
