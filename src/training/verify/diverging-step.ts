import { listOf } from '../../base/text.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import type { Result } from '../../base/result.ts';
import { differencesOf } from '../ledger/divergence.ts';
import type { StepRecord } from '../ledger/step-record.ts';

/** PV-8412 for a step whose replay differs, with what differs in it; `place` says which of such steps it is. */
export function divergingStep(recorded: StepRecord, replayed: StepRecord, place: string): Result<never, Problem> {
  const differences = differencesOf(recorded, replayed);
  const names = listOf(
    differences.map(({ what }) => what),
    4,
  );
  const message = `Replaying step ${recorded.step} gives a record that differs from the ledger, ${place}. What differs: ${names}.`;
  return wrong('PV-8412', 'replay', message, {
    position: recorded.step,
    expected: differences.map(({ a }) => a ?? 'nothing').join('; '),
    actual: differences.map(({ b }) => b ?? 'nothing').join('; '),
  });
}
