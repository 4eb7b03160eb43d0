import type { Term } from '../term.ts';
import { partsOf } from '../traverse.ts';

/** Far above any formula that a person writes, far below what overflows a stack. */
export const MAX_DEPTH = 600;
export const MAX_NODES = 100_000;

const checked = new WeakMap<Term, string | null>();

/** Why a term is too large to evaluate or compile (deeper than 600 nodes, more than 100,000 different nodes), or null. Never recurses. */
export function termProblem(term: Term): string | null {
  const known = checked.get(term);
  if (known !== undefined) return known;
  const problem = measure(term);
  checked.set(term, problem);
  return problem;
}

/** A chain of `let` counts as one level: whatever walks terms walks it in a loop. */
function measure(root: Term): string | null {
  const depths = new Map<Term, number>();
  const stack: Term[] = [root];
  for (let term = stack.at(-1); term; term = stack.at(-1)) {
    const next = partsOf(term).find((part) => !depths.has(part));
    if (next) {
      if (depths.size + stack.length > MAX_NODES) return `the mathematics has more than ${MAX_NODES} parts`;
      stack.push(next);
      continue;
    }
    const depth = depthOf(term, depths);
    if (depth > MAX_DEPTH) return `the mathematics is nested deeper than ${MAX_DEPTH} levels`;
    depths.set(term, depth);
    stack.pop();
  }
  return null;
}

function depthOf(term: Term, depths: ReadonlyMap<Term, number>): number {
  if (term.kind === 'let') return Math.max(1 + (depths.get(term.value) ?? 0), depths.get(term.body) ?? 0);
  let deepest = 0;
  for (const part of partsOf(term)) deepest = Math.max(deepest, depths.get(part) ?? 0);
  return 1 + deepest;
}
