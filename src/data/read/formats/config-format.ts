/**
 * A config format: how its files are recognised, and what its keys mean. One small file per format.
 */
import { numberFromText, type Scales } from '../number-text.ts';
import type { KeyedScalar } from '../syntax/tree.ts';
import type { VocabularyName } from '../vocabulary.ts';

/** The languages in which configs are written. */
export type ConfigSyntax = 'yaml' | 'json' | 'toml' | 'python' | 'arguments';

/** A key decides a name, but its value alone does not say what the name is: as a report ends the sentence, without a full stop. */
export interface NotKnown {
  readonly because: string;
}

/** Another scalar of the same file, by its key; null if the file does not have it. */
export type Other = (key: string) => KeyedScalar | null;

/** The value of one key for one name; undefined: the value means "not set". */
type ReadValue = (scalar: KeyedScalar, other: Other) => number | string | boolean | undefined | NotKnown;

/** One key of a format for one name, and how its value converts to the vocabulary's unit. */
export interface KeyRule {
  readonly key: string;
  readonly read?: ReadValue;
  /** The presence of the key is enough, even if its value is filled in before the run. */
  readonly isEnough?: true;
}

/** Keys that give a name, in order of precedence; a plain string is a key whose value is read unchanged. */
export type KeyTable = Readonly<Partial<Record<VocabularyName, readonly (string | KeyRule)[]>>>;

/** What a framework uses if the file does not give it. */
export interface DefaultRule {
  readonly value: number | string | boolean;
  /** Keys with which the framework uses something else. */
  readonly unless?: readonly string[];
  /** Whether the framework uses it for this file; by default always. */
  readonly when?: (other: (key: string) => KeyedScalar | null) => boolean;
}

/** Only defaults that are documented, and that no version and no derived class has changed. */
export interface FrameworkDefaults {
  /** As a report names it: `Hugging Face TrainingArguments`. */
  readonly of: string;
  /** The syntaxes that the framework reads; by default any syntax of the format. */
  readonly syntaxes?: readonly ConfigSyntax[];
  readonly values: Readonly<Partial<Record<VocabularyName, DefaultRule>>>;
}

/** The row that a config format adds to the registry. */
export interface ConfigFormat {
  readonly name: string;
  /** For listings: whose format it is. */
  readonly title: string;
  readonly syntaxes: readonly ConfigSyntax[];
  /** What shows the format, in words, for listings. */
  readonly recognised: string;
  /** How strongly a file's key paths show the format: 0 for not at all; the highest wins. */
  readonly score: (keys: ReadonlySet<string>) => number;
  /** The keys behind the score, to say what is missing where it is 0. */
  readonly marks?: Marks;
  readonly keys: KeyTable;
  /** What K and M after a number mean; by default nothing, since trainers read digits only. */
  readonly scales?: Scales;
  readonly defaults?: FrameworkDefaults;
  /** What says the steps and rates of the run, if the files of this format never do. */
  readonly goesWith?: string;
  /** What its trainer refuses before the first step, as its own code says. */
  readonly refuses?: readonly RefusalRule[];
  /** Keys on which no name depends; `section.` means the section and all below it, `wandb_*` every key that begins so. Indices of lists are left out. */
  readonly irrelevant?: readonly string[];
}

/** Why a trainer refuses what a config says, and what would do; null if it does not. */
export type RefusalRule = (
  other: Other,
) => { readonly key: string; readonly because: string; readonly hint: string } | null;

/** The keys that show a format. */
export interface Marks {
  /** Keys that only this format has. */
  readonly own: readonly string[];
  /** Keys that other formats have too. */
  readonly shared: readonly string[];
  /** Keys that it would reject, or names differently. */
  readonly foreign?: readonly string[];
  /** Own keys that no other trainer has: beside one of them, a single foreign key is more likely a mistake than another trainer's. */
  readonly decisive?: readonly string[];
  /** The least number of own keys, and of keys in all, that shows the format. */
  readonly least: { readonly own: number; readonly all: number };
}

/** How strongly keys show a format: 0 unless enough of them are its own. */
export function scoreOf(keys: ReadonlySet<string>, { own, shared, foreign = [], least }: Marks): number {
  const [points, beside] = [countMarks(keys, own), countMarks(keys, shared)];
  const shows = points >= least.own && points + beside >= least.all && countMarks(keys, foreign) === 0;
  return shows ? 2 * points + beside : 0;
}

/** Points for each of `marks` that is among the keys; `prefix.` matches any key below it, `.suffix` in any section. */
function countMarks(keys: ReadonlySet<string>, marks: readonly string[]): number {
  return marks.filter((mark) => hasMark(keys, mark)).length;
}

function hasMark(keys: ReadonlySet<string>, mark: string): boolean {
  if (mark.endsWith('.')) return [...keys].some((key) => key.startsWith(mark));
  return mark.startsWith('.') ? [...keys].some((key) => key.endsWith(mark)) : keys.has(mark);
}

/** Why a file that has keys of a format is not recognised as one. */
export interface NearFormat {
  readonly name: string;
  /** Keys of the file that only this format has. */
  readonly has: readonly string[];
  /** Keys of the file that the format does not have; one is enough against it. */
  readonly against: readonly string[];
  /** Keys of the format that the file lacks; any would help. */
  readonly lacks: readonly string[];
  /** Whether all but one key speaks for the format: then its trainer does not read that one. */
  readonly isLikely: boolean;
}

/** Fewer keys of a format are common in configs of other trainers. */
const LIKELY = 3;

/** What speaks for a format that `keys` do not show; null if nothing does. */
export function nearness({ name, marks }: ConfigFormat, keys: ReadonlySet<string>): NearFormat | null {
  if (!marks) return null;
  const present = (mark: string): boolean => hasMark(keys, mark);
  const has = marks.own.filter(present);
  if (has.length === 0) return null;
  const against = (marks.foreign ?? []).filter(present);
  return {
    name,
    has,
    against,
    isLikely: against.length === 1 && has.length >= LIKELY && (marks.decisive ?? []).some(present),
    lacks: marks.own.filter((mark) => !present(mark)),
  };
}

/** Whether nothing that contracts ask for depends on a key of the format. */
export function isIrrelevant({ irrelevant = [] }: Pick<ConfigFormat, 'irrelevant'>, key: string): boolean {
  const name = key.replace(/\[\d+\]/g, '');
  return irrelevant.some((one) => {
    if (one.endsWith('.')) return `${name}.`.startsWith(one);
    return one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : name === one;
  });
}

/** Whether the format lists the key by its full name among those that are irrelevant: it is not a misspelling of another. */
export function isKnownKey({ irrelevant = [] }: Pick<ConfigFormat, 'irrelevant'>, key: string): boolean {
  return irrelevant.includes(key.replace(/\[\d+\]/g, ''));
}

/** The number that a scalar says, as a number or as text; null also if its value is not known. */
export function numberOf(scalar: KeyedScalar | null): number | null {
  if (scalar?.unread !== undefined) return null;
  if (typeof scalar?.value === 'number') return scalar.value;
  return typeof scalar?.value === 'string' ? numberFromText(scalar.value) : null;
}

/** Whether a scalar is a switch that is on. */
export function isOn(scalar: KeyedScalar | null): boolean {
  return scalar?.value === true || scalar?.value === 'true' || scalar?.value === 'True';
}

/** The product of the numbers of those keys that a file has; null if one of them is not known. */
export function productOf(other: Other, keys: readonly string[]): number | null {
  return keys.reduce<number | null>((all, key) => {
    const scalar = other(key);
    if (all === null || (scalar?.value ?? null) === null) return all;
    const factor = numberOf(scalar);
    return factor === null ? null : all * factor;
  }, 1);
}

/** The whole batch of a step as that of one device: the trainer divides it among the devices, and none of it is accumulated. */
export function wholeBatch(key: string): Pick<KeyTable, 'batch_size' | 'global_batch_size' | 'num_devices'> {
  const one: KeyRule = { key, read: (scalar) => (numberOf(scalar) === null ? undefined : 1) };
  return { batch_size: [key], global_batch_size: [key], num_devices: [one] };
}

/** A key whose value `unset`, quoted or not, means "not set". */
export function unlessEqual(key: string, unset: number): KeyRule {
  return { key, read: (scalar) => (numberOf(scalar) === unset ? undefined : (scalar.value ?? undefined)) };
}

/** A number that is not set if it is 0 or less. */
export function ifPositive(key: string): KeyRule {
  return { key, read: (scalar) => ((numberOf(scalar) ?? 1) > 0 ? (scalar.value ?? undefined) : undefined) };
}

/** Weights are loaded from where `key` says, unless the switch `fresh` is on: the model is not trained from scratch. */
export function pretrainedFrom(key: string, fresh?: string): KeyRule {
  return {
    key,
    isEnough: true,
    read: (scalar, other) => {
      if (typeof scalar.value !== 'string' || scalar.value.trim() === '') return undefined;
      return fresh !== undefined && other(fresh)?.value === true;
    },
  };
}

/** A switch that means `value` when it is on. */
export function whenTrue(key: string, value: string): KeyRule {
  return { key, read: (scalar) => (isOn(scalar) ? value : undefined) };
}
