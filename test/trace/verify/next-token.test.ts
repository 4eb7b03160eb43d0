/** A token that another engine may have chosen is one at the bands alone: exact is exact. */
import { expect, it } from 'vitest';
import { followTokens } from '../../../src/trace/verify/next-token.ts';
import { sourceOf } from '../../../src/trace/verify/source.ts';
import { valueOf } from '../notes/signers.ts';
import { recorded } from './recorded.ts';

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
