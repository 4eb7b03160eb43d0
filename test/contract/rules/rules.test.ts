/**
 * Holds src/contract/decode/equation.ts, src/contract/rules.ts, src/contract/rules/claim-without-formula.ts,
 * src/contract/rules/dangling-cause.ts, src/contract/rules/dangling-equation.ts, src/contract/rules/dangling-harness.ts,
 * src/contract/rules/dangling-rule.ts, src/contract/rules/declared-result.ts, src/contract/rules/dependency-cycle.ts,
 * src/contract/rules/derived-ids.ts, src/contract/rules/duplicate-contract.ts, src/contract/rules/duplicate-id.ts,
 * src/contract/rules/false-fact.ts, src/contract/rules/kernel-without-equations.ts,
 * src/contract/rules/missing-citation.ts, src/contract/rules/missing-tolerance.ts, src/contract/rules/prose.ts,
 * src/contract/rules/references.ts, src/contract/rules/shared-id.ts, src/contract/rules/tautology.ts,
 * src/contract/rules/unconstrained-equation.ts, src/contract/rules/unitless-tolerance.ts,
 * src/contract/rules/unresolved-dependency.ts, src/contract/rules/unsatisfiable.ts,
 * src/contract/rules/untested-obligation.ts, src/contract/rules/wrong-count.ts.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contractRules, setRules } from '../../../src/contract/rules.ts';
import { expectedIn, findingOf, fixtureRoot, ruleNames, runRule } from './fixture.ts';

const fileName = (rule: string): string => `src/contract/rules/${rule}.ts`;

describe('the registry of rules', () => {
  it('has names that are unique', () => {
    expect(new Set(ruleNames).size).toBe(ruleNames.length);
  });

  it.each(ruleNames)('%s is in a file of its name and has both fixtures', (rule) => {
    expect(existsSync(fileName(rule))).toBe(true);
    expect(existsSync(join(fixtureRoot, rule, 'fails.yaml'))).toBe(true);
    expect(existsSync(join(fixtureRoot, rule, 'passes.yaml'))).toBe(true);
  });
});

describe.each([...contractRules, ...setRules].map((rule) => rule.name))('%s', (rule) => {
  it('finds what its failing fixture expects, where it expects it', () => {
    const expected = expectedIn(rule, 'fails');
    expect(expected.length).toBeGreaterThan(0);
    expect(runRule(rule, 'fails').map(findingOf)).toEqual(expected);
  });

  it('finds nothing in its passing fixture', () => {
    expect(runRule(rule, 'passes')).toEqual([]);
  });

  it('says how to fix every finding', () => {
    for (const finding of runRule(rule, 'fails')) expect(finding.hint).toMatch(/\S/);
  });
});

it.each([
  [
    'untested-obligation',
    /^no falsification test targets (?:the only obligation|any of the \d+ obligations|\d+ of \d+ obligations): /,
  ],
  ['derived-ids', /^(?:1 obligation of \d+ has no id; pv calls it|\d+ obligations of \d+ have no id; pv calls them) /],
])('%s counts obligations in a whole sentence', (rule, sentence) => {
  for (const { message } of runRule(rule, 'fails')) expect(message).toMatch(sentence);
});
