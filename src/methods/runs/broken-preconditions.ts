/**
 * Which preconditions filter most: a run only counts filtered cases and stops at the first precondition that a case breaks.
 */
import { listOf } from '../../base/text.ts';
import { boolean } from '../../math/term/build.ts';
import type { Case } from '../../math/compile/compiled.ts';
import { loadGoal } from '../../math/compile/load.ts';
import type { Domain } from '../../math/domain.ts';
import { printTerm } from '../../math/term/print-term.ts';
import type { Term } from '../../math/term/term.ts';
import type { TestableGoal } from '../../runtime/testable-goal.ts';

/** A precondition as reasons show it; the same for the same term, so that a report can find where it is written. */
export function preconditionText(precondition: Term): string {
  return `\`${printTerm(precondition, 160)}\``;
}

const mostShown = 3;

/**
 * What `cases`, all filtered, broke: "most often `Σ_i x_i ≤ 1` (97 of 100 looked at)", the most frequent first. A case
 * may break several. Null if no single precondition explains them.
 */
export async function brokenPreconditions(
  { id, domain }: TestableGoal,
  cases: readonly Case[],
): Promise<string | null> {
  const counts = await Promise.all(
    domain.preconditions.map(async (precondition) => ({
      text: preconditionText(precondition),
      broken: await countBroken(id, { ...domain, preconditions: [precondition] }, cases),
    })),
  );
  const found = counts.filter(({ broken }) => broken > 0).toSorted((a, b) => b.broken - a.broken);
  if (found.length === 0) return null;
  const parts = found.map(({ text, broken }) => `${text} (${broken} of ${cases.length} looked at)`);
  return `most often ${listOf(parts, mostShown)}`;
}

async function countBroken(id: string, domain: Domain, cases: readonly Case[]): Promise<number> {
  const { precondition } = await loadGoal({ id, formal: '', domain, applications: [], predicate: boolean(true) });
  return cases.filter(({ sizes, values }) => !precondition(sizes, values)).length;
}
