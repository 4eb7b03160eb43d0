import { streamFor, unitDouble } from '../../numeric/xoshiro.ts';

/** `count` numbers, uniform in ±limit, from the stream called `name`. */
export function uniform(seed: number, name: string, count: number, limit: number): Float32Array {
  const stream = streamFor(seed, name);
  const numbers = new Float32Array(count);
  // A callback for each number takes several times as long.
  for (let i = 0; i < count; i++) numbers[i] = limit * (2 * unitDouble(stream) - 1);
  return numbers;
}

/**
 * in×out weights, uniform in ±√(6/(in + out)), from the stream called `name`.
 *
 * Source: Glorot & Bengio (2010), Understanding the difficulty of training deep feedforward neural networks, equation 16.
 */
export const glorotUniform = (seed: number, name: string, inputs: number, outputs: number): Float32Array =>
  uniform(seed, name, inputs * outputs, Math.sqrt(6 / (inputs + outputs)));
