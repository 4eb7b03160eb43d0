import type { ColumnPlace } from '../log-names.ts';
import type { ColumnBuilder, TableBuilder } from './table-builder.ts';

/** One key of the log and where its values go. Readers keep slots, so that a key is looked up once per row at most. */
export interface Slot {
  readonly key: string;
  readonly name: string;
  readonly place: ColumnPlace | 'other';
  readonly scale: number;
  readonly rank: number;
  /** What its presence says about a row. */
  readonly bits: number;
  /** Its column in each table that it appeared in; in rows where another key takes the name it has its own. */
  readonly columns: Map<TableBuilder, ColumnBuilder>;
  readonly ownColumns: Map<TableBuilder, ColumnBuilder>;
  /** Another key of the log has the same meaning: only then is a row searched for a better one. */
  isContested: boolean;
  /** Where its last value went: nearly every row goes where the one before went. */
  lastTable: TableBuilder | null;
  lastColumn: ColumnBuilder | null;
}
