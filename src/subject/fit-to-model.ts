import { invariant } from '../base/invariant.ts';
import type { EquationModel } from '../contract/goal.ts';
import { isSequence } from '../math/term/sequences.ts';
import type { Type } from '../math/term/term.ts';
import { elementTypeOf, shapeOf } from '../math/term/types.ts';
import type { CallPlan } from './argument-sources.ts';
import type { KernelParameter, KernelProgram, OutputKind } from './kernel.ts';
import { asRank } from './rank-of-type.ts';

/** The program with what only the equation knows: which parameters are whole numbers, the ranks of flat arrays, the output's rank. */
export function fitToModel(program: KernelProgram, model: EquationModel, plan: CallPlan): KernelProgram {
  const parameters = program.parameters.map((parameter, i): KernelParameter => {
    const source = plan.arguments[i];
    if (source?.kind === 'size') return { ...parameter, integer: true };
    const type = source?.kind === 'parameter' ? model.parameters[source.index]?.type : undefined;
    return type
      ? {
          ...parameter,
          rank: asRank(shapeOf(type).length) ?? parameter.rank,
          integer: elementTypeOf(type).kind === 'integer',
          ...(type.kind === 'string' ? { text: true } : {}),
        }
      : parameter;
  });
  const outputRank = asRank(plan.output?.length ?? shapeOf(model.result).length);
  invariant(outputRank !== null, 'planCall refuses more than three axes');
  const output = outputKindOf(model.result);
  return { ...program, parameters, outputRank, ...(output === 'numbers' ? {} : { output }) };
}

function outputKindOf(result: Type): OutputKind {
  if (result.kind === 'string') return 'text';
  return isSequence(result) ? 'sequence' : 'numbers';
}
