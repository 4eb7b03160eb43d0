/** Holds src/math/notation/roles.ts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readNotation } from '../../../src/math/notation/read.ts';
import type { FieldRole } from '../../../src/math/notation/syntax.ts';
import { proseSentences } from './prose-sentences.ts';

const roles: readonly FieldRole[] = ['proposition', 'formula', 'domain'];
const taken = (texts: readonly string[], role: FieldRole): readonly string[] =>
  texts.filter((text) => readNotation(text, role).status !== 'prose');

const words =
  'attention model loss gradient weight layer token batch norm decreases matches exceeds keeps every the of and or in is for with when all each faster larger stable exact finite shared kernel output input scalar reference value masked zero positive after before per GPU CPU Adam'.split(
    ' ',
  );
const salad = fc.array(fc.constantFrom(...words), { minLength: 2, maxLength: 10 }).map((list) => list.join(' '));

describe('prose', () => {
  it.each(roles)('at most 1 in 100 of ≥ 150 sentences pass as even partial mathematics in the role %s', (role) => {
    expect(proseSentences.length).toBeGreaterThanOrEqual(150);
    expect(
      taken(proseSentences, role).length / proseSentences.length,
      taken(proseSentences, role).join('\n'),
    ).toBeLessThanOrEqual(0.01);
  });

  it.each(roles)('at most 1 in 100 of 2,000 generated word salads pass in the role %s', (role) => {
    const texts = fc.sample(salad, { numRuns: 2000, seed: 20 });
    expect(taken(texts, role).length / texts.length, taken(texts, role).slice(0, 40).join('\n')).toBeLessThanOrEqual(
      0.01,
    );
  });
});
