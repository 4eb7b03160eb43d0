import { print, say, type Cli } from '../cli.ts';
import { diagnosticPalette } from '../color.ts';
import { defineCommand } from '../command.ts';
import { exitCodes, type ExitCode } from '../exit-code.ts';
import type { Findings, Summary } from '../findings/findings.ts';
import { findingsAsText, summaryText } from '../findings/text.ts';
import { formatFlag, quietFlag } from '../flags.ts';
import type { Analysis } from '../validation/analysis.ts';
import { answerForm, type Answer } from '../validation/answer-record.ts';
import { buildOf } from '../validation/build.ts';
import { remembered } from '../validation/remember.ts';
import { sealOf } from '../validation/seal.ts';

type Flags = {
  readonly format: 'text' | 'json' | 'github' | 'gitlab' | 'sarif';
  readonly failOn: 'error' | 'warning';
  readonly quiet: boolean;
  readonly types: boolean;
  readonly cache: boolean;
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
    format: formatFlag(['text', 'json', 'github', 'gitlab', 'sarif']),
    failOn: {
      kind: 'enum',
      values: ['error', 'warning'],
      default: 'error',
      brief: 'The least severity that makes pv exit with 1',
    },
    quiet: quietFlag,
    types: { kind: 'boolean', brief: 'Type the mathematics too', default: true, withNegated: true },
    cache: {
      kind: 'boolean',
      brief: 'Keep findings under .pv/cache, and show them again while no file has changed',
      default: true,
      withNegated: true,
    },
  },
  positional: {
    kind: 'array',
    minimum: 1,
    parameter: { brief: 'A contract file, or a folder that holds some', placeholder: 'path', parse: String },
  },
  run: async (cli, flags, ...paths) => {
    const answer = await answerTo(cli, flags, paths);
    await show(cli, flags, answer);
    return answer.complete ? exitCodeFor(flags, answer.summary) : exitCodes.usage;
  },
});

type Shown = Answer & Partial<Pick<Findings, 'contracts'>> & Pick<Analysis, 'complete'>;

/**
 * Nothing is remembered for formats that are made from a report, which holds the contracts too; by code that is not bundled, which has no name;
 * and in CI, where a cache could only have come with the files that are to be judged.
 */
async function answerTo(cli: Cli, { types, cache, format }: Flags, paths: readonly string[]): Promise<Shown> {
  const analyse = async (host: Cli['host']): Promise<Analysis> =>
    (await import('../validation/analysis.ts')).analyse({ ...cli, host }, paths, types);
  const build = buildOf(import.meta.url);
  const inCi = (cli.process.env['CI'] ?? '') !== '';
  if (!cache || inCi || build === null || format === 'sarif' || format === 'gitlab') return analyse(cli.host);
  const seal = await sealOf(cli.host, cli.process.env);
  return seal === null
    ? analyse(cli.host)
    : remembered(cli.host, { command: 'validate', build, types, paths, seal }, answerForm, analyse);
}

/** In text the closing line belongs to the output; other formats carry the counts themselves, so it goes to the person. */
async function show(cli: Cli, flags: Flags, findings: Shown): Promise<void> {
  if (flags.format === 'text') {
    print(cli, findingsAsText(findings, diagnosticPalette(cli.process.stdout.color)));
    if (!flags.quiet) print(cli, `${findings.diagnostics.length > 0 ? '\n' : ''}${summaryText(findings.summary)}`);
    return;
  }
  print(cli, await formats[flags.format](findings), flags.format);
  if (!flags.quiet) say(cli, summaryText(findings.summary));
}

const formats = {
  json: async (findings: Shown) => (await import('../findings/json.ts')).findingsAsJson(findings),
  github: async (findings: Shown) => (await import('../findings/github.ts')).findingsAsGithub(findings),
  gitlab: async (findings: Shown) => asReport('gitlab', findings),
  sarif: async (findings: Shown) => asReport('sarif', findings),
};

async function asReport(format: 'gitlab' | 'sarif', { contracts = [], diagnostics }: Shown): Promise<string> {
  const { unverifiedReport } = await import('../unverified-report.ts');
  return (await import('../../report/formats.ts')).formatReport(format, unverifiedReport(contracts, diagnostics));
}

function exitCodeFor({ failOn }: Flags, summary: Summary): ExitCode {
  const failing = summary.errors + (failOn === 'warning' ? summary.warnings : 0);
  return failing > 0 ? exitCodes.findings : exitCodes.ok;
}
