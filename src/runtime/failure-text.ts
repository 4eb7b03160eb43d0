import type { Case, CompiledGoal } from '../math/compile/compiled.ts';
import { inputLines, recordInput, valueText } from './case-text.ts';
import { explain, type CaseOutcome } from './check-case.ts';
import type { TestableGoal } from './testable-goal.ts';

/** What a failing generated test says: the claim, the comparison that failed, the input and the outputs, and how to repeat it. */
export function failureText(
  goal: TestableGoal,
  compiled: CompiledGoal,
  candidate: Case,
  outcome: CaseOutcome,
  repeat: readonly string[],
): string {
  const outputs = outcome.outputs.map(
    (value, i) => `${goal.applications[i]?.equation ?? 'output'}(…) = ${valueText(value, { kind: 'real' })}`,
  );
  const lines = [
    goal.formal,
    goal.toleranceText,
    explain(compiled, outcome),
    '',
    ...inputLines(recordInput(goal.domain, candidate)),
    ...outputs,
    ...(goal.ifFails === null ? [] : ['', `if it fails: ${goal.ifFails}`]),
    '',
    ...repeat,
  ];
  return [`${goal.id} does not hold: ${goal.property}`, ...lines.map((line) => (line === '' ? '' : `  ${line}`))].join(
    '\n',
  );
}
