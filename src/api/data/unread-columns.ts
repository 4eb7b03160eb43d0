/** Columns of a log that no claim reads and that are not finite: one of them may be the loss that is meant. */
import { shellWord } from '../../base/shell-word.ts';
import { count, listOf, quoted } from '../../base/text.ts';
import type { DataContract } from '../../contract/data-contract.ts';
import { columnPath } from '../../data/judge/bound-input.ts';
import type { DataSet } from '../../data/read/data-set.ts';
import { placeOf, rowsNotFinite } from '../../data/read/log-findings.ts';
import { isKnownKey } from '../../data/read/log-names.ts';
import { diagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';

/** A warning (PV-7050) that names such columns of the table `log`, judged by `contracts`. */
export function unreadColumns({ path, tables }: DataSet, contracts: readonly DataContract[]): readonly Diagnostic[] {
  const table = tables.get('log');
  const read = new Set(contracts.flatMap(({ data }) => data?.inputs.map(({ from }) => columnPath(from).column) ?? []));
  const found = [...(table?.columns ?? [])].flatMap(([name, column]) => {
    const rows = read.has(name) || isKnownKey(column.key) ? [] : rowsNotFinite(column);
    return rows.length > 0 ? [{ key: column.key, rows }] : [];
  });
  const [first, ...more] = found;
  if (!table || first === undefined) return [];
  const others = more.map(({ key }) => quoted(key));
  const rest = others.length > 0 ? `; nor ${others.length === 1 ? 'is' : 'are'} ${listOf(others, 5)}` : '';
  const message = `${quoted(first.key)}, which no claim reads, is not finite in ${count(first.rows.length, 'row')}${rest}`;
  return [
    diagnostic('PV-7050', null, message, {
      subject: placeOf(path, table, first.rows[0] ?? 0),
      hint: `If it is the loss, --map ${shellWord(`loss=${first.key}`)}.`,
    }),
  ];
}
