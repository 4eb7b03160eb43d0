/**
 * Finished files: entries in blocks of columns, packed, and a footer with size and root.
 */
import type { Trace, TraceFile } from './trace.ts';
import { concatBytes } from '@noble/hashes/utils.js';
import { createFrameWriter } from './frame.ts';
import { treeOf } from './leaves.ts';
import { blockEntriesLimit, sketchLimit } from './limits.ts';

/** The bytes of the finished file of a trace; `checkpoint` is a signed note over its size and root. */
export function encodeTrace(trace: Trace, checkpoint: string | null): Promise<Uint8Array> {
  return encode(trace, checkpoint, true);
}

/** The bytes of a trace as it was read: one that is incomplete stays so, without a footer. */
export function encodeTraceFile(file: TraceFile): Promise<Uint8Array> {
  return encode(file, file.checkpoint, file.complete);
}

async function encode(trace: Trace, checkpoint: string | null, complete: boolean): Promise<Uint8Array> {
  const writer = createFrameWriter(trace.manifest);
  const parts = [writer.header()];
  const grouped = blockEntries(trace.manifest.sketch);
  for (let i = 0; i < trace.entries.length; i += grouped) {
    parts.push(await writer.packedBlock(trace.entries.slice(i, i + grouped)));
  }
  if (!complete) return concatBytes(...parts);
  const tree = treeOf(trace);
  parts.push(writer.footer({ size: tree.size, root: tree.root(), checkpoint }));
  return concatBytes(...parts);
}

/** Entries of a finished block: fewer where each carries a wide sketch, so that a block is some hundred kilobytes. */
export function blockEntries(sketch: number): number {
  return Math.max(1, Math.floor(blockEntriesLimit / (1 + sketch / (sketchLimit / 128))));
}
