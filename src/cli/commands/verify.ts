import { join } from 'node:path';
import { projectFiles } from '../../host/project-files.ts';
import { print, say } from '../cli.ts';
import { runFlags, type RunFlags } from '../audit-flags.ts';
import { reportCommand } from '../../api/command-line.ts';
import { defineCommand } from '../command.ts';
import { exitCodes } from '../../api/exit-code.ts';
import { shownPath } from '../../api/project-files.ts';
import { auditPaths, sayElsewhere, sayRun, showReport } from '../run-audit.ts';
import { exitCodeOf } from '../../api/audit.ts';

/** `pv verify`: the main job: audits the project's contracts and writes the report as a page. */
export const verify = defineCommand<RunFlags, readonly string[]>({
  description:
    'Audits the contracts of the project (the folder `contracts` when no path is given) and writes the verification DAG as\n' +
    'one self-contained page, whose path it prints. Exits with 1 when the gate does not pass, with 4 when the budget ran out.',
  examples: [
    ['pv verify', 'Everything under contracts/'],
    ['pv verify --min-level L3 --budget 600', 'For CI'],
  ],
  flags: runFlags,
  positional: {
    kind: 'array',
    parameter: {
      brief: 'A contract file, or a folder with contracts; contracts/ when absent',
      placeholder: 'path',
      parse: String,
    },
  },
  run: async (cli, flags, ...paths) => {
    const asked = paths.length > 0 ? paths : ['contracts'];
    const outcome = await auditPaths(cli, asked, flags, flags);
    if (!outcome.ok) return outcome.exitCode;
    const { report } = outcome.audit;
    const again = reportCommand(asked, flags, flags.claim);
    print(cli, await showReport(cli, report, flags.format, again), flags.format);
    if (!flags.quiet) sayRun(cli, outcome.audit);
    sayElsewhere(cli, flags.backend, outcome.audit);
    const { root } = outcome.project;
    const page = join('.pv', 'report.html');
    const shown = shownPath(cli, join(root, page));
    const written = await projectFiles(cli.host, root).write(page, await showReport(cli, report, 'html', again));
    if (!written.ok) {
      say(cli, `pv: ${shown} ${written.error.message}`);
      return exitCodes.usage;
    }
    say(cli, `report: ${shown}`);
    return exitCodeOf(outcome.audit);
  },
});
