/** A log as a list of objects within one JSON document: `log_history` of Hugging Face's Trainer. */
import { diagnostic, type Diagnostic, type Staged } from '../../../diagnostics/diagnostic.ts';
import { positionAt, type SourceFile } from '../../../diagnostics/source.ts';
import type { DataTable } from '../data-set.ts';
import { numberFromText } from '../number-text.ts';
import { keyedScalars, type DataNode, type KeyedScalar } from '../syntax/tree.ts';
import { mayBeSwitch } from './json-lines.ts';
import { createLogRows, type LogRows } from './log-rows.ts';

/** The limits and the names for a list of records. */
export interface RecordListOptions {
  readonly maxRows: number;
  /** Key → name. */
  readonly mapping: ReadonlyMap<string, string>;
  /** Columns of `log` that also have a second name. */
  readonly alsoAs: ReadonlyMap<string, string>;
  /** What the document says of the whole run. */
  readonly summary: readonly KeyedScalar[];
}

/** The tables of a list, by name. Items that are not objects are reported. */
export function readRecords(
  source: SourceFile,
  list: DataNode,
  options: RecordListOptions,
): Staged<ReadonlyMap<string, DataTable>> {
  const rows = createLogRows({ maxRows: options.maxRows, isText: false, mapping: options.mapping });
  const diagnostics: Diagnostic[] = [];
  const lineOf = ({ range }: DataNode): number => positionAt(source, range.start).line;
  for (const record of list.kind === 'sequence' ? list.items : []) {
    if (record.kind !== 'mapping') {
      diagnostics.push(
        diagnostic('PV-7019', { source, range: record.range }, 'An entry of the log is not an object', {
          hint: 'It is passed over.',
        }),
      );
      continue;
    }
    putAll(rows, keyedScalars(record));
    if (!rows.endRow(lineOf(record))) {
      const message = 'The log has more rows or more columns than are read; the rest is not read';
      diagnostics.push(diagnostic('PV-7022', { source, range: record.range }, message));
      break;
    }
  }
  const [first] = options.summary;
  if (first) {
    putAll(rows, options.summary);
    rows.endRow(lineOf(first), 'summary');
  }
  return { value: rows.finish('line', options.alsoAs), diagnostics };
}

function putAll(rows: LogRows, scalars: readonly KeyedScalar[]): void {
  for (const { key, value, text } of scalars) {
    const slot = rows.slot(key);
    const number =
      typeof value === 'string'
        ? numberFromText(text)
        : typeof value !== 'boolean'
          ? value
          : mayBeSwitch(slot)
            ? Number(value)
            : null;
    if (number !== null) rows.put(slot, number);
    else if (value === null) rows.putMissing(slot);
    else rows.putText(slot);
  }
}
