import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from '../../base/canonical-json.ts';
import { sha256 } from '../../merkle/sha256.ts';
import type { ModelConfig } from './model.ts';

/** The digest by which a manifest names a model's sizes: `sha256:` of their RFC 8785 JSON. */
export function configDigest(config: ModelConfig): string {
  const { dim, hiddenDim, layers, heads, kvHeads, vocabSize, sequenceLength } = config;
  const json = canonicalJson({ dim, hiddenDim, layers, heads, kvHeads, vocabSize, sequenceLength });
  return `sha256:${bytesToHex(sha256(utf8ToBytes(json)))}`;
}
