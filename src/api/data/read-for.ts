/** Reads a file of data for contracts that may name its keys. */
import type { ElaboratedContract } from '../../contract/goal.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { DataOptions, DataSet } from '../../data/read/data-set.ts';
import { readData } from '../../data/read/read-data.ts';
import type { Session } from '../session.ts';

type WithInputs = Pick<ElaboratedContract, 'data'>;

/** Whether `name` is an input of the contract, or the key that one is taken from. */
export function reads({ data }: WithInputs, name: string): boolean {
  return (data?.inputs ?? []).some((input) => input.name === name || input.from === name);
}

/** A file of no known format is still data if it has a key that some contract reads, and such a key resembles no other. */
export async function readFor(
  { host }: Session,
  path: string,
  options: DataOptions,
  contracts: readonly WithInputs[],
): ReturnType<typeof readData> {
  const isRead = (key: string): boolean => contracts.some((contract) => reads(contract, key));
  const read = await readData(host, path, options);
  if (read.value !== null || read.diagnostics.every(({ code }) => code !== 'PV-7010'))
    return withoutRead(read.value, read.diagnostics, isRead);
  const plain = await readData(host, path, { ...options, format: 'plain' });
  const keys = [...(plain.value?.values.keys() ?? []), ...(plain.value?.unused ?? []).map(({ key }) => key)];
  return keys.some(isRead) ? withoutRead(plain.value, plain.diagnostics, isRead) : read;
}

/** Nothing reads a key, says a finding about one that only the contract reads. */
function withoutRead(
  value: DataSet | null,
  diagnostics: readonly Diagnostic[],
  isRead: (key: string) => boolean,
): { readonly value: DataSet | null; readonly diagnostics: readonly Diagnostic[] } {
  const spans = new Set((value?.unused ?? []).flatMap(({ key, span }) => (isRead(key) ? [span] : [])));
  const isWrong = ({ code, span }: Diagnostic): boolean =>
    (code === 'PV-7039' || code === 'PV-7040') && span !== null && spans.has(span);
  return { value, diagnostics: diagnostics.filter((one) => !isWrong(one)) };
}
