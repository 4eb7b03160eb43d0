import { randomBytes } from 'node:crypto';

/** The default seed of a recording: the same command always gives the same trace. */
export const defaultSeed = '42';

const largest = 2n ** 64n - 1n;

/** An unsigned 64-bit number in decimal digits, or `random`; 0 means `random`, as it means "choose one" to llama2-rs. */
export function parseSeed(text: string): string {
  if (text === 'random') return text;
  if (!/^\d{1,20}$/.test(text) || BigInt(text) > largest)
    throw new RangeError(`'${text}' is neither a whole number from 0 to ${largest} nor 'random'`);
  const seed = String(BigInt(text));
  return seed === '0' ? 'random' : seed;
}

/** The seed to use: what was requested, or 64 random bits (never 0) where it is to be chosen. */
export function chosenSeed(asked: string): string {
  if (asked !== 'random') return asked;
  for (;;) {
    const seed = randomBytes(8).readBigUInt64LE();
    if (seed !== 0n) return String(seed);
  }
}
