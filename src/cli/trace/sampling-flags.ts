import type { Sampler } from '../../trace/format/trace.ts';
import { parseNumber } from '../number-parsers.ts';
import { defaultSeed, parseSeed } from './seed.ts';

/** How tokens are chosen: what llama2-rs has flags for, and whose random numbers. */
export type SamplingFlags = {
  readonly seed: string;
  readonly temperature: number;
  readonly topP: number;
  readonly generator: Generator;
};

type Generator = Extract<Sampler, { readonly kind: 'top-p' }>['generator'];

/** The letters that llama2.c and llama2-rs give them. */
export const samplingAliases = { s: 'seed', t: 'temperature', p: 'topP' } as const;

/** llama2-rs's own, except for the seed, which it takes from the clock. */
export const samplingDefaults: SamplingFlags = {
  seed: defaultSeed,
  temperature: 1,
  topP: 0.9,
  generator: 'llama2-rs/1',
};

/** Flags that default to the trace's own sampler. */
export const samplingChoices = {
  seed: {
    kind: 'parsed',
    parse: parseSeed,
    placeholder: 'n',
    brief: 'Seed of the sampler, a whole number of 64 bits',
    optional: true,
  },
  temperature: {
    kind: 'parsed',
    parse: temperature,
    placeholder: 't',
    brief: '0 takes the likeliest token each time; higher is wilder',
    optional: true,
  },
  topP: {
    kind: 'parsed',
    parse: numberFrom(0, 1),
    placeholder: 'p',
    brief: 'Samples from the likeliest tokens whose probabilities sum to p; 0 or 1 from all',
    optional: true,
  },
  generator: {
    kind: 'enum',
    values: ['llama2-rs/1', 'xorshift64star/1'],
    brief: 'Random numbers as llama2-rs draws them, or as llama2.c does',
    optional: true,
  },
} as const;

/** The same with defaults, for recording. */
export const samplingFlags = {
  seed: {
    ...samplingChoices.seed,
    brief: `${samplingChoices.seed.brief}; 'random' or 0 chooses one and says which`,
    optional: false,
    default: samplingDefaults.seed,
  },
  temperature: { ...samplingChoices.temperature, optional: false, default: String(samplingDefaults.temperature) },
  topP: { ...samplingChoices.topP, optional: false, default: String(samplingDefaults.topP) },
  generator: { ...samplingChoices.generator, optional: false, default: samplingDefaults.generator },
} as const;

/** The sampler of the flags; `seed` has been chosen. Greedy sampling draws nothing, so it has no seed. */
export function samplerOf({ temperature, topP, generator }: Omit<SamplingFlags, 'seed'>, seed: string): Sampler {
  return temperature === 0 ? { kind: 'greedy' } : { kind: 'top-p', temperature, topP, seed, generator };
}

/** Temperatures divide in float32, where smaller numbers are 0 and larger ones infinite. */
function temperature(text: string): number {
  const value = numberFrom(0, Number.MAX_VALUE)(text);
  if (value === 0 || (Math.fround(value) > 0 && Math.fround(value) < Infinity)) return value;
  throw new RangeError(`${text} is ${Math.fround(value) === 0 ? 'above 0, and 0' : 'infinite'} as a float32`);
}

function numberFrom(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = parseNumber(text);
    if (value < least || value > most) throw new RangeError(`${text} is not between ${least} and ${most}`);
    // −0 is 0, and has one spelling in a manifest.
    return value + 0;
  };
}
