/** A slip in a key that pv reads is reported; a key of the author's own is never taken for one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSlipOf } from '../../../src/base/text.ts';
import { readContract } from '../../../src/contract/read.ts';
import { knownKeys } from '../../../src/contract/schema/validate.generated.ts';

const parts = {
  metadata: ['version: "1.0.0"', 'description: Doubles a vector'],
  equation: ['formula: "D(x) = 2·x"', 'domain: "x ∈ F32"'],
  obligation: ['type: invariant', 'property: p', 'formal: "D(x) ≈ 2·x"'],
  falsificationTest: ['id: F-1', 'prediction: "D(x) = x + x"'],
} as const;
type Kind = keyof typeof parts | 'contract';

/** A contract with `line` in its mapping of `kind`, which lacks the key `without`. */
function contractWith(kind: Kind, line: string, without: string = ''): string {
  const lines = (one: keyof typeof parts): string =>
    [...parts[one].filter((part) => !part.startsWith(`${without}:`)), ...(kind === one ? [line] : [])].join(', ');
  const sections = [
    `metadata: { ${lines('metadata')} }`,
    `equations: { double: { ${lines('equation')} } }`,
    `proof_obligations: [{ ${lines('obligation')} }]`,
    `falsification_tests: [{ ${lines('falsificationTest')} }]`,
  ].filter((section) => !section.startsWith(`${without}:`));
  return [...sections, ...(kind === 'contract' ? [line] : [])].join('\n');
}

function findings(text: string): readonly string[] {
  return readContract({ path: 'x.yaml', text }).diagnostics.map(({ code, message }) => `${code} ${message}`);
}

describe('a custom key', () => {
  const words =
    'author crate date state tags license url reviewers stage repo owner team authors coauthor update create issue link role text form normal main variants variant note severity priority category labels round score format scale real names source target lead code mode level git hash commit module model'.split(
      ' ',
    );
  const values = ['"2026-02-18"', 'softmax', '[a, b]', 'true', '3', '{ a: b }'];
  const kinds: readonly Kind[] = ['contract', 'metadata', 'equation', 'obligation', 'falsificationTest'];

  it.each(kinds)('is only listed as not interpreted in %s', (kind) => {
    const own = words.filter((word) => !(knownKeys[kind] ?? []).includes(word));
    const taken = own.flatMap((word) =>
      values.flatMap((value) => {
        const found = findings(contractWith(kind, `${word}: ${value}`));
        return found.length === 1 && found[0]?.startsWith('PV-2006') ? [] : [`${word}: ${value}`, ...found];
      }),
    );
    expect(taken).toEqual([]);
  });

  it('is not a misspelling of a key whose value has another kind', () => {
    expect(findings(contractWith('obligation', 'required: true'))).toEqual([
      expect.stringMatching(/^PV-2006 .*required/),
    ]);
  });
});

describe('a typing mistake in a key that pv reads', () => {
  it.each([
    ['contract', 'equatoins', '{ triple: { formula: "T(x) = 3·x" } }', 'equations'],
    ['contract', 'proof_obligation', '[]', 'proof_obligations'],
    ['contract', 'falsifcation_test', '[]', 'falsification_tests'],
    ['metadata', 'descripton', 'd', 'description'],
    ['metadata', 'depend_on', '[softmax-kernel-v1]', 'depends_on'],
    ['metadata', 'refrences', '["Euclid"]', 'references'],
    ['equation', 'formla', '"D(x) = 2·x"', 'formula'],
    ['equation', 'doman', '"x ∈ F32"', 'domain'],
    ['equation', 'invariant', '"D(x) = x + x"', 'invariants'],
    ['equation', 'codomian', '"D(x) ∈ F32"', 'codomain'],
    ['obligation', 'toleranse', '{ ulp: 1 }', 'tolerance'],
    ['obligation', 'tolarence', '1e-6', 'tolerance'],
    ['obligation', 'fromal', '"D(x) = 2·x"', 'formal'],
    ['obligation', 'tpye', 'invariant', 'type'],
    ['obligation', 'aplies_to', 'double', 'applies_to'],
    ['falsificationTest', 'predicton', '"D(x) = 2·x"', 'prediction'],
    ['falsificationTest', 'givn', '"x ∈ {1}"', 'given'],
  ] as const)('in %s: %s: %s', (kind, written, value, meant) => {
    expect(findings(contractWith(kind, `${written}: ${value}`, meant))).toEqual([
      `PV-2003 There is no key '${written}' here; it is read as '${meant}'`,
    ]);
  });
});

describe('isSlipOf', () => {
  const words = fc.constantFrom('formula', 'tolerance', 'equations', 'prediction', 'type', 'rule');
  const letter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz');

  it('finds every single mistake after the first letter, and never the word itself', () => {
    fc.assert(
      fc.property(words, letter, fc.nat(), (word, other, place) => {
        const at = 1 + (place % (word.length - 1));
        const [before, after] = [word.slice(0, at), word.slice(at)];
        const swapped = `${word.slice(0, at - 1)}${word[at]}${word[at - 1]}${word.slice(at + 1)}`;
        const slips = [before + other + after, before + after.slice(1), swapped];
        if (word.length > 4) slips.push(before + other + after.slice(1));
        expect(slips.filter((slip) => slip !== word && !isSlipOf(slip, word))).toEqual([]);
        expect(isSlipOf(word, word)).toBe(false);
      }),
    );
  });
});
