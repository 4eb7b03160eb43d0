/** What the commands that show a report share: progress, the report in a format, and the messages about it. */
import type { Audit } from '../audit/audit.ts';
import * as api from '../api/audit.ts';
import type { RunOptions } from '../api/audit-options.ts';
import { count, listOf } from '../base/text.ts';
import type { Receipt } from '../evidence/receipt.ts';
import { isGreen } from '../evidence/verdict.ts';
import { formatReport } from '../report/formats.ts';
import type { Report } from '../report/report.ts';
import type { BackendId } from '../subject/kernel.ts';
import { say, type Cli } from './cli.ts';
import { createCodeOutput } from './code-output.ts';
import type { ReportFlags, RunFlags } from './audit-flags.ts';
import { createProgress, type Ended } from './progress.ts';
import { reportPaint } from './report-paint.ts';

/** As the API's, with progress and the output of the code under test on stderr. */
export async function auditPaths(
  cli: Cli,
  paths: readonly string[],
  flags: ReportFlags,
  run: RunFlags | null,
  only: api.OnlyProofs | null = null,
): Promise<api.AuditOutcome> {
  if (!run) return api.auditPaths(cli, paths, flags, null, only);
  const progress = createProgress(cli, run.quiet);
  const onPrinted = createCodeOutput(cli, progress.clear);
  const onProgress: RunOptions['onProgress'] = (done, total, check, part) =>
    progress.update(done, total, check ? [check.goal, check.method, part ?? ''].join(' ').trimEnd() : '');
  const onContract: RunOptions['onContract'] = (contract, receipts) =>
    progress.ended(endedContract(cli, contract, receipts));
  try {
    return await api.auditPaths(cli, paths, flags, { ...run, onProgress, onContract, onPrinted }, only);
  } finally {
    progress.clear();
  }
}

function endedContract(cli: Cli, name: string, receipts: readonly Receipt[]): Ended {
  const paint = reportPaint(cli.process.stderr.color);
  const open = receipts.filter(({ verdict }) => !isGreen(verdict));
  const passed = open.length === 0;
  const found = passed
    ? `${count(receipts.length, 'check')} passed`
    : listOf(
        open.map(({ goal, verdict }) => `${goal} ${verdict}`),
        3,
      );
  return { name, passed, line: `${passed ? paint('good', '✓') : paint('bad', '✗')} ${name}: ${found}` };
}

/** The report in the requested format; `command` shows it again in another format. */
export function showReport(cli: Cli, report: Report, format: ReportFlags['format'], command: string): Promise<string> {
  const { color, columns } = cli.process.stdout;
  return formatReport(format, report, { width: columns, paint: reportPaint(color), command });
}

/** Which contracts did not run where the command line says, because their bindings, or plain functions, take precedence. */
export function sayElsewhere(cli: Cli, backend: BackendId | undefined, { plan }: Audit): void {
  if (backend === undefined) return;
  const elsewhere = plan.contracts.flatMap(({ elaborated, goals }) => {
    const own = goals.flatMap(({ checks }) => checks.filter(({ method }) => onKernels.has(method)));
    const places = [...new Set(own.map((check) => check.backend))];
    return places.length === 0 || places.includes(backend) ? [] : [`${elaborated.contract.id} (${places.join(', ')})`];
  });
  if (elsewhere.length > 0)
    say(
      cli,
      `pv: nothing of these ran on ${backend}, since their bindings or functions go before it: ${elsewhere.join(', ')}`,
    );
}

const onKernels: ReadonlySet<string> = new Set(['property', 'falsify', 'statistical']);

/** What the run did, for the person: how much ran, how much was reused, what was left out. */
export function sayRun(cli: Cli, { run, removed }: Audit): void {
  if (!run) return;
  say(
    cli,
    `${count(run.ran, 'check')} ran, ${run.reused} reused${run.rechecked > 0 ? ` (${run.rechecked} of them repeated, drawn with seed ${api.spotChecks.seed})` : ''}${run.skipped > 0 ? `, ${run.skipped} left out: the budget ran out` : ''}` +
      (removed > 0 ? `; ${count(removed, 'old receipt')} removed` : ''),
  );
}
