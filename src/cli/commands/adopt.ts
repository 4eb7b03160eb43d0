import { normalize } from 'node:path';
import { ranges } from '../../api/audit-options.ts';
import { adoptPaths } from '../../api/adopt.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { readBaseline, writeBaseline, compareWithBaseline, type BaselineEntry } from '../../audit/adopt/baseline.ts';
import { hasWords, visible } from '../../base/text.ts';
import type { Adoption } from '../../report/adopt/adoption.ts';
import { adoptionPage, isClean } from '../../report/adopt/page.ts';
import { formatAdoptionMarkdown } from '../../report/adopt/markdown.ts';
import { formatAdoptionText } from '../../report/adopt/text.ts';
import { plainOptions } from '../../report/formats.ts';
import { isFree, writePatch } from '../adopt/write-patch.ts';
import { print, say, type Cli } from '../cli.ts';
import { defineCommand } from '../command.ts';
import { formatFlag, jobsFlag, quietFlag } from '../flags.ts';
import { adoptionHtml } from '../html/adoption-page.ts';
import { jsonText } from '../json-text.ts';
import { integerBetween, secondsBetween } from '../number-parsers.ts';
import { createProgress } from '../progress.ts';
import { reportPaint } from '../report-paint.ts';

type AdoptFlags = {
  readonly format: 'text' | 'markdown' | 'html' | 'json';
  readonly out?: string;
  readonly baseline?: string;
  readonly writeBaseline?: string;
  readonly patch?: string;
  readonly owner?: string;
  readonly reason?: string;
  readonly seed: number;
  readonly timeout: number;
  readonly jobs?: number;
  readonly quiet: boolean;
};

const file = { kind: 'parsed', parse: String, placeholder: 'file', optional: true } as const;

/** `pv adopt PATHS…`: one page about contracts that others wrote, and a baseline of what is wrong with them. */
export const adopt = defineCommand<AdoptFlags, readonly string[]>({
  description:
    'Judges contracts that others wrote, without kernels and without keeping evidence: each statement runs on its own equations,\n' +
    'over the reals and in float32, at drawn sizes and at large ones. The page says first what is false, with a counterexample and how\n' +
    'to fix it, then what contradicts another contract, what only float arithmetic breaks, and what cannot be run and why.\n' +
    'Exits with 1 when a wrong statement is not in the baseline, when an entry of the baseline no longer has a finding, or when\n' +
    'a file cannot be read; with 2 for an unusable flag, path or baseline. docs/adopt.md explains each word.',
  examples: [
    ['pv adopt contracts/', 'One page about a folder of contracts'],
    ['pv adopt contracts/ --format markdown --out adopted.md', 'The same as a file'],
    [
      "pv adopt contracts/ --write-baseline baseline.yaml --owner ada --reason 'as upstream has them'",
      'Accept what is known to be wrong',
    ],
    [
      'pv adopt contracts/ --baseline baseline.yaml',
      'A gate: new findings fail, and fixed ones must leave the baseline',
    ],
    ['pv adopt contracts/ --patch adopt.patch', 'Rewrite what can be rewritten exactly; apply it with git apply'],
  ],
  flags: {
    format: formatFlag(['text', 'markdown', 'html', 'json']),
    out: { ...file, brief: 'Write the page to this file' },
    baseline: { ...file, brief: 'Findings that are accepted, each with owner and reason' },
    writeBaseline: {
      ...file,
      brief: 'Write a baseline that accepts every finding; known entries keep owner and reason',
    },
    patch: {
      ...file,
      brief:
        'Write a patch of exact rewritings: what pv reads in part, as notation that runs, with its words as comments',
    },
    owner: { ...file, placeholder: 'name', brief: 'Who accepts the findings of --write-baseline' },
    reason: { ...file, placeholder: 'text', brief: 'Why they are accepted' },
    seed: {
      kind: 'parsed',
      parse: integerBetween(...ranges.seed),
      placeholder: 'n',
      brief: 'Seed of every drawn input',
      default: '1',
    },
    timeout: {
      kind: 'parsed',
      parse: secondsBetween(...ranges.timeout),
      placeholder: 'seconds',
      brief: 'Time limit of one check of a statement',
      default: '10',
    },
    jobs: jobsFlag,
    quiet: { ...quietFlag, brief: 'Print no progress, and no verdict if --out writes the page' },
  },
  positional: {
    kind: 'array',
    minimum: 1,
    parameter: { brief: 'A contract file, or a folder with contracts', placeholder: 'path', parse: String },
  },
  run: async (cli, flags, ...paths) => {
    const problem = unusable(flags);
    if (problem !== null) {
      say(cli, `pv: ${problem}`);
      return exitCodes.usage;
    }
    // A baseline that cannot be read is found before minutes are spent.
    const entries = await entriesOf(cli, flags);
    if (entries === null || (flags.patch !== undefined && !(await isFree(cli, flags.patch)))) return exitCodes.usage;
    const adoption = await judge(cli, flags, paths);
    if (typeof adoption === 'number') return adoption;
    if (flags.writeBaseline !== undefined) return accept(cli, adoption, { entries, path: flags.writeBaseline, flags });
    const compared: Adoption =
      flags.baseline === undefined
        ? adoption
        : { ...adoption, baseline: compareWithBaseline(adoption.judged, entries, flags.baseline) };
    if (!(await show(cli, flags, compared))) return exitCodes.usage;
    return isClean(compared) ? exitCodes.ok : exitCodes.findings;
  },
});

function unusable({
  baseline,
  writeBaseline,
  owner = '',
  reason = '',
  out = '',
  patch = '',
}: AdoptFlags): string | null {
  if (/\.ya?ml$/iu.test(out))
    return '--out would write a page over a contract: give it another ending, as in --out page.md';
  if (/\.ya?ml$/iu.test(patch)) return 'a patch is not a contract: give it another ending, as in --patch adopt.patch';
  if (patch !== '' && out !== '' && normalize(patch) === normalize(out)) return '--out and --patch name the same file';
  if (writeBaseline === undefined)
    return owner + reason === '' ? null : '--owner and --reason belong to --write-baseline FILE';
  if (baseline !== undefined) return '--write-baseline keeps the entries of its own file: leave out --baseline';
  if (!hasWords(owner) || !hasWords(reason))
    return '--write-baseline needs --owner NAME and --reason TEXT: an accepted finding says who accepts it and why';
  return null;
}

async function judge(cli: Cli, flags: AdoptFlags, paths: readonly string[]): Promise<Adoption | ExitCode> {
  const progress = createProgress(cli, flags.quiet);
  try {
    const outcome = await adoptPaths(cli, paths, {
      ...flags,
      besides: flags.baseline ?? flags.writeBaseline,
      rewrites: flags.patch !== undefined,
      onProgress: (done, total, check) => progress.update(done, total, check ? `${check.goal} ${check.method}` : ''),
    });
    if (!outcome.ok) return outcome.exitCode;
    const { adoption, rewritings } = outcome;
    if (flags.patch === undefined || rewritings === null) return adoption;
    const patch = await writePatch(cli, flags.patch, rewritings);
    return patch ? { ...adoption, patch } : exitCodes.usage;
  } finally {
    progress.clear();
  }
}

const largestBaseline = 3 * 1024 ** 2;

/** Those of `--baseline`, or of the file that `--write-baseline` replaces; null after reporting why it cannot be used. */
async function entriesOf(cli: Cli, { baseline, writeBaseline }: AdoptFlags): Promise<readonly BaselineEntry[] | null> {
  const path = baseline ?? writeBaseline;
  if (path === undefined || (baseline === undefined && (await cli.host.kindOf(path)) === 'missing')) return [];
  const text = await cli.host.readText(path, { maxBytes: largestBaseline });
  if (!text.ok) {
    say(cli, `pv: ${visible(path)}: ${text.error.message}`);
    return null;
  }
  const { value, diagnostics } = readBaseline({ path, text: text.value });
  await cli.show(diagnostics);
  return diagnostics.some(({ severity }) => severity === 'error') ? null : value;
}

interface Acceptance {
  readonly entries: readonly BaselineEntry[];
  readonly path: string;
  readonly flags: AdoptFlags;
}

async function accept(cli: Cli, adoption: Adoption, { entries, path, flags }: Acceptance): Promise<ExitCode> {
  const { owner = '', reason = '' } = flags;
  const written = writeBaseline(adoption.judged, { owner: owner.trim(), reason: reason.trim() }, entries);
  const { value } = readBaseline({ path, text: written });
  const compared = { ...adoption, baseline: compareWithBaseline(adoption.judged, value, path) };
  if (!(await write(cli, path, written)) || !(await show(cli, flags, compared))) return exitCodes.usage;
  return isClean(compared) ? exitCodes.ok : exitCodes.findings;
}

/** False after reporting why the page was not written. */
async function show(cli: Cli, flags: AdoptFlags, adoption: Adoption): Promise<boolean> {
  if (flags.out === undefined) {
    const { color, columns } = cli.process.stdout;
    print(cli, pageIn(flags.format, adoption, { width: columns, paint: reportPaint(color) }), flags.format);
    return true;
  }
  const written = await write(cli, flags.out, pageIn(flags.format, adoption, plainOptions));
  if (written && !flags.quiet) say(cli, adoptionPage(adoption).verdict);
  return written;
}

function pageIn(
  format: AdoptFlags['format'],
  adoption: Adoption,
  options: Pick<typeof plainOptions, 'width' | 'paint'>,
): string {
  switch (format) {
    case 'text':
      return formatAdoptionText(adoption, options);
    case 'markdown':
      return formatAdoptionMarkdown(adoption);
    case 'html':
      return adoptionHtml(adoption);
    case 'json':
      return jsonText(adoption);
  }
}

async function write(cli: Cli, path: string, text: string): Promise<boolean> {
  const written = await cli.host.writeFileAtomic(path, text);
  if (!written.ok) say(cli, `pv: ${visible(written.error.path)}: ${written.error.message}`);
  return written.ok;
}
