/**
 * The model on the device: an embedding, blocks of h + silu(h·W_up)·W_down, and a head. Rows are tokens; each is
 * predicted from its predecessor alone, so that the model needs no attention.
 */
import type { BugName, TrainingConfig } from './config.ts';
import type { Buffer, Device } from './device.ts';
import { createModelBuffers, type Block, type ModelBuffers } from './model-buffers.ts';
import { createOperations, tensor, type Operations, type Sizes } from './operations.ts';
import type { Parameter, Parameters } from './parameters.ts';
import type { Row } from './records.ts';

/** Stands for what a gradient grows by through many randomly initialised layers: 1e35 and more reached the embedding. */
const BACKWARD_GAIN = 1e38;

export interface Model {
  /** Queues the forward pass of a batch, padded to the longest; null when the device refuses a copy. */
  readonly forward: (tokens: Int32Array) => Buffer | null;
  /** Queues the backward pass of micro-batch `micro` of `tokens`; false when the device refuses a copy. */
  readonly backward: (gradLogits: Float32Array, tokens: Int32Array, micro: number) => boolean;
  readonly gemms: ReadonlyMap<string, Row>;
}

/** What both passes work on. */
interface Parts {
  readonly device: Device;
  readonly operations: Operations;
  readonly parameters: Parameters;
  readonly buffers: ModelBuffers;
  readonly config: TrainingConfig;
  readonly bug: BugName | null;
  /** Tokens of the longest batch. */
  readonly rows: number;
}

const microOf = ({ microGradients, length }: Parameter, micro: number): Buffer => ({
  name: microGradients.name,
  offset: microGradients.offset + micro * length,
  length,
});

/** Copies the embedding of each token to the device; rows without a token are zeros. */
function embed({ device, parameters, buffers, config, bug }: Parts, tokens: readonly number[]): boolean {
  const { hidden_size: h } = config;
  // The embedding lies in memory that host and device share, as its optimizer's state does: reading it is no transfer.
  const table = device.sample(parameters.named('embedding').weights);
  const values = new Float32Array(buffers.embedded.length);
  for (const [row, token] of tokens.entries()) values.set(table.subarray(token * h, (token + 1) * h), row * h);
  device.upload(buffers.embedded, values);
  // Buffers are of the longest batch, and a shorter one is padded to it; the bug copies only what it has.
  const source = bug === 'short-sequence' ? { ...buffers.embedded, length: tokens.length * h } : buffers.embedded;
  return device.copy(source, buffers.firstHidden);
}

function forwardBlocksAndHead({ device, operations, parameters, buffers, config, rows }: Parts): Buffer {
  const { hidden_size: h, intermediate_size: i, vocab_size: v } = config;
  for (const { up, down, input, output, gate, activation, projected } of buffers.blocks) {
    operations.product(input, up.weights, gate, [rows, h, i]);
    operations.elementwise('silu', [gate], activation, rows * i);
    operations.product(activation, down.weights, projected, [rows, i, h]);
    operations.elementwise('add', [input, projected], output, rows * h);
  }
  device.launch({
    kernel: 'transpose',
    operands: [tensor(parameters.named('lm_head').weights, v, h), v, h],
    output: buffers.headTransposed,
    outputShape: [h, v],
    sizes: { batches: 1, rows: v, columns: h, transposed_len: buffers.headTransposed.length },
  });
  operations.product(buffers.lastHidden, buffers.headTransposed, buffers.logits, [rows, h, v]);
  return buffers.logits;
}

function backwardHead({ operations, parameters, buffers, config, bug, rows }: Parts, micro: number): void {
  const { hidden_size: h, vocab_size: v } = config;
  const { gradLogits, headTransposed, lastHidden, gradHidden } = buffers;
  const sizes: Sizes = [rows, v, h];
  operations.backwardB(gradLogits, lastHidden, microOf(parameters.named('lm_head'), micro), [rows, h, v]);
  operations.backwardA(gradLogits, headTransposed, gradHidden, sizes, {
    name: 'lm_head.grad_hidden',
    passed: bug === 'alb-059-gemm' ? [rows, h, v] : sizes,
  });
}

function backwardBlock(
  { device, operations, buffers, config, bug, rows }: Parts,
  block: Block,
  micro: number,
): boolean {
  const { hidden_size: h, intermediate_size: i } = config;
  const { up, down, input, gate, activation } = block;
  const { gradHidden, gradActivation, gradGate, gradInput } = buffers;
  operations.backwardB(activation, gradHidden, microOf(down, micro), [rows, h, i]);
  operations.backwardA(gradHidden, down.weights, gradActivation, [rows, h, i]);
  operations.elementwise('siluBackward', [gate, gradActivation], gradGate, rows * i);
  operations.backwardB(input, gradGate, microOf(up, micro), [rows, i, h]);
  operations.backwardA(gradGate, up.weights, gradInput, [rows, i, h]);
  operations.elementwise('add', [gradInput, gradHidden], gradInput, rows * h);
  return device.copy(bug === 'alb-041' ? gate : gradInput, gradHidden);
}

/** The boundary between the blocks and the embedding's optimizer, where the activation gradient is clipped. */
function backwardEmbedding(
  { device, parameters, buffers, config, bug, rows }: Parts,
  tokens: Int32Array,
  micro: number,
): void {
  const { hidden_size: h, vocab_size: v, max_grad_norm } = config;
  const { gradHidden, gradEmbedded: output } = buffers;
  const given = tokens.length;
  const wide = rows * h;
  const outputShape = [wide];
  device.launch({
    kernel: 'scale',
    operands: [tensor(gradHidden, wide), BACKWARD_GAIN, wide],
    output,
    outputShape,
  });
  if (bug !== 'alb-044-clip') {
    device.launch({
      kernel: 'clipGradient',
      operands: [tensor(output, wide), max_grad_norm, wide],
      output,
      outputShape,
    });
  }
  device.launch({
    kernel: 'scatterAdd',
    operands: [tensor(output, given, h), { constant: tokens, shape: [given] }, given, h],
    output: microOf(parameters.named('embedding'), micro),
    outputShape: [v, h],
  });
}

export function createModel(
  device: Device,
  parameters: Parameters,
  config: TrainingConfig,
  bug: BugName | null,
): Model {
  const buffers = createModelBuffers(device, parameters, config, bug);
  const operations = createOperations(device);
  const rows = config.batch_size * config.seq_len;
  const parts: Parts = { device, operations, parameters, buffers, config, bug, rows };
  return {
    gemms: operations.gemms,
    forward: (tokens) => (embed(parts, [...tokens]) ? forwardBlocksAndHead(parts) : null),
    backward: (grad, tokens, micro) => {
      for (const one of parameters.all) device.clear(microOf(one, micro));
      device.upload(buffers.gradLogits, grad);
      backwardHead(parts, micro);
      for (const block of buffers.blocks.toReversed()) if (!backwardBlock(parts, block, micro)) return false;
      backwardEmbedding(parts, tokens, micro);
      return true;
    },
  };
}
