/**
 * Rule fixtures: a folder per rule with fails.yaml (its first lines say what is expected), passes.yaml, and
 * companion contracts that are read with both.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readContract } from '../../../src/contract/read.ts';
import { contractRules, setRules } from '../../../src/contract/rules.ts';
import type { Contract } from '../../../src/contract/contract.ts';
import type { Diagnostic } from '../../../src/diagnostics/diagnostic.ts';
import { positionAt } from '../../../src/diagnostics/source.ts';

export const fixtureRoot = 'test/fixtures/contracts/rules';

export const ruleNames: readonly string[] = [...contractRules, ...setRules].map((rule) => rule.name);

/** `PV-3003 27:17`, for findings in the fixture itself. */
export type Finding = string;

/** What the `# expect: CODE LINE:COLUMN` lines at the top of a fixture say. */
export function expectedIn(rule: string, fixture: 'fails' | 'passes'): readonly Finding[] {
  const text = readFileSync(join(fixtureRoot, rule, `${fixture}.yaml`), 'utf8');
  return [...text.matchAll(/^# expect: (PV-\d{4} \d+:\d+)$/gm)].map((match) => match[1] ?? '');
}

/** What the rule finds, alone. */
export function runRule(rule: string, fixture: 'fails' | 'passes'): readonly Diagnostic[] {
  const folder = join(fixtureRoot, rule);
  const companions = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.yaml') && name !== 'fails.yaml' && name !== 'passes.yaml',
  );
  const contracts = [...companions, `${fixture}.yaml`].map((name) => read(folder, name));
  const one = contractRules.find((candidate) => candidate.name === rule);
  if (one) return contracts.flatMap((contract) => one.check(contract));
  return setRules
    .filter((candidate) => candidate.name === rule)
    .flatMap((candidate) => candidate.check({ contracts, elsewhere: new Set() }));
}

export function findingOf(diagnostic: Diagnostic): Finding {
  const place = diagnostic.span && positionAt(diagnostic.span.source, diagnostic.span.range.start);
  return `${diagnostic.code} ${place?.line}:${place?.column}`;
}

function read(folder: string, name: string): Contract {
  const contract = readContract({ path: name, text: readFileSync(join(folder, name), 'utf8') }).value;
  if (!contract) throw new Error(`${folder}/${name} is no contract`);
  return contract;
}
