import type { Result } from '../../base/result.ts';
import type { FileProblem } from '../../host/host.ts';
import type { FileRole } from '../../trace/kind/kind.ts';
import { otherKind } from '../../trace/kind/other-kind.ts';
import type { Problem } from '../../base/problem.ts';
import { say, type Cli } from '../cli.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { unreadable } from '../../api/find-files.ts';
import { sayDiagnostics } from '../say-diagnostics.ts';
import { sayProblem } from '../problem-text.ts';

/** Weights of a billion parameters; a trace of a million steps. Both lie below what an array of bytes holds. */
export const largestFile = 4 * 1024 ** 3;

/**
 * A key is a line, and a checkpoint with a hundred signatures some kilobytes; longer texts are more than a string
 * holds.
 */
const largestText = 16 * 1024 ** 2;

/** The bytes of a file or pipe that the command line names, or null after saying why there are none. */
export async function readInput(cli: Cli, path: string, maxBytes: number = largestFile): Promise<Uint8Array | null> {
  // A dash is a file name if such a file exists.
  if (path === '-' && (await cli.host.kindOf(path)) === 'missing') {
    say(cli, "pv: '-' is not a file: read a pipe from /dev/stdin, or from the shell's <(…)");
    return null;
  }
  return valueOrSaid(cli, cli.host.readBytes(path, { maxBytes, pipes: true }));
}

/** Says what is wrong with a file. */
export type TellProblem = (cli: Cli, problem: Problem, path: string) => void;

/** The bytes of a file of the expected kind, or the exit code after reporting the error. */
export async function readInputOf(
  cli: Cli,
  path: string,
  kind: FileRole,
  maxBytes: number = largestFile,
  tell: TellProblem = sayProblem,
): Promise<Uint8Array | ExitCode> {
  const bytes = await readInput(cli, path, maxBytes);
  if (bytes === null) return exitCodes.usage;
  const other = otherKind(bytes, kind);
  if (other === null) return bytes;
  tell(cli, other, path);
  return exitCodes.findings;
}

/** The same as text. Text that is not UTF-8 is neither a checkpoint nor a key; their readers report it. */
export async function readTextOf(cli: Cli, path: string, kind: FileRole): Promise<string | ExitCode> {
  const bytes = await readInputOf(cli, path, kind, largestText);
  return typeof bytes === 'number' ? bytes : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** The result of a file operation, or null after reporting why it failed. */
export async function valueOrSaid<T>(cli: Cli, pending: Promise<Result<T, FileProblem>>): Promise<T | null> {
  const found = await pending;
  if (found.ok) return found.value;
  sayDiagnostics(cli, [unreadable(found.error)]);
  return null;
}
