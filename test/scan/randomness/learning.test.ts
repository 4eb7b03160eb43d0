/** Holds src/scan/randomness/code-words.ts, src/scan/randomness/learning.ts. */
import { describe, expect, it } from 'vitest';
import { codeWordsOf } from '../../../src/scan/randomness/code-words.ts';
import { learnsOrSearches } from '../../../src/scan/randomness/learning.ts';

const learns = (text: string, path: string = 'src/a.js'): boolean => learnsOrSearches({ path, text });

describe('code that learns or searches', () => {
  it.each([
    ['first weights', 'function initWeights() { return draw(); }'],
    ['clusters', 'export function kMeans(points, k) {}'],
    ['folds', 'const crossValidation = (model, folds) => run(model, folds);'],
    [
      'a network, by four words of learning',
      'class Net { constructor(layers, learningRate) { this.loss = 0; this.biases = []; this.weights = []; } }',
    ],
    ['evolution', 'const next = population.map((one) => ({ ...one, fitness: rate(one) }));'],
    ['rewards', 'agent.step(action, reward); if (draw() < epsilon) explore();'],
    ['annealing', 'if (draw() < Math.exp((energy - nextEnergy) / temperature)) accept();'],
    ['a route', 'export const salesman = (points) => tour(points);'],
  ])('%s', (_name, text) => {
    expect(learns(text)).toBe(true);
  });

  it('by the path of a file', () => {
    expect(learns('export const pick = () => draw();', 'src/k-means/first.js')).toBe(true);
  });
});

describe('other code', () => {
  it.each([
    ['a deck of cards', 'export function shuffle(cards) { return cards.sort(() => draw() - 0.5); }'],
    [
      'a chart with weights, data sets and biases',
      'const chart = { datasets: [a], weights: [1], bias: 0, gradient: grey };',
    ],
    ['a layout that cools', 'while (temperature > 0) { place(label); temperature -= cooling; }'],
    ['comments', '// trains a neural network by gradient descent\n/* k-means, genetic algorithm */ const a = 1;'],
    ['one word in many forms', 'const cluster = 1; const clusters = [cluster]; fitness(clusters);'],
    ['German', "const texts = { eigenschaft: 'Eigenschaften' };"],
  ])('%s', (_name, text) => {
    expect(learns(text)).toBe(false);
  });
});

describe('the words of code', () => {
  it('are in lower case, one blank apart, without comments', () => {
    expect(codeWordsOf('let kMeans = f(qTable_2);// c\n/* d */ g /* e')).toBe(' let k means f q table 2 g ');
  });

  it('are found in time in proportion to the text', () => {
    const start = performance.now();
    codeWordsOf('/*'.repeat(500_000));
    codeWordsOf('//'.repeat(500_000));
    expect(performance.now() - start).toBeLessThan(2000);
  });
});
