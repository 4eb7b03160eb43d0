/** `pv resume check`: opens the checkpoint, runs every check and prints the report. */
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { openTrainerFolder } from '../../checkpoint/hugging-face/read-folder.ts';
import { checkResume, type ResumeReport } from '../../checkpoint/resume-check.ts';
import { print, say, type Cli } from '../cli.ts';
import { sayProblem } from '../problem-text.ts';
import { readConfig } from './read-config.ts';
import { reportJson, reportText } from './report-text.ts';

export type ResumeFlags = {
  readonly config?: string;
  readonly strict: boolean;
  readonly json: boolean;
};

export async function runResumeCheck(cli: Cli, flags: ResumeFlags, folder: string): Promise<ExitCode> {
  if ((await cli.host.kindOf(folder)) !== 'directory') {
    say(cli, `pv: ${folder}: there is no such folder; pass a checkpoint folder, such as output/checkpoint-1000`);
    return exitCodes.usage;
  }
  const config = flags.config === undefined ? null : await readConfig(cli, flags.config);
  if (flags.config !== undefined && config === null) return exitCodes.usage;
  const opened = await openTrainerFolder(cli.host, folder);
  if (!opened.ok) {
    sayProblem(cli, opened.error, folder);
    return exitCodes.findings;
  }
  const { checkpoint, close } = opened.value;
  const report = await checkResume(checkpoint, config);
  await close();
  if (!report.ok) {
    sayProblem(cli, report.error, folder);
    return exitCodes.findings;
  }
  print(cli, (flags.json ? reportJson : reportText)(folder, checkpoint, report.value));
  return exitCodeOf(report.value, flags.strict);
}

function exitCodeOf({ verdict }: ResumeReport, strict: boolean): ExitCode {
  if (verdict === 'failed' || (strict && verdict !== 'passed')) return exitCodes.findings;
  return verdict === 'incomplete' ? exitCodes.undetermined : exitCodes.ok;
}
