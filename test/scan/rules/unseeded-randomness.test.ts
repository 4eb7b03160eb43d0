import { describe, expect, it } from 'vitest';
import { pointedAt } from '../../support/scan-code.ts';

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
      'function shuffle(xs) { for (let i = xs.length; i--; ) swap(xs, i, Math.floor(Math.random() * i)); }',
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
    ['the default of a shuffle', 'function shuffle(xs, random = Math.random) { return xs; }', 'Math.random'],
    ['noise in training', 'function trainStep(x) { return x + Math.random(); }', 'Math.random()'],
    ['bytes of the system', 'function randomWeights(b) { crypto.getRandomValues(b); }', 'crypto.getRandomValues(b)'],
    ['the clock as a seed', 'const seed = Date.now();', 'Date.now()'],
    ['a fallback to the clock', 'const seed = config.seed ?? Date.now();', 'Date.now()'],
    ['a generator that starts from the clock', 'const rng = mulberry32(new Date().getTime());', 'new Date()'],
    ['a seed of an option', 'train({ seed: Math.floor(performance.now()) });', 'performance.now()'],
    ['a seed that is drawn', 'const seedValue = seed ? seed : Math.random();', 'Math.random()'],
    ['another clock', 'const r = alea(seed || tf.util.now().toString());', 'tf.util.now()'],
    [
      'a shuffle by the name of its authors',
      'function fisherYates(a) { const j = Math.floor(Math.random() * a.length); return j; }',
      'Math.random()',
    ],
  ])('%s', async (_name, text, expected) => {
    expect(await pointedAt(rule, text)).toEqual([expected]);
  });
});

describe('unseeded-randomness leaves alone', () => {
  it.each([
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
    ['a game', 'function moveEnemy(e) { e.x += Math.random(); }'],
    ['another random', 'function shuffle(xs, random) { return random.random(); }'],
  ])('%s', async (_name, text) => {
    expect(await pointedAt(rule, text)).toEqual([]);
  });
});
