/** What verdicts of every kind share, for people and for machines. */
import { jsonText } from '../json-text.ts';
import { visible } from '../../base/text.ts';
import type { Palette } from '../../diagnostics/render.ts';
import type { Problem } from '../../base/problem.ts';
import type { Check } from '../../trace/verify/check.ts';
import { stateOf } from '../../trace/verify/headline.ts';
import { boundBy, type Verdict } from '../../trace/verify/verdict.ts';
import { unreadableJson } from '../../trace/verify/verdict-json.ts';
import type { Cli } from '../cli.ts';
import { diagnosticPalette } from '../color.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { problemText } from '../problem-text.ts';

const exits = { holds: exitCodes.ok, open: exitCodes.undetermined, fails: exitCodes.findings } as const;

/** 0 only for a yes; an open verdict and a failure have different codes. */
export const exitOf = ({ verdict }: Pick<Verdict, 'verdict'>): ExitCode => exits[stateOf[verdict]];

const marks = { passed: '✓', failed: '✗', undecided: '?', 'not checked': '–' } as const;

/** One line for each check, in the order in which they were made. */
export function checkLines(checks: readonly Check[], palette: Palette | null): readonly string[] {
  const width = Math.max(...checks.map(({ name }) => name.length), 0);
  return checks.map(({ name, outcome, detail }) => {
    const mark = outcome === 'failed' ? (palette?.error(marks.failed) ?? marks.failed) : marks[outcome];
    const words = outcome === 'not checked' ? `not checked: ${detail}` : detail;
    return `    ${mark} ${name.padEnd(width)}  ${visible(words)}`;
  });
}

/** Who vouches for the root; `flags` are those that bring something along. */
export const boundText = (
  verdict: Pick<Verdict, 'standing' | 'verdict'>,
  flags = '--root, --checkpoint or --key',
): string => `by ${boundBy(verdict, `give ${flags}`)}`;

/** Problems whose file the first line names. */
export const problemTexts = (problems: readonly Problem[], palette: Palette | null): readonly string[] =>
  problems.map((problem) => problemText(problem, null, palette));
/** The verdict on a file that is nothing of the kind, or one that was damaged. */
export function unreadableText(cli: Cli, of: 'trace' | 'proof', path: string, problem: Problem, json: boolean): string {
  if (json) return jsonText(unreadableJson(of, path, problem));
  const texts = problemTexts([problem], diagnosticPalette(cli.process.stdout.color));
  return [`${visible(path)}: ✗ FAILED: it cannot be read`, ...texts].join('\n');
}
