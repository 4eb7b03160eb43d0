/** Whether any input satisfies the premises of a problem: anything follows from contradictory premises. */
import { compareRational } from '../../../numeric/rational.ts';
import type { AxiomId } from '../../axioms.ts';
import type { ProofProblem } from '../../problem.ts';
import type { Budget, Model } from '../engine.ts';
import { collectLemmas } from './collect-lemmas.ts';
import { counterexampleTo } from './counterexample.ts';
import { writeScript } from './script.ts';
import type { Inquiry } from './session.ts';

/** Whether a proof under these premises would say anything. */
export type Satisfiability =
  /** With an input on which they hold. */
  | { readonly kind: 'satisfiable'; readonly model: Model }
  /** No input satisfies them, or only by values that the axioms exclude. */
  | { readonly kind: 'contradictory'; readonly axioms: readonly AxiomId[] }
  | { readonly kind: 'unknown'; readonly detail: string };

/** Asks with the lemmas about the whole problem, since a proof would use them. */
export async function checkSatisfiable(
  { sessionOf, ask }: Inquiry,
  problem: ProofProblem,
  budget: Budget,
): Promise<Satisfiability> {
  const { graph, premises, variables } = problem;
  const { knowledge } = sessionOf(problem);
  const isEmpty = variables.some(({ low, high }) => low && high && compareRational(low, high) > 0);
  if (isEmpty) return { kind: 'contradictory', axioms: [] };
  const all = graph.and(premises);
  if (all === graph.false) return { kind: 'contradictory', axioms: [] };
  const anywhere = counterexampleTo(problem, graph.not(all), new Map());
  if (anywhere) return { kind: 'satisfiable', model: anywhere };
  let detail = 'the solver does not decide it';
  for (const nonlinear of [false, true]) {
    const lemmas = [all, problem.conclusion].flatMap((statement) =>
      collectLemmas({ graph, knowledge, statement, reach: 'cone' }),
    );
    const script = writeScript({ assertions: [all], lemmas, premises: [], nonlinear }, knowledge);
    const answer = await ask(script, budget);
    if (answer.kind === 'unsatisfiable') return { kind: 'contradictory', axioms: [...script.axioms].toSorted() };
    if (answer.kind === 'failed') return { kind: 'unknown', detail: answer.message };
    if (answer.kind !== 'satisfiable') continue;
    const model = counterexampleTo(problem, graph.not(all), script.valuesByName(answer.values));
    if (model) return { kind: 'satisfiable', model };
    detail = 'an assignment over the reals satisfies the premises, and no input near it does';
  }
  return { kind: 'unknown', detail };
}
