/** What one leaf of a trace says. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { JsonValue } from '../../base/canonical-json.ts';
import { count, visible } from '../../base/text.ts';
import type { Leaf } from '../../trace/format/leaf.ts';
import type { Sketch } from '../../trace/format/trace.ts';
import { manifestFacts } from './show-text.ts';

export function leafText(leaf: Leaf): readonly string[] {
  return factsOf(leaf).map(([name, value]) => `    ${name.padEnd(10)} ${visible(value)}`);
}

function factsOf(leaf: Leaf): readonly (readonly [string, string])[] {
  switch (leaf.kind) {
    case 'manifest':
      return manifestFacts(leaf.manifest);
    case 'gap':
      return [
        ['position', `${leaf.position}`],
        ['gap', `${count(leaf.count, 'position')} whose logits nobody recorded`],
      ];
    case 'step':
      return [
        ['position', `${leaf.position}`],
        ['input', `token ${leaf.inputToken}`],
        ['output', leaf.outputToken === null ? 'not recorded' : `token ${leaf.outputToken}`],
        ['logits', bytesToHex(leaf.logitsHash)],
        ...(leaf.sketch === null ? [] : [['sketch', `${leaf.sketch.ids.length} largest logits`] as const]),
      ];
  }
}

export function leafJson(leaf: Leaf): JsonValue {
  switch (leaf.kind) {
    case 'manifest':
      // A manifest is JSON by its type; the compiler gives interfaces no index signature.
      return { kind: 'manifest', manifest: leaf.manifest as unknown as JsonValue };
    case 'gap':
      return { kind: 'gap', position: leaf.position, count: leaf.count };
    case 'step': {
      const { position, inputToken, outputToken, logitsHash, sketch } = leaf;
      const logits = bytesToHex(logitsHash);
      return { kind: 'step', position, inputToken, outputToken, logitsHash: logits, sketch: sketchJson(sketch) };
    }
  }
}

export function sketchJson(sketch: Sketch | null): JsonValue {
  return sketch === null ? null : { ids: sketch.ids, logits: sketch.logits, logSumExp: sketch.logSumExp };
}
