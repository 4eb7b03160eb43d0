/** `pv resume diff`: opens both checkpoints, compares them and prints the comparison. */
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { compareCheckpoints } from '../../checkpoint/compare.ts';
import { openSealed } from '../../checkpoint/seal/open-sealed.ts';
import { openAt } from '../checkpoint/open-at.ts';
import { print, type Cli } from '../cli.ts';
import { jsonText } from '../json-text.ts';
import { sayProblem } from '../problem-text.ts';
import { comparisonText } from './diff-text.ts';

export type DiffFlags = { readonly all: boolean; readonly json: boolean };

export async function runResumeDiff(cli: Cli, flags: DiffFlags, before: string, after: string): Promise<ExitCode> {
  const first = await openAt(cli, before, openSealed);
  if (typeof first === 'number') return first;
  const second = await openAt(cli, after, openSealed);
  if (typeof second === 'number') {
    await first.close();
    return second;
  }
  const compared = await compareCheckpoints(first.checkpoint, second.checkpoint);
  await Promise.all([first.close(), second.close()]);
  if (!compared.ok) {
    sayProblem(cli, compared.error, `${before} and ${after}`);
    return exitCodes.findings;
  }
  const { value } = compared;
  print(cli, flags.json ? jsonText({ before, after, ...value }) : comparisonText(before, after, value, flags.all));
  const { damaged, wrong, stale, missing } = value;
  return [damaged, wrong, stale, missing].some((found) => found.length > 0) ? exitCodes.findings : exitCodes.ok;
}
