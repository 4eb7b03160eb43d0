import { asClause } from '../../host/file-problem.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import type { Result } from '../../base/result.ts';
import type { FileProblem } from '../../host/host.ts';

/** PV-8541: an operation of a save failed; the checkpoints that are there are as they were. */
export const unwritable = (problem: FileProblem): Result<never, Problem> =>
  wrong(
    'PV-8541',
    'file',
    `The checkpoint was not saved: ${problem.path}: ${asClause(problem)}. Earlier checkpoints are as they were.`,
  );
