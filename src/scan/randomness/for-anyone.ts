/**
 * Functions that shuffle, or fill a matrix, for whoever calls them: `shuffle(xs)` of a game says as much as that of a data loader.
 * Whether training uses one is judged by the files that name it.
 */
import type { ts } from 'ts-morph';
import type { Module } from '../module.ts';
import type { Project } from '../rule.ts';
import { declaredName, wordsOf } from '../syntax/names.ts';
import { once } from '../syntax/once.ts';
import { ancestors, isFunction } from '../syntax/walk.ts';

const forAnyone = /^(?:shuffle[drs]?|shuffling|permut(?:e|ation|ations)|fisher|matrix|matrices)$/;
const saysNothing =
  /^(?:get|make|create|do|in|place|random|rand|randomly|randomi[sz]e|yates|knuth|durstenfeld|arr|arrays?|lists?|items?|elements?|of|the|a|numbers?|values?|index|indexes|indices|order|draw|next|generate|fn|func|simple|new|copy|to|collection|inplace)$/;

/** `dataset` where it is a value: prose speaks of data sets of all kinds. */
const ofTraining =
  /(?<![a-z])(?:pre)?train(?!s\b)|\bepochs\b|mini_?batch|batch_?size|(?<![.\w])data_?(?:sets?|loaders?)\s*(?:\.\w|[)=;[\]])|\bk?_?folds\b|cross[-_ ]?(?:validat|entropy)|validation[-_ ]?(?:set|split|data)|test[-_ ]?set|learning[-_ ]?rate|(?:log|total|val)_?loss\b|fitness|\bpopulations?\b|genomes?\b|centroids?\b|k[-_ ]?means|classif|neural|neurons?\b|back_?prop|perceptron|tensors?\b|decision[-_ ]?tree/iu;

/** The name of a function around a draw that says that it shuffles or makes a matrix, and nothing else; null where a name says what for. */
export function drawerForAnyone({ ts }: Module, node: ts.Node): string | null {
  const own = [...ancestors(node)].find((parent) => isFunction(ts, parent) && declaredName(ts, parent) !== null);
  const name = own ? (declaredName(ts, own) ?? '') : '';
  const words = wordsOf(name);
  const isOfAny =
    words.some((word) => forAnyone.test(word)) && words.every((word) => forAnyone.test(word) || saysNothing.test(word));
  return isOfAny ? name : null;
}

const speaksOfTraining = once(({ source }) => ofTraining.test(source.text));

const answers = new WeakMap<Pick<Project, 'pathsWith'>, Map<string, boolean>>();

/** Whether a file that names a function, or its own, speaks of training. */
export function isNamedInTraining(module: Module, project: Pick<Project, 'pathsWith'>, name: string): boolean {
  if (speaksOfTraining(module, module.file)) return true;
  const known = answers.get(project) ?? new Map<string, boolean>();
  answers.set(project, known);
  const named = `(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`;
  const both = new RegExp(`^(?=[^]*${named})(?=[^]*?(?:${ofTraining.source}))`, 'iu');
  const answer = known.get(name) ?? project.pathsWith(both).length > 0;
  known.set(name, answer);
  return answer;
}

const seededForAll = /\bMath\s*\.\s*random\s*=\s*(?:\([^()]{0,40}\)\s*=>|function\b|(?:new\s+)?[\w.]{1,40}\()/u;
const seeded = new WeakMap<Pick<Project, 'pathsWith'>, boolean>();

/** Whether a file of the project replaces `Math.random` by a generator, so that a seed can decide every draw. */
export function isSeededForAll(project: Pick<Project, 'pathsWith'>): boolean {
  const known = seeded.get(project) ?? project.pathsWith(seededForAll).length > 0;
  seeded.set(project, known);
  return known;
}
