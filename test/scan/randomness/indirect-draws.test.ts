/** Holds src/scan/syntax/once.ts, src/scan/syntax/scope.ts. */
import { describe, expect, it } from 'vitest';
import { pointedAt, scanCode } from '../../support/scan-code.ts';

const rule = 'unseeded-randomness';
const rand = 'function rand(a, b) { return a + (b - a) * Math.random(); }\n';

describe('draws through helpers are found', () => {
  it.each([
    ['weights', `${rand}function initWeights(w) { w[0] = rand(-1, 1); }`, 'rand(-1, 1)'],
    ['weights of a matrix', `${rand}function fill(m) { m.matrix[0][1] = rand(-1, 1); }`, 'rand(-1, 1)'],
    [
      'a helper of a helper',
      `${rand}const randi = (a, b) => Math.floor(rand(a, b));\nfunction shuffleSamples(xs) { return xs[randi(0, 9)]; }`,
      'randi(0, 9)',
    ],
    [
      'a value that a name holds',
      'function any(xs) { const i = Math.floor(Math.random() * xs.length); return xs[i]; }\nfunction runTournament(fitness) { return any(fitness); }',
      'any(fitness)',
    ],
    [
      'an arrow',
      'const rnd = () => Math.random() * 2 - 1;\nclass Linear { constructor() { this.weights = [rnd()]; } }',
      'rnd()',
    ],
    [
      'an alias',
      'const { random } = Math;\nconst rnd = () => random() * 2 - 1;\nfunction initWeights(w) { w[0] = rnd(); }',
      'rnd()',
    ],
    [
      'a method',
      'class Net { any(n) { return Math.floor(Math.random() * n); } trainStep(xs) { return xs[this.any(9)]; } }',
      'this.any(9)',
    ],
  ])('%s', async (_name, text, expected) => {
    expect(await pointedAt(rule, text)).toEqual([expected]);
  });

  it.each([
    [
      'an import',
      `export ${rand}`,
      "import { rand } from './random.js';\nfunction initWeights(w) { w[0] = rand(-1, 1); }",
    ],
    [
      'require',
      `${rand}exports.rand = rand;`,
      "const random = require('./random');\nfunction initWeights(w) { w[0] = random.rand(-1, 1); }",
    ],
  ])('of another module, by %s', async (_name, helper, text) => {
    const { findings } = await scanCode({ 'src/random.js': helper, 'src/a.js': text }, { rules: [rule] });
    expect(findings.map(({ diagnostic }) => [diagnostic.span?.source.path, diagnostic.message])).toEqual([
      ['src/a.js', expect.stringContaining('rand` draws numbers that no seed decides (in `initWeights`)')],
    ]);
    expect(findings[0]?.diagnostic.related[0]?.span.source.path).toBe('src/random.js');
  });

  it('with the other draws of their function as one', async () => {
    const text = `${rand}function initWeights(w) { w[0] = rand(-1, 1); w[1] = Math.random(); w[2] = rand(0, 1); }`;
    const { findings } = await scanCode({ 'src/a.js': text }, { rules: [rule] });
    expect(findings.map(({ diagnostic }) => diagnostic.message)).toEqual([
      expect.stringContaining('at 2 more places in the same function'),
    ]);
  });
});

describe('draws through helpers are left alone', () => {
  it.each([
    ['outside training', `${rand}function moveEnemy(e) { e.x += rand(-1, 1); }`],
    ['of an identifier', 'const token = () => Math.random().toString(36);\nfunction trainRun() { return token(); }'],
    [
      'of a generator that is handed in',
      'const rand = (rng) => (rng ?? Math.random)();\nconst initWeights = (w) => rand(w);',
    ],
    [
      'of a generator that a seed starts',
      'let rng = Math.random;\nfunction random() { return rng(); }\nfunction reset(s) { rng = seeded(s); }\nfunction initWeights(w) { w[0] = random(); }',
    ],
    [
      'of a seeded one, if there is a seed',
      'function rand() { if (state.seed !== undefined) return next(); return Math.random(); }\nfunction initWeights(w) { w[0] = rand(); }',
    ],
    [
      'where a seed was not given',
      `${rand}function shuffle(xs, seed) { return seed === undefined ? rand(0, 9) : at(seed); }`,
    ],
    [
      'of a function that does more',
      'function step(e) { e.x += Math.random(); return e; }\nfunction trainStep(e) { step(e); }',
    ],
    [
      'of a colour',
      'function randomColor() { return Math.random() * 360; }\nfunction plotColors() { return randomColor(); }',
    ],
    ['of another function of that name', `${rand}function initWeights(w, rand) { w[0] = rand(-1, 1); }`],
  ])('%s', async (_name, text) => {
    expect(await pointedAt(rule, text)).toEqual([]);
  });

  it('that are reported in the helper itself', async () => {
    const text =
      'function gaussian() { return Math.sqrt(Math.random()); }\nfunction initWeights(w) { w[0] = gaussian(); }';
    expect(await pointedAt(rule, text)).toEqual(['Math.random()']);
  });
});
