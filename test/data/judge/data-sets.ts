/** Data sets made by hand, as adapters would make them. */
import { elaborateContract } from '../../../src/contract/elaborate.ts';
import type { ElaboratedContract } from '../../../src/contract/goal.ts';
import { readContract } from '../../../src/contract/read.ts';
import type { DataColumn, DataScalar, DataSet, DataTable } from '../../../src/data/read/data-set.ts';

/** A contract over data from its sections; fails on findings, which a test would not expect. */
export function dataContract(sections: string): ElaboratedContract {
  const metadata = 'metadata: { version: "1.0.0", description: a test, references: ["a paper"] }\n';
  const read = readContract({ path: 'test-v1.yaml', text: metadata + sections });
  if (!read.value || read.diagnostics.length > 0) throw new Error(read.diagnostics.map((d) => d.message).join('\n'));
  const elaborated = elaborateContract(read.value, new Map());
  if (elaborated.diagnostics.length > 0) throw new Error(elaborated.diagnostics.map((d) => d.message).join('\n'));
  return elaborated;
}

/** A config: one value per line, in the order given. */
export function config(values: Readonly<Record<string, number | string | boolean>>, path = 'train.yaml'): DataSet {
  const scalars = Object.entries(values).map(([key, value], i): [string, DataScalar] => [
    key,
    { value, text: String(value), key: `training.${key}`, line: i + 1, column: 3, span: null },
  ]);
  return { path, format: 'test', values: new Map(scalars), tables: new Map(), unused: [] };
}

/** A log: null is a row without that value. */
export function log(columns: Readonly<Record<string, readonly (number | null)[]>>, path = 'run.jsonl'): DataSet {
  const rows = Math.max(...Object.values(columns).map((values) => values.length));
  const table: DataTable = {
    name: 'log',
    rows,
    columns: new Map(Object.entries(columns).map(([key, values]): [string, DataColumn] => [key, column(key, values)])),
    lineOf: (row) => row + 1,
    position: 'line',
    stepOrder: null,
    notNumeric: [],
  };
  return { path, format: 'test', values: new Map(), tables: new Map([['log', table]]), unused: [] };
}

function column(key: string, values: readonly (number | null)[]): DataColumn {
  const present = values.includes(null) ? Uint8Array.from(values, (value) => (value === null ? 0 : 1)) : null;
  return { values: Float64Array.from(values, (value) => value ?? 0), present, key };
}
