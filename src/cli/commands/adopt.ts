import { ranges } from '../../api/audit-options.ts';
import { adoptPaths } from '../../api/adopt.ts';
import { exitCodes } from '../../api/exit-code.ts';
import { print } from '../cli.ts';
import { defineCommand } from '../command.ts';
import { jobsFlag, quietFlag } from '../flags.ts';
import { integerBetween, secondsBetween } from '../number-parsers.ts';
import { createProgress } from '../progress.ts';

type Flags = { readonly seed: number; readonly timeout: number; readonly jobs?: number; readonly quiet: boolean };

/** `pv adopt PATHS…`: one page about contracts that others wrote. */
export const adopt = defineCommand<Flags, readonly string[]>({
  description: 'x',
  examples: [],
  flags: {
    seed: { kind: 'parsed', parse: integerBetween(...ranges.seed), placeholder: 'n', brief: 'Seed of every generated input', default: '1' },
    timeout: { kind: 'parsed', parse: secondsBetween(...ranges.timeout), placeholder: 'seconds', brief: 'Longest time of one check of a statement', default: '10' },
    jobs: jobsFlag,
    quiet: quietFlag,
  },
  positional: {
    kind: 'array',
    minimum: 1,
    parameter: { brief: 'A contract file, or a folder that holds some', placeholder: 'path', parse: String },
  },
  run: async (cli, flags, ...paths) => {
    const progress = createProgress(cli, flags.quiet);
    const outcome = await adoptPaths(cli, paths, { ...flags, onProgress: (done, total, check) => progress.update(done, total, check?.goal ?? '') });
    progress.clear();
    if (!outcome.ok) return outcome.exitCode;
    print(cli, JSON.stringify(outcome.adoption, null, 1), 'json');
    return exitCodes.ok;
  },
});
