/** Claims that compare inputs with one another (`rank ≤ min(d_in, d_out)`): nothing computes a side, so they may be meant as conditions. */
import type { Goal } from '../../contract/goal.ts';
import type { FunctionName } from '../../math/functions.ts';
import type { Term } from '../../math/term/term.ts';
import { freeVariables } from '../../math/term/traverse.ts';
import type { Judged } from './judge-adoption.ts';

const orders: ReadonlySet<FunctionName> = new Set(['less', 'less-equal', 'greater', 'greater-equal'] as const);
const choices: ReadonlySet<FunctionName> = new Set(['minimum', 'maximum'] as const);
const wrong: ReadonlySet<Judged['word']> = new Set(['false', 'false-in-float32', 'false-in-float64'] as const);

/** Whether some input breaks the claim. */
export const isBroken = ({ word }: Judged): boolean => wrong.has(word);

/** Why what breaks such a claim decides nothing; null of any other, and of one that its author states over the reals. */
export function brokenCondition({ predicate, applications, semantics, source }: Goal, judged: Judged): string | null {
  if (!isBroken(judged) || source === 'statement' || semantics === 'real' || applications.length > 0) return null;
  const isCondition = predicate.kind === 'call' && orders.has(predicate.fn) && predicate.arguments.every(isChosen);
  return isCondition && freeVariables(predicate).size > 1
    ? 'it compares inputs with one another, and may be meant as a condition on them'
    : null;
}

/** An input or a number, or the smaller or larger of such. */
function isChosen(term: Term): boolean {
  if (term.kind === 'call') return choices.has(term.fn) && term.arguments.every(isChosen);
  return term.kind === 'variable' || term.kind === 'number';
}
