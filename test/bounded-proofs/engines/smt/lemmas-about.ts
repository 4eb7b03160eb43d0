import { collectLemmas, type Reach } from '../../../../src/bounded-proofs/engines/smt/collect-lemmas.ts';
import { createKnowledge } from '../../../../src/bounded-proofs/engines/smt/knowledge.ts';
import { print, problem, type Domain } from '../../notation.ts';

/** A claim, the domains of its variables that are not [−10, 10], and what the solver gets about it. */
export type LemmaCase = readonly [claim: string, over: Readonly<Record<string, Domain>>, lemmas: readonly string[]];

/** The lemmas about a claim as text, each with the axioms that it rests on. */
export function lemmasAbout(claim: string, reach: Reach, over: Readonly<Record<string, Domain>>): readonly string[] {
  const { graph, conclusion, ...rest } = problem(claim, { over });
  const knowledge = createKnowledge({ graph, conclusion, ...rest });
  return collectLemmas({ graph, knowledge, statement: conclusion, reach }).map(
    ({ formula, axioms }) => print(formula) + (axioms.size === 0 ? '' : ` by ${[...axioms].join(', ')}`),
  );
}
