/** Opens the checkpoint at a path of the command line. */
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { openCheckpoint, type OpenCheckpoint } from '../../checkpoint/open-checkpoint.ts';
import { say, type Cli } from '../cli.ts';
import { sayProblem } from '../problem-text.ts';

/** The exit code after reporting why it cannot be opened. */
export async function openAt(cli: Cli, path: string, open = openCheckpoint): Promise<OpenCheckpoint | ExitCode> {
  if (!(await isThere(cli, path))) return exitCodes.usage;
  const opened = await open(cli.host, path);
  if (opened.ok) return opened.value;
  sayProblem(cli, opened.error, path);
  return exitCodes.findings;
}

/** Whether there is a folder or a file at the path; reports it if there is none. */
export async function isThere(cli: Cli, path: string): Promise<boolean> {
  if (['directory', 'file'].includes(await cli.host.kindOf(path))) return true;
  say(cli, `pv: ${path}: there is no such folder or file; pass a checkpoint, such as output/checkpoint-1000`);
  return false;
}
