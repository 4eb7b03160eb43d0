import { emitReduction } from './emit-reduction.ts';
import { emitStore } from './emit-store.ts';
import { partsOfNode, type GraphNode } from './node.ts';
import type { Emitter } from './scope.ts';

/** The arithmetic and the language of emitted code. */
export interface EmitterOptions {
  readonly float32: boolean;
  readonly typescript: boolean;
}

/** An emitter for one module; each function of it gets its own counts of uses through {@link forRoots}. */
export function createEmitter({ float32, typescript }: EmitterOptions): Emitter {
  return {
    statements: { reduce: emitReduction, store: emitStore },
    float32,
    typescript,
    uses: new Map(),
    scratch: [],
    names: { used: 0 },
  };
}

/** The emitter for a function that computes `roots`. */
export function forRoots(emitter: Emitter, roots: readonly GraphNode[]): Emitter {
  return { ...emitter, uses: countUses(roots) };
}

function countUses(roots: readonly GraphNode[]): ReadonlyMap<number, number> {
  const uses = new Map<number, number>();
  const pending = [...roots];
  for (let node = pending.pop(); node; node = pending.pop()) {
    const before = uses.get(node.id) ?? 0;
    uses.set(node.id, before + 1);
    if (before === 0) pending.push(...partsOfNode(node));
  }
  return uses;
}
