/**
 * Rotary position embedding in strict float32 (karpathy/llama2.c, `run.c`: `forward`; Su et al. (2021), arXiv:2104.09864,
 * section 3.2.2): pairs (2i, 2i + 1) of each head, turned by position · 10000^(−2i/headSize).
 */
import { pow32 } from '../../numeric/elementary32/pow.ts';
import { cos32, sin32 } from '../../numeric/elementary32/sine.ts';

const { fround } = Math;

/** Cosine and sine of the angle of each pair of a head at one position. */
export interface Rotation {
  readonly cosines: Float32Array;
  readonly sines: Float32Array;
}

/** The rotations of heads of `headSize` numbers (even) by position; each is computed once and kept. */
export function createRotations(headSize: number): (position: number) => Rotation {
  const frequencies = Float32Array.from(
    { length: headSize / 2 },
    (_, pair) => 1 / pow32(10000, fround((2 * pair) / headSize)),
  );
  const known: Rotation[] = [];
  const rotationAt = (position: number): Rotation => {
    const angles = frequencies.map((frequency) => fround(position) * frequency);
    return { cosines: angles.map(cos32), sines: angles.map(sin32) };
  };
  return (position) => (known[position] ??= rotationAt(position));
}

/** Every head in `vector` turned; a head has twice as many numbers as there are cosines. */
export function rotate(vector: Float32Array, cosines: Float32Array, sines: Float32Array): Float32Array {
  const pairs = cosines.length;
  const turned = new Float32Array(vector.length);
  for (let i = 0; i < vector.length; i += 2) {
    const pair = (i / 2) % pairs;
    const cosine = cosines[pair] ?? 1;
    const sine = sines[pair] ?? 0;
    const even = vector[i] ?? 0;
    const odd = vector[i + 1] ?? 0;
    turned[i] = fround(even * cosine) - fround(odd * sine);
    turned[i + 1] = fround(even * sine) + fround(odd * cosine);
  }
  return turned;
}
