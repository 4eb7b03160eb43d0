/** Holds src/audit/adopt/unread-conditions.ts. */
import { describe, expect, it } from 'vitest';
import { adopted, saidOf, saidOfEach } from './adopted.ts';

interface Parts {
  /** Lines of the obligation. */
  readonly claim?: string;
  /** Lines of the equation. */
  readonly equation?: string;
  /** Lines of the file. */
  readonly file?: string;
  readonly type?: string;
  readonly property?: string;
  readonly formal?: string;
}

/** The square with a claim that small numbers break. */
const said = async ({ claim = '', equation = '', file = '', type = 'invariant', property = 'p', ...parts }: Parts) => {
  const formal = parts.formal ?? 'f(x) ≥ x';
  const text = [
    'metadata: { version: "1.0.0", description: Squares }',
    ...(file === '' ? [] : [file]),
    'equations:',
    '  f:',
    '    formula: "f(x) = x²"',
    '    domain: "x ∈ ℝ"',
    ...(equation === '' ? [] : [`    ${equation}`]),
    'proof_obligations:',
    `  - { id: C-1, type: ${type}, property: ${JSON.stringify(property)}, formal: ${JSON.stringify(formal)}${claim === '' ? '' : `, ${claim}`} }`,
    '',
  ].join('\n');
  return saidOf(await adopted({ 'squares-v1': text }), 'C-1');
};

describe('a claim with a condition where pv reads none is not false', () => {
  it.each([
    'when: "x ≥ 1"',
    'if: "x ≥ 1"',
    'condition: large inputs',
    'assumptions: ["x ≥ 1"]',
    'preconditions: ["x ≥ 1"]',
    'given: "x ≥ 1"',
    'where: "x ≥ 1"',
    'scope: "1 ≤ x"',
    'valid_for: integers',
    'for_all: "x ∈ ℤ"',
    'variables: { x: int }',
    'inputs: [{ name: x, type: int }]',
    'bounds: { x: [1, 10] }',
    'note: only for large numbers',
    'dtype: uint8',
    'expected: fail',
    'negated: true',
    'applies_to: "x ≥ 1"',
    'statement: for integers',
    'requires: { x: ">= 1" }',
    'requires: [{ x: ">= 1" }]',
    'applies_to: large inputs',
  ])('beside the claim: %s', async (claim) => {
    expect(await said({ claim })).toMatchObject({ word: 'not-run', asRead: 'broken' });
  });

  it.each([
    'assumptions: ["x ≥ 1"]',
    'constraints: ["x >= 1"]',
    'parameters: { x: float >= 1 }',
    'symbols: { x: a natural number }',
    'notes: only valid for x ≥ 1',
    'description: The square. Callers guarantee x ≥ 1.',
    'preconditions: [the argument is a positive integer]',
    'preconditions: { x: ">= 1" }',
    'preconditions: [{ formal: "x >= 1" }]',
    'assumes: { range: "x ≥ 1" }',
  ])('beside the equation: %s', async (equation) => {
    expect(await said({ equation })).toMatchObject({ word: 'not-run', asRead: 'broken' });
  });

  it.each(['assumptions: ["x ≥ 1"]', 'variables: { x: natural number }', 'scope: integers only'])(
    'for the whole file: %s',
    async (file) => {
      expect(await said({ file })).toMatchObject({ word: 'not-run', asRead: 'broken' });
    },
  );

  it('in its type or in the words of its property', async () => {
    const open = { word: 'not-run', asRead: 'broken' };
    expect(await said({ type: 'existence', formal: 'f(x) = 4' })).toMatchObject(open);
    expect(await said({ type: 'probabilistic', formal: 'f(x) > 0' })).toMatchObject(open);
    expect(await said({ property: 'The square grows for |x| ≥ 1' })).toMatchObject(open);
    expect(await said({ property: 'Integers: the square is not below' })).toMatchObject(open);
  });

  it.each(['invariant', 'non_negativity', 'antisymmetry', 'nonexpansive', 'bound'])(
    'but not in a type that is about all inputs: %s',
    async (type) => {
      expect(await said({ type })).toMatchObject({ word: 'false' });
    },
  );

  it('and the reason names it', async () => {
    const { reason } = await said({ claim: 'when: "x ≥ 1"' });
    expect(reason).toBe("its condition under 'when' is not read; as it is read it is false");
    const { reason: words } = await said({ equation: 'preconditions: [the argument is a positive integer]' });
    expect(words).toMatch(/^the precondition .* is prose; as it is read it is false/u);
  });
});

describe('what is no condition leaves a claim false', () => {
  it.each([
    'owner: ada',
    'tags: [squares, 2]',
    'condition: all inputs',
    'units: { x: m }',
    'latex: "f(x) = x^2"',
    'variables: { x: the argument }',
    'status: open',
    'rationale: squares grow',
    'applies_to: f',
  ])('beside the claim: %s', async (claim) => {
    expect(await said({ claim })).toMatchObject({ word: 'false' });
  });

  it.each(['description: The square of a number', 'preconditions: [all inputs are finite]', 'author: ada'])(
    'beside the equation: %s',
    async (equation) => {
      expect(await said({ equation })).toMatchObject({ word: 'false' });
    },
  );

  it.each(['domain: statistics', 'scope: kernels', 'constants: { c: "≥ 1" }', 'assumptions: ["y ≥ 1"]'])(
    'for the whole file: %s',
    async (file) => {
      expect(await said({ file })).toMatchObject({ word: 'false' });
    },
  );

  it('nor does another spelling of a key, which is read', async () => {
    expect(await said({ equation: 'precondition: ["x ≥ -1"]' })).toMatchObject({ word: 'false' });
    expect(await said({ equation: 'precondition: ["x ≥ 1"]' })).toMatchObject({ word: 'held' });
  });

  it('in its property', async () => {
    expect(await said({ property: 'The square is not below for any input' })).toMatchObject({ word: 'false' });
    // The claim has the condition itself.
    const formal = '|x| ≥ 1 ⟹ f(x) ≥ 2·x';
    expect(await said({ property: 'The square grows for |x| ≥ 1', formal })).toMatchObject({ word: 'false' });
  });

  it('nor does it keep what holds from holding', async () => {
    expect(await said({ claim: 'when: "x ≥ 1"', formal: 'f(x) ≥ 0' })).toMatchObject({ word: 'held' });
  });
});

it.each(['rule: for integers the square is not below', 'test: "random x in 1..100"', 'description: integers'])(
  'words of a test may restrict it, too: %s',
  async (words) => {
    const text = [
      'metadata: { version: "1.0.0", description: Squares }',
      'equations: { f: { formula: "f(x) = x²", domain: "x ∈ ℝ" } }',
      'falsification_tests:',
      `  - { id: T-1, prediction: "f(x) ≥ x", ${words} }`,
      '',
    ].join('\n');
    expect(saidOf(await adopted({ 'f-v1': text }), 'T-1')).toMatchObject({ word: 'not-run', asRead: 'broken' });
  },
);

it('claims with such conditions are not compared with each other', async () => {
  const claims = ['f(x) > 1, when: "x > 1"', 'f(x) < 1, when: "x < 1"'].map((claim, i) => {
    const [formal = '', when = ''] = claim.split(', when: ');
    return `  - { id: C-${i + 1}, type: bound, property: p, formal: "${formal}", when: ${when} }`;
  });
  const text = [
    'metadata: { version: "1.0.0", description: Squares }',
    'equations: { f: { formula: "f(x) = x", domain: "x ∈ ℝ" } }',
    'proof_obligations:',
    ...claims,
    '',
  ].join('\n');
  const { judged } = await adopted({ 'f-v1': text });
  expect(judged.map(({ word }) => word)).not.toContain('contradicts');
});

it('a bracket at the start, a title and a membership at the end may restrict a claim, too', async () => {
  const claims = ['[x ≥ 1] f(x) ≥ x', 'Integers: f(x) ≥ x', 'f(x) ≥ x, x ∈ ℤ'];
  const words = (await saidOfEach('f(x) = x²', 'x ∈ ℝ', claims)).map(({ word }) => word);
  expect(words).toEqual(['not-run', 'prose', 'not-run']);
  const product = await saidOfEach('f(x) = x²', 'x ∈ ℝ', ['[x ≥ 1]·f(x) ≥ x']);
  expect(product).toMatchObject([{ word: 'false' }]);
});
