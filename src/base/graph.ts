/**
 * Graph algorithms over string-named nodes. Iterative, so that long chains cannot exhaust the call stack;
 * results follow the order of the input, so that output is the same on every run.
 */

/** Successors by node. Targets that are not keys are ignored. */
export type Graph = ReadonlyMap<string, readonly string[]>;

/**
 * Strongly connected components in reverse topological order (successors first).
 * Source: Tarjan 1972, "Depth-first search and linear graph algorithms".
 */
export function stronglyConnectedComponents(graph: Graph): readonly (readonly string[])[] {
  const state: TarjanState = { index: new Map(), low: new Map(), onStack: new Set(), stack: [], components: [] };
  for (const node of graph.keys()) if (!state.index.has(node)) explore(graph, node, state);
  return state.components;
}

interface TarjanState {
  readonly index: Map<string, number>;
  readonly low: Map<string, number>;
  readonly onStack: Set<string>;
  readonly stack: string[];
  readonly components: string[][];
}

function explore(graph: Graph, root: string, state: TarjanState): void {
  const frames: { readonly node: string; next: number }[] = [{ node: root, next: 0 }];
  enter(root, state);
  for (let frame = frames.at(-1); frame; frame = frames.at(-1)) {
    const successors = graph.get(frame.node) ?? [];
    const successor = successors[frame.next++];
    if (successor === undefined) {
      frames.pop();
      leave(frame.node, frames.at(-1)?.node ?? null, state);
    } else if (graph.has(successor)) {
      if (!state.index.has(successor)) {
        enter(successor, state);
        frames.push({ node: successor, next: 0 });
      } else if (state.onStack.has(successor)) {
        lower(frame.node, state.index.get(successor) ?? 0, state);
      }
    }
  }
}

function enter(node: string, state: TarjanState): void {
  state.index.set(node, state.index.size);
  state.low.set(node, state.index.size - 1);
  state.stack.push(node);
  state.onStack.add(node);
}

function leave(node: string, parent: string | null, state: TarjanState): void {
  const low = state.low.get(node) ?? 0;
  if (parent !== null) lower(parent, low, state);
  if (low !== state.index.get(node)) return;
  const component = state.stack.splice(state.stack.lastIndexOf(node));
  for (const member of component) state.onStack.delete(member);
  state.components.push(component);
}

function lower(node: string, to: number, state: TarjanState): void {
  state.low.set(node, Math.min(state.low.get(node) ?? 0, to));
}

/** One shortest cycle per strongly connected component that has one: `[a, b, c]` means a → b → c → a. */
export function cycles(graph: Graph): readonly (readonly string[])[] {
  return stronglyConnectedComponents(graph)
    .filter((component) => component.length > 1 || selfLoop(graph, component[0]))
    .map((component) => shortestCycle(graph, component));
}

function selfLoop(graph: Graph, node: string | undefined): boolean {
  return node !== undefined && (graph.get(node) ?? []).includes(node);
}

/** A shortest cycle through the first member, breadth first within the component. */
function shortestCycle(graph: Graph, component: readonly string[]): readonly string[] {
  const start = [...component].sort()[0] ?? '';
  const members = new Set(component);
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (let at = 0; at < queue.length; at++) {
    const node = queue[at] ?? '';
    for (const successor of graph.get(node) ?? []) {
      if (successor === start) return pathTo(node, start, cameFrom);
      if (!members.has(successor) || cameFrom.has(successor)) continue;
      cameFrom.set(successor, node);
      queue.push(successor);
    }
  }
  return component;
}

function pathTo(end: string, start: string, cameFrom: ReadonlyMap<string, string>): readonly string[] {
  const path: string[] = [];
  for (let node: string | undefined = end; node !== undefined && node !== start; node = cameFrom.get(node))
    path.push(node);
  return [start, ...path.reverse()];
}

/** Nodes with every successor before its predecessor (dependencies first); members of a cycle in component order. */
export function dependenciesFirst(graph: Graph): readonly string[] {
  return stronglyConnectedComponents(graph).flat();
}

/** Every node from which `start` nodes can be reached or that they reach, `start` included: breadth first. */
export function reachable(graph: Graph, start: Iterable<string>): ReadonlySet<string> {
  const seen = new Set<string>(start);
  for (const node of seen) for (const successor of graph.get(node) ?? []) if (graph.has(successor)) seen.add(successor);
  return seen;
}

/** The graph with every edge turned round. */
export function reversed(graph: Graph): Graph {
  const result = new Map<string, string[]>();
  for (const node of graph.keys()) result.set(node, []);
  for (const [node, successors] of graph) for (const successor of successors) result.get(successor)?.push(node);
  return result;
}
