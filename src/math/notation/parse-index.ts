import { accept, sees, type Cursor } from './cursor.ts';
import { level } from './levels.ts';
import type { Expression, IndexItem } from './syntax.ts';

/** The items of `A[i, :, 0..n]` up to the bracket at token index `close`. */
export function parseIndexItems(c: Cursor, close: number): readonly IndexItem[] {
  const items: IndexItem[] = [];
  while (c.at < close && c.problem === null) {
    items.push(parseItem(c, close));
    if (!accept(c, ',')) break;
  }
  return items;
}

function parseItem(c: Cursor, close: number): IndexItem {
  const open = sees(c, ':') || sees(c, '..') || sees(c, '..=');
  const value = open ? null : c.expression(c, level.equivalence);
  if (value?.kind === 'span' && !sees(c, ':'))
    return { kind: 'slice', from: value.from, to: value.to, inclusive: value.inclusive };
  const inclusive = sees(c, '..=');
  if (!accept(c, ':') && !accept(c, '..') && !accept(c, '..='))
    return value === null ? { kind: 'slice', from: null, to: null, inclusive: false } : { kind: 'at', value };
  const to: Expression | null = c.at >= close || sees(c, ',') ? null : c.expression(c, level.span + 1);
  return { kind: 'slice', from: value, to, inclusive };
}
