/**
 * The tables of a TOML text while it is read: headers reopen them, dotted keys make them, and neither may do so twice.
 */
import type { Range } from '../../../diagnostics/source.ts';
import { fail, isReadFailure, type ReadFailure } from './read-failure.ts';
import type { DataNode, MappingNode } from './tree.ts';

/** One part of a dotted key, without quotes. */
export interface KeyPart {
  readonly text: string;
  readonly range: Range;
}

interface OpenEntry {
  readonly key: KeyPart;
  readonly value: OpenTable | OpenList | DataNode;
}

/** `implicit` tables come from the longer name of another; a header may still open them once. */
export interface OpenTable {
  readonly kind: 'open-table';
  readonly start: number;
  readonly entries: Map<string, OpenEntry>;
  made: 'header' | 'implicit' | 'dotted' | 'inline';
}

interface OpenList {
  readonly kind: 'open-list';
  readonly start: number;
  readonly items: OpenTable[];
}

/** An open table without entries. `made` says by what it came to be, which decides whether it may be reopened. */
export function newTable(start: number, made: OpenTable['made']): OpenTable {
  return { kind: 'open-table', start, entries: new Map(), made };
}

/** The table of a header `[a.b]`. */
export function openTable(root: OpenTable, path: readonly KeyPart[], start: number): OpenTable | ReadFailure {
  const parent = walk(root, path.slice(0, -1), start, 'implicit');
  const last = path.at(-1);
  if (isReadFailure(parent) || !last) return parent;
  const found = parent.entries.get(last.text)?.value;
  if (!found) {
    const table = newTable(start, 'header');
    parent.entries.set(last.text, { key: last, value: table });
    return table;
  }
  if (found.kind !== 'open-table' || found.made !== 'implicit') return twice(last);
  found.made = 'header';
  return found;
}

/** A new item of the list of a header `[[a.b]]`. */
export function openTableItem(root: OpenTable, path: readonly KeyPart[], start: number): OpenTable | ReadFailure {
  const parent = walk(root, path.slice(0, -1), start, 'implicit');
  const last = path.at(-1);
  if (isReadFailure(parent) || !last) return parent;
  const found = parent.entries.get(last.text)?.value;
  const item = newTable(start, 'header');
  if (!found) parent.entries.set(last.text, { key: last, value: { kind: 'open-list', start, items: [item] } });
  else if (found.kind === 'open-list') found.items.push(item);
  else return twice(last);
  return item;
}

/** Puts `path = value` into a table; null if it could. */
export function setKey(table: OpenTable, path: readonly KeyPart[], value: DataNode): ReadFailure | null {
  const last = path.at(-1);
  const parent = walk(table, path.slice(0, -1), last?.range.start ?? table.start, 'dotted');
  if (isReadFailure(parent)) return parent;
  if (!last) return null;
  if (parent.entries.has(last.text)) return twice(last);
  parent.entries.set(last.text, { key: last, value });
  return null;
}

function walk(
  table: OpenTable,
  path: readonly KeyPart[],
  start: number,
  made: 'implicit' | 'dotted',
): OpenTable | ReadFailure {
  let at = table;
  for (const key of path) {
    const found = at.entries.get(key.text)?.value;
    if (!found) {
      const fresh = newTable(start, made);
      at.entries.set(key.text, { key, value: fresh });
      at = fresh;
    } else if (found.kind === 'open-table') {
      at = found;
    } else if (found.kind === 'open-list') {
      at = found.items.at(-1) ?? at;
    } else return twice(key);
  }
  return at;
}

function twice(key: KeyPart): ReadFailure {
  return {
    ...fail(key.range.start, `The key '${key.text}' is repeated in one table`, 'Remove one, or rename it.'),
    code: 'PV-7033',
  };
}

/** The finished table as a mapping that extends to its last value. */
export function tableNode(table: OpenTable): MappingNode {
  const entries = [...table.entries.values()].map(({ key, value }) => ({
    key: key.text,
    keyRange: key.range,
    value: closed(value),
  }));
  const end = Math.max(table.start, ...entries.map(({ value }) => value.range.end));
  return { kind: 'mapping', entries, range: { start: table.start, end } };
}

function closed(value: OpenEntry['value']): DataNode {
  if (value.kind === 'open-table') return tableNode(value);
  if (value.kind !== 'open-list') return value;
  const items = value.items.map(tableNode);
  return { kind: 'sequence', items, range: { start: value.start, end: items.at(-1)?.range.end ?? value.start } };
}
