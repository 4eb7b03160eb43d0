/** How well a model predicts a text. */
import { createCharTransformer } from '../../training/model/char-transformer.ts';
import { crossEntropy } from '../../training/model/cross-entropy.ts';
import type { Weights } from '../../training/model/module.ts';
import type { BaseModel } from './base-model.ts';

/**
 * The perplexity of `text`: e to the mean cross-entropy of each byte but the first of a window, given those before it. Windows of
 * `context + 1` bytes share their end bytes; a last, shorter one is left out. At least `context + 1` bytes are needed.
 */
export function perplexity({ sizes }: BaseModel, weights: Weights, text: Uint8Array): number {
  const { context, vocabulary } = sizes;
  const network = createCharTransformer(sizes, 1);
  let [sum, windows] = [0, 0];
  for (let start = 0; start + context < text.length; start += context, windows++) {
    const tokens = Int32Array.from(text.subarray(start, start + context));
    const targets = Int32Array.from(text.subarray(start + 1, start + context + 1));
    sum += crossEntropy(network.forward(weights, tokens), targets, vocabulary);
  }
  // For people: the last bit may differ between engines.
  return Math.exp(sum / windows);
}
