/** Values that decide verdicts although they are not part of the file's format: limits that a config sets for itself, and answers. */
import type { DataModel } from '../../contract/goal.ts';
import type { DataSet } from '../read/data-set.ts';
import { isVocabularyName } from '../read/vocabulary.ts';
import type { OwnValue } from './data-check.ts';
import type { BoundInputs } from './inputs.ts';

/** In the order of the contract. Keys of the format `plain` are the contract's own names, so they are expected. */
export function ownValues(
  { inputs }: DataModel,
  { given }: BoundInputs,
  sets: readonly DataSet[],
): readonly OwnValue[] {
  return inputs.flatMap(({ name, from, fallback }) => {
    const found = given.get(name);
    if (found?.kind !== 'scalar' || !found.written) return [];
    const { value, written } = found;
    const { place, scalar } = written;
    const format = sets.find(({ path }) => path === place.path)?.format;
    const isAnswer = format === 'answers';
    const isLimit = fallback !== null && format !== 'plain' && scalar.key === from && !isVocabularyName(from);
    return isAnswer || isLimit ? [{ name, value, place, isAnswer: isAnswer && !isLimit }] : [];
  });
}
