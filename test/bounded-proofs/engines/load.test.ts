/** Holds src/bounded-proofs/engines/engine.ts. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadEngines } from '../../../src/bounded-proofs/engines/load.ts';

const idsOf = async (strategy: string, only: string | null = null): Promise<readonly string[]> => {
  const loaded = await loadEngines(strategy, only);
  if (!loaded.ok) throw new Error(loaded.error);
  await Promise.all(loaded.value.map(({ close }) => close()));
  return loaded.value.map(({ id }) => id);
};

afterEach(() => vi.unstubAllEnvs());

describe('the engines of a strategy, the best first', () => {
  it.each([
    ['stub_float', ['algebra', 'rounding', 'interval', 'smt']],
    ['compositional', ['algebra', 'weights', 'rounding', 'interval', 'smt']],
    ['bounded_int', ['smt', 'algebra']],
    ['interval', ['interval', 'rounding']],
    ['smt', ['smt']],
    ['exhaustive', []],
    ['an unknown strategy', ['algebra', 'rounding', 'interval', 'smt']],
  ])('%s: %o', async (strategy, ids) => expect(await idsOf(strategy)).toEqual(ids));

  it.each([
    ['algebra', ['algebra']],
    ['weights', ['weights']],
    ['interval', ['interval']],
    ['exhaustive', []],
    ['an unknown engine', []],
  ])('one of them alone, whatever the strategy: %s', async (only, ids) => {
    expect(await idsOf('stub_float', only)).toEqual(ids);
  });

  it.each(['z3-native', 'cvc5'])('%s needs a program of the system', async (only) => {
    vi.stubEnv('PATH', '/nowhere');
    expect(await loadEngines('smt', only)).toMatchObject({ ok: false, error: expect.stringContaining('') });
  });
});
