/**
 * Storing what several loops would compute again.
 *
 * `exp(x_i − m)` in the loop over i and `exp(x_j − m)` in the sum over j are one row of numbers; the scores
 * S_ik inside a loop over j that they do not depend on are one row per i. Such a row is computed once, where
 * its other indices are known, and read where it was computed before. Values do not change: terms are pure.
 */
import * as build from './graph.ts';
import type { Graph } from './graph.ts';
import { partsOfNode, type GraphNode, type Loop } from './node.ts';
import { rebuild, renameIndex, type Work } from './rebuild.ts';

/** An open loop around the place in question. */
interface Frame {
  readonly loop: Loop;
  readonly outer: Context;
  /** How many loops are open, this one included. */
  readonly depth: number;
  /** Of this loop and of those around it. */
  readonly path: number;
  /** The same for loops over the same range with the same index, wherever they are. */
  readonly range: number;
}

/** The innermost open loop; null outside all. */
type Context = Frame | null;

interface Row {
  /** The node that fills it. */
  readonly store: GraphNode;
  readonly home: Frame;
  /** What computing one element costs. */
  readonly cost: number;
  /** Whether loops that the row does not depend on are between the place where it could be filled and its use. */
  readonly wasted: boolean;
  readonly key: number;
}

/** What fills a row, whichever loops enclose its own. */
interface Filling {
  readonly store: GraphNode;
  readonly cost: number;
}

interface Searching {
  readonly graph: Graph;
  readonly work: Work;
  /** By node and range: the rounds ask for the same ones again and again. Null if it is too cheap to store. */
  readonly fillings: Map<number, Filling | null>;
  /** By the loop and what is open around it. */
  readonly frames: Map<string, Frame>;
  readonly ranges: Map<string, number>;
  /** Rows that are taken as stored. */
  readonly chosen: ReadonlySet<number>;
}

interface Survey extends Searching {
  readonly seen: Set<number>;
  /** The loops that use each row. */
  readonly users: Map<number, Set<number>>;
  readonly worthwhile: Set<number>;
}

interface Rewriting extends Searching {
  readonly visited: Map<number, GraphNode>;
  readonly moved: (before: GraphNode, after: GraphNode) => void;
}

/** Costs (see graph.ts) from which storing and reading pays. */
const WORTH_STORING_WHEN_WASTED = 6;
const WORTH_STORING_WHEN_REPEATED = 12;
/** Nodes visited before the search gives up and the graph is emitted unchanged: the search is not linear. */
const MOST_WORK = 1_000_000;
const MOST_ROUNDS = 8;

/**
 * `roots` with repeated rows stored. `moved` is called for every node that another one replaces.
 */
export function storeRows(
  graph: Graph,
  roots: readonly GraphNode[],
  moved: (before: GraphNode, after: GraphNode) => void,
): readonly GraphNode[] {
  const tables = {
    fillings: new Map<number, Filling | null>(),
    frames: new Map<string, Frame>(),
    ranges: new Map<string, number>(),
  };
  const searching = { graph, work: { left: MOST_WORK }, ...tables };
  let chosen: ReadonlySet<number> = new Set();
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const next = survey({ ...searching, chosen }, roots);
    const stable = next.size === chosen.size && [...next].every((key) => chosen.has(key));
    chosen = next;
    if (stable) break;
  }
  if (chosen.size === 0 || searching.work.left < 0) return roots;
  // Rewriting uses the rows of the last survey, so it costs no more than that did.
  const rows: Rewriting = { ...searching, chosen, visited: new Map(), moved };
  return roots.map((root) => rewrite(rows, root, null));
}

/** The loops that matter to `node`: those outside the innermost one that it depends on, and that one. */
function contextOf(node: GraphNode, context: Context): Context {
  let at = context;
  while (at && !node.free.has(at.loop.index)) at = at.outer;
  return at;
}

const pathOf = (context: Context): number => context?.path ?? 0;

/** More frames and ranges than {@link MOST_WORK} allows. */
const MOST_PATHS = 2 ** 22;

/** One number for two: texts as keys took as long as everything else here. */
const pairKey = (node: GraphNode, other: number): number => node.id * MOST_PATHS + other;

function placeKey(node: GraphNode, context: Context): number {
  return pairKey(node, pathOf(context));
}

function enter({ frames, ranges }: Searching, outer: Context, owner: GraphNode, loop: Loop): Frame {
  const key = `${pathOf(outer)} ${owner.id} ${loop.index}`;
  const known = frames.get(key);
  if (known) return known;
  const over = `${loop.index} ${loop.from.id} ${loop.to.id}`;
  const range = ranges.get(over) ?? ranges.size;
  ranges.set(over, range);
  const frame = { loop, outer, depth: (outer?.depth ?? 0) + 1, path: frames.size + 1, range };
  frames.set(key, frame);
  return frame;
}

/** The row that `node` could be read from, or null if it is too cheap to store. */
function rowOf(searching: Searching, node: GraphNode, home: Context): Row | null {
  const storable = node.kind === 'number' && (node.op === 'call' || node.op === 'select' || node.op === 'reduce');
  if (!storable || !home || node.cost < WORTH_STORING_WHEN_WASTED || !node.free.has(home.loop.index)) return null;
  const key = pairKey(node, home.range);
  let filling = searching.fillings.get(key);
  if (filling === undefined) searching.fillings.set(key, (filling = fillingOf(searching, node, home.loop)));
  if (filling === null) return null;
  const outside = contextOf(filling.store, home);
  const wasted = (outside?.depth ?? 0) < home.depth - 1;
  return { ...filling, home, wasted, key: placeKey(filling.store, outside) };
}

function fillingOf({ graph, work }: Searching, node: GraphNode, { index, from, to }: Loop): Filling | null {
  if (build.readsSelf(node)) return null;
  const cost = build.costPerStep(node, index);
  if (cost < WORTH_STORING_WHEN_WASTED) return null;
  const own = `row${node.height}`;
  const store = build.store(graph, [{ index: own, from, to }], renameIndex(graph, node, index, own, work));
  return { store, cost };
}

/**
 * The rows worth storing, given those that are `chosen` already: what only the filling of a chosen row uses
 * is used once, however many loops read that row.
 */
function survey(searching: Searching, roots: readonly GraphNode[]): ReadonlySet<number> {
  const state: Survey = { ...searching, seen: new Set(), users: new Map(), worthwhile: new Set() };
  for (const root of roots) visit(state, root, null);
  return state.worthwhile;
}

function visit(state: Survey, node: GraphNode, outer: Context): void {
  const context = contextOf(node, outer);
  const key = placeKey(node, context);
  if (state.seen.has(key) || state.work.left < 0) return;
  state.seen.add(key);
  state.work.left -= 1;
  const row = rowOf(state, node, context);
  if (row) countUse(state, row, context);
  if (row && state.chosen.has(row.key)) visitFilling(state, row, context);
  else forEachPart(state, node, context, (part, inside) => visit(state, part, inside));
}

function countUse(state: Survey, row: Row, context: Context): void {
  const users = state.users.get(row.key) ?? new Set();
  state.users.set(row.key, users.add(pathOf(context)));
  if (row.wasted || (users.size > 1 && row.cost >= WORTH_STORING_WHEN_REPEATED)) state.worthwhile.add(row.key);
}

/** The parts of what fills a row; its body itself is not a candidate, or it would be stored in itself. */
function visitFilling(state: Survey, row: Row, context: Context): void {
  if (state.seen.has(row.key)) return;
  state.seen.add(row.key);
  forEachPart(state, row.store, contextOf(row.store, context), (part, inside) => {
    if (row.store.op === 'store' && part === row.store.body)
      forEachPart(state, part, contextOf(part, inside), (inner, at) => visit(state, inner, at));
    else visit(state, part, inside);
  });
}

/** Visits the parts of a node, each with the loops that are open around it. */
function forEachPart(
  searching: Searching,
  node: GraphNode,
  context: Context,
  visit: (part: GraphNode, context: Context) => void,
): void {
  if (node.op !== 'reduce' && node.op !== 'store') {
    for (const part of partsOfNode(node)) visit(part, context);
    return;
  }
  let inside = context;
  for (const loop of node.loops) {
    visit(loop.from, inside);
    visit(loop.to, inside);
    inside = enter(searching, inside, node, loop);
  }
  if (node.op === 'reduce' && node.condition) visit(node.condition, inside);
  visit(node.body, inside);
}

function rewrite(rows: Rewriting, node: GraphNode, outer: Context): GraphNode {
  const context = contextOf(node, outer);
  const key = placeKey(node, context);
  const known = rows.visited.get(key);
  if (known) return known;
  const row = rowOf(rows, node, context);
  const result = row && rows.chosen.has(row.key) ? readRow(rows, row, context) : rewriteParts(rows, node, context);
  rows.visited.set(key, result);
  if (result !== node) rows.moved(node, result);
  return result;
}

function readRow(rows: Rewriting, row: Row, context: Context): GraphNode {
  const { graph } = rows;
  const { index, from } = row.home.loop;
  const filled = rewriteParts(rows, row.store, contextOf(row.store, context), true);
  return build.read(graph, filled, build.call(graph, 'subtract', [build.index(graph, index), from], true), 'number');
}

/** `entering` a row's own store, its body is not a candidate again. */
function rewriteParts(rows: Rewriting, node: GraphNode, context: Context, entering = false): GraphNode {
  const replaced = new Map<GraphNode, GraphNode>();
  forEachPart(rows, node, context, (part, inside) => {
    const own = entering && node.op === 'store' && part === node.body;
    replaced.set(part, own ? rewriteParts(rows, part, contextOf(part, inside)) : rewrite(rows, part, inside));
  });
  return rebuild(rows.graph, node, (part) => replaced.get(part) ?? part);
}
