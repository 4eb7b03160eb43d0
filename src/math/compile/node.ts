/**
 * The compiler's graph: terms with every name resolved, equal subterms shared.
 *
 * A node never mentions a name that a user wrote. Index variables are named by the height of their loop
 * (`#2.0`), so that subterms which differ only in bound names are one node; an enclosing loop is always
 * higher than the loops inside it, so no name is captured.
 */
import type { FunctionName } from '../functions.ts';
import type { ReduceOperator } from '../term/term.ts';

/** `length`: how many elements an output has. */
export type Place = 'size' | 'input' | 'output' | 'length';

/** A loop over whole numbers, `from` included. */
export interface Loop {
  readonly index: string;
  readonly from: GraphNode;
  /** Exclusive. */
  readonly to: GraphNode;
}

interface Common {
  readonly id: number;
  readonly kind: 'number' | 'boolean' | 'string' | 'array';
  /** Exact in every arithmetic: sizes, indices and what is made of them. */
  readonly integral: boolean;
  /** Index variables that it mentions and does not bind. */
  readonly free: ReadonlySet<string>;
  /** A rough count of operations, for deciding what is worth storing. */
  readonly cost: number;
  readonly height: number;
}

/** One operation on values that earlier nodes compute. */
export type GraphNode = Common &
  /** `text` is JavaScript. */
  (
    | { readonly op: 'constant'; readonly text: string; readonly decimal: string | null }
    | { readonly op: 'parameter'; readonly place: Place; readonly position: number }
    | { readonly op: 'index'; readonly index: string }
    /** The array that the surrounding loops are filling, up to the element before the current one. */
    | { readonly op: 'self'; readonly indices: readonly string[] }
    | { readonly op: 'call'; readonly fn: FunctionName; readonly operands: readonly GraphNode[] }
    | { readonly op: 'select'; readonly condition: GraphNode; readonly then: GraphNode; readonly otherwise: GraphNode }
    /** `offset` is flat, 0-based and inside the array, or its value is not used. */
    | { readonly op: 'read'; readonly array: GraphNode; readonly offset: GraphNode }
    | {
        readonly op: 'reduce';
        readonly operator: ReduceOperator;
        readonly loops: readonly Loop[];
        readonly condition: GraphNode | null;
        readonly body: GraphNode;
      }
    /** An array computed once and stored; `offset` (over the loops' indices) is where `body` goes. */
    | {
        readonly op: 'store';
        readonly loops: readonly Loop[];
        readonly offset: GraphNode;
        readonly length: GraphNode;
        readonly body: GraphNode;
        /** By which `body` reads what has been stored before; null if it does not. */
        readonly self: GraphNode | null;
      }
  );

/** The nodes with one `op`. */
export type NodeOf<O extends GraphNode['op']> = Extract<GraphNode, { op: O }>;

/** The direct parts of a node, loops' ranges included. */
export function partsOfNode(node: GraphNode): readonly GraphNode[] {
  switch (node.op) {
    case 'constant':
    case 'parameter':
    case 'index':
    case 'self':
      return [];
    case 'call':
      return node.operands;
    case 'select':
      return [node.condition, node.then, node.otherwise];
    case 'read':
      return [node.array, node.offset];
    case 'reduce':
      return [...ranges(node.loops), ...(node.condition ? [node.condition] : []), node.body];
    case 'store':
      return [...ranges(node.loops), node.offset, node.length, node.body];
  }
}

function ranges(loops: readonly Loop[]): GraphNode[] {
  return loops.flatMap((loop) => [loop.from, loop.to]);
}
