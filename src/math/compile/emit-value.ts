/**
 * JavaScript for graph nodes: expressions where they fit, statements where a value is shared, repeated or looped over.
 */
import { PvBug } from '../../base/invariant.ts';
import { functionTable } from '../functions.ts';
import type { GraphNode, NodeOf } from './node.ts';
import { fresh, indexNameOf, nameOf, placeOf, rootOf, type Emitter, type Scope } from './scope.ts';

/** Longer expressions get a name: a reader can follow them, and no parser nests too deep. */
const LONGEST_EXPRESSION = 160;

/** An expression for `node`, valid at the end of `scope`; computes what it needs in `scope` and around it. */
export function valueOf(emitter: Emitter, node: GraphNode, scope: Scope): string {
  if (node.op === 'constant') return node.kind === 'number' ? constantText(emitter, node) : node.text;
  if (node.op === 'index') return indexNameOf(node.index, scope);
  const known = nameOf(node, scope);
  if (known !== null) return known;
  if (node.op === 'parameter') return parameter(emitter, node, rootOf(scope));
  if (node.op === 'self') throw new PvBug('an array is read by name wherever it is being filled');
  const place = placeOf(node, scope);
  if (node.op === 'reduce') return remember(place, node, emitter.statements.reduce(emitter, node, place));
  if (node.op === 'store') return remember(place, node, emitter.statements.store(emitter, node, place));
  const expression = expressionOf(emitter, node, place);
  const inline = place === scope && (emitter.uses.get(node.id) ?? 0) <= 1 && expression.length <= LONGEST_EXPRESSION;
  return inline ? expression : define(emitter, node, place, expression);
}

/** As {@link valueOf}, but always a name or a literal, so that it may be written several times. */
export function atomOf(emitter: Emitter, node: GraphNode, scope: Scope): string {
  const text = valueOf(emitter, node, scope);
  return /^[\w.]+$/.test(text) ? text : define(emitter, node, placeOf(node, scope), text);
}

/**
 * As {@link valueOf}, for places where TypeScript would judge a literal: `if (true)` makes code unreachable and
 * `1 === 2` is an error to it.
 */
export function unjudged(emitter: Emitter, node: GraphNode, scope: Scope): string {
  const text = valueOf(emitter, node, scope);
  if (node.op !== 'constant' || !emitter.typescript) return text;
  const name = fresh(emitter, 't');
  scope.lines.push(`const ${name}: ${node.kind} = ${text};`);
  return name;
}

function remember(place: Scope, node: GraphNode, name: string): string {
  place.names.set(node.id, name);
  return name;
}

function define(emitter: Emitter, node: GraphNode, place: Scope, expression: string): string {
  const name = fresh(emitter, 't');
  place.lines.push(`const ${name} = ${expression};`);
  return remember(place, node, name);
}

function constantText(emitter: Emitter, node: NodeOf<'constant'>): string {
  if (!emitter.float32 || node.integral) return node.text;
  const rounded = Math.fround(Number(node.text.replace(/[()]/g, '')));
  return rounded < 0 || Object.is(rounded, -0) ? `(${Object.is(rounded, -0) ? '-0' : rounded})` : String(rounded);
}

const letters = { size: 'n', input: 'x', output: 'y', length: 'n' } as const;
const sources = { size: 'sizes', input: 'values', output: 'outputs', length: 'outputs' } as const;

function parameter(emitter: Emitter, node: NodeOf<'parameter'>, root: Scope): string {
  const name = fresh(emitter, letters[node.place]);
  const slot = `${sources[node.place]}[${node.position}]`;
  root.lines.push(`const ${name} = ${parameterText(emitter, node, slot)};`);
  return remember(root, node, name);
}

function parameterText({ typescript }: Emitter, { place, kind }: NodeOf<'parameter'>, slot: string): string {
  if (place === 'size') return typescript ? `${slot}!` : slot;
  return place === 'length' ? `m.lengthOf(${slot})` : `m.${kind}Of(${slot})`;
}

function expressionOf(emitter: Emitter, node: NodeOf<'call' | 'select' | 'read'>, scope: Scope): string {
  switch (node.op) {
    case 'select':
      return `(${valueOf(emitter, node.condition, scope)} ? ${valueOf(emitter, node.then, scope)} : ${valueOf(emitter, node.otherwise, scope)})`;
    case 'read': {
      const element = `${valueOf(emitter, node.array, scope)}[${unwrapped(valueOf(emitter, node.offset, scope))}]${emitter.typescript ? '!' : ''}`;
      return node.kind === 'boolean' ? `(${element} !== 0)` : element;
    }
    case 'call':
      return callText(emitter, node, scope);
  }
}

/** `a[(i + j)]` reads better as `a[i + j]`; only a pair that closes at the very end is removed. */
function unwrapped(expression: string): string {
  return /^\([^()]*\)$/.test(expression) ? expression.slice(1, -1) : expression;
}

function callText(emitter: Emitter, node: NodeOf<'call'>, scope: Scope): string {
  const row = functionTable[node.fn];
  const [first, second] = node.operands;
  if (node.fn === 'power' && first && second?.op === 'constant' && (second.decimal === '2' || second.decimal === '3')) {
    const base = atomOf(emitter, first, scope);
    return rounded(emitter, node, second.decimal === '2' ? `(${base} * ${base})` : `(${base} * ${base} * ${base})`);
  }
  const constant = node.operands.every((operand) => operand.op === 'constant');
  const [a = '', b = '', c = ''] = node.operands.map((operand) =>
    (constant || operand.kind === 'boolean' ? unjudged : valueOf)(emitter, operand, scope),
  );
  return rounded(emitter, node, row.javascript(a, b, c));
}

/** One rounding to float32 after each operation that may leave float32. */
function rounded(emitter: Emitter, node: NodeOf<'call'>, expression: string): string {
  const row = functionTable[node.fn];
  const exact = !emitter.float32 || node.integral || row.kind !== 'numeric' || row.float32 === 'exact';
  return exact ? expression : `Math.fround(${expression})`;
}
