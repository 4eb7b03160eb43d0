import type { Contract } from '../../contract/contract.ts';
import { sortDiagnostics } from '../../contract/validate.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { print, say, type Cli } from '../cli.ts';
import { diagnosticPalette } from '../color.ts';
import { defineCommand } from '../command.ts';
import { exitCodes, type ExitCode } from '../exit-code.ts';
import { summarize, type Findings, type Summary } from '../findings/findings.ts';
import { findingsAsText, summaryText } from '../findings/text.ts';
import { formatFlag, quietFlag } from '../flags.ts';
import { readWithDependencies } from '../project-files.ts';
import { readPaths } from '../read-paths.ts';

type Flags = {
  readonly format: 'text' | 'json' | 'github' | 'sarif';
  readonly failOn: 'error' | 'warning';
  readonly quiet: boolean;
  readonly types: boolean;
};

/** `pv validate PATHS…`: reads contracts and reports everything that is wrong with them, in one run. */
export const validate = defineCommand<Flags, readonly string[]>({
  description:
    'Reads contract files, and folders of them, and reports everything that is wrong: YAML, schema, rules, notation, types.\n' +
    'The mathematics is typed as pv verify does: undeclared symbols, shapes that do not fit, claims that cannot run.\n' +
    'Exits with 1 when a contract has errors, and with 2 when a path is missing, unreadable or holds no contract.',
  examples: [
    ['pv validate contracts/', 'Every contract under a folder'],
    ['pv validate contracts/ --no-types', 'Faster: the mathematics is read and not typed'],
    ['pv validate a.yaml b.yaml --fail-on warning', 'Two files; warnings fail too'],
    ['pv validate contracts/ --format sarif > pv.sarif', 'For code scanning'],
  ],
  flags: {
    format: formatFlag(['text', 'json', 'github', 'sarif']),
    failOn: {
      kind: 'enum',
      values: ['error', 'warning'],
      default: 'error',
      brief: 'The least severity that makes pv exit with 1',
    },
    quiet: quietFlag,
    types: { kind: 'boolean', brief: 'Type the mathematics too', default: true, withNegated: true },
  },
  positional: {
    kind: 'array',
    minimum: 1,
    parameter: { brief: 'A contract file, or a folder that holds some', placeholder: 'path', parse: String },
  },
  run: async (cli, flags, ...paths) => {
    const read = await (flags.types ? readWithDependencies(cli, paths) : readPaths(cli, paths));
    const { paths: files, contracts } = read;
    const typed = flags.types ? await typeContracts(contracts) : null;
    const diagnostics = [...read.unread, ...sortDiagnostics([...read.findings, ...(typed?.diagnostics ?? [])])];
    const summary = { ...summarize(files, contracts, diagnostics), claims: typed?.claims ?? null };
    const findings = { paths: files, contracts, diagnostics, summary };
    await show(cli, flags, findings);
    return read.unread.length > 0 ? exitCodes.usage : exitCodeFor(flags, findings);
  },
});

/** What typing finds, and how many claims it makes executable. The engine is loaded only for this. */
async function typeContracts(contracts: readonly Contract[]): Promise<{
  readonly diagnostics: readonly Diagnostic[];
  readonly claims: Summary['claims'];
}> {
  const { elaborateAll } = await import('../../audit/elaborate-all.ts');
  const elaborated = elaborateAll(contracts);
  const executable = elaborated.reduce((sum, { goals }) => sum + goals.length, 0);
  const declared = executable + elaborated.reduce((sum, { notGoals }) => sum + notGoals.length, 0);
  return { diagnostics: elaborated.flatMap(({ diagnostics }) => diagnostics), claims: { executable, declared } };
}

/** In text the closing line belongs to the output; other formats carry the counts themselves, so it goes to the person. */
async function show(cli: Cli, flags: Flags, findings: Findings): Promise<void> {
  if (flags.format === 'text') {
    print(cli, findingsAsText(findings, diagnosticPalette(cli.process.stdout.color)));
    if (!flags.quiet) print(cli, `${findings.diagnostics.length > 0 ? '\n' : ''}${summaryText(findings.summary)}`);
    return;
  }
  print(cli, await formats[flags.format](findings));
  if (!flags.quiet) say(cli, summaryText(findings.summary));
}

const formats = {
  json: async (findings: Findings) => (await import('../findings/json.ts')).findingsAsJson(findings),
  github: async (findings: Findings) => (await import('../findings/github.ts')).findingsAsGithub(findings),
  sarif: async ({ contracts, diagnostics }: Findings) =>
    (await import('../../report/formats.ts')).formatReport(
      'sarif',
      (await import('../unverified-report.ts')).unverifiedReport(contracts, diagnostics),
    ),
};

function exitCodeFor({ failOn }: Flags, { summary }: Findings): ExitCode {
  const failing = summary.errors + (failOn === 'warning' ? summary.warnings : 0);
  return failing > 0 ? exitCodes.findings : exitCodes.ok;
}
