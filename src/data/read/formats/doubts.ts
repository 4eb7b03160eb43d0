/**
 * Names that a config may give in a way that pv does not read. No default is used for them, since it would silently
 * replace what the file says.
 */
import { editsWithin, quoted } from '../../../base/text.ts';
import { diagnostic, type Diagnostic } from '../../../diagnostics/diagnostic.ts';
import type { SourceFile } from '../../../diagnostics/source.ts';
import type { DataScalar, Doubt } from '../data-set.ts';
import type { KeyedScalar } from '../syntax/tree.ts';
import { vocabulary, vocabularyNames, type VocabularyName } from '../vocabulary.ts';
import { placed, type NamedValues } from './apply.ts';
import { isIrrelevant, isKnownKey, type ConfigFormat, type ConfigSyntax } from './config-format.ts';
import { silenceIn } from './defaults.ts';
import { likenessIn, swapsTwo, type Likeness } from './likeness.ts';
import { nameByUnit, saysTheDefault } from './other-words.ts';

/** Names without a value that must not be given a default either. */
export interface Doubts {
  readonly doubts: ReadonlyMap<string, Doubt>;
  readonly diagnostics: readonly Diagnostic[];
}

/** The names that unused keys may mean, each with its first key; and a warning at each such key. */
export function doubtsIn(
  source: SourceFile,
  format: ConfigFormat,
  scalars: readonly KeyedScalar[],
  { values, unused, doubts: undecided }: NamedValues,
  syntax: ConfigSyntax,
): Doubts {
  const doubts = new Map(undecided);
  const diagnostics: Diagnostic[] = [];
  const doubt = (name: string, found: Doubt): void => {
    if (!values.has(name) && !doubts.has(name)) doubts.set(name, found);
  };
  const likeness = likenessIn(format);
  for (const scalar of unused.filter(saysSomething)) {
    const like = meaningOf(scalar, likeness);
    if (!like) {
      const meant = slipOfIrrelevant(format, scalar.key);
      if (meant !== null) diagnostics.push(looksLike(source, scalar, null, meant));
      continue;
    }
    const { name, isSlip } = like;
    const isNews = !isSaid(name, values);
    if (isSlip ? isKnownKey(format, scalar.key) : !isNews || isIrrelevant(format, scalar.key)) continue;
    const said = saidBy(source, scalar, like);
    if (isNews) doubt(name, said.doubt);
    diagnostics.push(said.finding);
  }
  const open = new Map<string, OpenSection>();
  for (const one of scalars.flatMap((scalar) => openSection(scalar, syntax)))
    if (!open.has(one.section)) open.set(one.section, one);
  const slipped = slippedSections(format, scalars, unused);
  if (open.size === 0 && slipped.length === 0) return { doubts, diagnostics };
  const sections = namesBelow(format);
  const isSilent = silenceIn(format, scalars);
  for (const { scalar, section, slip } of slipped) {
    if (![...doubts.values()].some((one) => one.scalar.key.startsWith(`${slip}.`)))
      diagnostics.push(looksLike(source, scalar, null, `${section}${scalar.key.slice(slip.length)}`));
    for (const name of sections.get(section) ?? [])
      if (isSilent(name) && !isSaid(name, values))
        doubt(name, { scalar, why: `is in a section that looks like ${section}` });
  }
  for (const { scalar, section, isPartial } of open.values())
    for (const name of sections.get(section) ?? [])
      if (!isPartial) doubt(name, { scalar: placed(source, scalar, null), why: 'is filled in before the run' });
      else if (isSilent(name) && !isSaid(name, values))
        doubt(name, { scalar: placed(source, scalar, null), why: 'names another config, which may give it' });
  return { doubts, diagnostics };
}

interface Said {
  readonly doubt: Doubt;
  readonly finding: Diagnostic;
}

/** A key that its trainer does not read is wrong in any case; one that resembles a key of another section matters where its name does. */
function saidBy(source: SourceFile, scalar: DataScalar, { name, misspelt, isSlip }: Likeness): Said {
  const [word, elsewhere] =
    misspelt === null || misspelt === scalar.key
      ? [{ why: `may mean ${name}` }, inOtherWords(source, scalar, name)]
      : [{ why: `looks like ${misspelt}` }, looksLike(source, scalar, name, misspelt)];
  const isElsewhere = misspelt !== null && misspelt !== scalar.key && !isSlip;
  return {
    doubt: { scalar, ...word, ...(isElsewhere ? { isElsewhere } : {}) },
    finding: isElsewhere ? { ...elsewhere, about: name } : elsewhere,
  };
}

/** What an unused key may mean; null if it means no name, or only confirms the name's default. */
function meaningOf(scalar: DataScalar, likeness: (key: string) => Likeness | null): Likeness | null {
  const list = scalar.key.replace(swept, '').replace(/\[\d+\]$/, '');
  const like = likeness(list);
  const isList = list !== scalar.key && !swept.test(scalar.key);
  if (!like || (isList && !(like.misspelt === null && countedInLists.has(like.name)))) return null;
  const name = nameByUnit(like.name, scalar);
  if (!couldSay(name, scalar) || (like.misspelt === null && saysTheDefault(name, scalar))) return null;
  return { ...like, name };
}

/** One of the values of a sweep: `lr_schedule: { values: [cosine, linear] }`. */
const swept = /\.(?:values|choices|options|grid|grid_search)\[\d+\]$/;

/** `gpus: [0, 1]`, `update_freq: [128]` */
const countedInLists: ReadonlySet<VocabularyName> = new Set(['num_devices', 'gradient_accumulation']);

/** The first key below each section at the top that the file misspells, and the one that is meant. */
function slippedSections(
  format: ConfigFormat,
  scalars: readonly KeyedScalar[],
  unused: NamedValues['unused'],
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
    return [{ scalar, section: mergeKey?.[1] ?? '', isPartial: true }];
  return unread === undefined ? [] : [{ scalar, section: key, isPartial: false }];
}

/** Keys at the top of a file that name the config it builds on. */
const parentKey = /^(?:_base_|_BASE_|__base__|extends?|inherits?|inherit_from|base_config)(?:\[\d+\])?$/;
/** Keys with other uses as well: they name a config where their value is a file name. */
const fileKey = /^(?:base|parent|includes?|imports?)(?:\[\d+\])?$/;
const fileName = /\.(?:ya?ml|jsonc?|json5|toml|py)$/i;
/** An entry of Hydra's defaults list; those of the group `hydra` configure Hydra itself. */
const hydraEntry = /^defaults\[\d+\](?:$|\.(?!(?:override )?\/?hydra\/))/;

/** A script gives its program a config, and then flags that change parts of it. */
const configFlag = /^(?:config|cfg|conf|opt|config_path|yaml_cfg|train_config)$/;

function givesConfig({ key, value, unread }: KeyedScalar): boolean {
  if (typeof value !== 'string') return false;
  // kohya's trainers; accelerate has a flag of that name, whose YAML says what is launched.
  if (key === 'config_file') return value.endsWith('.toml');
  return configFlag.test(key) && (unread !== undefined || fileName.test(value));
}

function namesConfig({ key, value, unread }: KeyedScalar): boolean {
  if (parentKey.test(key) && unread !== undefined) return true;
  if (typeof value !== 'string' || value === '' || value === '_self_') return false;
  return parentKey.test(key) || hydraEntry.test(key) || (fileKey.test(key) && fileName.test(value));
}

/** A value that means "not set" or "off" leaves nothing open. */
function saysSomething({ value, unread }: DataScalar): boolean {
  return unread !== undefined || (value !== null && value !== false && value !== '' && value !== -1);
}

/** `device: cuda` is not a number of devices; a text that begins with a digit may be a number with a unit. */
function couldSay(name: VocabularyName, { value, unread }: DataScalar): boolean {
  const { kind } = vocabulary[name];
  if (unread !== undefined || kind === 'text') return true;
  if (kind === 'boolean') return typeof value !== 'number' || value === 0 || value === 1;
  if (name === 'num_devices' && typeof value === 'string' && /^(?:all|auto|gpu)$/i.test(value)) return true;
  return typeof value === 'number' || (typeof value === 'string' && /^\s*[-+.]?\d/.test(value));
}

/** A warm-up is given by its steps or by its share. */
function isSaid(name: VocabularyName, values: NamedValues['values']): boolean {
  return values.has(name) || (name === 'warmup_steps' && values.has('warmup_ratio'));
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

function looksLike(
  source: SourceFile,
  { key, span }: DataScalar,
  name: VocabularyName | null,
  misspelt: string,
): Diagnostic {
  const follows = name === null ? '' : ` If nothing else gives ${name}, no default is used for it.`;
  return diagnostic('PV-7039', span, `Nothing reads ${quoted(withBlanks(key))}, which looks like ${quoted(misspelt)}`, {
    subject: source.path,
    hint: `Did you mean '${misspelt}'?${follows}`,
  });
}

/** A blank at the end of a key is all that is wrong with it. */
const withBlanks = (key: string): string => key.replace(/^\s+|\s+$/g, (blanks) => '␠'.repeat(blanks.length));

/** A long key at the top with a wrong letter, or two: its trainer ignores it, though no name depends on it. */
function slipOfIrrelevant(format: ConfigFormat, key: string): string | null {
  if (key.length < LEAST_SLIP || key.length > 64 || /[.[]/.test(key) || isIrrelevant(format, key)) return null;
  const own = format.irrelevant?.filter((one) => one.length >= LEAST_SLIP && !/[.*]/.test(one)) ?? [];
  return own.find((one) => editsWithin(key, one, one.length < LEAST_OF_TWO ? 1 : 2) || swapsTwo(key, one)) ?? null;
}

/** Shorter names differ by a letter, or two, without being misspelt. */
const [LEAST_SLIP, LEAST_OF_TWO] = [10, 14];

function inOtherWords(source: SourceFile, { key, span, unread }: DataScalar, name: VocabularyName): Diagnostic {
  const what = key === name ? 'the quantity of that name' : name;
  const because = unread === undefined ? '' : `: ${unread}`;
  const map = unread === undefined ? `, or --map ${name}=${key} if it is the same` : '';
  return diagnostic('PV-7040', span, `Nothing reads ${quoted(key)}, which may mean ${what}${because}`, {
    subject: source.path,
    hint: `No default is used for ${name}. Give it with --set ${name}=…${map}.`,
  });
}
