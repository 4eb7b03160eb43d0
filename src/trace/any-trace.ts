/** Traces of either format, in any of the forms of their files. Runs in browsers. */
import { err, ok, type Result } from '../base/result.ts';
import { fromJson } from './format/json.ts';
import type { TraceFile } from './format/trace.ts';
import { readTrace } from './format/read-trace.ts';
import { startsLikeTrace } from './kind/file-kind.ts';
import { otherKind } from './kind/other-kind.ts';
import { readLegacyTrace } from './legacy/read-trace.ts';
import type { LegacyTrace } from './legacy/trace.ts';
import type { Problem } from '../base/problem.ts';

/** A trace of whichever format its file has. */
export type AnyTrace =
  { readonly format: 'v2'; readonly trace: TraceFile } | { readonly format: 'legacy'; readonly trace: LegacyTrace };

/**
 * Reads a v2 file, its JSON or a file of llama2-rs, each strictly; PV-8083 if it is none of them. `pause` as in
 * {@link readTrace}.
 */
export async function readAnyTrace(bytes: Uint8Array, pause?: () => Promise<void>): Promise<Result<AnyTrace, Problem>> {
  const other = otherKind(bytes, 'trace');
  if (other !== null) return err(other);
  const isJson = looksLikeJson(bytes);
  if (isJson || startsLikeTrace(bytes)) {
    const read = isJson ? readJson(bytes) : await readTrace(bytes, pause);
    return read.ok ? ok({ format: 'v2', trace: read.value }) : read;
  }
  const legacy = readLegacyTrace(bytes);
  return legacy.ok ? ok({ format: 'legacy', trace: legacy.value }) : legacy;
}

/** A JSON export starts with its first key; llama2-rs would need a path of more than 8,000 characters to. */
const looksLikeJson = (bytes: Uint8Array): boolean =>
  /^(?:\xEF\xBB\xBF)?\s*\{\s*["}]/.test(latin1(bytes.subarray(0, 64)));

const latin1 = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

/** A string holds 2²⁹ characters at most; a million steps take half of this. */
const longestJson = 256 * 1024 ** 2;

function readJson(bytes: Uint8Array): Result<TraceFile, Problem> {
  if (bytes.length > longestJson) {
    const message = `The JSON has ${bytes.length} bytes, and ${longestJson} are read at most.`;
    return err({ code: 'PV-8035', check: 'JSON size', message, expected: `${longestJson}`, actual: `${bytes.length}` });
  }
  try {
    return fromJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    // A fatal decoder throws where it meets something else.
    if (!(error instanceof TypeError)) throw error;
    return err({ code: 'PV-8045', check: 'UTF-8', message: 'The JSON has bytes that are not UTF-8.' });
  }
}
