/** `pv audit --suggest`: the smallest tolerances that hold, as text. */
import { exitCodes, type ExitCode } from '../api/exit-code.ts';
import { suggestPaths } from '../api/suggest.ts';
import type { Suggestion } from '../audit/suggest.ts';
import { inputLines } from '../runtime/case-text.ts';
import type { RunFlags } from './audit-flags.ts';
import { print, type Cli } from './cli.ts';
import { createCodeOutput } from './code-output.ts';

import { createProgress } from './progress.ts';

/** Prints one block per claim; the exit code is 0 whatever they say, since nothing was judged. */
export async function runSuggest(cli: Cli, paths: readonly string[], flags: RunFlags): Promise<ExitCode> {
  const progress = createProgress(cli, flags.quiet);
  const outcome = await suggestPaths(cli, paths, flags, {
    ...flags,
    onProgress: (done, total, check) => progress.update(done, total, check ? `${check.goal} ${check.method}` : ''),
    onPrinted: createCodeOutput(cli, progress.clear),
  }).finally(progress.clear);
  if (!outcome.ok) return outcome.exitCode;
  print(cli, outcome.suggestions.map(suggestionText).join('') || 'no claim about a kernel has a tolerance\n');
  return exitCodes.ok;
}

function suggestionText({ contract, claim, declared, suggested, worst, kills }: Suggestion): string {
  const head = `${contract} ${claim}\n  declared: ${declared}\n`;
  if (worst === null) return `${head}  nothing was compared: run pv audit to see why\n`;
  const at = inputLines(worst.input).map((line) => `    ${line}\n`);
  const share = `${worst.ratio.toPrecision(3)} × the declared tolerance`;
  if (suggested === null)
    return `${head}  no tolerance holds: an output is not finite\n  decided ${at.join('').trimStart()}`;
  const caught = kills ? `  catches: ${kills.killed} of ${kills.total} wrong kernels\n` : '';
  return `${head}  smallest that holds: ${suggested} (${share})\n  decided\n${at.join('')}${caught}`;
}
