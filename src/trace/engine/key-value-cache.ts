import { kvDimension } from '../model/layout.ts';
import type { ModelConfig } from '../model/model.ts';

/** The keys, or the values, of one layer: a row of kvHeads·headSize numbers for each position. */
export interface Rows {
  /** Keeps `row` at `position` and returns the rows of all positions up to it, one after the other. */
  readonly put: (position: number, row: Float32Array) => Float32Array;
}

const firstPositions = 16;

/**
 * Room for rows, which doubles as positions come: a checkpoint of some kilobytes may claim a sequence length for which
 * all rows at once would take terabytes.
 */
export function createRows(config: ModelConfig): Rows {
  const width = kvDimension(config);
  let rows = new Float32Array();
  return {
    put: (position, row) => {
      const end = (position + 1) * width;
      if (end > rows.length) {
        const room = Math.min(config.sequenceLength, Math.max(firstPositions, 2 * (position + 1)));
        const more = new Float32Array(room * width);
        more.set(rows);
        rows = more;
      }
      rows.set(row, end - width);
      return rows.subarray(0, end);
    },
  };
}
