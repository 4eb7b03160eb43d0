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
    'unbounded vectors': 'sha256:d9d398a6f144efc5df8a5f7ed9fd325f7a780eab99caa00f4edf93ca8b4c7e03',
    'bounded vectors, two alike': 'sha256:2f8278db66dbd8c8f36e96fc55e445cfc81af7a0e58b8af3e0a16a53f07fc2d8',
    'matrices, sizes with multiples and definitions':
      'sha256:c341f8e2a0c2997738d962641d91aff3b3c8b6692e7a0118c93d0ece93d22175',
    'sizes that a precondition narrows': 'sha256:905bce14f84db6c2bbf933686933781c5a4eded2a874792e6cd2e7bc052c6f0a',
    'scalars, bounds in terms of others': 'sha256:417c259977ddd038c4ac3fa1b03b3ca0d515b7a94caaade6a6cf4e3adea90105',
    'other formats': 'sha256:1ffd3a65a56947dd5bba3c30dcef6c7769608f566268e9f80dd44d5a8748c819',
    'NaN and infinities': 'sha256:68fbe5c315bcab6cdbf6f443a40a412968b6e9b797ca73eb86834ed89dafb538',
    'excluded values': 'sha256:4add98abadd66bdc38ddf6e94bdf088e442ce9e9fd4a5f89a27208693aa14fa4',
    'integers and truth values': 'sha256:a05613b554e595485ca10f3b924fd45836042c2acbb1667310316418fbe9a715',
    choices: 'sha256:9bb122a36ad23d516df1135596a724b5899840b33be4abf0b8ac17e92fb78425',
    simplex: 'sha256:3b6909a14116cbe9a2435e02f74aa093ca6c00ea63a0625ecf16cfb3a2a2ad42',
    increasing: 'sha256:554033d4c56ce55f06bcfc4a665077e00dee768ff5bfec24c332cf86c16ce83c',
    'sequences of run-time length': 'sha256:45f7d1fab4cbbc2e946ffc649d8d6cfb40d8981038359fcf205f687f7a6d7a61',
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
