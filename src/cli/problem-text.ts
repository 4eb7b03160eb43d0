import { shortened, visible } from '../base/text.ts';
import type { Palette } from '../diagnostics/render.ts';
import type { Problem } from '../base/problem.ts';
import { say, type Cli } from './cli.ts';
import { diagnosticPalette } from './color.ts';

/** What is shown to a person; the JSON verdict has everything. An untrusted origin may have a million characters. */
const [longestMessage, longestValue] = [2000, 400];

/**
 * A problem for a person, without a final line end:
 *
 *     error[PV-8061]: run.trace: The logits of position 50 hash to something else.
 *         check     logits hash
 *         position  50
 *         expected  5f9a…
 *         actual    a24d…
 *         more      pv explain PV-8061
 */
export function problemText(problem: Problem, subject: string | null, palette: Palette | null): string {
  const { code, check, message, position, offset, expected, actual } = problem;
  const rows: readonly (readonly [string, string | number | undefined])[] = [
    ['check', check],
    ['position', position],
    ['byte', offset],
    ['expected', expected],
    ['actual', actual],
    ['more', `pv explain ${code}`],
  ];
  const faint = palette?.faint ?? ((text) => text);
  const shown = rows.flatMap(([name, value]) =>
    // The content of an untrusted file must not control the terminal.
    value === undefined ? [] : [`    ${faint(name.padEnd(8))}  ${visible(shortened(String(value), longestValue))}`],
  );
  const level = `error[${code}]`;
  const head = `${palette?.error(level) ?? level}: ${subject === null ? '' : `${visible(subject)}: `}${visible(shortened(message, longestMessage))}`;
  return [head, ...shown].join('\n');
}

/** Reports the problem on stderr, next to data on stdout. */
export function sayProblem(cli: Cli, problem: Problem, subject: string | null = null): void {
  say(cli, problemText(problem, subject, diagnosticPalette(cli.process.stderr.color)));
}
