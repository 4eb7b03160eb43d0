/** What rests on an input (`dependence.ts`), what inputs come to (`gather.ts`, `gathered.ts`), and what may be kept when one changes (`known.ts`). */
import { describe, expect, it } from 'vitest';
import { mentionsAny, namesOf, restingOn } from '../../../src/data/judge/dependence.ts';
import { gatherInputs, truthIn } from '../../../src/data/judge/gather.ts';
import { bindInputs } from '../../../src/data/judge/inputs.ts';
import { knownOf, under, withValue } from '../../../src/data/judge/known.ts';
import { claims, modelOf } from './claims.ts';
import { config } from './data-sets.ts';

const contract = claims(
  'config',
  'a ∈ ℝ, b ∈ ℝ, c ∈ ℝ, d ∈ ℝ',
  ['a + b + c + d ≤ 100'],
  ['b: { default: a + 1 }', 'c: { default: b + 1 }', 'd: { default: 7 }'],
);
const model = modelOf(contract);
const [goal] = contract.dataGoals;
if (!goal) throw new Error('there is a claim');
const bound = bindInputs(contract.contract, model, [config({ a: 1 })], new Map());
const changed = withValue(model, bound, 'a', { kind: 'scalar', value: 5, written: null });

it('an input rests on those that its default names, directly or through others', () => {
  expect([...restingOn(model, 'a')]).toEqual(['a', 'b', 'c']);
  expect([...restingOn(model, 'b')]).toEqual(['b', 'c']);
  expect([...restingOn(model, 'd')]).toEqual(['d']);
  expect([...namesOf(goal.predicate)].toSorted()).toEqual(['a', 'b', 'c', 'd']);
  expect(mentionsAny(goal.predicate, new Set(['x', 'd']))).toBe(true);
  expect(mentionsAny(goal.predicate, new Set(['x']))).toBe(false);
});

describe('with another value of an input', () => {
  it('what rests on it is another, what does not is shared', () => {
    const valuesOf = (inputs: typeof bound) =>
      Object.fromEntries(gatherInputs(model, inputs, [goal.predicate]).scalars);
    expect(valuesOf(bound)).toEqual({ a: 1, b: 2, c: 3, d: 7 });
    expect(valuesOf(changed)).toEqual({ a: 5, b: 6, c: 7, d: 7 });
    expect(valuesOf(bound)).toEqual({ a: 1, b: 2, c: 3, d: 7 });
    expect(knownOf(changed, ['d'])).toBe(knownOf(bound, ['d']));
    expect(knownOf(changed, ['c', 'd'])).not.toBe(knownOf(bound, ['c', 'd']));
    expect(knownOf(changed, ['a'])).toBe(knownOf(changed, ['b']));
  });

  it('conditions may turn out otherwise', () => {
    const stated = claims('config', 'a ∈ ℝ, b ∈ ℝ', ['a > 2 ⟹ b ≤ 1']);
    const own = modelOf(stated);
    const [only] = stated.dataGoals;
    const [premise] = only?.predicate.kind === 'call' ? only.predicate.arguments : [];
    if (!premise) throw new Error('it has a premise');
    const given = bindInputs(stated.contract, own, [config({ a: 1 })], new Map());
    expect(truthIn(own, given)(premise)).toBe(false);
    expect(truthIn(own, withValue(own, given, 'a', { kind: 'scalar', value: 3, written: null }))(premise)).toBe(true);
    expect(truthIn(own, bindInputs(stated.contract, own, [], new Map()))(premise)).toBeNull();
  });
});

it('maps are made when they are first requested', () => {
  const maps = new Map<string, Map<string, number>>();
  const first = under(maps, 'a');
  expect(under(maps, 'a')).toBe(first);
  expect(under(maps, 'b')).not.toBe(first);
});
