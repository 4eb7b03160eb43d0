import type { LegacyTrace } from './trace.ts';
import { concatenated, flag, i32, text, u64 } from './write-bincode.ts';

/** The bytes that llama2-rs writes for this trace, in the trace's form: the same trace, the same bytes. */
export function writeLegacyTrace({ metadata, entries, leaves, root }: LegacyTrace): Uint8Array {
  return concatenated([
    ...text(metadata.modelPath),
    ...text(metadata.prompt),
    u64(metadata.steps),
    u64(entries.length),
    ...entries.flatMap((entry) => [
      i32(entry.position),
      i32(entry.token),
      ...(entry.text === null ? [] : text(entry.text)),
      entry.logitsHash,
    ]),
    u64(leaves.length),
    ...leaves,
    flag(true),
    root,
  ]);
}
