import { streamFor, unitDouble } from '../../numeric/xoshiro.ts';

/**
 * in×out weights, uniform in ±√(6/(in + out)), from the stream called `name`.
 *
 * Source: Glorot & Bengio (2010), Understanding the difficulty of training deep feedforward neural networks, equation 16.
 */
export function glorotUniform(seed: number, name: string, inputs: number, outputs: number): Float32Array {
  const stream = streamFor(seed, name);
  const limit = Math.sqrt(6 / (inputs + outputs));
  return Float32Array.from({ length: inputs * outputs }, () => limit * (2 * unitDouble(stream) - 1));
}
