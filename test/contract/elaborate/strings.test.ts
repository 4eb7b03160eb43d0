/**
 * Strings, sequences and functions that are only declared, from the text of a contract to goals.
 *
 * Holds src/contract/elaborate/operators/sequences.ts, src/contract/elaborate/domains/string-bounds.ts, src/math/term/sequences.ts.
 */
import { describe, expect, it } from 'vitest';
import { isDeclaredOnly, type Goal, type NotGoal } from '../../../src/contract/goal.ts';
import { elaborateEquationFromText } from '../../../src/contract/elaborate/equations/from-text.ts';
import type { CaseValue } from '../../../src/math/compile/compiled.ts';
import { loadGoal } from '../../../src/math/compile/load.ts';
import { typeText } from '../../../src/math/term/types.ts';
import { emptyOutcome } from '../../../src/runtime/check-case.ts';
import { elaborated, model } from './support.ts';

const equations = `
encode:
  formula: "encode: String → ℤ*"
  domain: "s ∈ String, |s| ≤ 32"
decode:
  formula: "decode: ℤ^n → String"
  domain: "ids ∈ ℤ^n, n ≤ 8"`;

function claim(formal: string, requires = ''): Goal | NotGoal {
  const contract = elaborated({
    equations,
    obligations: `- { id: C, type: invariant, property: p, formal: '${formal}'${requires} }`,
  });
  const found = contract.goals[0] ?? contract.notGoals[0];
  if (!found) throw new Error('there is a claim');
  return found;
}

/** Whether the claim holds of these inputs and outputs. */
async function holds(formal: string, values: readonly CaseValue[], outputs: readonly CaseValue[]): Promise<boolean> {
  const goal = claim(formal);
  if ('reason' in goal) throw new Error(goal.reason);
  return (await loadGoal(goal)).check([], values, outputs, emptyOutcome().report);
}

describe('a function that is only declared', () => {
  it('has the inputs of its domain and a result of any length', () => {
    const encode = model('encode: String → ℤ*', 's ∈ String, |s| ≤ 32');
    expect(isDeclaredOnly(encode)).toBe(true);
    expect([encode.symbol, typeText(encode.result)]).toEqual(['encode', 'ℤ^{*}']);
    expect(typeText(model('encode: String → ℤ^m', 's ∈ String').result)).toBe('ℤ^{*}');
    expect(typeText(model('f: ℤ^n × ℤ → ℤ^n', 'x ∈ ℤ^n, k ∈ ℤ, n ≤ 8').result)).toBe('ℤ^n');
  });

  it.each([
    ['encode: String → ℤ*', 'ids ∈ ℤ^n, n ≤ 8', 'PV-4009'],
    ['encode: String → ℤ*', 's ∈ String, t ∈ String', 'PV-4008'],
    ['encode: String → Tokens', 's ∈ String', 'PV-4002'],
    ['split: String → String*', 's ∈ String', 'PV-4020'],
  ])('%s over %s is %s', (formula, domain, code) => {
    expect(elaborateEquationFromText({ formula, domain }).problem?.code).toBe(code);
  });

  it('can be computed nowhere but by its kernel', () => {
    expect(claim('encode(s) = encode_ref(s)')).toMatchObject({
      status: 'undetermined',
      reason: 'encode is only declared: there is no formula to compute it with',
    });
  });
});

describe('claims about strings and sequences', () => {
  it.each([
    ['decode(encode(s)) = s', ['é a'], [Int32Array.of(1, 2), 'é a'], true],
    ['decode(encode(s)) = s', ['é a'], [Int32Array.of(1, 2), 'éa'], false],
    ['|encode(s)| ≤ |utf8(s)|', ['é'], [Int32Array.of(1, 2)], true],
    ['|encode(s)| ≤ |s|', ['é'], [Int32Array.of(1, 2)], false],
    ['len(encode(s)) = |s|', ['a😀'], [Int32Array.of(1, 2)], true],
    ['∀ i: 0 ≤ encode(s)_i ∧ encode(s)_i < 5', ['a'], [Int32Array.of(4, 0)], true],
    ['∀ i: 0 ≤ encode(s)_i ∧ encode(s)_i < 5', ['a'], [Int32Array.of(4, 5)], false],
    ['encode(s) = utf8(s)', ['é'], [Int32Array.of(0xc3, 0xa9)], true],
    ['encode(s) = utf8(s)', ['é'], [Int32Array.of(0xc3)], false],
    ['encode(s) = utf8(s)', ['é'], [Int32Array.of(0xc3, 0xa9, 0)], false],
    ['encode(s) ≠ utf8(s)', ['é'], [Int32Array.of(0xc3)], true],
    ['encode(s) = code_points(s)', ['a😀'], [Int32Array.of(97, 0x1f600)], true],
    ['encode(s) = [1, 2]', ['a'], [Int32Array.of(1, 2)], true],
    ['encode(s) = [1, 2]', ['a'], [Int32Array.of(1, 2, 3)], false],
    ['Σ_i encode(s)_i = |s|', ['abc'], [Int32Array.of(1, 2)], true],
    ['decode(encode(s) ++ utf8(s)) = s ++ "!"', ['a'], [Int32Array.of(1), 'a!'], true],
    ['decode(encode(s)) ∈ {"a", "b"}', ['x'], [Int32Array.of(1), 'b'], true],
    ['decode(encode(s)) ∈ {"a", "b"}', ['x'], [Int32Array.of(1), 'c'], false],
  ] as const)('%s of %j', async (formal, values, outputs, expected) => {
    expect(await holds(formal, [...values], [...outputs])).toBe(expected);
  });

  it('give a kernel what another gave, with its length', async () => {
    const goal = claim('decode(encode(s) ++ utf8(s)) = s');
    if ('reason' in goal) throw new Error(goal.reason);
    const [, second] = (await loadGoal(goal)).applications;
    expect(second?.arguments([], ['é'], [Int32Array.of(7)])).toEqual([Int32Array.of(7, 0xc3, 0xa9)]);
    expect(second?.sizes([], ['é'], [Int32Array.of(7)])).toEqual([3]);
  });

  it('report both strings if an equality fails', async () => {
    const goal = claim('decode(encode(s)) = s');
    if ('reason' in goal) throw new Error(goal.reason);
    const { report } = emptyOutcome();
    (await loadGoal(goal)).check([], ['a b'], [Int32Array.of(1), 'ab'], report);
    expect(report).toMatchObject({ left: 'ab', right: 'a b' });
  });
});

describe('domains of strings', () => {
  it('are bounded by length and alphabet, and filter nothing', () => {
    const { domain } = model('f: String → ℤ', 's ∈ String, 1 ≤ |s| ≤ 32, s_i ∈ {"a", …, "c"}');
    expect(domain.variables).toMatchObject([
      { lower: { value: { value: '1' } }, upper: { value: { value: '32' } }, alphabet: ['a', 'b', 'c'] },
    ]);
    expect(domain.preconditions).toEqual([]);
  });

  it('keep what cannot be built as a precondition', () => {
    expect(model('f: String → ℤ', 's ∈ String, s ≠ ""').domain.preconditions).toHaveLength(1);
  });

  it('have sequences of any length, the empty one too', () => {
    const { domain, sizes } = model('decode: ℤ* → String', 'ids ∈ ℤ*, |ids| ≤ 9, 0 ≤ ids_i < 256');
    expect([sizes, domain.sizes]).toMatchObject([['|ids|'], [{ minimum: 0, maximum: 9 }]]);
  });

  it('list strings as given inputs, inside the domain', () => {
    const given = (text: string) =>
      elaborated({
        equations,
        tests: `- { id: T, prediction: "decode(encode(s)) = s", given: 's ∈ ${text}' }`,
      });
    expect(given('{"", "a" ++ "b"}').goals[0]?.given).toEqual([
      { sizes: [], values: [''] },
      { sizes: [], values: ['ab'] },
    ]);
    expect(given('{1}').notGoals[0]?.reason).toBe('s is a string');
    expect(given(`{"${'x'.repeat(33)}"}`).notGoals[0]?.reason).toContain('s does not allow');
  });
});
