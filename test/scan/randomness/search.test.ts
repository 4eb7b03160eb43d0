import { describe, expect, it } from 'vitest';
import { scanCode } from '../../support/scan-code.ts';

/** What each message has in parentheses at its end. */
async function purposes(text: string): Promise<readonly (string | undefined)[]> {
  const { findings } = await scanCode({ 'src/a.js': text }, { rules: ['unseeded-randomness'] });
  return findings.map(({ diagnostic: { message } }) => /\((.*)\)/u.exec(message)?.[1]);
}

describe('draws of a search are found', () => {
  it.each([
    [
      'exploration',
      'class Q { act(s) { if (Math.random() < this.epsilon) return this.any(); return this.best(s, this.qTable); } }',
      'compared with `this.epsilon`',
    ],
    [
      'exploration, the other way round',
      'function act(s, explorationRate) { return explorationRate > Math.random() ? any() : policy(s); }',
      'compared with `explorationRate`',
    ],
    [
      'an action',
      'class Agent { sampleAction(p) { const r = Math.random(); return pick(p, r); } learn(reward) {} }',
      'in `sampleAction`',
    ],
    [
      'a mutation',
      'class P { evolve() { if (Math.random() <= this.config.mutationRate) this.change(); } rank(fitness) {} }',
      'compared with `this.config.mutationRate`',
    ],
    ['a crossover', 'function crossover(a, b) { return Math.random() < 0.5 ? a.genome : b.genome; }', 'in `crossover`'],
    [
      'a tournament',
      'const select = { tournament2(p) { return p[Math.floor(Math.random() * p.length)]; } }; sort(fitness);',
      'in `tournament2`',
    ],
    [
      'a centroid',
      'function randomCentroid(d) { return d[Math.floor(Math.random() * d.length)]; }',
      'in `randomCentroid`',
    ],
    ['clusters', 'const kMeans = (d, k) => d[Math.floor(Math.random() * d.length)];', 'in `kMeans`'],
    ['fuzzy clusters', 'function fuzzyCMeans(u) { u[0][1] = Math.random(); }', 'in `fuzzyCMeans`'],
    [
      'first clusters',
      'kMeans.initializeForgy = function (X, m) { return X[Math.floor(Math.random() * m)]; };',
      'in `initializeForgy`',
    ],
    [
      'exploration that only its function names',
      'function epsilonGreedy(n, epsilon) { return Math.random() <= epsilon ? any(n) : best(n); }',
      'compared with `epsilon`',
    ],
    [
      'annealing',
      'P.prototype.change = function (temp) { if (d < 0 || Math.random() < Math.exp(-d / temp)) this.swap(); };',
      'compared with `Math.exp(-d/temp)`',
    ],
    [
      'an operator of an object',
      'const crossover = { UNIFORM(a, b) { return a.genes.map((g, i) => (Math.random() < 0.5 ? g : b.genes[i])); } };',
      'in `crossover`',
    ],
    [
      'selection by fitness',
      'class E { selectByFitness(all, sum) { let r = Math.random() * sum; for (const one of all) if ((r -= one.fitness) <= 0) return one; } }',
      'in `selectByFitness`',
    ],
    [
      'an initialisation that a comment names',
      'class L { constructor(n) { // Xavier initialization\n const s = 1;\n for (let i = 0; i < n; i++) this._A[i] = (Math.random() - 0.5) * s; } }',
      'in `constructor`',
    ],
    [
      'an initialisation that the documentation names',
      '/** Initialize the weights. */\nfunction prepare(n) { return Array.from({ length: n }, () => Math.random()); }',
      'in `prepare`',
    ],
    [
      'clusters that a comment names',
      'function rebuild(p) { /* Initialize centroids randomly */ return p[Math.floor(Math.random() * p.length)]; }',
      'in `rebuild`',
    ],
  ])('%s', async (_name, text, expected) => {
    expect(await purposes(text)).toEqual([expected]);
  });
});

describe('other draws are left alone', () => {
  it.each([
    ['a tolerance', 'function f(epsilon) { return Math.random() < epsilon; }'],
    [
      'a rate of sampling',
      'function record(e, reward) { if (Math.random() > this.config.samplingRate) return; send(e); }',
    ],
    ['a mutation of a store', 'const useMutation = () => ({ key: Math.random() });'],
    ['an action of a page', 'function nextAction(list) { return list[Math.floor(Math.random() * list.length)]; }'],
    ['a comment that is far', `function f() { // Xavier\n ${'g();'.repeat(200)} return Math.random(); }`],
    ['an earlier comment', 'function f(n) { // random weights\n make(n);\n // a colour\n return Math.random(); }'],
    ['an identifier of a mutation', 'function mutate(genome) { const id = Math.random(); return { genome, id }; }'],
    ['a comparison with a computed bound', 'function f(reward) { return Math.random() < 1 - epsilon * 2; }'],
  ])('%s', async (_name, text) => {
    expect(await purposes(text)).toEqual([]);
  });
});
