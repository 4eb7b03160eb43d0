/**
 * The memory that the passes of the model need, sized for the longest batch, in the order in which it lies.
 */
import { invariant } from '../../src/base/invariant.ts';
import type { BugName, TrainingConfig } from './config.ts';
import type { Buffer, Device } from './device.ts';
import type { Parameter, Parameters } from './parameters.ts';

export interface Block {
  readonly up: Parameter;
  readonly down: Parameter;
  /** What goes in and what comes out. */
  readonly input: Buffer;
  readonly output: Buffer;
  readonly gate: Buffer;
  readonly activation: Buffer;
  readonly projected: Buffer;
}

/** Gradients of activations bear the name of what they are the gradient of. */
export interface ModelBuffers {
  readonly embedded: Buffer;
  readonly blocks: readonly Block[];
  readonly firstHidden: Buffer;
  readonly lastHidden: Buffer;
  readonly headTransposed: Buffer;
  readonly logits: Buffer;
  readonly gradLogits: Buffer;
  readonly gradActivation: Buffer;
  readonly gradGate: Buffer;
  readonly gradInput: Buffer;
  readonly gradEmbedded: Buffer;
  readonly gradHidden: Buffer;
}

export function createModelBuffers(
  device: Device,
  parameters: Parameters,
  config: TrainingConfig,
  bug: BugName | null,
): ModelBuffers {
  const { hidden_size: h, intermediate_size: i, vocab_size: v, num_layers } = config;
  const rows = config.batch_size * config.seq_len;
  const { allocate } = device;
  const embedded = allocate('embedded', rows * h);
  const hidden = Array.from({ length: num_layers + 1 }, (_, at) => allocate(`hidden${at}`, rows * h));
  const hiddenAt = (at: number): Buffer => {
    const found = hidden[at];
    invariant(found, `hidden states ${at}`);
    return found;
  };
  const blocks = Array.from({ length: num_layers }, (_, at) => ({
    up: parameters.named(`block${at}.w_up`),
    down: parameters.named(`block${at}.w_down`),
    input: hiddenAt(at),
    output: hiddenAt(at + 1),
    gate: allocate(`block${at}.gate`, rows * i),
    activation: allocate(`block${at}.activation`, rows * i),
    projected: allocate(`block${at}.projected`, rows * h),
  }));
  return {
    embedded,
    blocks,
    firstHidden: hiddenAt(0),
    lastHidden: hiddenAt(num_layers),
    headTransposed: allocate('lm_head.transposed', bug === 'transpose' ? h * h : h * v),
    logits: allocate('logits', rows * v),
    gradLogits: allocate('grad_logits', rows * v),
    gradActivation: allocate('grad_activation', rows * i),
    gradGate: allocate('grad_gate', bug === 'alb-043' ? rows * h : rows * i),
    gradInput: allocate('grad_input', rows * h),
    gradEmbedded: allocate('grad_embedded', rows * h),
    // Last: what follows is the optimizer's state, as it was where exchanged arguments overran this buffer.
    gradHidden: allocate('grad_hidden', rows * h),
  };
}
