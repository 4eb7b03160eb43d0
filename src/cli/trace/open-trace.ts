import { readAnyTrace, type AnyTrace } from '../../trace/any-trace.ts';
import type { TraceFile } from '../../trace/format/trace.ts';
import { say, type Cli } from '../cli.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { readInput } from './input.ts';
import { sayProblem } from '../problem-text.ts';

/** The trace at `path`, of whichever format, or the exit code after saying why there is none. */
export async function openTrace(cli: Cli, path: string): Promise<AnyTrace | ExitCode> {
  const bytes = await readInput(cli, path);
  if (bytes === null) return exitCodes.usage;
  const read = await readAnyTrace(bytes);
  if (read.ok) return read.value;
  sayProblem(cli, read.error, path);
  return exitCodes.findings;
}

/**
 * The v2 trace at `path`, or the exit code after saying why there is none: of one of llama2-rs `whyNotLegacy` says it.
 */
export async function openV2Trace(cli: Cli, path: string, whyNotLegacy: string): Promise<TraceFile | ExitCode> {
  const read = await openTrace(cli, path);
  if (typeof read === 'number') return read;
  if (read.format === 'v2') return read.trace;
  say(cli, `pv: ${whyNotLegacy}`);
  return exitCodes.usage;
}
