import { allowanceFlags } from '../data/allowance-flags.ts';
import { parseMapping, parseSetting } from '../data/assignments.ts';
import type { DiagnoseFlags } from '../data/diagnose-flags.ts';
import { print, type Cli } from '../cli.ts';
import { defineCommand } from '../command.ts';
import type { ExitCode } from '../../api/exit-code.ts';
import { formatFlag } from '../flags.ts';

const several = { kind: 'parsed', variadic: true } as const;

/** `pv diagnose RUN`: the checks of all contracts over the files of a run, joined from symptom to cause. */
export const diagnose = defineCommand<DiagnoseFlags, readonly [string]>({
  description:
    'Evaluates every contract over data that fits the files of a run, and joins what is violated: where it shows first,\n' +
    'in which brick (kernel, block, transfer, loop), local or global, static or dynamic, and why, check by check, down to\n' +
    'the obligation that prevents it, to the file that would decide it, or to a gap that no contract covers.\n' +
    'Exits with 1 when something is violated, unreadable, or nothing could be evaluated, and with 2 when there is no run.',
  examples: [
    ['pv diagnose run/', 'All files of a run, and the contracts over data of this project or of pv'],
    ['pv diagnose run/ --set num_sequences=22079', 'With a number that no file says'],
    ['pv diagnose run/ --format markdown > diagnosis.md', 'As a table of whys'],
    ['pv diagnose run/ --map loss=train/nll', 'A log with its own name for the loss'],
  ],
  flags: {
    contracts: {
      ...several,
      parse: String,
      optional: true,
      brief: 'Contracts to evaluate; those over data in contracts/, or those that come with pv, when absent',
      placeholder: 'path',
    },
    set: {
      ...several,
      parse: parseSetting,
      optional: true,
      brief: 'The value of an input; overrides the files',
      placeholder: 'name=value',
    },
    map: {
      ...several,
      parse: parseMapping,
      optional: true,
      brief: 'The key in the files for a name of the vocabulary',
      placeholder: 'name=key',
    },
    ...allowanceFlags,
    format: formatFlag(['text', 'json', 'markdown', 'sarif']),
  },
  positional: {
    kind: 'tuple',
    parameters: [{ brief: 'The folder of a run, or one of its files', placeholder: 'run', parse: String }],
  },
  run: async (cli: Cli, flags, path): Promise<ExitCode> => {
    const { runDiagnose } = await import('../../api/data/run-diagnose.ts');
    const { showDiagnosis } = await import('../data/show-diagnosis.ts');
    const outcome = await runDiagnose(cli, path, flags);
    if (!outcome.ok) return outcome.exitCode;
    print(cli, await showDiagnosis(cli, outcome.report, flags.format));
    return outcome.exitCode;
  },
});
