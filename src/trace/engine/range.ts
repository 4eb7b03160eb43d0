import type { ModelConfig } from '../model/model.ts';
import type { TraceProblem } from '../problem.ts';

/** Why `token` cannot be fed in at `position` of a model with these sizes (PV-8012), or null where it can. */
export function tokenProblem(
  { vocabSize, sequenceLength }: ModelConfig,
  token: number,
  position: number,
): TraceProblem | null {
  if (!isIndex(token, vocabSize)) {
    return {
      code: 'PV-8012',
      check: 'token id',
      message: `Token ${token} at position ${position} is not one of the ${vocabSize} tokens of this model.`,
      position,
      expected: `0 to ${vocabSize - 1}`,
      actual: `${token}`,
    };
  }
  if (!isIndex(position, sequenceLength)) {
    return {
      code: 'PV-8012',
      check: 'position',
      message: `Position ${position} is beyond the ${sequenceLength} positions of this model.`,
      position,
      expected: `0 to ${sequenceLength - 1}`,
      actual: `${position}`,
    };
  }
  return null;
}

const isIndex = (value: number, length: number): boolean => Number.isInteger(value) && value >= 0 && value < length;
