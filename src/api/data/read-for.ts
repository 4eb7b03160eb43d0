/** Reads a file of data for contracts that may name its keys. */
import { closest, listOf } from '../../base/text.ts';
import type { ElaboratedContract } from '../../contract/goal.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { DataOptions, DataSet } from '../../data/read/data-set.ts';
import { readData } from '../../data/read/read-data.ts';
import { isVocabularyName } from '../../data/read/vocabulary.ts';
import type { Session } from '../session.ts';

type WithInputs = Pick<ElaboratedContract, 'data'>;

/** Whether `name` is an input of the contract, or the key that one is taken from. */
export function reads({ data }: WithInputs, name: string): boolean {
  return (data?.inputs ?? []).some((input) => input.name === name || input.from === name);
}

/** A name of the vocabulary is read from the keys of the file's format, and not from a key of that name. */
const readsKey = ({ data }: WithInputs, key: string): boolean =>
  !isVocabularyName(key) && (data?.inputs ?? []).some(({ from }) => from === key);

/** A file of no known format is still data if it has a key that some contract reads; no finding says that nothing reads such a key. */
export async function readFor(
  { host }: Session,
  path: string,
  options: DataOptions,
  contracts: readonly WithInputs[],
): ReturnType<typeof readData> {
  const isOwn = (key: string): boolean => contracts.some((contract) => readsKey(contract, key));
  const read = await readData(host, path, options);
  if (read.value !== null || read.diagnostics.every(({ code }) => code !== 'PV-7010'))
    return withoutOwn(read.value, read.diagnostics, isOwn);
  const plain = await readData(host, path, { ...options, format: 'plain' });
  const keys = [...(plain.value?.values.keys() ?? []), ...(plain.value?.unused ?? []).map(({ key }) => key)];
  const isData = keys.some((key) => contracts.some((contract) => reads(contract, key)));
  if (isData) return withoutOwn(plain.value, plain.diagnostics, isOwn);
  return { value: null, diagnostics: read.diagnostics.map((one) => namingKeys(one, keys, contracts)) };
}

/** Of a file without any key of the contracts, which keys those are: which trainer it may belong to matters less. */
function namingKeys(found: Diagnostic, keys: readonly string[], contracts: readonly WithInputs[]): Diagnostic {
  const inputs = contracts.flatMap(({ data }) => data?.inputs ?? []);
  const own = inputs.filter(({ from, fallback }) => fallback === null && !isVocabularyName(from));
  const wanted = [...new Set(own.map(({ from }) => from))];
  if (found.code !== 'PV-7010' || keys.length === 0 || wanted.length === 0) return found;
  const near = wanted.flatMap((name) => {
    const key = closest(name, keys);
    return key === null ? [] : [` ${name} may be ${key}: --map ${name}=${key}.`];
  });
  const read = listOf(wanted, mostKeys);
  return {
    ...found,
    message: `The file has none of the keys that the contract reads (${read}): its keys are ${listOf(keys, mostKeys)}`,
    hint: `Give the file that has them, or say which key is which, as in --map ${wanted[0] ?? 'name'}=KEY.${near[0] ?? ''} If it belongs to a trainer that pv reads, --as names its format.`,
  };
}

const mostKeys = 5;

/** Without findings that nothing reads a key which a contract takes from the file itself. */
function withoutOwn(
  value: DataSet | null,
  diagnostics: readonly Diagnostic[],
  isOwn: (key: string) => boolean,
): { readonly value: DataSet | null; readonly diagnostics: readonly Diagnostic[] } {
  const spans = new Set((value?.unused ?? []).flatMap(({ key, span }) => (isOwn(key) ? [span] : [])));
  const isWrong = ({ code, span }: Diagnostic): boolean =>
    (code === 'PV-7039' || code === 'PV-7040') && span !== null && spans.has(span);
  return { value, diagnostics: diagnostics.filter((one) => !isWrong(one)) };
}
