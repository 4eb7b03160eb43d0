/** A log as a list of objects within one JSON document: `log_history` of Hugging Face's Trainer. */
import { diagnostic, type Diagnostic, type Staged } from '../../../diagnostics/diagnostic.ts';
import { positionAt, type SourceFile } from '../../../diagnostics/source.ts';
import type { DataTable } from '../data-set.ts';
import { numberFromText } from '../number-text.ts';
import { keyedScalars, type DataNode } from '../syntax/tree.ts';
import { createLogRows } from './log-rows.ts';

/** The limits and the names for a list of records. */
export interface RecordListOptions {
  readonly maxRows: number;
  /** Key → name. */
  readonly mapping: ReadonlyMap<string, string>;
  /** Columns of `log` that also have a second name. */
  readonly alsoAs: ReadonlyMap<string, string>;
}

/** The tables of a list, by name. Items that are not objects are reported. */
export function readRecords(
  source: SourceFile,
  list: DataNode,
  options: RecordListOptions,
): Staged<ReadonlyMap<string, DataTable>> {
  const rows = createLogRows({ maxRows: options.maxRows, mixedIsEval: false, mapping: options.mapping });
  const diagnostics: Diagnostic[] = [];
  for (const record of list.kind === 'sequence' ? list.items : []) {
    if (record.kind !== 'mapping') {
      diagnostics.push(
        diagnostic('PV-7019', { source, range: record.range }, 'An entry of the log is not an object', {
          hint: 'It is passed over.',
        }),
      );
      continue;
    }
    for (const { key, value, text } of keyedScalars(record)) {
      const slot = rows.slot(key);
      const number =
        typeof value === 'string' ? numberFromText(text) : typeof value === 'boolean' ? Number(value) : value;
      if (number !== null) rows.put(slot, number);
      else if (value === null) rows.putMissing(slot);
      else rows.putText(slot);
    }
    const { line } = positionAt(source, record.range.start);
    if (!rows.endRow(line)) {
      const message = 'The log has more rows or more columns than are read; the rest is not read';
      diagnostics.push(diagnostic('PV-7022', { source, range: record.range }, message));
      break;
    }
  }
  return { value: rows.finish('line', options.alsoAs), diagnostics };
}
