import { describe, expect, it } from 'vitest';
import { pointedAt } from '../../support/scan-code.ts';

const rule = 'layer-cache';
const loop = (body: string): string =>
  `function decode(c: Config, pos: number, keyCache: Float32Array, kvCache: Cache) { for (let l = 0; l < c.nLayers; l++) { ${body} } }`;

describe('layer-cache finds', () => {
  it.each([
    ['a row at its position', loop('keyCache.set(k, pos * c.kvDim);'), 'keyCache.set(k, pos * c.kvDim)'],
    [
      'elements',
      loop('for (let i = 0; i < c.kvDim; i++) keyCache[pos * c.kvDim + i] = k[i];'),
      'keyCache[pos * c.kvDim + i] = k[i]',
    ],
    [
      'a field',
      'class T { forward(pos) { for (let layer = 0; layer < this.layers.length; layer++) { this.vCache.set(v, pos * this.dim); } } }',
      'this.vCache.set(v, pos * this.dim)',
    ],
    [
      'a row through a name',
      loop('const at = pos * c.kvDim; keyCache.set(project(l), at + 0);'),
      'keyCache.set(project(l), at + 0)',
    ],
  ])('%s', async (_name, text, expected) => {
    expect(await pointedAt(rule, text)).toEqual([expected]);
  });
});

describe('layer-cache leaves alone', () => {
  it.each([
    ['an offset with its layer', loop('keyCache.set(k, (l * c.seqLen + pos) * c.kvDim);')],
    [
      'an offset through names',
      loop('const base = l * c.seqLen * c.kvDim; const at = base + pos; keyCache.set(k, at * 1);'),
    ],
    ['an offset that moves on', loop('keyCache.set(k, at + pos * c.kvDim); at += c.seqLen * c.kvDim;')],
    ['a cache for each layer', loop('kvCache.keys[l].keyCache.set(k, pos * c.kvDim);')],
    ['a cache of the layer', loop('const keyCache = caches[l]; keyCache.set(k, pos * c.kvDim);')],
    ['a layer as the receiver', loop('const block = blocks[l]; block.keyCache.set(k, pos * c.kvDim);')],
    ['a map', loop('keyCache.set(name, k);')],
    ['no loop over layers', 'for (let i = 0; i < n; i++) keyCache.set(k, pos * dim);'],
    ['a cache of results', loop('resultCache.set(k, pos * c.kvDim);')],
  ])('%s', async (_name, text) => {
    expect(await pointedAt(rule, text)).toEqual([]);
  });
});
