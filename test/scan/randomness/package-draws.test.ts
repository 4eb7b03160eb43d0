import { describe, expect, it } from 'vitest';
import { pointedAt } from '../../support/scan-code.ts';

const rule = 'unseeded-randomness';

describe('draws of packages are found', () => {
  it.each([
    ['a member', "import _ from 'lodash';\nconst shuffled = _.shuffle(data);", '_.shuffle(data)'],
    [
      'a namespace',
      "import * as math from 'mathjs';\nfunction initWeights(w) { w[0] = math.random(-1, 1); }",
      'math.random(-1, 1)',
    ],
    [
      'a name',
      "import { sampleSize as some } from 'lodash-es';\nfunction trainStep(xs) { return some(xs, 9); }",
      'some(xs, 9)',
    ],
    [
      'a module of a package',
      "import shuffle from 'lodash/shuffle.js';\nfunction trainEpoch(xs) { return shuffle(xs); }",
      'shuffle(xs)',
    ],
    [
      'require',
      "const mathjs = require('mathjs');\nfunction shuffle(a) { return a[mathjs.floor(mathjs.random() * 9)]; }",
      'mathjs.random()',
    ],
    [
      'a name of require',
      "const { shuffle } = require('underscore');\nfunction trainEpoch(xs) { return shuffle(xs); }",
      'shuffle(xs)',
    ],
    [
      'a package of a function',
      "const mix = require('lodash.shuffle');\nfunction trainEpoch(xs) { return mix(xs); }",
      'mix(xs)',
    ],
  ])('%s', async (_name, text, expected) => {
    expect(await pointedAt(rule, text)).toEqual([expected]);
  });
});

describe('draws of packages are left alone', () => {
  it.each([
    ['outside training', "import _ from 'lodash';\nconst card = _.sample(cards);"],
    ['of another function', "import _ from 'lodash';\nfunction trainEpoch(xs) { return _.map(xs, f); }"],
    [
      'of another package',
      "import { shuffle } from './seeded.js';\nimport { map } from 'lodash';\nfunction trainEpoch(xs) { return shuffle(map(xs)); }",
    ],
    ['of a name of another scope', "import _ from 'lodash';\nfunction trainEpoch(xs, _) { return _.shuffle(xs); }"],
    [
      'of a package that has a seed',
      "import { create, all } from 'mathjs';\nimport * as mathjs from 'mathjs';\nmathjs.config({ randomSeed: 1 });\nfunction initWeights(w) { w[0] = mathjs.random(); }",
    ],
  ])('%s', async (_name, text) => {
    expect(await pointedAt(rule, text)).toEqual([]);
  });
});
