/** Values of one name in which the files of a run differ. */
import { diagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { DataScalar, DataSet } from '../../data/read/data-set.ts';
import type { VocabularyName } from '../../data/read/vocabulary.ts';

/** What decides how a run goes, in numbers that trainers write alike. */
const decisive: readonly VocabularyName[] = [
  'batch_size',
  'gradient_accumulation',
  'num_devices',
  'global_batch_size',
  'seq_len',
  'num_epochs',
  'max_steps',
  'learning_rate',
  'min_learning_rate',
  'warmup_steps',
  'warmup_ratio',
  'weight_decay',
  'seed',
];

/**
 * A finding (PV-7047) per name that `data` and a companion give differently, unless a setting decides it. A log records what was
 * done, so a config that says otherwise is not that of its run; of two configs one may be meant to override the other.
 */
export function differingValues(
  data: DataSet,
  beside: readonly DataSet[],
  settings: ReadonlyMap<string, unknown>,
): readonly Diagnostic[] {
  const severity = data.tables.size > 0 ? 'error' : 'warning';
  return decisive
    .filter((name) => !settings.has(name))
    .flatMap((name) => {
      const here = data.values.get(name);
      const others = beside.map(({ path, values }) => ({ path, there: values.get(name) }));
      return others.flatMap(({ path, there }) =>
        here && there && differ(name, here, there)
          ? [
              diagnostic(
                'PV-7047',
                null,
                `${name} is ${here.text} here, and ${there.text} in ${placeOf(path, there)}`,
                {
                  subject: placeOf(data.path, here),
                  severity,
                  hint: `pv uses ${here.text}. Correct one of the files, or decide it with --set ${name}=${here.text}.`,
                },
              ),
            ]
          : [],
      );
    });
}

function placeOf(path: string, { line, column, span }: DataScalar): string {
  return `${span?.source.path ?? path}:${line}:${column}`;
}

function differ(name: VocabularyName, { value: a }: DataScalar, { value: b }: DataScalar): boolean {
  if (typeof a !== 'number' || typeof b !== 'number') return false;
  // Hugging Face's Trainer records whole epochs.
  if (name === 'num_epochs' && Math.ceil(a) === Math.ceil(b)) return false;
  return Math.abs(a - b) > 1e-6 * Math.max(Math.abs(a), Math.abs(b));
}
