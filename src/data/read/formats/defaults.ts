/** What a config's framework uses if the file is silent. */
import type { DataSet, Doubt, FrameworkDefault } from '../data-set.ts';
import type { KeyedScalar } from '../syntax/tree.ts';
import { vocabularyNames, type VocabularyName } from '../vocabulary.ts';
import type { ConfigFormat, ConfigSyntax } from './config-format.ts';

/** Whether the file is silent on a name: none of its keys is there, and no other key makes it irrelevant. */
export function silenceIn(
  { keys, defaults }: ConfigFormat,
  scalars: readonly KeyedScalar[],
): (name: VocabularyName) => boolean {
  const byKey = new Map(scalars.map((scalar) => [scalar.key, scalar]));
  const isThere = presenceIn(scalars);
  return (name) =>
    !keysOf(keys, name).some(isThere) && defaults?.values[name]?.when?.((key) => byKey.get(key) ?? null) !== false;
}

/**
 * The defaults of the format's framework for names that no key of the file says, in whatever words: a key that leaves its
 * name unset, or whose value cannot be used, is not silence.
 */
export function frameworkDefaults(
  format: ConfigFormat,
  syntax: ConfigSyntax,
  scalars: readonly KeyedScalar[],
  values: DataSet['values'],
  doubts: ReadonlyMap<string, Doubt>,
): ReadonlyMap<string, FrameworkDefault> {
  const { keys, defaults } = format;
  const found = new Map<string, FrameworkDefault>();
  if (!defaults || defaults.syntaxes?.includes(syntax) === false) return found;
  const isThere = presenceIn(scalars);
  const isSilent = silenceIn(format, scalars);
  for (const name of vocabularyNames) {
    const rule = defaults.values[name];
    if (!rule || values.has(name) || doubts.has(name)) continue;
    if (name === 'gradient_accumulation' && values.has('global_batch_size')) continue;
    if (!isSilent(name) || rule.unless?.some(isThere)) continue;
    found.set(name, { value: rule.value, key: keysOf(keys, name)[0] ?? name, of: defaults.of });
  }
  return found;
}

const keysOf = (keys: ConfigFormat['keys'], name: VocabularyName): readonly string[] =>
  (keys[name] ?? []).map((rule) => (typeof rule === 'string' ? rule : rule.key));

/** Whether a file has a key, with a value of its own or with others below it. */
function presenceIn(scalars: readonly KeyedScalar[]): (key: string) => boolean {
  const keys = new Set(scalars.map(({ key }) => key));
  return (key) =>
    keys.has(key) || scalars.some((one) => one.key.startsWith(`${key}.`) || one.key.startsWith(`${key}[`));
}
