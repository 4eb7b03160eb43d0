import type { Term } from '../term/term.ts';
import { partsOf } from '../term/traverse.ts';

/** Far above any formula that a person writes, far below what overflows a stack. */
const MAX_DEPTH = 600;
const MAX_NODES = 100_000;
/** Shared parts counted wherever they occur: what walks a term as a tree takes so long. */
const MAX_TREE_SIZE = 2_000_000;

interface Measure {
  readonly depth: number;
  readonly size: number;
}

const checked = new WeakMap<Term, string | null>();

/**
 * Why a term is too large to evaluate or compile, or null: deeper than 600 nodes, more than 100,000 different
 * nodes, or more than 2,000,000 when shared ones count each time. Never recurses; linear in the different nodes.
 */
export function termProblem(term: Term): string | null {
  const known = checked.get(term);
  if (known !== undefined) return known;
  const problem = measure(term);
  checked.set(term, problem);
  return problem;
}

function measure(root: Term): string | null {
  const measures = new Map<Term, Measure>();
  const stack: Term[] = [root];
  for (let term = stack.at(-1); term; term = stack.at(-1)) {
    const next = partsOf(term).find((part) => !measures.has(part));
    if (next) {
      if (measures.size + stack.length > MAX_NODES) return `the mathematics has more than ${MAX_NODES} parts`;
      stack.push(next);
      continue;
    }
    const found = measureOf(term, measures);
    if (found.depth > MAX_DEPTH) return `the mathematics is nested deeper than ${MAX_DEPTH} levels`;
    if (found.size > MAX_TREE_SIZE) return `the mathematics written out has more than ${MAX_TREE_SIZE} parts`;
    measures.set(term, found);
    stack.pop();
  }
  return null;
}

/** A chain of `let` counts as one level: whatever walks terms walks it in a loop. */
function measureOf(term: Term, measures: ReadonlyMap<Term, Measure>): Measure {
  let depth = 0;
  let size = 1;
  for (const part of partsOf(term)) {
    const measured = measures.get(part);
    const level = term.kind === 'let' && part === term.body ? 0 : 1;
    depth = Math.max(depth, level + (measured?.depth ?? 0));
    size += measured?.size ?? 0;
  }
  return { depth, size };
}
