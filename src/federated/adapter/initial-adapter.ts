/** The adapter that a round begins with. */
import { uniform } from '../../training/model/initial.ts';
import { factorsOf, type AdaptedLayer, type FloatTensor, type StateDict } from './layout.ts';

/**
 * A uniform in ±1/√inputs, from the stream that the factor's name has under `seed` (a safe integer); B is 0, so that the adapted
 * model is the base model. The same seed gives the same bits on every machine.
 *
 * Source: `kaiming_uniform_` with a = √5, as PEFT's `reset_lora_parameters` has it; the numbers are of our own generator.
 */
export function initialAdapter(seed: number, layers: readonly AdaptedLayer[], rank: number): StateDict {
  return new Map(
    factorsOf(layers, rank).map(({ name, kind, shape }): [string, FloatTensor] => {
      const [rows, columns] = shape;
      const data =
        kind === 'A' ? uniform(seed, name, rows * columns, 1 / Math.sqrt(columns)) : new Float32Array(rows * columns);
      return [name, { shape, data }];
    }),
  );
}
