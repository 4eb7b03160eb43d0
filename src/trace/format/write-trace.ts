/**
 * Finished files: entries in blocks of columns, packed, and a footer with size and root.
 */
import type { Trace } from './trace.ts';
import { concatBytes } from '@noble/hashes/utils.js';
import { createFrameWriter } from './frame.ts';
import { treeOf } from './leaves.ts';
import { blockEntriesLimit, sketchLimit } from './limits.ts';

/** The bytes of the finished file of a trace; `checkpoint` is a signed note over its size and root. */
export async function encodeTrace(trace: Trace, checkpoint: string | null): Promise<Uint8Array> {
  const writer = createFrameWriter(trace.manifest);
  const parts = [writer.header()];
  const grouped = blockEntries(trace.manifest.sketch);
  for (let i = 0; i < trace.entries.length; i += grouped) {
    parts.push(await writer.packedBlock(trace.entries.slice(i, i + grouped)));
  }
  const tree = treeOf(trace);
  parts.push(writer.footer({ size: tree.size, root: tree.root(), checkpoint }));
  return concatBytes(...parts);
}

/** Entries of a finished block: fewer where each carries a wide sketch, so that a block is some hundred kilobytes. */
export function blockEntries(sketch: number): number {
  return Math.max(1, Math.floor(blockEntriesLimit / (1 + sketch / (sketchLimit / 128))));
}
