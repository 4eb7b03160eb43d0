/**
 * Draws of methods that search: exploration of reinforcement learning, genetic operators, first centroids of clusters; and
 * initialisations that only a comment names.
 */
import type { ts } from 'ts-morph';
import type { Module } from '../module.ts';
import { keyOf, namesAround, wordsOf } from '../syntax/names.ts';
import { targetsOf } from './purpose.ts';
import { saidOf } from './said.ts';

const learnsFromRewards = /\b(?:reward|replay|q[-_ ]?(?:values?|table|learning)|policy)/i;
const evolves = /\b(?:fitness|genomes?|chromosomes?|populations?|crossover)/i;
const mutations = /^(?:mutat(?:e|es|ion|ions|or)|crossovers?|breed|mate|mating|offsprings?|tournaments?|roulette)$/;
const actions = /^actions?$/;
const choices = /^(?:select|choose|pick|sample|get|explore|act|epsilon|random|next)$/;
const growsTrees = /\b(?:isolation|random|decision)[-_ ]?(?:forest|tree)/i;
const splits = /^splits?$/;
const centroids = /^(?:centroids?|medoids?|kmeans)$/;

/** The part of a search that a draw belongs to; null if nothing shows one. */
export function drawsForSearch(module: Module, node: ts.Node): string | null {
  const threshold = thresholdOf(module, node);
  if (threshold !== null) return `compared with \`${threshold}\``;
  const { text, path } = module.source;
  for (const name of [...targetsOf(module, node), ...namesAround(module.ts, node)]) {
    const words = wordsOf(name.replace(/k[-_]?(?:means|medoids)/iu, ' kmeans '));
    const has = (pattern: RegExp): boolean => words.some((word) => pattern.test(word));
    const isSearch =
      has(centroids) ||
      (has(splits) && (growsTrees.test(text) || growsTrees.test(path))) ||
      (has(mutations) && evolves.test(text)) ||
      (has(actions) && has(choices) && learnsFromRewards.test(text));
    if (isSearch) return `in \`${name}\``;
  }
  return startsByComment(module, node);
}

/** `epsilon` of `random() < this.epsilon`, `mutationRate` of `random() <= mutationRate`; null for other comparisons. */
function thresholdOf({ ts, source }: Module, node: ts.Node): string | null {
  const { parent } = node;
  if (!ts.isBinaryExpression(parent)) return null;
  if (!/^[<>]=?$/u.test(parent.operatorToken.getText())) return null;
  const other = keyOf(parent.left === node ? parent.right : parent.left);
  if (!/^[\w$.#?[\]'"]{1,80}$/u.test(other)) return null;
  const words = wordsOf(other);
  const explores = words.some((word) => /^(?:epsilon|eps|exploration|explore)$/u.test(word));
  if (explores && learnsFromRewards.test(source.text)) return other;
  return words.some((word) => mutations.test(word)) && evolves.test(source.text) ? other : null;
}

const starts =
  /\b(?:xavier|glorot|kaiming)\b|\bfisher[- ]?yates\b|\bshuffl(?:e|es|ing)\b|\b(?:initiali[sz](?:e|es|ing|ation)|random)\b(?: (?:the|all|model|layer|initial|network|random))* (?:weights?|biases|parameters|embeddings|centroids|clusters)\b/iu;

/** `in \`f\`` where the function's documentation, or the last comment before the draw, says that weights or centroids start here, or data are shuffled. */
function startsByComment(module: Module, node: ts.Node): string | null {
  const said = saidOf(module, node);
  return said && starts.test(said.comments) ? `in \`${said.name}\`` : null;
}
