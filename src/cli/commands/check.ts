import { print, type Cli } from '../cli.ts';
import { defineCommand } from '../command.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { formatFlag, quietFlag } from '../flags.ts';
import { allowanceFlags } from '../data/allowance-flags.ts';
import { parseMapping, parseSetting } from '../data/assignments.ts';
import type { CheckFlags } from '../data/check-flags.ts';

const several = { kind: 'parsed', variadic: true } as const;

/** `pv check [CONTRACT] FILE`: evaluates contracts over data on a config, a log or a trace. */
export const check = defineCommand<CheckFlags, readonly string[]>({
  description:
    'Evaluates the obligations of a contract over data on training configs, run logs and event traces.\n' +
    'Without a contract, pv recognises the file and chooses the shipped one that fits a config, a log or a profile.\n' +
    'A violated obligation comes with its numbers, the line at fault, its cause and the smallest change that fixes it.\n' +
    'Exits with 1 when an obligation is violated or could not be evaluated, and with 2 when a file cannot be read.',
  examples: [
    ['pv check train.yaml --set num_sequences=22079', 'A config, by the contract that fits it'],
    ['pv check train.yaml --set num_sequences=22079 --remember', 'The same, and from now on without --set'],
    ['pv check run.jsonl --with train.yaml', 'A log, and its config'],
    ['pv check contracts/my-config-v1.yaml configs/', 'Every file of a folder, by a contract of your own'],
    [
      'pv check training-stability --data run.txt --pattern "it (?<step>\\d+) loss (?<loss>\\S+)"',
      'A log in a custom format',
    ],
  ],
  flags: {
    data: {
      ...several,
      parse: String,
      optional: true,
      brief:
        'A config, log or trace, or a folder of them; each is checked on its own. With it, every other path is a contract',
      placeholder: 'path',
    },
    with: {
      ...several,
      parse: String,
      optional: true,
      brief: 'A file with further values for every data set, such as the config of a log',
      placeholder: 'file',
    },
    set: {
      ...several,
      parse: parseSetting,
      optional: true,
      brief: 'The value of an input; overrides the data',
      placeholder: 'name=value',
    },
    remember: {
      kind: 'boolean',
      brief: 'Keep the values of --set in .pv/data.yaml, as answers about these files',
      default: false,
      withNegated: false,
    },
    map: {
      ...several,
      parse: parseMapping,
      optional: true,
      brief: 'The key in the file for a name of the vocabulary',
      placeholder: 'name=key',
    },
    as: {
      kind: 'parsed',
      parse: String,
      optional: true,
      brief: 'The format of the data, if pv recognises another',
      placeholder: 'format',
    },
    pattern: {
      kind: 'parsed',
      parse: String,
      optional: true,
      brief: 'A regular expression whose named groups are the columns of a text log',
      placeholder: 'regex',
    },
    claim: {
      kind: 'parsed',
      variadic: ',',
      parse: String,
      optional: true,
      brief: 'Judge only these obligations; several with commas',
      placeholder: 'ids',
    },
    without: {
      kind: 'parsed',
      variadic: ',',
      parse: String,
      optional: true,
      brief: 'Leave these obligations out; several with commas',
      placeholder: 'ids',
    },
    strict: {
      kind: 'boolean',
      brief: 'Fail for violated advice too',
      default: false,
      withNegated: false,
    },
    format: formatFlag(['text', 'json', 'github', 'sarif', 'gitlab']),
    allowUnevaluated: {
      kind: 'boolean',
      brief: 'Exit with 0 although inputs are missing, when something was evaluated and nothing is violated',
      default: false,
      withNegated: false,
    },
    ...allowanceFlags,
    quiet: quietFlag,
  },
  positional: {
    kind: 'array',
    minimum: 1,
    parameter: {
      brief: 'Contracts, by path or by the name of one that pv ships, and data',
      placeholder: 'path',
      parse: String,
    },
  },
  run: async (cli: Cli, flags, ...paths): Promise<ExitCode> => {
    const { runCheck } = await import('../../api/data/run-check.ts');
    const { showChecks } = await import('../data/show-checks.ts');
    const { inTextReport } = await import('../../data/report/text.ts');
    const isText = flags.format === 'text' && !flags.quiet;
    const outcome = await runCheck(cli, paths, flags, isText ? inTextReport : new Set());
    if (!outcome.ok) return outcome.exitCode;
    const passed = outcome.exitCode === exitCodes.ok;
    print(cli, await showChecks(cli, outcome.report, passed, flags.format), flags.format);
    return outcome.exitCode;
  },
});
