/**
 * Claims of several implications: an input that meets the premise of one says nothing of the others, so each must be met by some input.
 */
import { canonicalJson } from '../../base/canonical-json.ts';
import type { Goal } from '../../contract/goal.ts';
import { sha256 } from '../../evidence/digest.ts';
import { boolean, call } from '../../math/term/build.ts';
import { printTerm } from '../../math/term/print-term.ts';
import type { Term } from '../../math/term/term.ts';
import type { Check } from '../../plan/check.ts';
import { checksOf, type AdoptedGoal, type AdoptionOptions } from './adoption-checks.ts';

/** One implication of a claim. */
export interface Premise {
  readonly text: string;
  /** Checks of the claim that it is never met: what breaks one of them meets it. */
  readonly checks: readonly Check[];
  /** The same at large sizes. */
  readonly large: readonly Check[];
}

/** The premises of a claim that has several, those that are nested in one another as one; none of a claim whose inputs are counted. */
export function premisesOf(adopted: AdoptedGoal, options: AdoptionOptions): readonly Premise[] {
  const { goal, subjects, mathematics } = adopted;
  const found = implicationsIn(goal.predicate).filter(({ premises }) => premises.length > 0);
  if (found.reduce((n, { premises }) => n + premises.length, 0) < 2) return [];
  const twins = mathematics ? implicationsIn(mathematics.predicate).filter(({ premises }) => premises.length > 0) : [];
  return found.map(({ premises, refused }, i) => {
    const twin = twins.length === found.length ? twins[i] : undefined;
    const never = neverMet(goal, refused, i);
    const { exact, rounded } = checksOf(
      never,
      subjects,
      mathematics && twin ? neverMet(mathematics, twin.refused, i) : null,
      options,
    );
    const text = premises.map((premise) => printTerm(premise, 100, nameIn(goal))).join(' ∧ ');
    return { text, checks: [...rounded.slice(0, 1), ...(exact ? [exact] : [])], large: rounded.slice(1) };
  });
}

const neverMet = (goal: Goal, predicate: Term, place: number): Goal => ({
  ...goal,
  predicate,
  digest: sha256(canonicalJson(['premise', place, goal.digest])),
});

/** Outputs of equations have names of their own. */
const nameIn =
  ({ applications }: Goal) =>
  (name: string): string =>
    applications.find(({ output }) => output === name)?.equation ?? name;

interface Implication {
  readonly premises: readonly Term[];
  /** The claim with `false` in place of what this one concludes, and without the others. */
  readonly refused: Term;
}

/** What the term asserts, each with the premises around it. */
function implicationsIn(term: Term): readonly Implication[] {
  if (term.kind === 'reduce' && term.operator === 'all')
    return implicationsIn(term.body).map((one) => ({ ...one, refused: { ...term, body: one.refused } }));
  if (term.kind === 'let')
    return implicationsIn(term.body).map((one) => ({ ...one, refused: { ...term, body: one.refused } }));
  const [a, b] = term.kind === 'call' ? term.arguments : [];
  if (term.kind === 'call' && a && b && term.fn === 'and') return [...implicationsIn(a), ...implicationsIn(b)];
  if (term.kind === 'call' && a && b && term.fn === 'implies')
    return implicationsIn(b).map(({ premises, refused }) => ({
      premises: [a, ...premises],
      refused: call('implies', a, refused),
    }));
  return [{ premises: [], refused: boolean(false) }];
}
