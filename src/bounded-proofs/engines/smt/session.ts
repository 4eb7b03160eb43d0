/** What has been learnt about a problem, and the questions that the solver is asked about it. */
import { ONE, ZERO } from '../../../numeric/rational.ts';
import type { BooleanExpression, NumberExpression } from '../../expression.ts';
import type { ProofProblem } from '../../problem.ts';
import type { Budget } from '../engine.ts';
import type { AxiomSet } from './axiom-set.ts';
import { collectLemmas, unknownsBelow, type Reach } from './collect-lemmas.ts';
import { createKnowledge } from './knowledge.ts';
import type { Knowledge } from './known.ts';
import { writeScript, type Script } from './script.ts';
import type { Solver, SolverAnswer } from './solver.ts';

/** How the solver is queried: how many lemmas it gets, and whether products and quotients are stated exactly. */
export interface Approach {
  readonly reach: Reach;
  readonly nonlinear: boolean;
}

/** Serves all statements about one set of variables and premises. */
interface Session {
  readonly knowledge: Knowledge;
  /** The numbers whose sign has been tried. */
  readonly attempted: Set<NumberExpression>;
  premises: 'unasked' | 'satisfiable' | 'contradictory' | 'unknown';
}

/** Asks a solver about problems, and never asks the same question twice. */
export interface Inquiry {
  readonly sessionOf: (problem: ProofProblem) => Session;
  /** The question whether the premises and the lemmas leave room for the statement to be false. */
  readonly scriptFor: (problem: ProofProblem, statement: BooleanExpression, approach: Approach) => Script;
  readonly ask: (script: Script, budget: Budget) => Promise<SolverAnswer>;
  /** Signs of divisors, and of what roots and logarithms are taken of: most lemmas about those depend on them. */
  readonly learnSigns: (problem: ProofProblem, budget: Budget) => Promise<void>;
}

/** The share of a statement's budget that finding the sign of one divisor may take. */
const shareOfSign = 0.05;
/** How many signs of divisors and roots are tried per problem. */
const signLimit = 64;
/** How many answers are kept; statements about different elements often ask the same question. */
const answersKept = 5_000;

/** No questions have been asked yet. */
export function createInquiry(solver: Solver): Inquiry {
  const sessions = new WeakMap<ProofProblem['premises'], Map<ProofProblem['variables'], Session>>();
  const answers = new Map<string, SolverAnswer>();

  const sessionOf = (problem: ProofProblem): Session => {
    const byVariables = sessions.get(problem.premises) ?? new Map<ProofProblem['variables'], Session>();
    sessions.set(problem.premises, byVariables);
    const found = byVariables.get(problem.variables);
    if (found) return found;
    const session: Session = { knowledge: createKnowledge(problem), attempted: new Set(), premises: 'unasked' };
    byVariables.set(problem.variables, session);
    return session;
  };

  const ask = async (script: Script, budget: Budget): Promise<SolverAnswer> => {
    const symbols = script.variables.map(({ symbol }) => symbol);
    const key = `${script.logic}\n${Math.floor(budget.steps)}\n${script.text}`;
    const found = answers.get(key);
    if (found) return found;
    const answer = await solver.ask({ logic: script.logic, text: script.text, symbols }, budget);
    // Timeouts and crashes are accidents; only reproducible answers are kept.
    const isLasting = answer.kind === 'unsatisfiable' || answer.kind === 'satisfiable' || answer.kind === 'unknown';
    if (isLasting && answers.size < answersKept) answers.set(key, answer);
    return answer;
  };

  const scriptFor: Inquiry['scriptFor'] = (problem, statement, { reach, nonlinear }) => {
    const { graph, premises } = problem;
    const { knowledge } = sessionOf(problem);
    const lemmas = collectLemmas({ graph, knowledge, statement, reach });
    return writeScript({ assertions: [graph.not(statement)], lemmas, premises, nonlinear }, knowledge);
  };

  /** What a proof of the statement rests on; null if the solver finds none within the budget. */
  const prove = async (
    problem: ProofProblem,
    statement: BooleanExpression,
    budget: Budget,
  ): Promise<AxiomSet | null> => {
    const script = scriptFor(problem, statement, { reach: 'cone', nonlinear: false });
    const answer = await ask(script, budget);
    return answer.kind === 'unsatisfiable' ? script.axioms : null;
  };

  const learnSign = async (problem: ProofProblem, node: NumberExpression, budget: Budget): Promise<void> => {
    const { graph } = problem;
    const zero = graph.constant(ZERO);
    for (const { statement, low, strict } of [
      { statement: graph.lessEqual(graph.constant(ONE), node), low: ONE, strict: false },
      { statement: graph.less(zero, node), low: ZERO, strict: true },
      { statement: graph.lessEqual(zero, node), low: ZERO, strict: false },
    ]) {
      const axioms = await prove(problem, statement, budget);
      if (!axioms) continue;
      sessionOf(problem).knowledge.learn(node, { low, strict, axioms });
      return;
    }
  };

  const learnSigns: Inquiry['learnSigns'] = async (problem, budget) => {
    const { knowledge, attempted } = sessionOf(problem);
    for (const node of unknownsBelow(problem.conclusion)) {
      const target = signedOperand(node);
      if (!target || attempted.has(target) || attempted.size >= signLimit || knowledge.positive(target)) continue;
      attempted.add(target);
      const { high } = knowledge.range(target);
      if (high && high.numerator <= 0n) continue;
      await learnSign(problem, target, { ...budget, steps: budget.steps * shareOfSign });
    }
  };

  return { sessionOf, scriptFor, ask, learnSigns };
}

function signedOperand(node: NumberExpression): NumberExpression | null {
  if (node.kind === 'divide') return node.right;
  if (node.kind === 'sqrt') return node.operand;
  const isLogarithm = (node.kind === 'machine' || node.kind === 'function') && node.fn.startsWith('log');
  return isLogarithm ? node.operand : null;
}
