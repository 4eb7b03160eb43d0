/** Contracts over data for tests, by id, and a run in memory diagnosed with them. */
import { elaborateAll } from '../../../src/audit/elaborate-all.ts';
import type { ElaboratedContract } from '../../../src/contract/goal.ts';
import { readContract } from '../../../src/contract/read.ts';
import { diagnose, type Run } from '../../../src/data/diagnose/diagnose.ts';
import { nameOf, type Chain, type Diagnosis } from '../../../src/data/diagnose/diagnosis.ts';
import type { DataSet } from '../../../src/data/read/data-set.ts';

/** Elaborates contracts given as id → sections; fails on findings, which a test would not expect. */
export function contractsOf(sections: Readonly<Record<string, string>>): readonly ElaboratedContract[] {
  const contracts = Object.entries(sections).map(([id, text]) => {
    const metadata = 'metadata: { version: "1.0.0", description: a test, references: ["a paper"] }\n';
    const { value, diagnostics } = readContract({ path: `${id}.yaml`, text: metadata + text });
    if (!value || diagnostics.length > 0) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
    return value;
  });
  const elaborated = elaborateAll(contracts);
  const findings = elaborated.flatMap(({ diagnostics }) => diagnostics);
  if (findings.length > 0) throw new Error(findings.map(({ message }) => message).join('\n'));
  return elaborated;
}

export async function diagnosed(
  contracts: Readonly<Record<string, string>>,
  sets: readonly DataSet[],
  settings: Readonly<Record<string, number>> = {},
  labelOf: Run['labelOf'] = async () => null,
): Promise<Diagnosis> {
  return diagnose(contractsOf(contracts), {
    path: 'run',
    sets,
    passedOver: [],
    settings: new Map(Object.entries(settings)),
    labelOf,
  });
}

/** `a-v1/A-1 ← b-v1/B-1: root`. */
export function chainText({ whys, end }: Chain): string {
  return `${whys.map(nameOf).join(' ← ')}: ${end.kind}`;
}
