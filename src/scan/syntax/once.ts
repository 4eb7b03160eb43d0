import type { ts } from 'ts-morph';
import type { Module } from '../module.ts';

/** What a function of a syntax tree gives for a node, computed once: files have thousands of draws in one function. */
export function once<T>(compute: (module: Module, node: ts.Node) => T): (module: Module, node: ts.Node) => T {
  const known = new WeakMap<ts.Node, { readonly value: T }>();
  return (module, node) => {
    const found = known.get(node) ?? { value: compute(module, node) };
    known.set(node, found);
    return found.value;
  };
}
