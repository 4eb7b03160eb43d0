/**
 * Strings of a domain: drawn inside it, told from those outside, and made simpler without leaving it.
 *
 * Holds src/runtime/generate/texts.ts.
 */
import { describe, expect, it } from 'vitest';
import { integer } from '../../src/math/term/build.ts';
import type { Domain, InputVariable } from '../../src/math/domain.ts';
import { STRING } from '../../src/math/term/term.ts';
import { createGenerator } from '../../src/runtime/generate/generator.ts';
import { violation } from '../../src/runtime/generate/membership.ts';
import { shrinkCase } from '../../src/runtime/shrink/shrink-case.ts';
import { simplerTexts } from '../../src/runtime/shrink/simpler-texts.ts';

const plain: InputVariable = {
  name: 's',
  element: STRING,
  shape: [],
  lower: null,
  upper: null,
  choices: null,
  excluded: [],
  nonFinite: false,
  structure: 'none',
};
const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text);
const within = (shortest: number, longest: number): Partial<InputVariable> => ({
  lower: { value: integer(shortest), open: false },
  upper: { value: integer(longest), open: false },
});
const domainOf = (more: Partial<InputVariable>): Domain => ({
  sizes: [],
  variables: [{ ...plain, ...more }],
  preconditions: [],
});
const generatorOf = (more: Partial<InputVariable>) => {
  const created = createGenerator(domainOf(more), 1, 'texts');
  if (!created.ok) throw new Error(created.error);
  return created.value;
};
const drawn = (more: Partial<InputVariable>, count = 2000): readonly string[] => {
  const generator = generatorOf(more);
  return Array.from({ length: count }, (_, i) => String(generator.at(i)?.values[0] ?? 'none'));
};

describe('drawn strings', () => {
  it.each([[{}], [within(0, 8)], [within(3, 5)], [{ ...within(1, 6), alphabet: ['a', ' ', '😀'] }]])(
    'are in the domain %#',
    (more) => {
      const { plan } = generatorOf(more);
      for (const text of drawn(more)) expect(violation(plan, { sizes: [], values: [text] })).toBeNull();
    },
  );

  it('have every length, and characters of one to four bytes, marks and white space', () => {
    const texts = drawn(within(0, 8));
    expect(new Set(texts.map((text) => [...text].length))).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, 7, 8]));
    for (const kind of [
      /^$/,
      /[a-z]/,
      / /,
      /\n/,
      /\p{M}/u,
      /[\u0080-\u07ff]/,
      /[\u0800-\uffff]/,
      /[\u{10000}-\u{10ffff}]/u,
    ])
      expect(texts.some((text) => kind.test(text))).toBe(true);
    expect(texts.every(isWellFormed)).toBe(true);
  });

  it('do not exist if the bounds contradict each other', () => {
    expect(new Set(drawn(within(5, 4), 8))).toEqual(new Set(['none']));
  });
});

it.each([
  ['abcd', within(0, 3), 'has 4 characters, more than 3'],
  ['a', within(2, 3), 'has 1 characters, fewer than 2'],
  ['ab', { alphabet: ['a'] }, '"b" is not in its alphabet'],
  ['\ud800', {}, 'has a lone surrogate'],
])('%j is outside of its domain', (text, more, why) => {
  expect(violation(generatorOf(more).plan, { sizes: [], values: [text] })).toBe(`s: ${why}`);
});

describe('shrinking', () => {
  it('ends in a short string of plain characters', async () => {
    const { plan } = generatorOf(within(0, 32));
    const start = { sizes: [], values: ['xyz 😀 some words, é and more'] };
    const fails = ({ values }: { readonly values: readonly unknown[] }): boolean => / .* /.test(String(values[0]));
    expect((await shrinkCase({ plan, start, fails, budget: 2000 })).smallest.values).toEqual(['  ']);
  });

  it('keeps the bounds and what makes it fail', async () => {
    const { plan } = generatorOf(within(3, 32));
    const start = { sizes: [], values: ['word é word'] };
    const fails = ({ values }: { readonly values: readonly unknown[] }): boolean => String(values[0]).includes('é');
    const [text] = (await shrinkCase({ plan, start, fails, budget: 2000 })).smallest.values;
    expect([...String(text)].toSorted()).toEqual(['a', 'a', 'é']);
  });

  it('never tears a character apart', () => {
    expect([...simplerTexts('😀a😀')].every(isWellFormed)).toBe(true);
    expect([...simplerTexts('a')]).toEqual(['']);
  });
});
