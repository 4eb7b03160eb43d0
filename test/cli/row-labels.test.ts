/** Holds src/api/data/row-labels.ts. */
import { describe, expect, it } from 'vitest';
import { rowLabels } from '../../src/api/data/row-labels.ts';
import { createMemoryHost } from '../../src/host/memory-host.ts';

const labelOf = rowLabels(
  createMemoryHost({
    'rows.jsonl': '{"name": "block0.w_k", "max_abs": NaN, "op": "gemm"}\r\n{"max_abs": 1}\n[1]\n',
    'rows.csv': 'name,max_abs\nblock0,1\n',
  }),
);
const at = (path: string, line: number, position: 'line' | 'event' = 'line') =>
  labelOf({ path, position, at: line, column: null });

describe('the words of a row', () => {
  it('are the texts of its object', async () => {
    expect(await at('rows.jsonl', 1)).toBe('name = block0.w_k, op = gemm');
  });

  it('do not exist where the row has none, is not an object, or is not there', async () => {
    expect(await at('rows.jsonl', 2)).toBeNull();
    expect(await at('rows.jsonl', 3)).toBeNull();
    expect(await at('rows.jsonl', 99)).toBeNull();
    expect(await at('rows.csv', 2)).toBeNull();
    expect(await at('nowhere.jsonl', 1)).toBeNull();
    expect(await at('rows.jsonl', 1, 'event')).toBeNull();
  });
});
