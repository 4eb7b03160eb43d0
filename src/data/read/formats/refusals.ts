/** Values that contradict each other, so that the trainer stops before the first step. */
import { diagnostic, type Diagnostic } from '../../../diagnostics/diagnostic.ts';
import type { SourceFile } from '../../../diagnostics/source.ts';
import type { KeyedScalar } from '../syntax/tree.ts';
import { isOn, numberOf, type ConfigFormat, type Other, type RefusalRule } from './config-format.ts';

/** One finding for each rule of the format that the file breaks. */
export function refusalsIn(
  source: SourceFile,
  { refuses = [] }: ConfigFormat,
  scalars: readonly KeyedScalar[],
): readonly Diagnostic[] {
  if (refuses.length === 0) return [];
  const byKey = new Map(scalars.map((scalar) => [scalar.key, scalar]));
  return refuses.flatMap((rule) => {
    const found = rule((key) => byKey.get(key) ?? null);
    const scalar = found && byKey.get(found.key);
    if (!scalar) return [];
    const span = { source, range: scalar.range };
    return [diagnostic('PV-7049', span, `The trainer refuses ${found.key}: ${found.because}`, { hint: found.hint })];
  });
}

/** `no` of YAML 1.1 is false; null if the file leaves it open. */
function strategy(other: Other, silent: string, ...keys: readonly string[]): string | null {
  const scalar = keys.map(other).find((one) => one !== null);
  if (!scalar) return silent;
  if (scalar.unread !== undefined) return null;
  if (scalar.value === false) return 'no';
  return typeof scalar.value === 'string' ? scalar.value.toLowerCase() : null;
}

const evaluation = (other: Other): string | null => strategy(other, 'no', 'eval_strategy', 'evaluation_strategy');

/** transformers/training_args.py, `__post_init__`; versions 4 and 5. */
export const bestIsEvaluated: RefusalRule = (other) => {
  const [evaluates, saves] = [evaluation(other), strategy(other, 'steps', 'save_strategy')];
  if (!isOn(other('load_best_model_at_end')) || evaluates === null || saves === null) return null;
  if (saves === 'best' || evaluates === saves) return null;
  return {
    key: 'load_best_model_at_end',
    because: `eval_strategy is ${evaluates} and save_strategy is ${saves}`,
    hint: `The best model is one that was evaluated: give both the same strategy, such as eval_strategy: ${saves === 'no' ? 'steps' : saves}.`,
  };
};

/** LLaMA-Factory, `hparams/parser.py`: what is evaluated must come from somewhere. */
export const evaluationHasData: RefusalRule = (other) => {
  const key = ['eval_strategy', 'evaluation_strategy', 'do_eval'].find((one) => other(one) !== null);
  const isEvaluated = isOn(other('do_eval')) || ['steps', 'epoch'].includes(evaluation(other) ?? '');
  const [share, data] = [other('val_size'), other('eval_dataset')];
  const isOpen = share?.unread !== undefined || data !== null || other('eval_dataset[0]') !== null;
  if (key === undefined || !isOn(other('do_train')) || !isEvaluated || isOpen || (numberOf(share) ?? 0) >= 1e-6)
    return null;
  return {
    key,
    because: 'neither eval_dataset nor val_size says what is evaluated',
    hint: 'Hold out a part, such as val_size: 0.1, or name an eval_dataset.',
  };
};
