/** What verdicts of every kind share, for people and for machines. */
import type { JsonValue } from '../../base/canonical-json.ts';
import { visible } from '../../base/text.ts';
import type { Palette } from '../../diagnostics/render.ts';
import type { SignedBy } from '../../trace/notes/open.ts';
import type { TraceProblem } from '../../trace/problem.ts';
import type { Standing } from '../../trace/verify/anchor.ts';
import type { Check } from '../../trace/verify/check.ts';
import { problemText } from './problem-text.ts';

const marks = { passed: '✓', failed: '✗', 'not checked': '–' } as const;

/** One line for each check, in the order in which they were made. */
export function checkLines(checks: readonly Check[], palette: Palette | null): readonly string[] {
  const width = Math.max(...checks.map(({ name }) => name.length), 0);
  return checks.map(({ name, outcome, detail }) => {
    const mark = outcome === 'failed' ? (palette?.error(marks.failed) ?? marks.failed) : marks[outcome];
    const words = outcome === 'not checked' ? `not checked: ${detail}` : detail;
    return `    ${mark} ${name.padEnd(width)}  ${visible(words)}`;
  });
}

/** Who stands for the root, in words. */
export function standingText(standing: Standing): string {
  switch (standing) {
    case 'signatures':
      return 'by signatures of keys that you trust';
    case 'given checkpoint':
      return 'by the checkpoint that you gave, whose signatures nobody looked at';
    case 'given root and size':
      return 'by the root and the size that you gave';
    case 'given root':
      return 'by the root that you gave';
    case 'nothing':
      return 'by nothing: the root is self-declared; give --root, --checkpoint or --key';
  }
}

export const problemTexts = (problems: readonly TraceProblem[], palette: Palette | null): readonly string[] =>
  problems.map((problem) => problemText(problem, null, palette));

/** What every verdict tells a machine (`docs/trace.md`). */
export interface VerdictFacts {
  readonly verdict: string;
  readonly checks: readonly Check[];
  readonly problems: readonly TraceProblem[];
  readonly standing: Standing;
  readonly signedBy: readonly SignedBy[];
  readonly unbound: readonly string[];
}

export function verdictJson(
  of: string,
  subject: string,
  facts: VerdictFacts,
  more: Readonly<Record<string, JsonValue>>,
): string {
  const { verdict, standing, checks, problems, signedBy, unbound } = facts;
  return JSON.stringify(
    { format: 'pv-trace-verdict/1', of, subject, verdict, standing, ...more, checks, problems, signedBy, unbound },
    null,
    2,
  );
}
