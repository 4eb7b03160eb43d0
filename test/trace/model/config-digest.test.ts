import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { configDigest } from '../../../src/trace/model/config-digest.ts';

const config = { dim: 64, hiddenDim: 172, layers: 5, heads: 8, kvHeads: 4, vocabSize: 512, sequenceLength: 512 };

describe('the digest of a configuration', () => {
  it('is that of its JSON with sorted keys and no white space', () => {
    const json = '{"dim":64,"heads":8,"hiddenDim":172,"kvHeads":4,"layers":5,"sequenceLength":512,"vocabSize":512}';
    expect(configDigest(config)).toBe(`sha256:${createHash('sha256').update(json).digest('hex')}`);
  });

  it.each(Object.keys(config))(
    'is another for another %s, and the same for keys in another order or beside others',
    (key) => {
      expect(configDigest({ ...config, [key]: 1 })).not.toBe(configDigest(config));
      const reversed = Object.fromEntries(Object.entries({ ...config, extra: 1 }).toReversed()) as typeof config;
      expect(configDigest(reversed)).toBe(configDigest(config));
    },
  );
});
