/**
 * Places in the emitted code: the function, its loops, and conditional blocks. Statements are collected per
 * place, so that a value can be computed as far outside as its index variables allow.
 */
import { invariant, PvBug } from '../../base/invariant.ts';
import type { GraphNode, NodeOf } from './node.ts';

/** A block of emitted code, with the values that are known in it. */
export interface Scope {
  readonly kind: 'function' | 'loop' | 'block';
  readonly lines: string[];
  /** JavaScript names of values computed here. */
  readonly names: Map<number, string>;
  /** The index variable of a loop and its JavaScript name. */
  readonly index: string | null;
  readonly indexName: string;
  readonly parent: Scope | null;
}

/** Emits the statements that compute a node in `place` and returns the name of the result. */
type EmitStatements<N> = (emitter: Emitter, node: N, place: Scope) => string;

/** The state of emitting one module. */
export interface Emitter {
  readonly statements: {
    readonly reduce: EmitStatements<NodeOf<'reduce'>>;
    readonly store: EmitStatements<NodeOf<'store'>>;
  };
  readonly float32: boolean;
  readonly typescript: boolean;
  /** How many nodes use each node. */
  readonly uses: ReadonlyMap<number, number>;
  /** Declarations outside the functions: arrays that are kept between calls. */
  readonly scratch: string[];
  readonly names: { used: number };
}

/** A JavaScript name that the module does not use yet: `i7`. */
export function fresh(emitter: Emitter, letter: string): string {
  emitter.names.used += 1;
  return `${letter}${emitter.names.used}`;
}

/** The body of a function, empty. */
export function functionScope(): Scope {
  return { kind: 'function', lines: [], names: new Map(), index: null, indexName: '', parent: null };
}

/** A conditional block inside `parent`, empty. */
export function blockScope(parent: Scope): Scope {
  return { kind: 'block', lines: [], names: new Map(), index: null, indexName: '', parent };
}

/** The body of a loop over `index`, empty. */
export function loopScope(parent: Scope, index: string, indexName: string): Scope {
  return { kind: 'loop', lines: [], names: new Map(), index, indexName, parent };
}

/** Appends `head { lines }` to the scope around `inner`. */
export function close(head: string, inner: Scope, tail = '}'): void {
  invariant(inner.parent, 'only loops and blocks are closed');
  inner.parent.lines.push(`${head} {`, ...inner.lines.map((line) => `  ${line}`), tail);
}

/** The JavaScript name of a value that is already computed here; null if it is not. */
export function nameOf(node: GraphNode, scope: Scope): string | null {
  for (let at: Scope | null = scope; at; at = at.parent) {
    const name = at.names.get(node.id);
    if (name !== undefined) return name;
  }
  return null;
}

/** The JavaScript name of an index whose loop is open. */
export function indexNameOf(index: string, scope: Scope): string {
  for (let at: Scope | null = scope; at; at = at.parent) if (at.index === index) return at.indexName;
  throw new PvBug(`the loop over ${index} is open wherever its index is used`);
}

/** The function around a place. */
export function rootOf(scope: Scope): Scope {
  let at = scope;
  while (at.parent) at = at.parent;
  return at;
}

/**
 * Where `node` is computed when `scope` needs it: in the innermost loop that binds one of its indices, else at
 * the start of the function. In the innermost loop itself it stays in the current conditional block, so that
 * what a condition guards is not computed without need.
 */
export function placeOf(node: GraphNode, scope: Scope): Scope {
  let near = true;
  for (let at = scope; ; at = at.parent) {
    const home = at.index !== null && node.free.has(at.index);
    if (home || !at.parent) return near ? scope : at;
    if (at.kind !== 'block') near = false;
  }
}
