/**
 * Decides a problem statement by statement, with one engine after another until one is sure.
 */
import { casesOf } from './cases.ts';
import type { BooleanExpression, Graph } from './expression.ts';
import type { Budget, Engine, EngineId, EngineOutcome, Model } from './engines/engine.ts';
import type { AxiomId } from './axioms.ts';
import type { ProofProblem } from './problem.ts';
import { createExperience, shapeOf, type Experience } from './shape.ts';

interface Tried {
  readonly engine: EngineId;
  readonly outcome: EngineOutcome;
}

/** What became of one statement. */
export interface StatementOutcome {
  readonly statement: BooleanExpression;
  /** In the order tried; the last one decided it, if any did. Empty where the statement is true by construction. */
  readonly tried: readonly Tried[];
  readonly verdict: 'proved' | 'refuted' | 'open';
}

/** A problem, the engines that may decide it, and how their counterexamples are confirmed. */
export interface ProveRequest<C> {
  readonly problem: ProofProblem;
  /** The best first, except for statements that look like one that another of them has proved: that one starts there. */
  readonly engines: readonly Engine[];
  readonly budget: Budget;
  /** In milliseconds; once none are left, statements that have not been tried stay open. */
  readonly remainingMs: () => number;
  /** Whether a model is a counterexample on the real kernel, and what was seen there; null takes it for an artefact. */
  readonly confirm: (model: Model) => Promise<C | null>;
  /** Stop at the first statement that is not proved. */
  readonly untilOpen?: boolean;
}

/** What happened to each statement, in order. */
export interface Proof<C> {
  readonly outcomes: readonly StatementOutcome[];
  /** Of the refuted statement, which is the last one. */
  readonly counterexample: C | null;
}

/** Splits the conclusion of the problem and decides each part; stops at the first that is refuted. */
export async function prove<C>(request: ProveRequest<C>): Promise<Proof<C>> {
  const { problem, untilOpen } = request;
  const outcomes: StatementOutcome[] = [];
  for (const statement of statementsOf(problem.graph, problem.conclusion)) {
    const { outcome, counterexample } = await decideByCases({ ...problem, conclusion: statement }, request);
    outcomes.push(outcome);
    if (counterexample !== null) return { outcomes, counterexample };
    if (untilOpen && outcome.verdict === 'open') break;
  }
  return { outcomes, counterexample: null };
}

/** What was learned belongs to one set of engines, so that no proof depends on which ones ran before it. */
const experiences = new WeakMap<readonly Engine[], Experience<Engine>>();

function experienceOf(engines: readonly Engine[]): Experience<Engine> {
  const experience = experiences.get(engines) ?? createExperience<Engine>();
  experiences.set(engines, experience);
  return experience;
}

interface Decided<C> {
  readonly outcome: StatementOutcome;
  readonly counterexample: C | null;
}

/**
 * Where conditions choose between values, each choice is decided for itself: engines take a choice for anything between its
 * values. If one stays open, the statement is decided as a whole.
 */
async function decideByCases<C>(problem: ProofProblem, request: ProveRequest<C>): Promise<Decided<C>> {
  const statement = problem.conclusion;
  const cases = casesOf(problem.graph, statement);
  const tried: Tried[] = [];
  for (const conclusion of cases) {
    const { outcome, counterexample } = await decide({ ...problem, conclusion }, request);
    if (counterexample !== null) return { outcome: { ...outcome, statement }, counterexample };
    if (outcome.verdict === 'open') return decide(problem, request);
    tried.push(...outcome.tried);
  }
  if (cases.length === 0) return decide(problem, request);
  return { outcome: { statement, tried, verdict: 'proved' }, counterexample: null };
}

async function decide<C>(
  problem: ProofProblem,
  { engines, budget, remainingMs, confirm }: ProveRequest<C>,
): Promise<Decided<C>> {
  const statement = problem.conclusion;
  if (statement.kind === 'truth' && statement.value)
    return { outcome: { statement, tried: [], verdict: 'proved' }, counterexample: null };
  const tried: Tried[] = [];
  const experience = experienceOf(engines);
  const shape = shapeOf(statement);
  for (const engine of experience.order(shape, engines)) {
    const left = remainingMs();
    if (left <= 0) break;
    const outcome = await engine.decide(problem, { ...budget, timeoutMs: Math.min(budget.timeoutMs, left) });
    if (outcome.verdict === 'refuted') {
      const counterexample = await confirm(outcome.model);
      tried.push({ engine: engine.id, outcome: counterexample === null ? artefact(outcome.detail) : outcome });
      if (counterexample !== null) return { outcome: { statement, tried, verdict: 'refuted' }, counterexample };
    } else {
      tried.push({ engine: engine.id, outcome });
      if (outcome.verdict === 'proved') {
        experience.learn(shape, engine);
        return { outcome: { statement, tried, verdict: 'proved' }, counterexample: null };
      }
    }
  }
  experience.learn(shape, null);
  return { outcome: { statement, tried, verdict: 'open' }, counterexample: null };
}

/** The axioms admit what the kernel never does. */
const artefact = (detail: string): EngineOutcome => ({
  verdict: 'unknown',
  detail: `its counterexample is none on the kernel: an artefact of the axioms (${detail})`,
});

/**
 * Statements that together are the conclusion: a conjunction falls apart, and so does what implies one
 * (`p ⟹ a ∧ b`, as ¬p ∨ (a ∧ b), is `p ⟹ a` and `p ⟹ b`).
 */
export function statementsOf(graph: Graph, conclusion: BooleanExpression): readonly BooleanExpression[] {
  if (conclusion.kind === 'and') return conclusion.operands.flatMap((operand) => statementsOf(graph, operand));
  if (conclusion.kind !== 'or') return [conclusion];
  const conjunctions = conclusion.operands.filter(({ kind }) => kind === 'and');
  const [only] = conjunctions;
  if (conjunctions.length !== 1 || only?.kind !== 'and') return [conclusion];
  const others = conclusion.operands.filter((operand) => operand !== only);
  return only.operands.flatMap((operand) => statementsOf(graph, graph.or([...others, operand])));
}

/** The axioms that the proofs among the outcomes rest on, sorted. */
export function axiomsOf(outcomes: readonly StatementOutcome[]): readonly AxiomId[] {
  const used = outcomes.flatMap(({ tried }) =>
    tried.flatMap(({ outcome }) => (outcome.verdict === 'proved' ? outcome.axioms : [])),
  );
  return [...new Set(used)].toSorted();
}
