import { count } from '../../base/text.ts';
import type { ModelConfig } from '../model/model.ts';
import type { Problem } from '../../base/problem.ts';

/** Why `token` cannot be fed in at `position` of a model with these sizes (PV-8012), or null if it can. */
export function tokenProblem(config: ModelConfig, token: number, position: number): Problem | null {
  return idProblem(config, token, position) ?? positionProblem(config, position);
}

/** Why `token`, at `position`, is not one of the model's (PV-8012); null if it is. */
export function idProblem({ vocabSize }: ModelConfig, token: number, position: number): Problem | null {
  if (isIndex(token, vocabSize)) return null;
  return {
    code: 'PV-8012',
    check: 'token id',
    message: `Token ${token} at position ${position} is not one of the ${count(vocabSize, 'token')} of this model.`,
    position,
    expected: `0 to ${vocabSize - 1}`,
    actual: `${token}`,
  };
}

function positionProblem({ sequenceLength }: ModelConfig, position: number): Problem | null {
  if (isIndex(position, sequenceLength)) return null;
  return {
    code: 'PV-8012',
    check: 'position',
    message: `Position ${position} is beyond the ${count(sequenceLength, 'position')} of this model.`,
    position,
    expected: `0 to ${sequenceLength - 1}`,
    actual: `${position}`,
  };
}

const isIndex = (value: number, length: number): boolean => Number.isInteger(value) && value >= 0 && value < length;
