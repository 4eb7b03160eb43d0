/**
 * The parameters of the model: their names, shapes, first values, and where their weights and gradients lie.
 */
import { streamFor, unitFloat } from '../../src/numeric/xoshiro.ts';
import type { TrainingConfig } from './config.ts';
import type { Buffer, Device } from './device.ts';

export interface Parameter {
  readonly index: number;
  readonly name: string;
  readonly length: number;
  readonly weights: Buffer;
  /** The gradient of each micro-batch, one after the other. */
  readonly microGradients: Buffer;
  /** The gradient of the batch. */
  readonly gradient: Buffer;
}

export interface Parameters {
  /** The embedding first, then the blocks, then the head. */
  readonly all: readonly Parameter[];
  readonly named: (name: string) => Parameter;
  /** The gradients of everything but the embedding, which lie side by side: what is clipped together. */
  readonly clippedTogether: Buffer;
}

function shapes(config: TrainingConfig): readonly (readonly [name: string, rows: number, columns: number])[] {
  const { vocab_size, hidden_size, intermediate_size, num_layers } = config;
  const blocks = Array.from({ length: num_layers }, (_, block) => [
    [`block${block}.w_up`, hidden_size, intermediate_size] as const,
    [`block${block}.w_down`, intermediate_size, hidden_size] as const,
  ]);
  return [['embedding', vocab_size, hidden_size], ...blocks.flat(), ['lm_head', vocab_size, hidden_size]];
}

/** Allocates every parameter and draws its first values, uniform with variance 1/rows (the head's and embedding's 1/columns). */
export function createParameters(device: Device, config: TrainingConfig): Parameters {
  const laidOut = shapes(config).map(([name, rows, columns], index) => {
    const weights = device.allocate(name, rows * columns);
    const random = streamFor(config.seed, name);
    const scale = Math.sqrt(3 / (name.startsWith('block') ? rows : columns));
    device.upload(
      weights,
      Float32Array.from({ length: rows * columns }, () => scale * (2 * unitFloat(random) - 1)),
    );
    const length = config.gradient_accumulation * rows * columns;
    return { index, name, length: rows * columns, weights, microGradients: device.allocate(`${name}.micro`, length) };
  });
  const all = laidOut.map((one) => ({ ...one, gradient: device.allocate(`${one.name}.gradient`, one.length) }));
  const [first, ...rest] = all;
  const offset = first ? first.gradient.offset + first.gradient.length : 0;
  const length = rest.reduce((total, one) => total + one.length, 0);
  return {
    all,
    named: (name) => {
      const found = all.find((one) => one.name === name);
      if (!found) throw new Error(`no parameter is called ${name}`);
      return found;
    },
    clippedTogether: { name: 'gradients', offset, length },
  };
}
