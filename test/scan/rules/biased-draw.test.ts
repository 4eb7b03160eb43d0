/** Holds src/scan/randomness/places.ts. */
import { describe, expect, it } from 'vitest';
import { pointedAt, scanCode } from '../../support/scan-code.ts';

const rule = 'biased-draw';
const loop = (head: string, drawn: string, body: string): string =>
  `function shuffle(a) { for (${head}) { const j = ${drawn}; ${body} } return a; }`;
const down = 'let i = a.length - 1; i > 0; i--';
const up = 'let i = 0; i < a.length; i++';
const swap = '[a[i], a[j]] = [a[j], a[i]];';
const through = 'const t = a[i]; a[i] = a[j]; a[j] = t;';

describe('biased-draw finds', () => {
  it.each([
    [
      'a rounded index',
      'const x = xs[Math.round(Math.random() * (xs.length - 1))];',
      'Math.round(Math.random() * (xs.length - 1))',
    ],
    [
      'a rounded index with a name',
      'const i = Math.round(Math.random() * maxId); use(xs[i]);',
      'Math.round(Math.random() * maxId)',
    ],
    [
      'a sample of a data set that is named after benchmarks',
      'class UnsafeBench { take(xs, n) { return xs.sort(() => Math.random() - 0.5).slice(0, n); } }',
      'xs.sort(() => Math.random() - 0.5)',
    ],
    ['a rounded index that is assigned', 'let i; i = Math.round(n * rng()); use(xs[i]);', 'Math.round(n * rng())'],
    [
      'a rounded index past the end',
      'use(xs[Math.round(Math.random() * xs.length)]);',
      'Math.round(Math.random() * xs.length)',
    ],
    [
      'an index that begins at -1',
      'use(xs[Math.floor(Math.random() * xs.length - 1)]);',
      'Math.floor(Math.random() * xs.length - 1)',
    ],
    [
      'an index that begins at -1, through a name',
      'const i = Math.floor(n * rng() - 1); use(xs[i]);',
      'Math.floor(n * rng() - 1)',
    ],
    ['a random comparison', 'xs.sort(() => Math.random() - 0.5);', 'xs.sort(() => Math.random() - 0.5)'],
    [
      'a random comparison that ignores its parameters',
      'xs.toSorted((a, b) => (rng() > 0.5 ? 1 : -1));',
      'xs.toSorted((a, b) => (rng() > 0.5 ? 1 : -1))',
    ],
    [
      'a random comparison, as a function',
      'xs.sort(function () { return 0.5 - Math.random(); });',
      'xs.sort(function () { return 0.5 - Math.random(); })',
    ],
    ['places before the own one', loop(down, 'Math.floor(Math.random() * i)', swap), 'Math.random() * i'],
    ['the same with a third variable', loop(up, 'Math.floor(i * rand())', through), 'i * rand()'],
    ['the same with bits', loop(down, '(rng.next() * i) | 0', swap), 'rng.next() * i'],
    ['any place', loop(up, 'Math.floor(Math.random() * a.length)', through), 'Math.random() * a.length'],
    [
      'places before the own one, outside functions',
      `for (${down}) { const j = Math.floor(Math.random() * i); ${swap} }`,
      'Math.random() * i',
    ],
    ['a remainder of a number below 1', 'const guess = Math.random() % 10;', 'Math.random() % 10'],
    ['an index that is always below 1', 'use(xs[(Math.random()) % xs.length]);', '(Math.random()) % xs.length'],
    [
      'places before the own one, through a helper',
      `const randomInt = (max) => Math.floor(Math.random() * max);\n${loop(down, 'randomInt(i)', swap)}`,
      'randomInt(i)',
    ],
    [
      'any place, through a helper with two bounds',
      `function between(low, high) { return low + Math.floor(Math.random() * (high - low)); }\n${loop(up, 'between(0, a.length)', swap)}`,
      'between(0, a.length)',
    ],
    ['any place, by parseInt', loop('let i = 0; i < n; ++i', 'parseInt(Math.random() * n)', swap), 'Math.random() * n'],
  ])('%s', async (_name, text, expected) => {
    expect(await pointedAt(rule, text)).toEqual([expected]);
  });

  it('an index that may be past the end, and says so', async () => {
    const { findings } = await scanCode(
      { 'a.ts': 'use(xs[Math.round(Math.random() * xs.length)]);' },
      { rules: [rule] },
    );
    expect(findings.map(({ diagnostic: { message, hint } }) => [message, hint])).toEqual([
      [
        '`Math.round` may give `xs.length`, which is past the end, and gives 0 half as often as the others',
        'Math.floor(Math.random() * xs.length) gives each index equally often',
      ],
    ]);
  });

  it('a helper of another file, and says what to write', async () => {
    const shuffle = `import { randomInt } from './random';\n${loop(down, 'randomInt(i)', swap)}`;
    const helper = 'export function randomInt(max) { return Math.floor(Math.random() * max); }';
    const { findings } = await scanCode({ 'a.ts': shuffle, 'random.ts': helper }, { rules: [rule] });
    expect(findings.map(({ diagnostic: { message, hint } }) => [message, hint])).toEqual([
      [
        'no element stays in its place: `j` is drawn from the places before `i`',
        'draw from i + 1 places: randomInt(i + 1)',
      ],
    ]);
  });

  it.each([
    ['Math.random() * (n - 1)', 'Math.floor(Math.random() * n) gives each index equally often'],
    ['Math.random() * last', 'Math.floor(Math.random() * (last + 1)) gives each index equally often'],
  ])('what to write for %s', async (product, hint) => {
    const { findings } = await scanCode({ 'a.ts': `use(xs[Math.round(${product})]);` }, { rules: [rule] });
    expect(findings.map(({ diagnostic }) => diagnostic.hint)).toEqual([hint]);
  });
});

describe('biased-draw leaves alone', () => {
  it.each([
    ['a floored index', 'use(xs[Math.floor(Math.random() * xs.length)]);'],
    ['a rounded number', 'const percent = Math.round(Math.random() * max); show(percent);'],
    ['a step of -1, 0 or 1', 'use(steps[Math.floor(Math.random() * 3 - 1)]);'],
    ['a position below', 'use(xs[Math.floor(Math.random() * (xs.length - 1))]);'],
    ['a coin', 'use(xs[Math.round(Math.random())], xs[Math.round(Math.random() * 1)]);'],
    ['a rounded position', 'use(xs[Math.round(share * (xs.length - 1))]);'],
    ['a sum', 'use(xs[Math.round(Math.random() * 2 + 3)]);'],
    ['a comparison', 'xs.sort((a, b) => a - b);'],
    ['a comparison whose ties are broken by chance', 'xs.sort((a, b) => a.score - b.score || rng() - 0.5);'],
    ['drawn keys', 'xs.map((x) => [rng(), x]).sort(([a], [b]) => a - b);'],
    ['a named comparison', 'xs.sort(byChance);'],
    ['Fisher and Yates', loop(down, 'Math.floor(Math.random() * (i + 1))', swap)],
    [
      'a counter that steps first',
      'let m = a.length; while (m) { const i = Math.floor(Math.random() * m--); [a[m], a[i]] = [a[i], a[m]]; }',
    ],
    ['a step in the body', loop('let i = a.length; i > 0;', 'Math.floor(Math.random() * i)', `i--; ${swap}`)],
    ['a body that moves the counter', loop(down, 'Math.floor(rng() * i)', `i -= 1; ${swap}`)],
    [
      'the place before the counter',
      loop('let i = a.length; i > 0; i--', 'Math.floor(rng() * i)', '[a[i - 1], a[j]] = [a[j], a[i - 1]];'),
    ],
    ['a part of the places', loop('let i = 0; i < k; i++', 'i + Math.floor(rng() * (n - i))', swap)],
    [
      'some exchanges',
      loop('let k = 0; k < 10; k++', 'Math.floor(rng() * a.length)', 'const i = pick(); [a[i], a[j]] = [a[j], a[i]];'),
    ],
    ['exchanges by chance', loop(up, 'Math.floor(rng() * a.length)', `if (rng() < 0.1) { ${swap} }`)],
    ['a copy', loop(up, 'Math.floor(rng() * a.length)', 'b[i] = a[j];')],
    ['two arrays', loop(up, 'Math.floor(rng() * a.length)', 'b[i] = 1; a[j] = 2;')],
    ['Sattolo on purpose', `/** Sattolo: one cycle. */\n${loop(down, 'Math.floor(rng() * i)', swap)}`],
    ['an exchange of genes', `function mutate(a) { for (${up}) { const j = Math.floor(rng() * a.length); ${swap} } }`],
    ['an example', `function exampleShuffle(xs) { return xs.sort(() => Math.random() - 0.5); }`],
    ['a remainder of an integer', 'use(xs[random() % xs.length]); use((Math.random() * 10) % 3);'],
    [
      'a helper that includes its bound',
      `const randomInt = (max) => Math.floor(Math.random() * (max + 1));\n${loop(down, 'randomInt(i)', swap)}`,
    ],
    [
      'a helper with two bounds, both included',
      `const between = (low, high) => Math.floor(Math.random() * (high - low + 1)) + low;\n${loop(down, 'between(0, i)', swap)}`,
    ],
    [
      'a helper that draws from the places after the own one',
      `const between = (low, high) => Math.floor(Math.random() * (high - low) + low);\n${loop(up, 'between(i, a.length)', swap)}`,
    ],
    ['a helper of which nothing is known', loop(down, 'randomInt(i)', swap)],
    ['another next', loop(down, 'Math.floor(list.next() * i)', swap)],
  ])('%s', async (_name, text) => {
    expect(await pointedAt(rule, text)).toEqual([]);
  });
});
