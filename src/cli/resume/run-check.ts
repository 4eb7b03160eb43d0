/** `pv resume check`: opens the checkpoint, runs every check and prints the report. */
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { checkResume, type ResumeReport } from '../../checkpoint/resume-check.ts';
import { openSealed } from '../../checkpoint/seal/open-sealed.ts';
import { print, say, type Cli } from '../cli.ts';
import { writePage } from '../html/write-page.ts';
import { sayProblem } from '../problem-text.ts';
import { abortWindow } from './abort-window.ts';
import { readEvidence, type EvidenceFlags } from './read-evidence.ts';
import { reportJson, reportText } from './report-text.ts';

export type ResumeFlags = EvidenceFlags & {
  readonly strict: boolean;
  readonly interactive: boolean;
  readonly html?: string;
  readonly json: boolean;
};

export async function runResumeCheck(cli: Cli, flags: ResumeFlags, folder: string): Promise<ExitCode> {
  if (!['directory', 'file'].includes(await cli.host.kindOf(folder))) {
    say(cli, `pv: ${folder}: there is no such folder or file; pass a checkpoint, such as output/checkpoint-1000`);
    return exitCodes.usage;
  }
  const evidence = await readEvidence(cli, flags, folder);
  if (!evidence.ok) return evidence.error;
  const opened = await openSealed(cli.host, folder);
  if (!opened.ok) {
    sayProblem(cli, opened.error, folder);
    return exitCodes.findings;
  }
  const { checkpoint, close } = opened.value;
  const report = await checkResume(checkpoint, evidence.value);
  await close();
  if (!report.ok) {
    sayProblem(cli, report.error, folder);
    return exitCodes.findings;
  }
  print(cli, (flags.json ? reportJson : reportText)(folder, checkpoint, report.value));
  if (flags.html !== undefined) {
    const { reportPage } = await import('./report-page.ts');
    const page = reportPage(folder, checkpoint, report.value, evidence.value.log);
    if (!(await writePage(cli, flags.html, page))) return exitCodes.usage;
  }
  const code = exitCodeOf(report.value, flags.strict);
  return flags.interactive && code === exitCodes.findings ? abortWindow(cli, code) : code;
}

function exitCodeOf({ verdict }: ResumeReport, strict: boolean): ExitCode {
  if (verdict === 'failed' || (strict && verdict !== 'passed')) return exitCodes.findings;
  return verdict === 'incomplete' ? exitCodes.undetermined : exitCodes.ok;
}
