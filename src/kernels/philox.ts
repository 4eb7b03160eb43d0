/** The multipliers and the steps of the key of Philox4x32 (Salmon et al. 2011, table 2 and section 3.3). */
const multipliers = [0xd2511f53, 0xcd9e8d57] as const;
const keySteps = [0x9e3779b9, 0xbb67ae85] as const;
const rounds = 10;

/** The high 32 bits of the product of two unsigned words, from 16-bit halves: every partial sum is an exact double. */
function highWord(a: number, b: number): number {
  const [aHigh, aLow, bHigh, bLow] = [a >>> 16, a & 0xffff, b >>> 16, b & 0xffff];
  const middle = aHigh * bLow + Math.floor((aLow * bLow) / 0x10000);
  const lower = aLow * bHigh + (middle % 0x10000);
  return (aHigh * bHigh + Math.floor(middle / 0x10000) + Math.floor(lower / 0x10000)) >>> 0;
}

type Words = readonly [number, number, number, number];

/** Ten rounds over four words of counter, under two of key; all are signed 32-bit numbers. */
function philoxWords([c0, c1, c2, c3]: Words, [k0, k1]: readonly [number, number]): Words {
  let words: Words = [c0, c1, c2, c3];
  for (let round = 0; round < rounds; round++) {
    const [w0, w1, w2, w3] = words;
    const [key0, key1] = [k0 + round * keySteps[0], k1 + round * keySteps[1]];
    const [low0, low1] = [Math.imul(multipliers[0], w0), Math.imul(multipliers[1], w2)];
    words = [
      highWord(multipliers[1], w2 >>> 0) ^ w1 ^ key0,
      low1,
      highWord(multipliers[0], w0 >>> 0) ^ w3 ^ key1,
      low0,
    ];
  }
  return words;
}

/**
 * Four random words of a counter and a key: Philox4x32 with ten rounds. A function, not a stream: equal counters give
 * equal words, whatever was requested before, so that a mask can be recomputed anywhere.
 *
 * Shapes: the counter is 4 words, the key 2, the output 4, each word as two numbers, its low and its high 16 bits: in
 * numbers, 8, 4 and 8; float32 represents each exactly. Source: Salmon, Moraes, Dror & Shaw (2011) Parallel Random
 * Numbers: As Easy as 1, 2, 3, section 3.3.
 */
export function philox(counter: Int32Array, key: Int32Array): Float32Array {
  const word = (halves: Int32Array, at: number): number => (halves[2 * at] ?? 0) | ((halves[2 * at + 1] ?? 0) << 16);
  const counterWords: Words = [word(counter, 0), word(counter, 1), word(counter, 2), word(counter, 3)];
  const words = philoxWords(counterWords, [word(key, 0), word(key, 1)]);
  return Float32Array.from(words.flatMap((one) => [one & 0xffff, one >>> 16]));
}

/**
 * The uniform number in [0, 1) of each position: the high 24 bits of the first word of (position, 0, 0, 0) under (seed, 0).
 *
 * Law: the number of a position depends on the seed and the position alone, not on what else is drawn, or where.
 *
 * Shapes: the seed is a word, positions are n words, the output n.
 * Source: Salmon et al. (2011), section 2 (counters in place of states); float32 has 24 bits.
 */
export function positionUniforms(seed: number, positions: Int32Array): Float32Array {
  return Float32Array.from(positions, (position) => (philoxWords([position, 0, 0, 0], [seed, 0])[0] >>> 8) / 2 ** 24);
}
