/** An input of the domain at which a condition of the code fails: one suggested by an engine, or a corner of the domain. */
import { float64 } from '../../math/evaluate/floats.ts';
import type { Model } from '../../bounded-proofs/engines/engine.ts';
import { completeAssignment, createEvaluator } from '../../bounded-proofs/evaluate.ts';
import type { BooleanExpression } from '../../bounded-proofs/expression.ts';
import { toFloat } from '../../numeric/rational.ts';
import type { ProofInstance } from '../../bounded-proofs/problem.ts';
import { recordInput } from '../../runtime/case-text.ts';
import { inputNumbers } from './assumptions.ts';
import { inputOf } from './replay.ts';
import type { SampledGoal } from './sample.ts';

/** The input as text, `x = [1e30]`; null if the condition holds there, or what the model describes is not an input. */
export function faultAt(
  request: Pick<SampledGoal, 'goal' | 'compiled'>,
  { problem: { variables }, sizes }: ProofInstance,
  condition: BooleanExpression,
  model: Model,
): string | null {
  const { goal, compiled } = request;
  // The outputs of a replaced kernel do not follow from the inputs.
  if (variables.some(({ standsFor }) => standsFor?.kind === 'output')) return null;
  const candidate = inputOf(request, sizes, model)?.candidate;
  if (!candidate || !compiled.precondition(candidate.sizes, candidate.values)) return null;
  const assignment = completeAssignment(variables, inputNumbers(variables, candidate.values), float64);
  if (createEvaluator(float64, assignment).truth(condition)) return null;
  return Object.entries(recordInput(goal.domain, candidate).values)
    .map(([name, { text }]) => `${name} = ${text}`)
    .join(', ');
}

/** The corners at which overflows, divisions by zero and roots of negative numbers occur: all largest, all smallest, all zero. */
export function cornersOf({ problem: { variables } }: ProofInstance): readonly Model[] {
  const inputs = variables.filter(({ standsFor }) => !standsFor);
  const at = (pick: (variable: (typeof inputs)[number]) => number): Model =>
    new Map(inputs.map((variable) => [variable.name, pick(variable)]));
  return [
    at(({ high }) => (high ? toFloat(high) : Number.MAX_VALUE)),
    at(({ low }) => (low ? toFloat(low) : -Number.MAX_VALUE)),
    at(() => 0),
  ];
}
