import type { ts } from 'ts-morph';
import type { Module } from '../module.ts';
import { docOf } from '../syntax/comments.ts';
import { declaredName } from '../syntax/names.ts';
import { ancestors, isFunction } from '../syntax/walk.ts';

/** How far before a draw its comment is looked for, in characters. */
const maxReach = 600;

/** The named function around a draw, its documentation and the last comment in it before the draw; null outside functions. */
export function saidOf(
  { ts, file, source }: Module,
  node: ts.Node,
): { readonly name: string; readonly comments: string } | null {
  const own = [...ancestors(node)].find((parent) => isFunction(ts, parent) && declaredName(ts, parent) !== null);
  const name = own && declaredName(ts, own);
  if (!own || !name) return null;
  const end = node.getStart(file);
  const before = source.text.slice(Math.max(own.getStart(file), end - maxReach), end);
  const last = [...before.matchAll(/\/\/(.*)|\/\*([\s\S]*?)\*\//gu)].at(-1)?.[0] ?? '';
  return { name, comments: `${docOf(ts, own)}\n${last}` };
}
