import type { Result } from '../../base/result.ts';
import type { TraceFile } from '../../trace/format/trace.ts';
import { magic } from '../../trace/format/frame.ts';
import { readTrace } from '../../trace/format/read-trace.ts';
import { readLegacyTrace } from '../../trace/legacy/read-trace.ts';
import type { LegacyTrace } from '../../trace/legacy/trace.ts';
import type { TraceProblem } from '../../trace/problem.ts';

/** A trace of whichever format its file has. */
export type AnyTrace =
  { readonly format: 'v2'; readonly trace: TraceFile } | { readonly format: 'legacy'; readonly trace: LegacyTrace };

/** Reads a v2 file, its JSON or a file of llama2-rs, each strictly. */
export async function readAnyTrace(bytes: Uint8Array): Promise<Result<AnyTrace, TraceProblem>> {
  if (looksLegacy(bytes)) {
    const legacy = readLegacyTrace(bytes);
    return legacy.ok ? { ok: true, value: { format: 'legacy', trace: legacy.value } } : legacy;
  }
  const read = await readTrace(bytes);
  return read.ok ? { ok: true, value: { format: 'v2', trace: read.value } } : read;
}

/** llama2-rs starts a file with the length of a path, in eight bytes of which all but the first two are 0. */
function looksLegacy(bytes: Uint8Array): boolean {
  const asV2 = magic.filter((byte, i) => bytes[i] === byte).length;
  return bytes.length > 0 && asV2 < 4;
}
