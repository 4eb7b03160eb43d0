import { print, say } from '../cli.ts';
import { reportFlags, type ReportFlags } from '../audit-flags.ts';
import { reportCommand } from '../../api/command-line.ts';
import { defineCommand } from '../command.ts';
import { auditPaths, showReport } from '../run-audit.ts';
import { exitCodeOf } from '../../api/audit.ts';

/** `pv status PATHS…`: what the stored evidence says now; runs nothing. */
export const status = defineCommand<ReportFlags, readonly string[]>({
  description:
    'Says what the stored evidence is worth now, without running anything: evidence of another version of a contract, a\n' +
    'kernel, a dependency or pv is stale. Exits with 1 when the gate does not pass.',
  examples: [
    ['pv status contracts', 'Every contract'],
    ['pv status contracts --min-level L3 --format json', 'For scripts'],
  ],
  flags: reportFlags,
  positional: {
    kind: 'array',
    minimum: 1,
    parameter: { brief: 'A contract file, or a folder with contracts', placeholder: 'path', parse: String },
  },
  run: async (cli, flags, ...paths) => {
    const outcome = await auditPaths(cli, paths, flags, null);
    if (!outcome.ok) return outcome.exitCode;
    const { report } = outcome.audit;
    print(cli, await showReport(cli, report, flags.format, reportCommand(paths, flags, undefined)), flags.format);
    if (report.totals.evaluated === 0 && !flags.quiet) say(cli, 'pv: not verified yet: run pv audit');
    return exitCodeOf(outcome.audit);
  },
});
