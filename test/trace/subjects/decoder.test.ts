/** Wrong wirings of the engines, as edits of their own text, are told by `contracts/trace-decoder-v1.yaml` on its fixed case. */
import { describe, expect, it } from 'vitest';
import * as fixedCase from '../../../generated/trace-decoder-v1/goals/falsify-td-001.ts';
import { falsificationTest, functionKernel } from '../../../src/runtime/index.ts';
import type { logits } from '../../../src/trace/subjects/decoder.ts';
import { editedModules } from '../../support/edited-module.ts';

const editedModule = editedModules();

/** The bound function over engines in which `before` (which stands once in `file`) is `after`. */
async function edited(file: string, before: string, after: string): Promise<typeof logits> {
  const module = await editedModule<{ readonly logits: typeof logits }>('src/trace/subjects/decoder.ts', [
    { file, before, after },
  ]);
  return module.logits;
}

/** Which value of the contract is which argument, as the generated tests have it. */
const order = [1, 2, 0, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 20, 23, 21, 17, 16];

async function check(kernel: typeof logits): Promise<void> {
  await falsificationTest(fixedCase, { decode: functionKernel(kernel, order) }, { seed: 1, reproduce: 'this test' });
}

const strict = 'src/trace/engine/strict.ts';
const operations = 'src/trace/engine/operations.ts';
const wasm = 'src/trace/wasm/layer.ts';

describe('a contract over the whole decoder', () => {
  it('passes where nothing is edited', async () => {
    await check(await edited(strict, 'matrixProduct(weights.classifier', 'matrixProduct(weights.classifier'));
  });

  it.each([
    [
      'attention misses its residual',
      strict,
      'x = add(x, attention(x, layer, position))',
      'x = attention(x, layer, position)',
    ],
    ['the gated layer misses its residual', strict, 'x = add(x, feedForward(x, layer))', 'x = feedForward(x, layer)'],
    ["every layer has the first one's weights", strict, 'layer * size, (layer + 1) * size', '0, size'],
    ['both norms of a layer are one', strict, 'rmsnorm(x, layer.feedForwardNorm)', 'rmsnorm(x, layer.attentionNorm)'],
    [
      'gate and values are exchanged',
      strict,
      'matrixProduct(layer.gate, normed), matrixProduct(layer.up, normed)',
      'matrixProduct(layer.up, normed), matrixProduct(layer.gate, normed)',
    ],
    ['the last norm is missing', strict, 'rmsnorm(x, weights.finalNorm)', 'x'],
    [
      'the classifier is the embedding',
      strict,
      'matrixProduct(weights.classifier',
      'matrixProduct(weights.tokenEmbedding',
    ],
    [
      'keys are kept one position late',
      strict,
      'layer.keys.put(position,',
      'layer.keys.put(Math.max(0, position - 1),',
    ],
    ['values are kept at the start', strict, 'layer.values.put(position,', 'layer.values.put(0 * position,'],
    [
      'queries are turned by the next position',
      strict,
      'rotate(matrixProduct(layer.query, normed), cosines, sines)',
      'rotate(matrixProduct(layer.query, normed), rotationAt(position + 1).cosines, rotationAt(position + 1).sines)',
    ],
    [
      'query heads take turns at the groups',
      operations,
      'Math.floor((head * kvHeads) / heads) * d',
      '(head % kvHeads) * d',
    ],
    [
      'keys are kept at the start in WebAssembly',
      wasm,
      'storeRow(floats, keys, position,',
      'storeRow(floats, keys, 0 * position,',
    ],
    [
      'query heads take turns in WebAssembly',
      wasm,
      'head = kvHead * group; head < (kvHead + 1) * group; head++',
      'head = kvHead; head < heads; head += kvHeads',
    ],
    [
      'a block stands at its first position',
      wasm,
      'attend(at, layer, position + i)',
      'attend(at, layer, position + 0 * i)',
    ],
    [
      'the residual of WebAssembly is missing',
      wasm,
      'for (const at of active) kernels.add(at.residual, at.update, dim);',
      '',
    ],
  ])('tells that %s', async (_, file, before, after) => {
    await expect(check(await edited(file, before, after))).rejects.toThrow(/FALSIFY-TD-001/);
  });
});
