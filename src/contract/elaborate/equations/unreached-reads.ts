/**
 * `C_i = { A_i if i < a; B_{i-a} otherwise }` runs as far as A_i does, where B is never read: the author means a longer C, and what is
 * false of the shorter one says nothing.
 */
import { termKey } from '../../../math/term/term-key.ts';
import type { Term } from '../../../math/term/term.ts';
import { freeVariables, partsOf } from '../../../math/term/traverse.ts';
import type { Context, ReadPlace } from '../context/context.ts';

/** Records a problem where the range of an index leaves out every element of a branch that it reads. */
export function checkUnreached(ctx: Context, body: Term): void {
  if (ctx.problem || ctx.reads.size === 0) return;
  const ends = new Map<string, Term>();
  const seen = new Set<Term>();
  const stack = [body];
  for (let term = stack.pop(); term; term = stack.pop()) {
    if (seen.has(term)) continue;
    seen.add(term);
    if ('binders' in term) for (const { name, to } of term.binders) ends.set(name, to);
    if (term.kind === 'if') {
      const dead = unreachedBranch(term, ends);
      const read = dead && readBy(ctx, dead.branch, dead.index);
      if (dead && read) {
        report(ctx, read, dead.index);
        return;
      }
    }
    stack.push(...partsOf(term));
  }
}

/** The branch that `i < n` or `i ≥ n` decides, where i runs up to n. */
function unreachedBranch(
  { condition, then, otherwise }: Extract<Term, { kind: 'if' }>,
  ends: ReadonlyMap<string, Term>,
): { readonly index: string; readonly branch: Term } | null {
  if (condition.kind !== 'call') return null;
  const [left, right] = condition.arguments;
  const isFlipped = condition.fn === 'greater' || condition.fn === 'less-equal';
  const [index, bound] = isFlipped ? [right, left] : [left, right];
  const end = index?.kind === 'variable' ? ends.get(index.name) : undefined;
  if (index?.kind !== 'variable' || !bound || !end || termKey(bound) !== termKey(end)) return null;
  if (condition.fn === 'less' || condition.fn === 'greater') return { index: index.name, branch: otherwise };
  if (condition.fn === 'greater-equal' || condition.fn === 'less-equal') return { index: index.name, branch: then };
  return null;
}

/** An element that is read at the index, if any. */
function readBy({ reads }: Context, branch: Term, index: string): ReadPlace | null {
  const seen = new Set<Term>();
  const stack = [branch];
  for (let term = stack.pop(); term; term = stack.pop()) {
    if (seen.has(term)) continue;
    seen.add(term);
    const read = term.kind === 'element' && term.origin ? reads.get(term.origin) : undefined;
    if (read && term.kind === 'element' && term.indices.some((one) => freeVariables(one).has(index))) return read;
    stack.push(...partsOf(term));
  }
  return null;
}

function report(ctx: Context, { text, range }: ReadPlace, index: string): void {
  const written = ctx.indices.get(index)?.written ?? index;
  ctx.problem = {
    kind: 'error',
    code: 'PV-4006',
    message: `${text.text.slice(range.start, range.end).trim()} is never read: ${written} ends before its case begins`,
    hint: `say how far the index runs: write 0 ≤ ${written} < m, or give the codomain`,
    text,
    range,
  };
}
