/**
 * Names that a config may give in a way that pv does not read. No default is used for them, since it would silently
 * replace what the file says.
 */
import { editsWithin, quoted } from '../../../base/text.ts';
import { diagnostic, type Diagnostic } from '../../../diagnostics/diagnostic.ts';
import type { SourceFile } from '../../../diagnostics/source.ts';
import type { DataScalar, Doubt } from '../data-set.ts';
import type { KeyedScalar } from '../syntax/tree.ts';
import { vocabulary, type VocabularyName } from '../vocabulary.ts';
import { placed, type NamedValues } from './apply.ts';
import { isIrrelevant, isKnownKey, type ConfigFormat, type ConfigSyntax } from './config-format.ts';
import { silenceIn } from './defaults.ts';
import { likenessIn, swapsTwo, type Likeness } from './likeness.ts';
import { sectionsIn, type SectionInDoubt } from './sections.ts';
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
  const sections = sectionsIn(format, scalars, unused, syntax);
  if (sections.length === 0) return { doubts, diagnostics };
  diagnostics.push(...slipsOf(source, sections, doubts));
  const isSilent = silenceIn(format, scalars);
  for (const { scalar, names, why, isPartial } of sections)
    for (const name of names)
      if (!isPartial || (isSilent(name) && !isSaid(name, values)))
        doubt(name, { scalar: 'span' in scalar ? scalar : placed(source, scalar, null), why });
  return { doubts, diagnostics };
}

/** The misspelt name of a section, unless a key below it has been reported. */
function slipsOf(
  source: SourceFile,
  sections: readonly SectionInDoubt[],
  doubts: ReadonlyMap<string, Doubt>,
): readonly Diagnostic[] {
  return sections.flatMap(({ scalar, section, slip }) => {
    if (slip === undefined || [...doubts.values()].some((one) => one.scalar.key.startsWith(`${slip}.`))) return [];
    return 'span' in scalar ? [looksLike(source, scalar, null, `${section}${scalar.key.slice(slip.length)}`)] : [];
  });
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

function looksLike(
  source: SourceFile,
  { key, span, unread }: DataScalar,
  name: VocabularyName | null,
  misspelt: string,
): Diagnostic {
  // What a trainer does not read for a slip is not to be mapped.
  const isMoved = key.endsWith(`.${misspelt}`) && unread === undefined;
  const map = isMoved ? ` --map ${name}=${key} if it is the same.` : '';
  const follows = name === null ? '' : ` If nothing else gives ${name}, no default is used for it.${map}`;
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
  const map = unread === undefined ? `, or --map ${name}=${key} if it is the same` : '';
  const message =
    unread === undefined
      ? `Nothing reads ${quoted(key)}, which may mean ${what}`
      : `The value of ${quoted(key)}, which may mean ${what}, is unknown: ${unread}`;
  return diagnostic('PV-7040', span, message, {
    subject: source.path,
    hint: `No default is used for ${name}. Give it with --set ${name}=…${map}.`,
  });
}
