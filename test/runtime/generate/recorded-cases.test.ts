/**
 * What the generator gives is recorded for each version of it: whoever changes the cases is told to raise the version.
 *
 * Holds src/runtime/generate/domain-plan.ts.
 */
import { expect, it } from 'vitest';
import { sha256 } from '../../../src/evidence/digest.ts';
import type { Case } from '../../../src/math/compile/compiled.ts';
import type { Domain } from '../../../src/math/domain.ts';
import { lengthName } from '../../../src/math/term/sequences.ts';
import { INTEGER, STRING } from '../../../src/math/term/term.ts';
import { recordInput } from '../../../src/runtime/case-text.ts';
import { edgeCases } from '../../../src/runtime/generate/edge-cases.ts';
import { BLOCK_SIZE, createGenerator, GENERATOR } from '../../../src/runtime/generate/generator.ts';
import { call, closed, domain, floats, input, name, numeral, open, size } from '../domains.ts';

const text = { element: STRING } as const;

/** Each way in which a case comes about, by itself. */
const domains: Readonly<Record<string, Domain>> = {
  'unbounded vectors': domain([size('n', 1, 64)], [input('x', ['n'])]),
  'bounded vectors, two alike': domain(
    [size('n', 1, 512)],
    ['x', 'y'].map((label) => input(label, ['n'], { lower: closed(-1e4), upper: closed(1e4) })),
  ),
  'matrices, sizes with multiples and definitions': domain(
    [
      size('m', 1, 16),
      size('k', 2, 32, { multipleOf: 2 }),
      size('h', 2, 64, { definition: call('multiply', numeral(2), name('k')) }),
    ],
    [input('A', ['m', 'k']), input('B', ['k', 'h'])],
  ),
  'sizes that a precondition narrows': domain(
    [size('m', 1, 16), size('n', 1, 16)],
    [input('x', ['m', 'n'])],
    [call('less', name('m'), name('n'))],
  ),
  'scalars, bounds in terms of others': domain(
    [],
    [
      input('a', [], { lower: open(0), upper: closed(10) }),
      input('b', [], { lower: closed(0), upper: { value: name('a'), open: true } }),
    ],
  ),
  'other formats': domain(
    [size('n', 1, 32)],
    (['f16', 'bf16', 'f64'] as const).map((format) => input(format, ['n'], { element: floats(format) })),
  ),
  'NaN and infinities': domain([size('n', 1, 32)], [input('x', ['n'], { nonFinite: true })]),
  'excluded values': domain([size('n', 1, 32)], [input('x', ['n'], { excluded: [numeral(0), numeral(1)] })]),
  'integers and truth values': domain(
    [size('n', 1, 32)],
    [
      input('i', ['n'], { element: INTEGER, lower: closed(0), upper: closed(1000) }),
      input('t', [], { element: { kind: 'boolean' } }),
    ],
  ),
  choices: domain([size('n', 1, 32)], [input('x', ['n'], { choices: [numeral(-1), numeral(0.5), numeral(3)] })]),
  simplex: domain(
    [size('m', 1, 8), size('n', 1, 16)],
    [input('p', ['m', 'n'], { structure: 'simplex', lower: closed(0), upper: closed(1) })],
  ),
  increasing: domain([size('n', 1, 32)], [input('x', ['n'], { structure: 'increasing' })]),
  'sequences of run-time length': domain(
    [size(lengthName('ids'), 0, 40)],
    [input('ids', [lengthName('ids')], { element: INTEGER, lower: closed(0), upper: closed(255) })],
  ),
  strings: domain([], [input('s', [], text), input('t', [], { ...text, lower: closed(2), upper: closed(9) })]),
  'strings over an alphabet, or chosen': domain(
    [],
    [
      input('s', [], { ...text, alphabet: ['a', 'ß', ' ', '😀'] }),
      input('t', [], {
        ...text,
        choices: ['', 'one', 'tŵo'].map((value) => ({ kind: 'string', value, type: STRING, origin: null })),
      }),
    ],
  ),
};

/** Of each version, never changed afterwards: a receipt of that version was made from these cases. */
const recorded: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  3: {
    'unbounded vectors': 'sha256:96762103d9c9c8eec03ecfb200604c0e01d8912d4eee4d49a9bad9708a31ca36',
    'bounded vectors, two alike': 'sha256:89dbefcbba8afc3ef58f387ccd940ddd9aee73bf9402fd3f825eacc6f7e2904c',
    'matrices, sizes with multiples and definitions':
      'sha256:77c90277d53f747cbfe2a6518bbff8cf9a8cbc01a45447ccd3b2a9f66b885d51',
    'sizes that a precondition narrows': 'sha256:6e2732bf3b4e99e23ca6fedcd5dd2a96e5792f262d22277dcb924bb3a2683214',
    'scalars, bounds in terms of others': 'sha256:417c259977ddd038c4ac3fa1b03b3ca0d515b7a94caaade6a6cf4e3adea90105',
    'other formats': 'sha256:07e0d4478598d91cfd0135ea3fdbd3ba43fbfee2756ecbd695085d45abe9eabc',
    'NaN and infinities': 'sha256:0ed42babbab9e8f6d6d5884f8212c8c94eb37010694f33579775b9fdce488219',
    'excluded values': 'sha256:122b84e671600631753d13bd4a7a0213bd1a02915dbf64775b5659c7e402e688',
    'integers and truth values': 'sha256:461668094c0b0322f117aabfb94873fd7e7e0db822e2c9941b6bc9e333ddf32a',
    choices: 'sha256:b90630811f5dfa378e8a09fee71ecd75d16f2486de89c65afb0f94001ba5dbb9',
    simplex: 'sha256:99821e253b1251a37bfea1302d77a5dbb3d7f7af5a6fa598f6e7327241199282',
    increasing: 'sha256:554033d4c56ce55f06bcfc4a665077e00dee768ff5bfec24c332cf86c16ce83c',
    'sequences of run-time length': 'sha256:5f974e7686ff2753339f31f4b2db0a556b33bbde6f85eff9e5532812e4968568',
    strings: 'sha256:48eac987b089ab514cb77362eb6f75f112e441f0429202a2afa7c35d7b54374c',
    'strings over an alphabet, or chosen': 'sha256:2c3bdc47d60f5b7c47164d447713c2f422fe51ef7a94f9ecdb4a9bec0d8de762',
  },
};

/** Some blocks of drawn cases, the first and the largest among them, and the first edge cases. */
function casesOf(inputs: Domain): readonly Case[] {
  const made = createGenerator(inputs, 20_000, 'recorded');
  if (!made.ok) throw new Error(made.error);
  const drawn = [0, 1, 2, 3, 17, 1000].flatMap((block) =>
    [0, 1, 2, 3, 40, 63].flatMap((at) => made.value.at(block * BLOCK_SIZE + at) ?? []),
  );
  expect(drawn.length).toBeGreaterThan(20);
  return [...drawn, ...edgeCases(made.value, 200)];
}

it(`the cases of version ${GENERATOR.version} are the recorded ones`, () => {
  const digests = Object.entries(domains).map(([title, inputs]) => {
    const records = casesOf(inputs).map((one) => recordInput(inputs, one));
    return [title, sha256(JSON.stringify(records))] as const;
  });
  expect(
    Object.fromEntries(digests),
    'the generator gives other cases than evidence of this version was made from: raise GENERATOR.version, and add these digests under the new one',
  ).toEqual(recorded[GENERATOR.version]);
});
