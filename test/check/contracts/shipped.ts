/** The shipped contracts over data, run on texts of configs and logs as `pv check` runs them. */
import { readFile } from 'node:fs/promises';
import { elaborateContract } from '../../../src/contract/elaborate.ts';
import type { ElaboratedContract } from '../../../src/contract/goal.ts';
import { readContract } from '../../../src/contract/read.ts';
import { createMemoryHost } from '../../../src/host/memory-host.ts';
import { checkData } from '../../../src/data/judge/check-data.ts';
import type { DataCheck, DataVerdict, ObligationOnData } from '../../../src/data/judge/data-check.ts';
import type { DataSet } from '../../../src/data/read/data-set.ts';
import { readData } from '../../../src/data/read/read-data.ts';

export type Settings = Readonly<Record<string, number | boolean | string>>;

/** A contract of contracts/ by its name. */
export async function shippedContract(id: string): Promise<ElaboratedContract> {
  const path = `contracts/${id}.yaml`;
  const read = readContract({ path, text: await readFile(new URL(`../../../${path}`, import.meta.url), 'utf8') });
  if (!read.value) throw new Error(`${path} cannot be read`);
  const elaborated = elaborateContract(read.value, new Map());
  const findings = [...read.diagnostics, ...elaborated.diagnostics];
  if (findings.length > 0) throw new Error(findings.map(({ message }) => message).join('\n'));
  return elaborated;
}

/** Files by their names; the first is the data, the others stand beside it. */
export async function checkTexts(
  contract: ElaboratedContract,
  files: Readonly<Record<string, string>>,
  settings: Settings = {},
): Promise<DataCheck> {
  const host = createMemoryHost(files);
  const sets: DataSet[] = [];
  for (const path of Object.keys(files)) {
    const { value, diagnostics } = await readData(host, path);
    if (!value) throw new Error(`${path}: ${diagnostics.map(({ message }) => message).join('; ')}`);
    sets.push(value);
  }
  const [first, ...beside] = sets;
  if (!first) throw new Error('no data');
  return checkData(contract, [first, ...beside], new Map(Object.entries(settings)));
}

export function idsOf({ obligations }: DataCheck, verdict: DataVerdict): readonly string[] {
  return obligations.filter((one) => one.verdict === verdict).map(({ id }) => id);
}

export function obligationOf({ obligations }: DataCheck, id: string): ObligationOnData {
  const found = obligations.find((one) => one.id === id);
  if (!found) throw new Error(`no obligation ${id}`);
  return found;
}
