/** A token that another engine may have chosen is one at the bands alone: exact is exact. */
import { expect, it } from 'vitest';
import { createCoin } from '../../../src/trace/engine/coin.ts';
import { followTokens } from '../../../src/trace/verify/next-token.ts';
import { sourceOf } from '../../../src/trace/verify/source.ts';
import { valueOf } from '../../notes/signers.ts';
import { recorded, topP } from './recorded.ts';

const trace = await recorded({ steps: 1, manifest: { sampler: { kind: 'greedy' } } });
const source = sourceOf({ ...trace, manifest: { ...trace.manifest, prompt: { tokens: [1], text: null } } });

it.each([
  ['exact', 0, 'same'],
  ['exact', 1, 'differs'],
  ['float band', 1, 'near'],
  ['float band', 2, 'differs'],
  ['engine band', 2, 'near'],
  ['engine band', 3, 'differs'],
] as const)('%s: token %i %s', (level, claimed, state) => {
  // Token 1 has the same logit as the one that is chosen; 2 is 0.05 below, and 3 far.
  const follow = valueOf(followTokens(source, level));
  expect(valueOf(follow(0, Float32Array.of(1, 1, 0.95, 0), claimed))).toEqual({ state, token: 0 });
});

it('a token that the coin did not fall on is another one, whichever it fell on', () => {
  const even = Float32Array.of(0, 0);
  const fell = new Set<number>();
  for (let seed = 1; seed <= 20; seed++) {
    const sampler = { ...topP, topP: 1, seed: String((BigInt(seed) * 0x9e37_79b9_7f4a_7c15n) % 2n ** 64n) };
    const coin = createCoin(sampler.generator, BigInt(sampler.seed))();
    if (Math.abs(coin - 0.5) < 0.01) continue;
    const token = coin < 0.5 ? 0 : 1;
    fell.add(token);
    const drawn = sourceOf({ ...trace, manifest: { ...trace.manifest, sampler, prompt: { tokens: [1], text: null } } });
    const follow = (claimed: number) => valueOf(valueOf(followTokens(drawn, 'float band'))(0, even, claimed));
    expect(follow(token)).toEqual({ state: 'same', token });
    expect(follow(1 - token)).toEqual({ state: 'differs', token });
  }
  expect(fell.size).toBe(2);
});
