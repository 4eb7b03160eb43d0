/** Contracts judged in this process, as pv adopt judges them on workers. */
import { adoptContracts } from '../../../src/audit/adopt/adopt-contracts.ts';
import { runHere, tool } from '../../../scripts/public-contracts/run-here.ts';
import { readContracts } from '../../../src/contract/validate.ts';
import type { AdoptedStatement, Adoption } from '../../../src/report/adopt/adoption.ts';

/** The report about contracts by their ids. */
export function adopted(texts: Readonly<Record<string, string>>): Promise<Adoption> {
  const sources = Object.entries(texts).map(([id, text]) => ({ path: `${id}.yaml`, text }));
  const { value: contracts, diagnostics: findings } = readContracts(sources, { elsewhere: [] });
  return adoptContracts({ paths: sources.map(({ path }) => path), contracts, findings }, runHere, { tool, seed: 1 });
}

/** A contract of one equation with obligations `C-1`, `C-2`, …; further lines belong to the equation. */
export function contractOf(
  formula: string,
  domain: string,
  claims: readonly string[],
  more: readonly string[] = [],
): string {
  return [
    'metadata: { version: "1.0.0", description: Tried }',
    'equations:',
    '  f:',
    `    formula: ${JSON.stringify(formula)}`,
    `    domain: ${JSON.stringify(domain)}`,
    ...more.map((line) => `    ${line}`),
    ...(claims.length > 0 ? ['proof_obligations:'] : []),
    ...claims.map(
      (formal, i) => `  - { id: C-${i + 1}, type: invariant, property: p, formal: ${JSON.stringify(formal)} }`,
    ),
    '',
  ].join('\n');
}

/** What is said of a claim of the contract. */
export function saidOf({ judged }: Adoption, claim: string): AdoptedStatement {
  const found = judged.find((one) => one.claim === claim);
  if (!found) throw new Error(`nothing is said of ${claim}`);
  return found;
}

/** What is said of each claim about one equation, in order; `more` as in {@link contractOf}. */
export async function saidOfEach(
  formula: string,
  domain: string,
  claims: readonly string[],
  more: readonly string[] = [],
): Promise<ReturnType<typeof saidOf>[]> {
  const adoption = await adopted({ 'a-v1': contractOf(formula, domain, claims, more) });
  return claims.map((_, i) => saidOf(adoption, `C-${i + 1}`));
}

/** The same in a word. */
export async function wordsOf(...asked: Parameters<typeof saidOfEach>): Promise<readonly string[]> {
  return (await saidOfEach(...asked)).map(({ word }) => word);
}
