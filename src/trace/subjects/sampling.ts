/** Random numbers and sampling as `contracts/trace-sampler-v1.yaml` binds them. */
import { createCoin, type GeneratorName } from '../engine/coin.ts';
import { createSampler } from '../engine/sampler.ts';
import { wholeNumbers } from './bytes.ts';
import { valueOf } from './value-of.ts';

const generators: readonly GeneratorName[] = ['xorshift64star/1', 'llama2-rs/1'];

/** The first `m` numbers of generator `g` (0: xorshift64star/1, 1: llama2-rs/1) from the seed `s`, in units of 2⁻²⁴. */
export function draws(s: Int32Array, g: number, m: number): Int32Array {
  const coin = createCoin(generatorOf(g), seedOf(s));
  return wholeNumbers(Array.from({ length: m }, () => coin() * 2 ** 24));
}

/** `m` tokens chosen one after the other from the same logits. */
export function chosen(
  z: Float32Array,
  temperature: number,
  topP: number,
  s: Int32Array,
  g: number,
  m: number,
): Int32Array {
  const seed = String(seedOf(s));
  const sampler = valueOf(createSampler({ kind: 'top-p', temperature, topP, seed, generator: generatorOf(g) }));
  const tokens = Array.from({ length: m }, () => valueOf(sampler(z)));
  return wholeNumbers(tokens);
}

/** A seed of 64 bits from four numbers of 16, the highest first. */
function seedOf(words: Int32Array): bigint {
  return words.reduce((seed, word) => (seed << 16n) | BigInt(word), 0n);
}

function generatorOf(g: number): GeneratorName {
  const name = generators[g];
  if (name === undefined) throw new RangeError(`there is no generator ${g}`);
  return name;
}
