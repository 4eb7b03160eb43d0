/** Texts for the demo: what a village writes, and what each of its nodes knows of it. Made from a seed, so nobody's data. */
import { present } from '../../base/invariant.ts';
import { streamFor, uniformInteger, type Xoshiro } from '../../numeric/xoshiro.ts';

const who = ['the fire brigade', 'the choir', 'the football club', 'the library', 'the parish', 'the bee keepers'];
const what = ['meets', 'rehearses', 'sells cakes', 'collects paper', 'cleans the pumps', 'plans the fair'];
const where = [
  'at the old mill',
  'behind the school',
  'near the pond',
  'in the barn',
  'at the station',
  'on the green',
];
const when = ['on monday', 'on tuesday', 'on friday', 'on sunday', 'at seven', 'after the rain', 'before noon'];

const pick = (stream: Xoshiro, words: readonly string[]): string =>
  present(words[uniformInteger(stream, 0, words.length - 1)], 'an index is in range');

/** What somebody knows of the village. */
interface Knowledge {
  readonly who: readonly string[];
  readonly what: readonly string[];
  readonly where: readonly string[];
}

const everything: Knowledge = { who, what, where };

/** `sentences` sentences about the village, from the stream called `name`. */
export function villageText(seed: number, name: string, sentences: number, known: Knowledge = everything): string {
  const stream = streamFor(seed, name);
  const sentence = (): string =>
    [known.who, known.what, known.where, when].map((words) => pick(stream, words)).join(' ');
  return Array.from({ length: sentences }, () => `${sentence()}.\n`).join('');
}

/** What the base model learns: the same words in any order, among others, so that it can spell but knows nothing of the village. */
export function plainText(seed: number, sentences: number): string {
  const stream = streamFor(seed, 'plain');
  const words = [...who, ...what, ...where, ...when, 'a river', 'light', 'stone', 'walks', 'many', 'below', 'quick'];
  const sentence = (): string => Array.from({ length: 4 }, () => pick(stream, words)).join(' ');
  return Array.from({ length: sentences }, () => `${sentence()}.\n`).join('');
}

/** What node number `k` knows: a third of everything, so that none knows all and any two know different things. */
export const knownTo = (k: number): Knowledge => ({
  who: third(who, k),
  what: third(what, k + 1),
  where: third(where, k + 2),
});

const third = (words: readonly string[], k: number): readonly string[] =>
  [0, 3].map((i) => present(words[(k + i) % words.length], 'an index is in range'));
