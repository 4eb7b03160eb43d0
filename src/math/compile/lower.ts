/**
 * From terms to the graph: names resolved, `let` and `element` of a tabulation dissolved, equal parts shared.
 */
import { invariant, PvBug } from '../../base/invariant.ts';
import { isIntegral } from '../term/integral.ts';
import { decidesLength, lengthName } from '../term/sequences.ts';
import { INTEGER, type IndexBinder, type Term, type Type } from '../term/term.ts';
import { isBelow, isNonNegative, isWhole } from './bounds.ts';
import * as build from './graph.ts';
import type { Graph } from './graph.ts';
import { heightOfTerm } from './height.ts';
import type { GraphNode, Loop, Place } from './node.ts';
import { storeRows } from './rows.ts';

/** What a name means: a scalar has no extents. */
interface Meaning {
  readonly node: GraphNode;
  readonly extents: readonly GraphNode[];
  readonly element: 'number' | 'boolean' | 'string';
  /** For an array that is being filled: the position of the current element, before which it can be read. */
  readonly current: GraphNode | null;
}

/** The state of one translation from terms to nodes. */
export interface Lowering {
  readonly graph: Graph;
  readonly scope: Map<string, Meaning>;
  readonly ranges: Map<string, Loop>;
  /** The term that a comparison's node came from, for explanations. */
  readonly sources: Map<number, Term>;
}

/** A translation with an empty graph. */
export function createLowering(): Lowering {
  return { graph: build.createGraph(), scope: new Map(), ranges: new Map(), sources: new Map() };
}

function kindOf(type: Type): Meaning['element'] {
  const element = type.kind === 'tensor' ? type.element : type;
  return element.kind === 'boolean' || element.kind === 'string' ? element.kind : 'number';
}

/** Binds `name` to a value that arrives at run time. Sizes before the tensors whose shapes mention them. */
export function declare(lowering: Lowering, name: string, type: Type, place: Place, position: number): void {
  const element = kindOf(type);
  const tensor = type.kind === 'tensor';
  const integral = (tensor ? type.element : type).kind === 'integer';
  const node = build.parameter(lowering.graph, place, position, tensor ? 'array' : element, integral);
  if (place === 'output' && decidesLength(type, name)) declare(lowering, lengthName(name), INTEGER, 'length', position);
  const extents = tensor ? type.shape.map((size) => lower(lowering, size)) : [];
  lowering.scope.set(name, { node, extents, element, current: null });
}

/** Binds names during `inside`, then restores their meaning. */
function withNames<R>(lowering: Lowering, names: readonly (readonly [string, Meaning])[], inside: () => R): R {
  const before = names.map(([name]) => [name, lowering.scope.get(name)] as const);
  for (const [name, meaning] of names) lowering.scope.set(name, meaning);
  const result = inside();
  for (const [name, meaning] of before.reverse()) {
    if (meaning) lowering.scope.set(name, meaning);
    else lowering.scope.delete(name);
  }
  return result;
}

const scalarMeaning = (node: GraphNode): Meaning => ({
  node,
  extents: [],
  element: node.kind === 'array' ? 'number' : node.kind,
  current: null,
});

/** Enters a chain of `let`, in a loop because such chains are long, and continues with its body. */
function throughLets<R>(lowering: Lowering, start: Term, inside: (body: Exclude<Term, { kind: 'let' }>) => R): R {
  const before: (readonly [string, Meaning | undefined])[] = [];
  let term = start;
  for (; term.kind === 'let'; term = term.body) {
    const meaning = meaningOf(lowering, term.value);
    before.push([term.name, lowering.scope.get(term.name)]);
    lowering.scope.set(term.name, meaning);
  }
  const result = inside(term);
  for (const [name, meaning] of before.reverse()) {
    if (meaning) lowering.scope.set(name, meaning);
    else lowering.scope.delete(name);
  }
  return result;
}

function meaningOf(lowering: Lowering, term: Term): Meaning {
  return term.type.kind === 'tensor' ? lowerTensor(lowering, term) : scalarMeaning(lower(lowering, term));
}

/** The node of a scalar term. */
export function lower(lowering: Lowering, start: Term): GraphNode {
  return throughLets(lowering, start, (term) => lowerNode(lowering, term));
}

function lowerNode(lowering: Lowering, term: Exclude<Term, { kind: 'let' }>): GraphNode {
  const { graph } = lowering;
  switch (term.kind) {
    case 'number':
      return build.constant(graph, term.value, isIntegral(term));
    case 'boolean':
      return build.truth(graph, term.value);
    case 'string':
      return build.text(graph, term.value);
    case 'variable':
      return lookUp(lowering, term.name).node;
    case 'call':
      return lowerCall(lowering, term);
    case 'if':
      return build.select(
        graph,
        lower(lowering, term.condition),
        lower(lowering, term.then),
        lower(lowering, term.otherwise),
      );
    case 'element':
      return lowerElement(
        lowering,
        term.tensor,
        term.indices.map((at) => lower(lowering, at)),
      );
    case 'reduce':
      return withLoops(lowering, term, (loops) => {
        const condition = term.condition && lower(lowering, term.condition);
        return build.reduction(graph, term.operator, loops, condition, lower(lowering, term.body), isIntegral(term));
      });
    case 'tabulate':
    case 'recurrence':
      throw new PvBug('a tensor occurs where elaboration puts scalars');
    case 'apply':
      throw new PvBug(`the kernel of ${term.equation} is applied before the predicate, never inside it`);
  }
}

function lowerCall(lowering: Lowering, term: Term & { kind: 'call' }): GraphNode {
  const node = build.call(
    lowering.graph,
    term.fn,
    term.arguments.map((argument) => lower(lowering, argument)),
    isIntegral(term),
  );
  if (node.kind === 'boolean' && !lowering.sources.has(node.id)) lowering.sources.set(node.id, term);
  return node;
}

function lookUp(lowering: Lowering, name: string): Meaning {
  const meaning = lowering.scope.get(name);
  invariant(meaning, `elaboration declares every variable, but ${name} has no value`);
  return meaning;
}

/** Opens the loops of a tabulation or reduction, with index names that no enclosing loop uses. */
function withLoops<R>(
  lowering: Lowering,
  term: Term & { readonly binders: readonly IndexBinder[] },
  inside: (loops: readonly Loop[]) => R,
): R {
  const height = heightOfTerm(term);
  const loops: Loop[] = [];
  const enter = (at: number): R => {
    const binder = term.binders[at];
    if (!binder) return inside(loops);
    const loop = { index: `#${height}.${at}`, from: lower(lowering, binder.from), to: lower(lowering, binder.to) };
    loops.push(loop);
    const outer = lowering.ranges.get(loop.index);
    lowering.ranges.set(loop.index, loop);
    const result = withNames(lowering, [[binder.name, scalarMeaning(build.index(lowering.graph, loop.index))]], () =>
      enter(at + 1),
    );
    if (outer) lowering.ranges.set(loop.index, outer);
    else lowering.ranges.delete(loop.index);
    return result;
  };
  return enter(0);
}

/** A whole tensor as an array that exists at run time: an input, an output, or one that is computed and stored. */
export function lowerTensor(lowering: Lowering, start: Term): Meaning {
  return throughLets(lowering, start, (term) => {
    if (term.kind === 'variable') return lookUp(lowering, term.name);
    const element = kindOf(term.type);
    if (term.kind === 'tabulate') {
      return withLoops(lowering, term, (loops) => {
        const node = build.store(lowering.graph, loops, lower(lowering, term.body));
        return { node, extents: extentsOf(lowering, loops), element, current: null };
      });
    }
    if (term.kind === 'recurrence') return lowerRecurrence(lowering, term, element);
    return storeElements(lowering, term, element);
  });
}

/** A tensor that is chosen by a condition: each element is chosen. */
function storeElements(lowering: Lowering, term: Term, element: Meaning['element']): Meaning {
  invariant(term.type.kind === 'tensor', 'only tensors are stored');
  const { graph } = lowering;
  const height = heightOfTerm(term);
  const extents = term.type.shape.map((size) => lower(lowering, size));
  const loops = extents.map((to, axis): Loop => ({
    index: `#${height}.${axis}`,
    from: build.constant(graph, '0'),
    to,
  }));
  for (const loop of loops) lowering.ranges.set(loop.index, loop);
  const body = lowerElement(
    lowering,
    term,
    loops.map((loop) => build.index(graph, loop.index)),
  );
  for (const loop of loops) lowering.ranges.delete(loop.index);
  return { node: build.store(graph, loops, body), extents, element, current: null };
}

function extentsOf({ graph }: Lowering, loops: readonly Loop[]): readonly GraphNode[] {
  return loops.map((loop) => build.extent(graph, loop));
}

function lowerRecurrence(
  lowering: Lowering,
  term: Term & { kind: 'recurrence' },
  element: Meaning['element'],
): Meaning {
  const { graph } = lowering;
  return withLoops(lowering, term, (loops) => {
    const self = build.self(
      graph,
      loops.map((loop) => loop.index),
      isIntegral(term.body),
    );
    const extents = extentsOf(lowering, loops);
    const current = build.flatten(
      graph,
      loops.map((loop) => build.call(graph, 'subtract', [build.index(graph, loop.index), loop.from], true)),
      extents,
    );
    const own: Meaning = { node: self, extents, element, current };
    const body = withNames(lowering, [[term.name, own]], () => lower(lowering, term.body));
    return { node: build.store(graph, loops, body, self), extents, element, current: null };
  });
}

/** One element of a tensor; a tabulation is not stored for it, its body is taken at those indices. */
function lowerElement(lowering: Lowering, start: Term, indices: readonly GraphNode[]): GraphNode {
  const { graph } = lowering;
  return throughLets(lowering, start, (tensor) => {
    switch (tensor.kind) {
      case 'if':
        return build.select(
          graph,
          lower(lowering, tensor.condition),
          lowerElement(lowering, tensor.then, indices),
          lowerElement(lowering, tensor.otherwise, indices),
        );
      case 'tabulate':
        return bodyAt(lowering, tensor, indices);
      default: {
        const { node, extents, element, current } = lowerTensor(lowering, tensor);
        invariant(element !== 'string', 'there are no tensors of strings');
        const offset = build.flatten(graph, indices, extents);
        const value = build.read(graph, node, offset, element);
        const stored = current && build.call(graph, 'less', [offset, current], false);
        return whenInside(lowering, indices, extents, value, stored ?? build.truth(graph, true));
      }
    }
  });
}

function bodyAt(lowering: Lowering, tensor: Term & { kind: 'tabulate' }, indices: readonly GraphNode[]): GraphNode {
  const { graph } = lowering;
  const extents: GraphNode[] = [];
  const names = tensor.binders.map((binder, axis): readonly [string, Meaning] => {
    const [from, to] = [lower(lowering, binder.from), lower(lowering, binder.to)];
    extents.push(build.call(graph, 'subtract', [to, from], true));
    const at = indices[axis];
    invariant(at, 'elaboration gives every axis an index');
    return [binder.name, scalarMeaning(build.call(graph, 'add', [from, at], true))];
  });
  const body = withNames(lowering, names, () => lower(lowering, tensor.body));
  return whenInside(lowering, indices, extents, body);
}

/** `value`, or NaN (false) where an index is outside its axis; a proved index costs nothing at run time. */
function whenInside(
  lowering: Lowering,
  indices: readonly GraphNode[],
  extents: readonly GraphNode[],
  value: GraphNode,
  condition: GraphNode = build.truth(lowering.graph, true),
): GraphNode {
  const { graph, ranges } = lowering;
  let inside = condition;
  const demand = (fn: 'greater-equal' | 'less' | 'equal', a: GraphNode, b: GraphNode): void => {
    inside = build.call(graph, 'and', [inside, build.call(graph, fn, [a, b], false)], false);
  };
  indices.forEach((at, axis) => {
    const size = extents[axis];
    if (!isNonNegative(at, ranges)) demand('greater-equal', at, build.constant(graph, '0'));
    if (size && !isBelow(at, size, ranges)) demand('less', at, size);
    if (!isWhole(at)) demand('equal', at, build.call(graph, 'floor', [at], true));
  });
  return build.select(
    graph,
    inside,
    value,
    value.kind === 'boolean' ? build.truth(graph, false) : build.constant(graph, 'NaN', value.integral),
  );
}

/** The nodes with what several loops would compute again stored in rows; see rows.ts. */
export function optimise(lowering: Lowering, roots: readonly GraphNode[]): readonly GraphNode[] {
  const { graph, sources } = lowering;
  return storeRows(graph, roots, (before, after) => {
    const source = sources.get(before.id);
    if (source && !sources.has(after.id)) sources.set(after.id, source);
  });
}
