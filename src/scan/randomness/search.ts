/**
 * Draws of methods that search: exploration of reinforcement learning, genetic operators, first centroids of clusters; and
 * initialisations that only a comment names.
 */
import type { ts } from 'ts-morph';
import type { Module } from '../module.ts';
import { keyOf, namesAround, wordsOf } from '../syntax/names.ts';
import { once } from '../syntax/once.ts';
import { ancestors, functionAround } from '../syntax/walk.ts';
import { targetsOf } from './purpose.ts';
import { saidOf } from './said.ts';

const learnsFromRewards = /\b(?:reward|replay|q[-_ ]?(?:values?|table|learning)|policy)/i;
const evolves = /\b(?:fitness|genes\b|genomes?|chromosomes?|populations?|crossover)/i;
const mutations = /^(?:mutat(?:e|es|ion|ions|or)|crossovers?|breed|mate|mating|offsprings?|tournaments?|roulette)$/;
const actions = /^actions?$/;
const choices = /^(?:select|choose|pick|sample|get|explore|act|epsilon|random|next)$/;
const growsTrees = /\b(?:isolation|random|decision)[-_ ]?(?:forest|tree)/i;
const splits = /^splits?$/;
const centroids = /^(?:centroids?|medoids?|kmeans)$/;
const clusters = /\b[kc][-_ ]?(?:means|medoids)/i;
const firstClusters = /^(?:forgy|init(?:ial(?:i[sz]e)?)?)$/;
const selections = /^(?:select|selection|pick|parents?)$/;
const energies = /temp|energ|cost|delta|fitness/i;

/** The part of a search that a draw belongs to; null if nothing shows one. */
export function drawsForSearch(module: Module, node: ts.Node): string | null {
  const threshold = thresholdOf(module, node);
  if (threshold !== null) return `compared with \`${threshold}\``;
  const says = sayings(module, module.file);
  const names = [...targetsOf(module, node), ...namesAround(module.ts, node), ...objectsAround(module, node)];
  for (const name of names) {
    const words = wordsOf(name.replace(/[kc][-_]?(?:means|medoids)/iu, ' kmeans '));
    const has = (pattern: RegExp): boolean => words.some((word) => pattern.test(word));
    const isSearch =
      has(centroids) ||
      (has(firstClusters) && says.clusters) ||
      (has(splits) && says.growsTrees) ||
      (has(mutations) && says.evolves) ||
      (has(selections) && ranksByFitness(module, functionAround(module.ts, node) ?? module.file)) ||
      (has(actions) && has(choices) && says.learnsFromRewards);
    if (isSearch) return `in \`${name}\``;
  }
  const operator = functionAround(module.ts, node) ? operatorOf(module, module.file) : null;
  return operator === null ? startsByComment(module, node) : `in \`${operator}\``;
}

/** What the text of a file, and its path, say that it does. */
const sayings = once(({ source: { text, path } }) => {
  const says = (pattern: RegExp): boolean => pattern.test(text) || pattern.test(path);
  return {
    clusters: says(clusters),
    growsTrees: says(growsTrees),
    evolves: says(evolves),
    learnsFromRewards: says(learnsFromRewards),
  };
});

/** `crossover` of `src/ga/crossover.ts`, whose functions are operators; null for other files. */
const operatorOf = once(({ source }): string | null => {
  const name = /([^\\/]*)\.\w+$/u.exec(source.path)?.[1] ?? '';
  return wordsOf(name).some((word) => mutations.test(word)) && evolves.test(source.text) ? name : null;
});

/** `crossover` of `const crossover = { uniform(a, b) { … } }`. */
function objectsAround({ ts }: Module, node: ts.Node): readonly string[] {
  return [...ancestors(node)].flatMap((parent) =>
    ts.isObjectLiteralExpression(parent) &&
    ts.isVariableDeclaration(parent.parent) &&
    ts.isIdentifier(parent.parent.name)
      ? [parent.parent.name.text]
      : [],
  );
}

/** Whether a function's own text speaks of fitness: `r -= creature.fitness`. */
const ranksByFitness = once(({ ts }, around) => !ts.isSourceFile(around) && /fitness/iu.test(around.getText()));

/**
 * `epsilon` of `random() < this.epsilon`, `mutationRate` of `random() <= mutationRate`, `Math.exp(-delta/temp)` of an annealing; null
 * for other comparisons.
 */
function thresholdOf(module: Module, node: ts.Node): string | null {
  const { ts } = module;
  const { parent } = node;
  if (!ts.isBinaryExpression(parent)) return null;
  if (!/^[<>]=?$/u.test(parent.operatorToken.getText())) return null;
  const other = keyOf(parent.left === node ? parent.right : parent.left);
  if (/^Math\.exp\(.{1,80}\)$/u.test(other) && energies.test(other)) return other;
  if (!/^[\w$.#?[\]'"]{1,80}$/u.test(other)) return null;
  const words = wordsOf(other);
  const says = sayings(module, module.file);
  const explores = words.some((word) => /^(?:epsilon|eps|exploration|explore)$/u.test(word));
  const isGreedy = namesAround(ts, node).some((name) => wordsOf(name).includes('greedy'));
  if (explores && (isGreedy || says.learnsFromRewards)) return other;
  return words.some((word) => mutations.test(word)) && says.evolves ? other : null;
}

const starts =
  /\b(?:xavier|glorot|kaiming)\b|\bfisher[- ]?yates\b|\bshuffl(?:e|es|ing)\b|\b(?:initiali[sz](?:e|es|ing|ation)|random)\b(?: (?:the|all|model|layer|initial|network|random))* (?:weights?|biases|parameters|embeddings|centroids?|clusters)\b/iu;

/** `in \`f\`` where the function's documentation, or the last comment before the draw, says that weights or centroids start here, or data are shuffled. */
function startsByComment(module: Module, node: ts.Node): string | null {
  const said = saidOf(module, node);
  return said && starts.test(said.comments) ? `in \`${said.name}\`` : null;
}
