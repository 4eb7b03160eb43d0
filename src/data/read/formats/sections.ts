/** Sections of a config whose content is not all in the file, or is under a misspelt name: what they may give is not known. */
import { editsWithin, shortened } from '../../../base/text.ts';
import type { DataScalar } from '../data-set.ts';
import type { KeyedScalar } from '../syntax/tree.ts';
import { vocabularyNames, type VocabularyName } from '../vocabulary.ts';
import { isIrrelevant, type ConfigFormat, type ConfigSyntax } from './config-format.ts';
import { swapsTwo } from './likeness.ts';

/** A section, and the names that it may give. */
export interface SectionInDoubt {
  readonly scalar: KeyedScalar | DataScalar;
  readonly section: string;
  readonly names: Iterable<VocabularyName>;
  /** Said after its key. */
  readonly why: string;
  /** Values that the file itself gives are used. */
  readonly isPartial: boolean;
  /** Its name in the file, if that is misspelt. */
  readonly slip?: string;
}

/** Misspelt sections first. */
export function sectionsIn(
  format: ConfigFormat,
  scalars: readonly KeyedScalar[],
  unused: readonly DataScalar[],
  syntax: ConfigSyntax,
): readonly SectionInDoubt[] {
  const open = new Map<string, OpenSection>();
  for (const one of scalars.flatMap((scalar) => openSection(scalar, syntax)))
    if (!open.has(one.section)) open.set(one.section, one);
  const slipped = slippedSections(format, scalars, unused);
  if (open.size === 0 && slipped.length === 0) return [];
  const below = namesBelow(format);
  return [
    ...slipped.map((one) => ({
      ...one,
      names: below.get(one.section) ?? [],
      why: `is in a section that looks like ${one.section}`,
      isPartial: true,
    })),
    ...[...open.values()].map((one) => ({
      ...one,
      names: below.get(one.section) ?? [],
      why: !one.isPartial
        ? 'is filled in before the run'
        : isCode(one.scalar)
          ? 'is code that is not run, and may give it'
          : 'names another config, which may give it',
    })),
  ];
}

/** The first key below each section at the top that the file misspells, and the one that is meant. */
function slippedSections(
  format: ConfigFormat,
  scalars: readonly KeyedScalar[],
  unused: readonly DataScalar[],
): readonly { readonly scalar: DataScalar; readonly section: string; readonly slip: string }[] {
  if (format.name === 'plain') return [];
  const top = (key: string): string => /^[^.[]+(?=\.)/.exec(key)?.[0] ?? '';
  const own = new Set([...namesBelow(format).keys()].map((key) => top(`${key}.`)));
  const given = new Set(scalars.map(({ key }) => top(key)));
  const seen = new Set<string>(['']);
  return unused.flatMap((scalar) => {
    const section = top(scalar.key);
    if (seen.has(section) || own.has(section) || isIrrelevant(format, scalar.key)) return [];
    seen.add(section);
    const meant = [...own].find((one) => one.length >= 5 && !given.has(one) && isSlip(section, one));
    return meant === undefined ? [] : [{ scalar, section: meant, slip: section }];
  });
}

const isSlip = (a: string, b: string): boolean => editsWithin(a, b, 1) || swapsTwo(a, b);

interface OpenSection {
  readonly scalar: KeyedScalar;
  /** Its key path; empty for the whole file. */
  readonly section: string;
  /** Values that the file itself gives below it are used. */
  readonly isPartial: boolean;
}

/** A section whose content is not all in the file: it is a placeholder, or takes values from another config. */
function openSection(scalar: KeyedScalar, syntax: ConfigSyntax): readonly OpenSection[] {
  const { key, unread } = scalar;
  const mergeKey = /^(?:(.+)\.)?<<$/.exec(key);
  if (mergeKey || namesConfig(scalar) || (syntax === 'arguments' && givesConfig(scalar)))
    return [{ scalar: asWritten(scalar), section: mergeKey?.[1] ?? '', isPartial: true }];
  return unread === undefined ? [] : [{ scalar, section: key, isPartial: false }];
}

/** Python has no merge keys: its reader uses one for what code may put there. */
const isCode = ({ unread }: KeyedScalar): boolean => unread === 'nothing is run';

const asWritten = (scalar: KeyedScalar): KeyedScalar =>
  isCode(scalar) ? { ...scalar, key: shortened(scalar.text, 40) } : scalar;

/** Keys at the top of a file that name the config it builds on. */
const parentKey = /^(?:_base_|_BASE_|__base__|extends?|inherits?|inherit_from|base_config)(?:\[\d+\])?$/;
/** Keys with other uses as well: they name a config where their value is a file name. */
const fileKey = /^(?:base|parent|includes?|imports?)(?:\[\d+\])?$/;
const fileName = /\.(?:ya?ml|jsonc?|json5|toml|py)$/i;
/** An entry of Hydra's defaults list; those of the group `hydra` configure Hydra itself. */
const hydraEntry = /^defaults\[\d+\](?:$|\.(?!(?:override )?\/?hydra\/))/;

/** A script gives its program a config, and then flags that change parts of it. */
const configFlag = /^(?:config|cfg|conf|opt|config_path|yaml_cfg|train_config)(?:\[0\])?$/;

function givesConfig({ key, value, unread }: KeyedScalar): boolean {
  if (typeof value !== 'string') return false;
  // kohya's trainers, and detectron2's, where keys and values follow; accelerate has a flag of that name, whose YAML says what is launched.
  if (key === 'config_file') return value.endsWith('.toml');
  if (key === 'config_file[0]') return fileName.test(value);
  return configFlag.test(key) && (unread !== undefined || fileName.test(value));
}

function namesConfig({ key, value, unread }: KeyedScalar): boolean {
  if (parentKey.test(key) && unread !== undefined) return true;
  if (typeof value !== 'string' || value === '' || value === '_self_') return false;
  return parentKey.test(key) || hydraEntry.test(key) || (fileKey.test(key) && fileName.test(value));
}

/** The names that the format reads below each section; the empty one is the whole file. */
function namesBelow({ keys }: ConfigFormat): ReadonlyMap<string, ReadonlySet<VocabularyName>> {
  const below = new Map<string, Set<VocabularyName>>();
  for (const name of vocabularyNames)
    for (const rule of keys[name] ?? []) {
      const key = typeof rule === 'string' ? rule : rule.key;
      const list = key.replace(/\[\d+\]$/, '');
      if (list !== key) below.set(list, (below.get(list) ?? new Set()).add(name));
      const parts = key.split('.');
      for (let length = 0; length < parts.length; length++) {
        const section = parts.slice(0, length).join('.');
        below.set(section, (below.get(section) ?? new Set()).add(name));
      }
    }
  return below;
}
