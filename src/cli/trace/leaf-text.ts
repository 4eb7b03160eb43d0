/** What one leaf of a trace says. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { count, visible } from '../../base/text.ts';
import type { Leaf } from '../../trace/format/leaf.ts';
import { manifestFacts } from './manifest-facts.ts';

/** A line for each thing that the leaf says. */
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
        ['gap', `${count(leaf.count, 'position')} whose logits were not recorded`],
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
