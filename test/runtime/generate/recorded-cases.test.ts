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
  2: {
    'unbounded vectors': 'sha256:48748968d68ae5b6283f8f40fc22da8cb660101336ab7be6a04f8bee3a110eab',
    'bounded vectors, two alike': 'sha256:4354407f102f66c39f2361c2709f0fdc1668e542028370c3367caadf77320e56',
    'matrices, sizes with multiples and definitions':
      'sha256:eeb368ff7ab11a67296b9949071cd40c9c41f47746e51ad52b3d686503eaa9b4',
    'sizes that a precondition narrows': 'sha256:e81b65e3f9ea81953fe9652d68afe0655f4bcaae08e6b765a8ba38d98ae32b57',
    'scalars, bounds in terms of others': 'sha256:417c259977ddd038c4ac3fa1b03b3ca0d515b7a94caaade6a6cf4e3adea90105',
    'other formats': 'sha256:33a499f126f9a4f4e1efa37eed0a1842dcf71898bf77994f45c2cee500542dd6',
    'NaN and infinities': 'sha256:d104185bed586f044231512c66ed6e94520149f83d4ce7a366d0ad3df10a1c08',
    'excluded values': 'sha256:b79c5bf4e03be359cda392a7019a852d9280c237450191c43af58b41ea987185',
    'integers and truth values': 'sha256:d6ed9eb4c184e86b38de31851c950d7ea980f126cb914b133e117d0614f04f6c',
    choices: 'sha256:75f2fbfd040661a433072efe97d336249b6d5df8e3281db23efc3c4d6ed7324e',
    simplex: 'sha256:3b6909a14116cbe9a2435e02f74aa093ca6c00ea63a0625ecf16cfb3a2a2ad42',
    increasing: 'sha256:dc269ddc15862b2cc3d759d24d2fc84befdc2bb0cb8599f4ce99c25df8239b70',
    'sequences of run-time length': 'sha256:3507eeeacb29496bce5112ebb8a37a86fe6a9f54c69902614497a44c6d23bf99',
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
