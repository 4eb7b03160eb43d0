import type { DataOptions, DataSet } from '../../src/data/read/data-set.ts';
import { createMemoryHost } from '../../src/host/memory-host.ts';
import { readData } from '../../src/data/read/read-data.ts';

export interface ReadFile {
  readonly data: DataSet | null;
  readonly codes: readonly string[];
  readonly value: (name: string) => number | string | boolean | null | undefined;
  /** A column with its gaps as null. */
  readonly column: (table: string, name: string) => readonly (number | null)[] | undefined;
  readonly lines: (table: string) => readonly number[];
  readonly messages: readonly string[];
}

/** Reads one file in memory and shows it in plain values. */
export async function readFileContent(
  name: string,
  content: string | Uint8Array,
  options: DataOptions = {},
): Promise<ReadFile> {
  const host = createMemoryHost();
  await host.writeFileAtomic(name, content);
  const { value: data, diagnostics } = await readData(host, name, options);
  return {
    data,
    codes: diagnostics.map(({ code }) => code),
    messages: diagnostics.map(({ message }) => message),
    value: (key) => data?.values.get(key)?.value,
    column: (table, key) => {
      const column = data?.tables.get(table)?.columns.get(key);
      return column && [...column.values].map((value, row) => (column.present?.[row] === 0 ? null : value));
    },
    lines: (table) => {
      const found = data?.tables.get(table);
      return found ? Array.from({ length: found.rows }, (_, row) => found.lineOf(row)) : [];
    },
  };
}
