import { describe, expect, it } from 'vitest';
import { readBaseModel } from '../../../src/federated/train/base-model.ts';
import { runFiles, smallModel } from './support.ts';

const data = { kind: 'text', file: 'x', unit: 'bytes', batch: 1 };

describe('a base model', () => {
  it('is read from a run on bytes, with the digest of its weights', async () => {
    const { certificate, weights } = await runFiles();
    const base = readBaseModel(certificate, weights);
    expect(base).toMatchObject({ ok: true, value: { sizes: { vocabulary: 256, width: 8, layers: 1 } } });
  });

  it.each([
    ['a run on characters', { model: smallModel, data: { ...data, unit: 'characters' } }, 'unit: bytes'],
    ['a graph network', { model: { kind: 'gnn' }, data }, 'run.model'],
    ['a run of no model', {}, 'run.model'],
    ['heads that do not divide the width', { model: { ...smallModel, heads: 3 }, data }, 'not a size'],
    [
      'a model too large to run',
      { model: { ...smallModel, width: 1024, layers: 24, context: 1024, heads: 64 }, data },
      'not a size',
    ],
    ['more layers than the weights have', { model: { ...smallModel, layers: 2 }, data }, "'block2.norm1.gain'"],
    ['another width than the weights have', { model: { ...smallModel, width: 16 }, data }, 'of shape [256, 16]'],
    ['an output layer that the weights do not have', { model: { ...smallModel, tied: false }, data }, "'head.weight'"],
  ])('is not %s', async (_, run, why) => {
    const { certificate, weights } = await runFiles(run);
    const read = readBaseModel(certificate, weights);
    expect(read).toMatchObject({ ok: false, error: { code: 'PV-8680', message: expect.stringContaining(why) } });
  });

  it('has the weights that its certificate names', async () => {
    const { certificate, weights } = await runFiles();
    const changed = weights.slice();
    changed.set([(changed.at(-1) ?? 0) ^ 1], changed.length - 1);
    expect(readBaseModel(certificate, changed)).toMatchObject({ ok: false, error: { code: 'PV-8680' } });
  });
});
