/**
 * Which name a key may mean that a format does not read: a misspelling (`warmup_stpes`), another trainer's word, or the same
 * quantity in another unit.
 */
import { editsWithin } from '../../../base/text.ts';
import { vocabularyNames, type VocabularyName } from '../vocabulary.ts';
import type { ConfigFormat } from './config-format.ts';
import { isElsewhere, wordsOf } from './key-words.ts';
import { nameMeant } from './other-words.ts';

/** A name that an unread key resembles, and how. */
export interface Likeness {
  readonly name: VocabularyName;
  /** The key that a misspelt one looks like; null if it is another word. */
  readonly misspelt: string | null;
  /** Its letters differ; otherwise only its section, its case or its separators do. */
  readonly isSlip: boolean;
}

/** Which name each key looks like; a file may have many keys, so the tables are made once. */
export function likenessIn(format: ConfigFormat): (key: string) => Likeness | null {
  const { anywhere, bySection } = ownWords(format);
  // What an unknown trainer reads is not known: there, a short word may be a key of its own.
  const isKnown = format.name !== 'plain';
  return (key) => {
    if (key.endsWith(']')) return null;
    const [section, leaf] = [sectionOf(key), joined(leafOf(key))];
    const near =
      misspeltIn(bySection.get(section) ?? new Map(), leaf, isKnown ? LEAST_IN_SECTION : LEAST) ??
      misspeltIn(anywhere, leaf, LEAST);
    if (near && isAsFarAs(near, key, isKnown)) return near;
    if (isElsewhere(key)) return null;
    const name = nameMeant(leaf, wordsOf(section));
    return name === null ? null : { name, misspelt: null, isSlip: false };
  };
}

/** `eval_batch_size` is not `batch_size`; but in `evla_steps`, the slip is in the word that would say so. */
function isAsFarAs({ misspelt, isSlip }: Likeness, key: string, isKnown: boolean): boolean {
  const [is, shouldBe] = [isElsewhere(key), isElsewhere(misspelt ?? key)];
  return is === shouldBe || (isKnown && isSlip && !is);
}

interface OwnKey {
  readonly word: string;
  readonly name: VocabularyName;
  readonly key: string;
}

/** The last parts of keys by their length, as {@link joined} writes them. */
type Words = Map<number, OwnKey[]>;

/**
 * The last parts of the keys that the format reads, by their section; and those that are clear in any section, as
 * `warmup_steps` is and `name` is not.
 */
function ownWords({ keys }: ConfigFormat): {
  readonly anywhere: Words;
  readonly bySection: ReadonlyMap<string, Words>;
} {
  const anywhere: Words = new Map();
  const bySection = new Map<string, Words>();
  const add = (words: Words, name: VocabularyName, key: string): void => {
    const word = joined(leafOf(key));
    words.set(word.length, [...(words.get(word.length) ?? []), { word, name, key }]);
  };
  for (const name of vocabularyNames) {
    for (const rule of keys[name] ?? []) {
      const key = typeof rule === 'string' ? rule : rule.key;
      const own: Words = bySection.get(sectionOf(key)) ?? new Map();
      bySection.set(sectionOf(key), own);
      add(own, name, key);
      if (wordsOf(leafOf(key)).length > 1) add(anywhere, name, key);
    }
    if (wordsOf(name).length > 1) add(anywhere, name, name);
  }
  return { anywhere, bySection };
}

/** The shortest word in which a slip is recognised, and that among the keys of one section of a known trainer. */
const [LEAST, LEAST_IN_SECTION] = [6, 4];

/** One mistake in a word of `least` letters or more, two from twelve on; case and separators do not count. */
function misspeltIn(words: Words, leaf: string, least: number): Likeness | null {
  const same = words.get(leaf.length)?.find(({ word }) => word === leaf);
  if (same) return { name: same.name, misspelt: same.key, isSlip: false };
  if (leaf.length < Math.max(4, least - 1) || leaf.length > 64) return null;
  const slips = leaf.length < 12 ? 1 : 2;
  for (let length = leaf.length - slips; length <= leaf.length + slips; length++)
    for (const { word, name, key } of words.get(length) ?? [])
      if (word.length >= least && isSlipOf(leaf, word, slips) && !isOtherWord(leaf, key, least))
        return { name, misspelt: key, isSlip: true };
  return null;
}

function isSlipOf(leaf: string, word: string, slips: number): boolean {
  return (swapsTwo(leaf, word) || editsWithin(leaf, word, slips)) && !isOtherEnd(leaf, word);
}

/** `epoch` beside `epochs`, and `e_layers` beside `n_layers`, are words of their own. */
function isOtherWord(leaf: string, key: string, least: number): boolean {
  const words = wordsOf(leafOf(key));
  const word = words.join('');
  if (word === `${leaf}s`) return leaf.length < least;
  return words[0]?.length === 1 && leaf.length === word.length && leaf.slice(1) === word.slice(1);
}

/** Whether exactly two adjacent letters are swapped. */
export function swapsTwo(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}

/** `warmup_min_lr` is not a misspelling of `warmup_max_lr`. */
function isOtherEnd(a: string, b: string): boolean {
  const same = (word: string): string => word.replace(/min|max/g, 'm');
  return a !== b && same(a) === same(b);
}

/** `lr_scheduler.num_warmup_steps` → `num_warmup_steps`, `betas[0]` → `betas[0]`. */
function leafOf(key: string): string {
  return key.slice(key.lastIndexOf('.') + 1).replace(/^.*\]\./, '');
}

function sectionOf(key: string): string {
  return key.slice(0, Math.max(0, key.lastIndexOf('.')));
}

/** Without case and separators. */
function joined(part: string): string {
  return wordsOf(part).join('');
}
