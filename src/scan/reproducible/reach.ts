/** The code that declared-reproducible code runs: itself, and what it calls or passes on, as far as modules were read. */
import type { ts } from 'ts-morph';
import type { Range } from '../../diagnostics/source.ts';
import { rangeOf, type Module } from '../module.ts';
import type { Project } from '../rule.ts';
import { declaredName, lastName } from '../syntax/names.ts';
import { isFunction, under } from '../syntax/walk.ts';
import { declaredRoots } from './roots.ts';

export interface Reached {
  readonly module: Module;
  /** A function, a class or a whole file. */
  readonly node: ts.Node;
  /** Names from the declaration to here, both included; the name of a file is empty. */
  readonly way: readonly string[];
  readonly root: { readonly module: Module; readonly range: Range };
}

/** Breadth first, so that each function is reached by a shortest way. */
export function reachedFrom(project: Project): readonly Reached[] {
  const queue: Reached[] = declaredRoots(project).map(({ module, node }) => ({
    module,
    node,
    way: [module.ts.isSourceFile(node) ? '' : nameOf(module, node)],
    root: { module, range: headOf(module, node) },
  }));
  const seen = new Set(queue.map(({ node }) => node));
  for (let at = 0; at < queue.length; at++) {
    const from = queue[at];
    if (!from) break;
    for (const { module, node } of calledIn(project, from)) {
      if (seen.has(node)) continue;
      seen.add(node);
      queue.push({ module, node, way: [...from.way, nameOf(module, node)], root: from.root });
    }
  }
  return queue;
}

function nameOf({ ts }: Module, node: ts.Node): string {
  return declaredName(ts, node) ?? 'a function';
}

/** The first line of a declaration. */
function headOf(module: Module, node: ts.Node): Range {
  const { start, end } = rangeOf(module, node);
  const lineEnd = module.source.text.slice(start, end).search(/[\r\n]/);
  return { start, end: lineEnd < 0 ? end : start + lineEnd };
}

interface Called {
  readonly module: Module;
  readonly node: ts.Node;
}

/** The functions that are called under a node, constructed, or mentioned there as values. */
function calledIn(project: Project, { module, node }: Reached): readonly Called[] {
  const { ts } = module;
  const calls = [...under(ts, node, ts.isCallExpression), ...under(ts, node, ts.isNewExpression)];
  const values = calls.flatMap((call) => (call.arguments ?? []).filter((argument) => lastName(ts, argument) !== null));
  const found = [
    ...calls.map((call) => project.calleeOf(module, call)),
    ...values.map((value) => project.functionNamed(module, value)),
  ];
  return found.flatMap((callee) => {
    if (!callee || !isFunction(ts, callee)) return [];
    const file = callee.getSourceFile();
    const owner = project.moduleAt(file.fileName);
    return owner?.file === file ? [{ module: owner, node: callee }] : [];
  });
}
