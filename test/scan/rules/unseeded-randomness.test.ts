/** Holds src/scan/randomness/apart.ts, src/scan/randomness/for-anyone.ts, src/scan/randomness/purpose.ts, src/scan/randomness/said.ts. */
import { describe, expect, it } from 'vitest';
import { pointedAt, scanCode } from '../../support/scan-code.ts';

const rule = 'unseeded-randomness';

describe('unseeded-randomness finds', () => {
  it.each([
    [
      'initial weights',
      'function initWeights(n) { return Array.from({ length: n }, () => Math.random() - 0.5); }',
      'Math.random()',
    ],
    ['Xavier', 'const xavier = (n) => (Math.random() * 2 - 1) / Math.sqrt(n);', 'Math.random()'],
    [
      'a shuffle',
      'function shuffleSamples(xs) { for (let i = xs.length; i--; ) swap(xs, i, Math.floor(Math.random() * i)); }',
      'Math.random()',
    ],
    [
      'dropout',
      'class Dropout { forward(x) { return x.map((v) => (Math.random() < this.p ? 0 : v)); } }',
      'Math.random()',
    ],
    [
      'weights of a loop',
      'class Linear { constructor(n) { for (let i = 0; i < n; i++) this.weights[i] = Math.random(); } }',
      'Math.random()',
    ],
    [
      'a random batch',
      'function getBatch(data) { const i = Math.floor(Math.random() * data.length); return data[i]; }',
      'Math.random()',
    ],
    ['noise in training', 'function trainStep(x) { return x + Math.random(); }', 'Math.random()'],
    ['bytes of the system', 'function randomWeights(b) { crypto.getRandomValues(b); }', 'crypto.getRandomValues(b)'],
    ['the clock as a seed', 'const seed = Date.now();', 'Date.now()'],
    [
      'the clock as a seed that is counted on',
      'const seed = Date.now(); const rng = mulberry32(seed + 1);',
      'Date.now()',
    ],
    ['the clock as a seed that is kept as a state', 'const seed = Date.now(); this.state = seed;', 'Date.now()'],
    ['a seed of 0 that a fallback replaces', 'const seed = config.seed || Date.now();', 'Date.now()'],
    ['an alias', 'const { random } = Math;\nfunction initWeights(n) { return random() - 0.5; }', 'random()'],
    [
      'a renamed alias',
      'const { random: draw, floor } = Math;\nfunction shuffleSamples(a) { return floor(draw() * a.length); }',
      'draw()',
    ],
    [
      'an alias of the function',
      'const rand = Math.random;\nexport const dropout = (x) => (rand() < 0.5 ? 0 : x);',
      'rand()',
    ],
    ['a weight of a field', 'function Neuron() { this.bias = Math.random() * 0.2 - 0.1; }', 'Math.random()'],
    [
      'a split, in a callback',
      'class Corpus { splitInTrainAndTest(p) { this.sentences.forEach(function (one) { if (Math.random() < p) take(one); }); } }',
      'Math.random()',
    ],
    ['a generator that starts from the clock', 'const rng = mulberry32(new Date().getTime());', 'new Date()'],
    ['a seed of an option', 'train({ seed: Math.floor(performance.now()) });', 'performance.now()'],
    ['a seed that is drawn', 'const seedValue = seed ? seed : Math.random();', 'Math.random()'],
    [
      'a seed of 0 that a branch ignores',
      'if (this.RANDOM_SEED) x = next(this.RANDOM_SEED); else x = Math.random();',
      'Math.random()',
    ],
    ['a seed of 0 of an option', 'const x = options.seed ? next(options.seed) : Math.random();', 'Math.random()'],
    [
      'an experience',
      'class Buffer { sampleExperience() { return this.all[Math.floor(Math.random() * 9)]; } }',
      'Math.random()',
    ],
    [
      'a shuffle that a comment names',
      'function take(a) { // Shuffle the examples\n return a[Math.floor(Math.random() * 9)]; }',
      'Math.random()',
    ],
    ['a clock under another name', 'const start = Date.now();\nconst rng = mulberry32(start);', 'Date.now()'],
    [
      'a drawn number under another name',
      'function dropout() { const state = Math.random() * 2 ** 32; return new Xoshiro128(state); }',
      'Math.random()',
    ],
    ['another clock', 'const r = alea(seed || tf.util.now().toString());', 'tf.util.now()'],
    [
      'an alias of each of two functions',
      'function f() { const { random } = Math; return random() > 2; }\nfunction initWeights(w) { const { random } = Math; w[0] = random(); }',
      'random()',
    ],
    ['an element of a matrix', 'function fill(m) { m.weights[0][1] = Math.random() - 0.5; }', 'Math.random()'],
    [
      'a generator that starts from the clock, also where a seed was given',
      'const shared = mulberry32(Date.now());\nconst make = (seed) => (seed ? mulberry32(seed) : shared);\nexport const draw = () => shared();',
      'Date.now()',
    ],
    [
      'a shuffle by the name of its authors',
      '// The order of an epoch: epochs differ.\nfunction fisherYates(a) { const j = Math.floor(Math.random() * a.length); return j; }',
      'Math.random()',
    ],
    [
      'a shuffle of a file that trains',
      'function shuffle(a) { const j = Math.floor(Math.random() * a.length); return j; }\nfor (let e = 0; e < epochs; e++) step(shuffle(data));',
      'Math.random()',
    ],
    [
      'a random matrix of a file that trains',
      'function randomMatrix(n) { return fill(n, () => Math.random()); }\nexport const start = () => new NeuralNetwork(randomMatrix(3));',
      'Math.random()',
    ],
    [
      'random folds',
      'function getFolds(n, k) { const at = Math.floor(Math.random() * n); return at; }',
      'Math.random()',
    ],
    [
      'a centroid that a comment names',
      'function kmpp(data) {\n  // First random centroid\n  return [data[Math.floor(Math.random() * data.length)]];\n}',
      'Math.random()',
    ],
  ])('%s', async (_name, text, expected) => {
    expect(await pointedAt(rule, text)).toEqual([expected]);
  });
});

describe('unseeded-randomness leaves alone', () => {
  it.each([
    [
      'the default of a seed',
      'class SurveyModel { get randomSeed() { return this.value(() => Math.random() * 1000); } }',
    ],
    [
      'a clock that starts the fields of a generator',
      'function Random() { var seed = count++ + Date.now(); this.high = seed * 2; }',
    ],
    [
      'a seed that is a part of a name',
      "const seed = crypto.randomBytes(8).toString('hex'); open('ask-' + seed + '.sock');",
    ],
    ['a shade that is called a seed', 'const seed = Math.random() * 0.5; color.red = seed; color.green = seed;'],
    [
      'a clock that starts the generator of a class written as a function',
      'function Random() { var seed = count++ + Date.now(); this.setSeed(seed); }',
    ],
    ['a seed that was given first', 'const seed = config.seed ?? Date.now();'],
    ['a shuffle of cards', 'function shuffleArray(a) { const j = Math.floor(Math.random() * a.length); return j; }'],
    ['a random matrix for anyone', 'function getRandomMatrix(n) { return fill(n, () => Math.random()); }'],
    [
      'a stream of a library that exports its generators',
      "import Xorshift from './x.js';\nexport { default as Xorshift } from './x.js';\nexport const random = new Xorshift(Date.now());",
    ],
    [
      'a seed that is a generator',
      'function shuffleData(xs, seed) { let j; if (seed) { j = seed(); } else { j = Math.random(); } return j; }',
    ],
    ['a generator that is handed on', 'export const SYSTEM = new WrappedRandom(Math.random);'],
    ['the default of a shuffle', 'function shuffle(xs, random = Math.random) { return xs; }'],
    ['the default of a seed', 'function lcg(seed = Math.random()) { return seed; }'],
    [
      'a generator that its own constructor starts',
      'class R { constructor() { this.setSeed(Date.now()); } setSeed(s) { this.s = s; } }',
    ],
    [
      'a documented choice',
      '/** A non-deterministic vector. */\nfunction randomWeights() { const seed = Date.now(); return fill(seed); }',
    ],
    ['secure numbers', 'function secureRandomGaussian() { return Math.sqrt(-2 * Math.log(Math.random())); }'],
    ['a sampler of a bandit', 'class ThompsonSampler { sampleGamma(shape) { return Math.random() ** (1 / shape); } }'],
    ['a seed that is absent in a branch', 'if (this.seed !== undefined) x = next(this.seed); else x = Math.random();'],
    ['a generator in place of the global one', 'function start(seed) { Math.random = () => next(seed); }'],
    ['the index of a weight', 'const weightIndex = Math.random() * weights.length;'],
    ['a seed where there is none', 'class R { constructor(seed) { if (seed == null) seed = Date.now(); } }'],
    [
      'a branch without a seed',
      'function shuffle(a, rng, seed) { return seed !== undefined ? rng() : Math.random(); }',
    ],
    ['a new seed after a request that had one', 'if (request.seed !== undefined) pipeline.setSeed(Date.now());'],
    ['the share of a task', 'function plan(tasks) { return tasks.map((task) => ({ task, weight: Math.random() })); }'],
    ['a network by its throughput', 'function status() { return { network_throughput: Math.random() * 10 }; }'],
    [
      'one of two networks',
      'function pickParent(a, b) { const network = Math.random() >= 0.5 ? a : b; return network; }',
    ],
    ['a benchmark', 'function benchmarkMatrix() { const matrix = [Math.random() - 0.5]; return matrix; }'],
    [
      'a name of another scope',
      'function f() { const { random } = Math; return random; }\nfunction initWeights(random) { return random(); }',
    ],
    ['a seeded stream', 'function initWeights(rng) { return [rng.next()]; }'],
    ['an identifier', 'function trainRun() { const id = Math.random().toString(36).slice(2); return id; }'],
    ['a jitter', 'async function retry(f) { const jitter = Math.random() * 100; await sleep(jitter); }'],
    ['a colour', 'function randomColor() { return `hsl(${Math.random() * 360}, 50%, 50%)`; }'],
    ['a key', 'function newKey() { return crypto.getRandomValues(new Uint8Array(32)); }'],
    ['a salt', 'const salt = randomBytes(16); const s = crypto.randomBytes(8);'],
    ['a clock', 'function trainStep() { const started = Date.now(); work(); return Date.now() - started; }'],
    ['a date in a record', 'const entry = { createdAt: new Date(), loss };'],
    ['a seed from the config', 'const seed = config.seed; const rng = mulberry32(seed);'],
    ['a date in a name', 'const name = `seed-${kind}`; const at = new Date(2020, 1, 1);'],
    [
      'a default generator, where no seed was given',
      'const shared = seedrandom(Date.now());\nconst make = (seed) => (seed === null ? shared : seedrandom(seed));',
    ],
    ['a seed that was not given', 'function setSeed(val) { seed = (val == null ? Math.random() * m : val) >>> 0; }'],
    [
      'a shuffle for anyone that draws through a helper',
      'const randomInt = (n) => Math.floor(Math.random() * n);\nfunction knuthShuffle(a) { const j = randomInt(a.length); return j; }',
    ],
    ['a warm-up', 'class Model { init() { const warmNoise = fill(9, () => Math.random()); this.run(warmNoise); } }'],
    [
      'a time that a function of random things takes',
      'const start = Date.now(); wave.random(start); log(rng(1), start);',
    ],
    [
      'a maker of seeds',
      'function generateUniqueSeeds(n) { const seed = Date.now(); const rng = xoroshiro(seed); return fill(n, rng); }',
    ],
    ['a picture', 'class ParticleEmitter { reset() { this.seed = Math.random(); } }'],
    [
      'an alias that a seed replaces',
      'let rng = Math.random;\nfunction seedRandom(s) { rng = seeded(s); }\nfunction initWeights(w) { w[0] = rng(); }',
    ],
    ['a game', 'function moveEnemy(e) { e.x += Math.random(); }'],
    ['another random', 'function shuffle(xs, random) { return random.random(); }'],
  ])('%s', async (_name, text) => {
    expect(await pointedAt(rule, text)).toEqual([]);
  });
});

describe('unseeded-randomness', () => {
  it('says that a metric is made up', async () => {
    const text = 'function train(n) { const loss = Math.exp(-n) + Math.random() * 0.1; return loss; }';
    const { findings } = await scanCode({ 'a.js': text }, { rules: [rule] });
    expect(findings.map(({ diagnostic }) => diagnostic.message)).toEqual([
      '`loss` contains a random number: it is not a measurement',
    ]);
  });
});

describe('a shuffle for anyone', () => {
  const shuffle = 'export function shuffle(a) { const j = Math.floor(Math.random() * a.length); return j; }';
  const foundIn = async (files: Readonly<Record<string, string>>): Promise<number> =>
    (await scanCode(files, { rules: [rule] })).findings.length;

  it('is found where a file that names it trains', async () => {
    const trains = "import { shuffle } from './a.js';\nexport const order = (trainingSet) => shuffle(trainingSet);";
    expect(await foundIn({ 'a.js': shuffle, 'b.js': trains })).toBe(1);
  });

  it('is left alone where a comment of who names it speaks of data', async () => {
    const serves =
      "import { shuffle } from './a.js';\n// Most browsers of our dataset send these.\nexport const order = (h) => shuffle(h);";
    expect(await foundIn({ 'a.js': shuffle, 'b.js': serves })).toBe(0);
    expect(await foundIn({ 'a.js': shuffle, 'b.js': serves.replaceAll('(h)', '(dataset)') })).toBe(1);
  });

  it('is left alone where only others train', async () => {
    const deals = "import { shuffle } from './a.js';\nexport const deal = (cards) => shuffle(cards);";
    expect(await foundIn({ 'a.js': shuffle, 'b.js': deals, 'c.js': 'for (let e = 0; e < epochs; e++) fit();' })).toBe(
      0,
    );
  });
});

describe('draws of a project that replaces Math.random by a seeded generator', () => {
  const draws = 'export function initWeights(w) { w[0] = Math.random() - 0.5; }';
  it.each([
    ['by a function', 'export const setSeed = (s) => { Math.random = () => next(s); };', 0],
    [
      'by a package',
      "import seedrandom from 'seedrandom'; export const setSeed = (s) => { Math.random = seedrandom(s); };",
      0,
    ],
    ['not at all', 'export const isPlain = (f) => Math.random === f(1) || Math.random == f(2);', 1],
  ])('%s', async (_name, text, expected) => {
    const { findings } = await scanCode({ 'src/a.js': draws, 'src/seed.js': text }, { rules: [rule] });
    expect(findings.filter(({ diagnostic: { span } }) => span?.source.path === 'src/a.js')).toHaveLength(expected);
  });
});

describe('a genetic operator that only its file is named after', () => {
  const text =
    'export function uniform(one, two) { const share = Math.random(); return mix(one.genes, two.genes, share); }';
  it.each([
    ['ga/crossover.js', text, 1],
    ['ga/two-point-crossover.ts', text, 1],
    ['ga/blend.js', text, 0],
    ['railway/crossover.js', text.replaceAll('genes', 'rails'), 0],
  ])('%s', async (path, code, expected) => {
    expect((await scanCode({ [path]: code }, { rules: [rule] })).findings).toHaveLength(expected);
  });
});

describe('unseeded-randomness counts', () => {
  it('the draws of one function as one finding', async () => {
    const text = 'function randn() { const u = Math.random(); const v = Math.random(); return f(u, v); }';
    const { findings } = await scanCode({ 'a.js': text }, { rules: [rule] });
    expect(findings.map(({ diagnostic }) => diagnostic.message)).toEqual([
      '`Math.random` draws numbers that no seed decides (in `randn`); and at 1 more place in the same function',
    ]);
  });

  it('what a comment leaves of them', async () => {
    const text =
      'function randn() {\n  // pv-scan-ignore unseeded-randomness: a picture\n  const u = Math.random();\n  return u + Math.random();\n}';
    const { findings, counts } = await scanCode({ 'a.ts': text }, { rules: [rule] });
    expect([findings.map(({ diagnostic }) => diagnostic.span?.range.start), counts.suppressed]).toEqual([
      [text.lastIndexOf('Math.random')],
      1,
    ]);
  });
});
