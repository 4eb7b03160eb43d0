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
    [
      'keys of all positions that are called k',
      'class T { step(x, pos) { for (let l = 0; l < this.layers; l++) { const k = this.key(l, x); for (let i = 0; i < this.d; i++) this.k[pos * this.d + i] = k[i]; } } }',
      'this.k[pos * this.d + i] = k[i]',
    ],
    [
      'values that a call copies, in a loop over the layers themselves',
      'class T { step(x) { for (const layer of this.layers) { const row = layer.value(x); this.values.set(row, this.pos * this.d); } } }',
      'this.values.set(row, this.pos * this.d)',
    ],
    [
      'keys at an offset with a name',
      loop('const at = pos * c.d; for (let i = 0; i < c.d; i++) state.k[at + i] = key[i];'),
      'state.k[at + i] = key[i]',
    ],
    [
      'a cache in a loop over blocks',
      'for (const block of blocks) { x = block.norm(x); keyCache.set(project(x), pos * d); }',
      'keyCache.set(project(x), pos * d)',
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
    ['a vector of one position', loop('for (let i = 0; i < c.d; i++) this.k[i] = x[i];')],
    [
      'rows of all positions, filled for the layer',
      loop('for (let t = 0; t < n; t++) for (let i = 0; i < c.d; i++) this.k[t * c.d + (t % 2)] = x[t * c.d + i];'),
    ],
    ['keys with their layer', loop('this.k[(l * c.seqLen + pos) * c.d] = x[0];')],
    ['a cache of the layer itself', 'for (const layer of layers) { layer.keyCache.set(layer.key(x), pos * d); }'],
    ['an offset that is a member, which moves on', loop('keyCache.set(k, this.at + pos * c.d); this.at += c.size;')],
    ['an offset of a layer by its name', loop('keyCache.set(k, this.layerStart + pos * c.d);')],
    ['values that are no rows', loop('values[step] = x;')],
    ['a map', loop('keyCache.set(name, k);')],
    ['no loop over layers', 'for (let i = 0; i < n; i++) keyCache.set(k, pos * dim);'],
    ['a cache of results', loop('resultCache.set(k, pos * c.kvDim);')],
  ])('%s', async (_name, text) => {
    expect(await pointedAt(rule, text)).toEqual([]);
  });
});
