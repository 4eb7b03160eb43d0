import { print, say, type Cli } from '../cli.ts';
import { diagnosticPalette } from '../color.ts';
import { defineCommand } from '../command.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import type { Summary } from '../../api/findings.ts';
import { findingsPage, severities } from '../findings/page.ts';
import { summaryText } from '../findings/text.ts';
import type { Severity } from '../../diagnostics/codes.ts';
import { formatFlag, quietFlag } from '../flags.ts';
import { analyse, type Analysis } from '../../api/validate.ts';

type Flags = {
  readonly format: 'text' | 'json' | 'github' | 'gitlab' | 'sarif';
  readonly failOn: 'error' | 'warning';
  readonly severity?: Severity;
  readonly quiet: boolean;
  readonly types: boolean;
};

/** `pv validate PATHS…`: reads contracts and reports everything that is wrong with them, in one run. */
export const validate = defineCommand<Flags, readonly string[]>({
  description:
    'Reads contract files, and folders of them, and reports everything that is wrong: YAML, schema, rules, notation, types.\n' +
    'The mathematics is typed as pv verify does: undeclared symbols, shapes that do not fit, claims that cannot run.\n' +
    'More than 40 findings are grouped by code, the worst first; --severity prints each of them.\n' +
    'Exits with 1 when a contract has errors, and with 2 when a path is missing, unreadable or holds no contract.',
  examples: [
    ['pv validate contracts/', 'Every contract under a folder'],
    ['pv validate contracts/ --no-types', 'Faster: the mathematics is read and not typed'],
    ['pv validate a.yaml b.yaml --fail-on warning', 'Two files; warnings fail too'],
    ['pv validate contracts/ --severity error', 'Every error in full, and nothing else'],
    ['pv validate contracts/ --format sarif > pv.sarif', 'For code scanning'],
  ],
  flags: {
    format: formatFlag(['text', 'json', 'github', 'gitlab', 'sarif']),
    failOn: {
      kind: 'enum',
      values: ['error', 'warning'],
      default: 'error',
      brief: 'The least severity that makes pv exit with 1',
    },
    severity: {
      kind: 'enum',
      values: severities,
      optional: true,
      brief: 'Print every finding of this severity and worse in full',
    },
    quiet: quietFlag,
    types: { kind: 'boolean', brief: 'Type the mathematics too', default: true, withNegated: true },
  },
  positional: {
    kind: 'array',
    minimum: 1,
    parameter: { brief: 'A contract file, or a folder with contracts', placeholder: 'path', parse: String },
  },
  run: async (cli, flags, ...paths) => {
    const answer = await analyse(cli, paths, flags.types);
    await show(cli, flags, paths, answer);
    return answer.complete ? exitCodeFor(flags, answer.summary) : exitCodes.usage;
  },
});

/**
 * In the text format the closing line is part of the output; other formats contain the counts themselves, so it goes to stderr.
 */
async function show(cli: Cli, flags: Flags, paths: readonly string[], findings: Analysis): Promise<void> {
  if (flags.format === 'text') {
    const color = diagnosticPalette(cli.process.stdout.color);
    print(cli, findingsPage(findings.diagnostics, { least: flags.severity ?? null, paths, color }));
    if (!flags.quiet) print(cli, `${findings.diagnostics.length > 0 ? '\n' : ''}${summaryText(findings.summary)}`);
    return;
  }
  print(cli, await formats[flags.format](findings), flags.format);
  if (!flags.quiet) say(cli, summaryText(findings.summary));
}

const formats = {
  json: async (findings: Analysis) => (await import('../findings/json.ts')).findingsAsJson(findings),
  github: async (findings: Analysis) => (await import('../findings/github.ts')).findingsAsGithub(findings),
  gitlab: async (findings: Analysis) => asReport('gitlab', findings),
  sarif: async (findings: Analysis) => asReport('sarif', findings),
};

async function asReport(format: 'gitlab' | 'sarif', { contracts, diagnostics }: Analysis): Promise<string> {
  const { unverifiedReport } = await import('../../api/unverified-report.ts');
  return (await import('../../report/formats.ts')).formatReport(format, unverifiedReport(contracts, diagnostics));
}

function exitCodeFor({ failOn }: Flags, summary: Summary): ExitCode {
  const failing = summary.errors + (failOn === 'warning' ? summary.warnings : 0);
  return failing > 0 ? exitCodes.findings : exitCodes.ok;
}
