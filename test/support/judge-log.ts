import { elaborateContract } from '../../src/contract/elaborate.ts';
import type { ElaboratedContract } from '../../src/contract/goal.ts';
import { readContract } from '../../src/contract/read.ts';
import { checkData } from '../../src/data/judge/check-data.ts';
import type { DataOptions } from '../../src/data/read/data-set.ts';
import { readData } from '../../src/data/read/read-data.ts';
import { dataReport, holds } from '../../src/data/report/data-report.ts';
import { createMemoryHost } from '../../src/host/memory-host.ts';
import { readFileSync } from 'node:fs';

let contract: ElaboratedContract | null = null;

function stability(): ElaboratedContract {
  if (contract) return contract;
  const path = 'contracts/training-stability-v1.yaml';
  const { value } = readContract({ path, text: readFileSync(path, 'utf8') });
  if (!value) throw new Error(`${path} cannot be read`);
  return (contract = elaborateContract(value, new Map()));
}

/** The exit code that `pv check` gives a log, and the claims of training-stability-v1 that it violates: `1 STABLE-001`. */
export async function judgedLog(
  name: string,
  content: string | Uint8Array,
  options: DataOptions = {},
): Promise<string> {
  const host = createMemoryHost();
  await host.writeFileAtomic(name, content);
  const { value, diagnostics } = await readData(host, name, options);
  if (!value) return '2';
  const check = await checkData(stability(), [value], new Map());
  const isRead = !diagnostics.some(({ severity }) => severity === 'error');
  const violated = check.obligations.filter(({ verdict }) => verdict === 'violated').map(({ id }) => id);
  return [isRead && holds(dataReport([check])) ? '0' : '1', ...violated].join(' ');
}
