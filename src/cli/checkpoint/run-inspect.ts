/** `pv checkpoint inspect`: opens the checkpoint and prints its page. */
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { inspectedFiles, inspection } from '../../checkpoint/inspect.ts';
import { print, type Cli } from '../cli.ts';
import { jsonText } from '../json-text.ts';
import { sayProblem } from '../problem-text.ts';
import { inspectionText } from './inspect-text.ts';
import { openAt } from './open-at.ts';

export type InspectFlags = {
  readonly all: boolean;
  readonly hash: boolean;
  readonly json: boolean;
};

export async function runInspect(cli: Cli, flags: InspectFlags, path: string): Promise<ExitCode> {
  const opened = await openAt(cli, path);
  if (typeof opened === 'number') return opened;
  const { checkpoint, files, close } = opened;
  const described = await inspectedFiles(files, flags.hash);
  await close();
  if (!described.ok) {
    sayProblem(cli, described.error, path);
    return exitCodes.findings;
  }
  const page = inspection(checkpoint, described.value);
  print(cli, flags.json ? jsonText({ checkpoint: path, ...page }) : inspectionText(path, page, flags.all));
  return page.missing.length > 0 ? exitCodes.findings : exitCodes.ok;
}
