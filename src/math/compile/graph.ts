/**
 * Building the graph: every constructor returns the existing node for the same thing, if any.
 */
import { functionTable, type FunctionName } from '../functions.ts';
import type { ReduceOperator } from '../term/term.ts';
import type { GraphNode, Loop, Place } from './node.ts';
import { partsOfNode } from './node.ts';

/** Nodes by their content. */
export interface Graph {
  readonly nodes: Map<string, GraphNode>;
}

/** A graph without nodes. */
export function createGraph(): Graph {
  return { nodes: new Map() };
}

const NOTHING: ReadonlySet<string> = new Set();
const CHEAP_CALLS =
  /^(add|subtract|multiply|negate|absolute|minimum|maximum|less|greater|equal|not|and|or|implies|iff|xor)/;
/** What one loop is assumed to repeat, and the cost of a call into the mathematics library. */
const LOOP_COST = 16;
const CALL_COST = 12;
const MOST_COST = 1e12;

type Payload<N> = N extends GraphNode ? Omit<N, 'id' | 'free' | 'cost' | 'height'> : never;

function intern(graph: Graph, key: string, payload: Payload<GraphNode>): GraphNode {
  const known = graph.nodes.get(key);
  if (known) return known;
  const draft = { ...payload, id: graph.nodes.size, free: NOTHING, cost: 0, height: 0 };
  const node: GraphNode = { ...draft, free: freeOf(draft), cost: costOf(draft), height: heightOf(draft) };
  graph.nodes.set(key, node);
  return node;
}

const ids = (nodes: readonly GraphNode[]): string => nodes.map((node) => node.id).join(',');

/** A number from its decimal digits, negative ones in parentheses. */
export function constant(graph: Graph, decimal: string, integral = /^-?\d+$/.test(decimal)): GraphNode {
  const value = Number(decimal);
  const text = Object.is(value, -0) || value < 0 ? `(${Object.is(value, -0) ? '-0' : String(value)})` : String(value);
  return intern(graph, `constant ${integral} ${decimal}`, { op: 'constant', kind: 'number', integral, text, decimal });
}

/** `true` or `false`. */
export function truth(graph: Graph, value: boolean): GraphNode {
  return intern(graph, `truth ${value}`, {
    op: 'constant',
    kind: 'boolean',
    integral: false,
    text: String(value),
    decimal: null,
  });
}

/** A JavaScript string literal on one line, whatever the string holds. */
export function stringLiteral(value: string): string {
  return JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** A string as a literal. */
export function text(graph: Graph, value: string): GraphNode {
  const literal = stringLiteral(value);
  return intern(graph, `text ${literal}`, {
    op: 'constant',
    kind: 'string',
    integral: false,
    text: literal,
    decimal: null,
  });
}

/** A value that the emitted function receives: a size, a value or an output, by position. */
export function parameter(
  graph: Graph,
  place: Place,
  position: number,
  kind: GraphNode['kind'],
  integral: boolean,
): GraphNode {
  return intern(graph, `parameter ${place} ${position} ${kind} ${integral}`, {
    op: 'parameter',
    kind,
    integral,
    place,
    position,
  });
}

/** The index of the loop with this name. */
export function index(graph: Graph, name: string): GraphNode {
  return intern(graph, `index ${name}`, { op: 'index', kind: 'number', integral: true, index: name });
}

/** The array that the loops over `indices` fill, for reading what they have stored before. */
export function self(graph: Graph, indices: readonly string[], integral: boolean): GraphNode {
  return intern(graph, `self ${integral} ${indices.join(' ')}`, { op: 'self', kind: 'array', integral, indices });
}

/** A mark among the free variables: what carries it changes while its array is filled. */
const markOf = (indices: readonly string[]): string => `self ${indices.join(' ')}`;

/** Whether `node` reads an array that is still being filled, so that it may not be computed elsewhere. */
export function readsSelf(node: GraphNode): boolean {
  return [...node.free].some((name) => name.startsWith('self '));
}

function resultKind(fn: FunctionName): GraphNode['kind'] {
  const row = functionTable[fn];
  if (row.kind === 'concat') return 'string';
  return row.kind === 'numeric' || row.kind === 'length' || row.kind === 'unit' ? 'number' : 'boolean';
}

/** `integral` as `isIntegral` of the term says. */
export function call(graph: Graph, fn: FunctionName, operands: readonly GraphNode[], integral: boolean): GraphNode {
  return (
    simpler(graph, fn, operands) ??
    intern(graph, `call ${fn} ${integral} ${ids(operands)}`, {
      op: 'call',
      kind: resultKind(fn),
      integral,
      fn,
      operands,
    })
  );
}

/** Rewrites that change no value, NaN and −0 included. */
function simpler(graph: Graph, fn: FunctionName, [a, b]: readonly GraphNode[]): GraphNode | null {
  if (!a) return null;
  if (!b) return simplerOfOne(graph, fn, a);
  if (fn === 'and') return simplerAnd(a, b);
  return a.integral && b.integral ? simplerWhole(fn, a, b) : null;
}

const neverNegative: ReadonlySet<FunctionName> = new Set<FunctionName>(['exp', 'absolute', 'sqrt', 'sigmoid']);

function simplerOfOne(graph: Graph, fn: FunctionName, a: GraphNode): GraphNode | null {
  if (fn === 'absolute' && a.op === 'call' && neverNegative.has(a.fn)) return a;
  return fn === 'not' && a.op === 'constant' ? truth(graph, a.text !== 'true') : null;
}

function simplerAnd(a: GraphNode, b: GraphNode): GraphNode | null {
  if (a.op === 'constant') return a.text === 'true' ? b : a;
  return b.op === 'constant' && b.text === 'true' ? a : null;
}

function isConstant(node: GraphNode, decimal: string): boolean {
  return node.op === 'constant' && node.decimal === decimal;
}

function simplerWhole(fn: FunctionName, a: GraphNode, b: GraphNode): GraphNode | null {
  if ((fn === 'subtract' || fn === 'add') && isConstant(b, '0')) return a;
  if (fn === 'add' && isConstant(a, '0')) return b;
  return fn === 'multiply' && isConstant(a, '1') ? b : null;
}

/** The choice, or the branch itself if the condition is constant or both branches are one node. */
export function select(graph: Graph, condition: GraphNode, then: GraphNode, otherwise: GraphNode): GraphNode {
  if (condition.op === 'constant') return condition.text === 'true' ? then : otherwise;
  if (then === otherwise) return then;
  const integral = then.integral && otherwise.integral;
  return intern(graph, `select ${ids([condition, then, otherwise])}`, {
    op: 'select',
    kind: then.kind,
    integral,
    condition,
    then,
    otherwise,
  });
}

/** The element of an array at a flat offset. */
export function read(graph: Graph, array: GraphNode, offset: GraphNode, kind: 'number' | 'boolean'): GraphNode {
  return intern(graph, `read ${kind} ${array.id} ${offset.id}`, {
    op: 'read',
    kind,
    integral: array.integral,
    array,
    offset,
  });
}

const loopKey = (loops: readonly Loop[]): string =>
  loops.map((loop) => `${loop.index}:${loop.from.id}:${loop.to.id}`).join(' ');

/** A reduction over nested loops; `condition` selects the iterations that count. */
export function reduction(
  graph: Graph,
  operator: ReduceOperator,
  loops: readonly Loop[],
  condition: GraphNode | null,
  body: GraphNode,
  integral: boolean,
): GraphNode {
  const key = `reduce ${operator} ${integral} ${loopKey(loops)} ${condition?.id ?? ''} ${body.id}`;
  const kind = operator === 'all' || operator === 'any' ? 'boolean' : 'number';
  return intern(graph, key, { op: 'reduce', kind, integral, operator, loops, condition, body });
}

/** The array of `body` over `loops`; when `body` only copies a stored array, that array. */
export function store(graph: Graph, loops: readonly Loop[], body: GraphNode, self: GraphNode | null = null): GraphNode {
  const extents = loops.map((loop) => extent(graph, loop));
  const offset = flatten(
    graph,
    loops.map((loop) => call(graph, 'subtract', [index(graph, loop.index), loop.from], true)),
    extents,
  );
  const length = extents.reduce(
    (product, next) => call(graph, 'multiply', [product, next], true),
    constant(graph, '1'),
  );
  if (body.op === 'read' && body.offset === offset && body.array.op === 'store') {
    // An array that depends on the loop is another one at each step: this reads its diagonal.
    const { array } = body;
    const fixed = loops.every((loop) => !array.free.has(loop.index));
    if (fixed && body.array.length === length && body.kind === 'number') return body.array;
  }
  const kind = 'array';
  const key = `store ${loopKey(loops)} ${body.id} ${self?.id ?? ''}`;
  return intern(graph, key, { op: 'store', kind, integral: body.integral, loops, offset, length, body, self });
}

/** How many values a loop visits. */
export function extent(graph: Graph, loop: Loop): GraphNode {
  return call(graph, 'subtract', [loop.to, loop.from], true);
}

/** The row-major position of `indices` in a tensor with the given extents. */
export function flatten(graph: Graph, indices: readonly GraphNode[], extents: readonly GraphNode[]): GraphNode {
  let position = constant(graph, '0');
  indices.forEach((at, axis) => {
    const size = extents[axis];
    if (size && axis > 0) position = call(graph, 'multiply', [position, size], true);
    position = call(graph, 'add', [position, at], true);
  });
  return position;
}

function freeOf(node: GraphNode): ReadonlySet<string> {
  if (node.op === 'index') return new Set([node.index]);
  if (node.op === 'self') return new Set([...node.indices, markOf(node.indices)]);
  const free = new Set<string>();
  for (const part of partsOfNode(node)) for (const name of part.free) free.add(name);
  if (node.op === 'reduce' || node.op === 'store') for (const loop of node.loops) free.delete(loop.index);
  if (node.op === 'store' && node.self) free.delete(markOf(node.loops.map((loop) => loop.index)));
  return free.size === 0 ? NOTHING : free;
}

function heightOf(node: GraphNode): number {
  let highest = 0;
  for (const part of partsOfNode(node)) highest = Math.max(highest, part.height);
  return node.op === 'reduce' || node.op === 'store' ? highest + 1 : highest;
}

function costOf(node: GraphNode): number {
  let parts = 0;
  for (const part of partsOfNode(node)) parts += part.op === 'store' ? 0 : part.cost;
  if (node.op === 'reduce' || node.op === 'store')
    return Math.min(MOST_COST, LOOP_COST * node.loops.length * (1 + parts));
  return Math.min(MOST_COST, ownCost(node) + parts);
}

/** The cost of the operation itself. */
function ownCost(node: GraphNode): number {
  return node.op === 'call' && !CHEAP_CALLS.test(node.fn) ? CALL_COST : 1;
}

/** The cost of what a loop over `index` repeats of `node`: parts that do not depend on it are computed outside. */
export function costPerStep(node: GraphNode, index: string): number {
  const known = new Map<number, number>();
  const visit = (at: GraphNode): number => {
    if (!at.free.has(index)) return 0;
    if (at.op === 'reduce' || at.op === 'store') return at.cost;
    let cost = known.get(at.id);
    if (cost !== undefined) return cost;
    cost = ownCost(at);
    for (const part of partsOfNode(at)) cost += visit(part);
    cost = Math.min(MOST_COST, cost);
    known.set(at.id, cost);
    return cost;
  };
  return visit(node);
}
