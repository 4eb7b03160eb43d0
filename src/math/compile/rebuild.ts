import * as build from './graph.ts';
import type { Graph } from './graph.ts';
import type { GraphNode, Loop } from './node.ts';

/** `node` with each direct part replaced by `change` of it; the node itself when nothing changes. */
export function rebuild(graph: Graph, node: GraphNode, change: (part: GraphNode) => GraphNode): GraphNode {
  switch (node.op) {
    case 'constant':
    case 'parameter':
    case 'index':
    case 'self':
      return node;
    case 'call':
      return build.call(graph, node.fn, node.operands.map(change), node.integral);
    case 'select':
      return build.select(graph, change(node.condition), change(node.then), change(node.otherwise));
    case 'read':
      return build.read(graph, change(node.array), change(node.offset), node.kind === 'boolean' ? 'boolean' : 'number');
    case 'reduce':
      return build.reduction(
        graph,
        node.operator,
        rebuildLoops(node.loops, change),
        node.condition && change(node.condition),
        change(node.body),
        node.integral,
      );
    case 'store':
      return build.store(graph, rebuildLoops(node.loops, change), change(node.body), node.self);
  }
}

function rebuildLoops(loops: readonly Loop[], change: (part: GraphNode) => GraphNode): Loop[] {
  return loops.map((loop) => ({ index: loop.index, from: change(loop.from), to: change(loop.to) }));
}

/** Counted down by one per node rebuilt, so that anyone who searches can stop. */
export interface Work {
  left: number;
}

/** `node` with the free index variable `from` renamed; loops that bind it cannot be inside, since enclosing loops are higher. */
export function renameIndex(graph: Graph, node: GraphNode, from: string, to: string, work: Work): GraphNode {
  const renamed = new Map<number, GraphNode>();
  const visit = (at: GraphNode): GraphNode => {
    if (!at.free.has(from)) return at;
    if (at.op === 'index') return build.index(graph, to);
    let result = renamed.get(at.id);
    work.left -= 1;
    if (!result) renamed.set(at.id, (result = rebuild(graph, at, visit)));
    return result;
  };
  return visit(node);
}
