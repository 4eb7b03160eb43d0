import { print } from '../cli.ts';
import { runFlags, type RunFlags } from '../audit-flags.ts';
import { reportCommand } from '../../api/command-line.ts';
import { defineCommand } from '../command.ts';
import { auditPaths, sayElsewhere, sayRun, showReport } from '../run-audit.ts';
import { exitCodeOf } from '../../api/audit.ts';
import { runSuggest } from '../run-suggest.ts';

/** `pv audit PATHS…`: runs what is stale and derives every status from evidence. */
export const auditCommand = defineCommand<RunFlags & { readonly suggest: boolean }, readonly string[]>({
  description:
    'Runs every check of the contracts whose evidence is missing or stale, and derives each status from receipts alone:\n' +
    'falsification tests (L2), property tests (L3), soundness (the equation itself in float32 satisfies every claim) and\n' +
    'adequacy (wrong kernels are caught). Exits with 1 when the gate does not pass, with 4 when the budget ran out.',
  examples: [
    ['pv audit contracts --binding contracts/binding.yaml', 'The whole project'],
    ['pv audit contracts --min-level L3', 'A gate: every contract at L3 or above'],
    ['pv audit contracts/softmax-kernel-v1.yaml --claim SM-INV-001 --fresh', 'One claim, again'],
    ['pv audit contracts --format sarif > pv.sarif', 'For code scanning'],
    ['pv audit contracts/softmax-kernel-v1.yaml --suggest', 'The smallest tolerances that hold'],
  ],
  flags: {
    ...runFlags,
    suggest: {
      kind: 'boolean',
      brief: 'Print the smallest tolerance of each claim that its kernel satisfies, and judge nothing',
      default: false,
      withNegated: false,
    },
  },
  positional: {
    kind: 'array',
    minimum: 1,
    parameter: { brief: 'A contract file, or a folder with contracts', placeholder: 'path', parse: String },
  },
  run: async (cli, flags, ...paths) => {
    if (flags.suggest) return runSuggest(cli, paths, flags);
    const outcome = await auditPaths(cli, paths, flags, flags);
    if (!outcome.ok) return outcome.exitCode;
    const again = reportCommand(paths, flags, flags.claim);
    print(cli, await showReport(cli, outcome.audit.report, flags.format, again), flags.format);
    if (!flags.quiet) sayRun(cli, outcome.audit);
    sayElsewhere(cli, flags.backend, outcome.audit);
    return exitCodeOf(outcome.audit);
  },
});
