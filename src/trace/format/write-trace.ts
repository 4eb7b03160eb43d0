/**
 * Finished files: entries in blocks of columns, packed, and a footer with size and root.
 */
import type { Trace, TraceFile } from './trace.ts';
import { concatBytes } from '@noble/hashes/utils.js';
import { createFrameWriter, type Footer } from './frame.ts';
import { treeOf } from './leaves.ts';
import { blockEntriesLimit, sketchLimit } from './limits.ts';
import { encodeManifest } from './manifest.ts';

/** The bytes of the finished file of a trace; `checkpoint` is a signed note over its size and root. */
export function encodeTrace(trace: Trace, checkpoint: string | null): Promise<Uint8Array> {
  const json = encodeManifest(trace.manifest);
  const tree = treeOf(trace, json);
  return packTrace(trace, { size: tree.size, root: tree.root(), checkpoint }, json);
}

/** The bytes of a trace as it was read: an incomplete one remains incomplete. */
export function encodeTraceFile(file: TraceFile): Promise<Uint8Array> {
  return packTrace(file, file.complete ? file : null);
}

/**
 * The bytes of a file whose footer is already known; without a footer, of an incomplete one. `json` is the
 * manifest's encoding.
 */
export async function packTrace(
  trace: Trace,
  footer: Footer | null,
  json: Uint8Array = encodeManifest(trace.manifest),
): Promise<Uint8Array> {
  const writer = createFrameWriter(json);
  const parts = [writer.header()];
  const grouped = blockEntries(trace.manifest.sketch);
  for (let i = 0; i < trace.entries.length; i += grouped) {
    parts.push(await writer.packedBlock(trace.entries.slice(i, i + grouped)));
  }
  if (footer !== null) parts.push(writer.footer(footer));
  return concatBytes(...parts);
}

/** Entries of a finished block: fewer where each carries a wide sketch, so that a block is some hundred kilobytes. */
export function blockEntries(sketch: number): number {
  return Math.max(1, Math.floor(blockEntriesLimit / (1 + sketch / (sketchLimit / 128))));
}
