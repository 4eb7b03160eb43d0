/**
 * Whether a project learns or searches, by the words of its code: which numbers are drawn, and by which seed, is then part of its
 * results. A game, a chart or a server that shuffles does none of that.
 */
import type { SourceFile } from '../../diagnostics/source.ts';
import { codeWordsOf } from './code-words.ts';

interface Vocabulary {
  /** How many of the words, each in one of its forms, make one file speak of the subject. */
  readonly least: number;
  readonly words: readonly RegExp[];
}

const vocabulary = (least: number, ...words: readonly string[]): Vocabulary => ({
  least,
  words: words.map((word) => new RegExp(` (?:${word}) `, 'u')),
});

const vocabularies: readonly Vocabulary[] = [
  // One of these says it alone.
  vocabulary(
    1,
    'cross validat\\w+',
    't ?sne',
    '[kc] ?(?:means|medoids)',
    'svm',
    'simulated annealing',
    'back ?prop\\w*',
    'genetic algorithm',
    'gradient descent',
    'recommenders?',
    'gibbs',
    '(?:training|train) (?:set|data|examples?|images?|labels?|step|epoch)',
    'neural net(?:work)?s?',
    'q learning',
    'perceptrons?',
    'naive bayes',
    'hidden markov',
    'logistic regression',
    'salesman',
    'eigen(?:values?|vectors?)',
    '(?:random|isolation) forest',
    'glorot',
    'xavier',
    '(?:init(?:iali[sz]e)?|random(?:i[sz]e)?) weights?',
  ),
  // Learning. Graphics also have weights, data sets and biases, but not four of these.
  vocabulary(
    4,
    'epochs?',
    'learning rate',
    'neurons?',
    'soft ?max',
    'logits?',
    'relu',
    'dropout',
    'loss(?:es)?',
    'train(?:ing|er|ed)?',
    'weights?',
    'activations?',
    'classif(?:y|iers?)',
    'hyper ?param\\w*',
    'mini ?batch\\w*',
    'batch size',
    'tensors?',
    'embeddings?',
    'predict(?:ions?)?',
    'over ?fit\\w*',
    'data ?sets?',
    'bias(?:es)?',
    'perplexity',
    'regulari[sz]ation',
    'latent',
    'accuracy',
  ),
  // Evolution.
  vocabulary(
    2,
    'fitness',
    'genomes?',
    'chromosomes?',
    'cross ?overs?',
    'mutat(?:e|es|ions?|ors?)',
    'populations?',
    'offsprings?',
    'tournament select\\w*',
  ),
  // Clustering.
  vocabulary(2, 'centroids?', 'medoids?', 'kmpp', 'clusters?', 'inertia'),
  // Learning from rewards.
  vocabulary(
    2,
    'rewards?',
    'epsilon',
    'episodes?',
    'q ?values?',
    'q ?table',
    'explor(?:e|ation)',
    'actions?',
    'replay',
    'discount factor',
  ),
  // Annealing. Layouts of charts have temperatures, but no energies.
  vocabulary(2, 'energ(?:y|ies)', 'temp(?:eratures?)?'),
];

/** Whether the code of a file, or its path, speaks of learning, clustering, evolution or another search; comments do not count. */
export function learnsOrSearches({ path, text }: SourceFile): boolean {
  const words = codeWordsOf(`${path}\n${text}`);
  return vocabularies.some(({ least, words: known }) => {
    let found = 0;
    return known.some((word) => word.test(words) && ++found >= least);
  });
}
