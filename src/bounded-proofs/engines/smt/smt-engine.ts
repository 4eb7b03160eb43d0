/**
 * Decides statements with an SMT solver. Operations that it does not understand (roundings, functions, and at first
 * products and quotients) become unknowns, about which it gets lemmas. If it finds no contradiction it gets more of them;
 * an assignment is evaluated on the graph before it counts as a counterexample.
 */
import type { AxiomId } from '../../axioms.ts';
import { GraphTooLarge } from '../../expression.ts';
import type { ProofProblem } from '../../problem.ts';
import { statementsOf } from '../../prove.ts';
import type { Budget, Engine, EngineOutcome } from '../engine.ts';
import { noAxioms, unionOf, type AxiomSet } from './axiom-set.ts';
import { counterexampleTo } from './counterexample.ts';
import { checkSatisfiable, type Satisfiability } from './satisfiable.ts';
import { createInquiry, type Approach, type Inquiry } from './session.ts';
import type { Solver } from './solver.ts';

interface Stage extends Approach {
  /** Of the budget. */
  readonly share: number;
}

const stages: readonly Stage[] = [
  { reach: 'goal', nonlinear: false, share: 0.2 },
  { reach: 'cone', nonlinear: false, share: 0.3 },
  { reach: 'goal', nonlinear: true, share: 0.3 },
  { reach: 'cone', nonlinear: true, share: 0.3 },
  { reach: 'errors', nonlinear: false, share: 0.5 },
  { reach: 'errors', nonlinear: true, share: 1 },
];

/** A longer question takes longer to read than any budget allows. */
const textLimit = 20_000_000;

/** An engine that can also tell whether premises contradict each other. */
export interface SmtEngine extends Engine {
  /** Whether any input satisfies bounds and premises, also under the axioms that a proof would use. */
  readonly checkSatisfiable: (problem: ProofProblem, budget: Budget) => Promise<Satisfiability>;
}

/** `id` names the solver: the one that comes with pv, or an installed one. */
export function smtEngine(solver: Solver, id: 'smt' | 'z3-native' | 'cvc5' = 'smt'): SmtEngine {
  const inquiry = createInquiry(solver);
  return {
    id,
    version: solver.version,
    decide: (problem, budget) => sized(() => decide(inquiry, problem, budget)),
    checkSatisfiable: (problem, budget) => checkSatisfiable(inquiry, problem, budget),
    close: solver.close,
  };
}

/** Lemmas add to the graph, which has a limit. */
async function sized(work: () => Promise<EngineOutcome>): Promise<EngineOutcome> {
  try {
    return await work();
  } catch (problem) {
    if (!(problem instanceof GraphTooLarge)) throw problem;
    return { verdict: 'exhausted', budget: 'memory', detail: `the statement with its lemmas has ${problem.message}` };
  }
}

async function decide(inquiry: Inquiry, problem: ProofProblem, budget: Budget): Promise<EngineOutcome> {
  const session = inquiry.sessionOf(problem);
  if (session.premises === 'unasked') {
    const { kind } = await checkSatisfiable(inquiry, { ...problem, conclusion: problem.graph.true }, budget);
    session.premises = kind;
  }
  if (session.premises === 'contradictory')
    return { verdict: 'unknown', detail: 'no input satisfies the premises: a proof from them would say nothing' };
  let axioms = noAxioms;
  const details = new Set<string>();
  for (const statement of statementsOf(problem.graph, problem.conclusion)) {
    const outcome = await decideStatement(inquiry, { ...problem, conclusion: statement }, budget);
    if (outcome.verdict !== 'proved') return outcome;
    axioms = unionOf(axioms, new Set(outcome.axioms));
    details.add(outcome.detail);
  }
  return { verdict: 'proved', axioms: sorted(axioms), detail: [...details].join('; ') };
}

async function decideStatement(inquiry: Inquiry, problem: ProofProblem, budget: Budget): Promise<EngineOutcome> {
  const { conclusion, graph } = problem;
  if (conclusion === graph.true) return { verdict: 'proved', axioms: [], detail: 'true by construction' };
  await inquiry.learnSigns(problem, budget);
  const asked = new Set<string>();
  const troubles: string[] = [];
  let exhausted: 'steps' | 'memory' | 'time' | null = null;
  let artefactOf: AxiomSet | null = null;
  for (const stage of stages) {
    const script = inquiry.scriptFor(problem, conclusion, stage);
    if (script.text.length > textLimit) {
      troubles.push(`${stageName(stage)}: more than ${textLimit} characters`);
      continue;
    }
    if (asked.has(script.text)) continue;
    asked.add(script.text);
    const answer = await inquiry.ask(script, { ...budget, steps: budget.steps * stage.share });
    switch (answer.kind) {
      case 'unsatisfiable':
        return { verdict: 'proved', axioms: sorted(script.axioms), detail: stageName(stage) };
      case 'satisfiable': {
        const model = counterexampleTo(problem, conclusion, script.valuesByName(answer.values));
        if (model) return { verdict: 'refuted', model, axioms: sorted(script.axioms), detail: stageName(stage) };
        artefactOf = script.axioms;
        break;
      }
      case 'unknown':
        troubles.push(`${stageName(stage)}: ${answer.reason}`);
        break;
      case 'exhausted':
        exhausted ??= answer.budget;
        troubles.push(`${stageName(stage)}: out of ${answer.budget}`);
        break;
      case 'failed':
        return { verdict: 'unknown', detail: answer.message };
    }
  }
  if (exhausted !== null) return { verdict: 'exhausted', budget: exhausted, detail: troubles.join('; ') };
  return { verdict: 'unknown', detail: openDetail(artefactOf, troubles) };
}

function stageName({ reach, nonlinear }: Stage): string {
  const lemmas = {
    goal: 'lemmas about the claim',
    cone: 'lemmas about all that the claim depends on',
    errors: 'lemmas about all that the claim depends on, and rounding errors',
  };
  return `${lemmas[reach]}, in ${nonlinear ? 'nonlinear' : 'linear'} arithmetic`;
}

function openDetail(artefactOf: AxiomSet | null, troubles: readonly string[]): string {
  if (!artefactOf) return troubles.join('; ');
  const names = sorted(artefactOf);
  const from = names.length === 0 ? 'the facts about the operations that the solver has' : names.join(', ');
  return [`an assignment that satisfies the lemmas (${from}) is not a counterexample on the numbers`, ...troubles].join(
    '; ',
  );
}

function sorted(axioms: AxiomSet): readonly AxiomId[] {
  return [...axioms].toSorted();
}
