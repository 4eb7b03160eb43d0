/**
 * The engine for weighted means: where weights are not negative and their sum is known, a float32 sum of a thousand products
 * stays between the least and the largest of what it weighs, up to its rounding, which is charged to the weights too.
 *
 * A quotient of two sums with the same weights, which is a mean whatever their sum, is multiplied out.
 */
import type { AxiomId } from '../axioms.ts';
import { guarded } from '../engines/algebra/algebra-engine.ts';
import type { Engine, EngineOutcome } from '../engines/engine.ts';
import { claimsOf, type Claim } from '../engines/interval/claims.ts';
import { boxOf, createRanges, type Ranges } from '../engines/interval/ranges.ts';
import type { ProofProblem } from '../problem.ts';
import { linearForms, negated, sumOf, type LinearForms } from './linear-form.ts';
import { quotientSum } from './quotient-sum.ts';
import { isAtMostZero } from './weighted-sums.ts';
import { weightSums } from './weight-premises.ts';

/** Synchronous, and without state; `close` does nothing. */
export function weightsEngine(): Engine {
  return {
    id: 'weights',
    version: '1',
    decide: (problem) => Promise.resolve(decide(problem)),
    close: () => Promise.resolve(),
  };
}

function decide(problem: ProofProblem): EngineOutcome {
  let spent: string | null = null;
  for (const claim of claimsOf(problem)) {
    const attempt = guarded(() => attemptClaim(problem, claim));
    if (typeof attempt === 'string') spent = attempt;
    else if (attempt) return attempt;
  }
  return spent === null
    ? { verdict: 'unknown', detail: 'no sum of weights decides it' }
    : { verdict: 'exhausted', budget: 'steps', detail: spent };
}

function attemptClaim(problem: ProofProblem, { relation, left, right, premises }: Claim): EngineOutcome | null {
  if (relation === 'equal') return null;
  const { graph } = problem;
  const ranges = createRanges(boxOf(problem), premises);
  const forms = linearForms(graph);
  const tools = { graph, forms, range: ranges.range };
  const sums = weightSums(premises, tools);
  const sides = relation === 'within' ? [left, graph.negate(left)] : [left];
  const found = sides.map((side) => {
    const difference = sumOf(forms.form(side), negated(forms.form(right)));
    return (
      sums.find((sum) => isAtMostZero(difference, sum, tools, relation === 'less')) ??
      quotientSum(difference, tools, relation === 'less')
    );
  });
  const [first] = found;
  if (!first || found.includes(null)) return null;
  const weights = `${first.weights.size} weights`;
  return { verdict: 'proved', axioms: axiomsOf(forms, ranges), detail: `a weighted sum, bounded by its ${weights}` };
}

function axiomsOf(forms: LinearForms, ranges: Ranges): readonly AxiomId[] {
  return [
    ...new Set<AxiomId>([...ranges.axioms(), ...(forms.hasRounded() ? (['rounding-relative'] as const) : [])]),
  ].toSorted();
}
