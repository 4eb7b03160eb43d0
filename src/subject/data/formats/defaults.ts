/** What the framework of a config takes where the file is silent. */
import type { DataSet, Doubt, FrameworkDefault } from '../data-set.ts';
import type { KeyedScalar } from '../syntax/tree.ts';
import { vocabularyNames } from '../vocabulary.ts';
import type { ConfigFormat, ConfigSyntax } from './config-format.ts';

/**
 * The defaults of the format's framework for names that no key of the file says, in whatever words: a key that leaves its
 * name unset, or whose value cannot be used, is no silence.
 */
export function frameworkDefaults(
  { keys, defaults }: ConfigFormat,
  syntax: ConfigSyntax,
  scalars: readonly KeyedScalar[],
  values: DataSet['values'],
  doubts: ReadonlyMap<string, Doubt>,
): ReadonlyMap<string, FrameworkDefault> {
  const found = new Map<string, FrameworkDefault>();
  if (!defaults || defaults.syntaxes?.includes(syntax) === false) return found;
  const byKey = new Map(scalars.map((scalar) => [scalar.key, scalar]));
  const isThere = (key: string): boolean =>
    byKey.has(key) || scalars.some((scalar) => scalar.key.startsWith(`${key}.`) || scalar.key.startsWith(`${key}[`));
  for (const name of vocabularyNames) {
    const rule = defaults.values[name];
    if (!rule || values.has(name) || doubts.has(name)) continue;
    const own = (keys[name] ?? []).map((one) => (typeof one === 'string' ? one : one.key));
    const said = [...own, ...(rule.unless ?? [])];
    if (said.some(isThere) || rule.when?.((key) => byKey.get(key) ?? null) === false) continue;
    found.set(name, { value: rule.value, key: own[0] ?? name, of: defaults.of });
  }
  return found;
}
