/**
 * Selects the lemmas that a statement needs: first from its comparisons downwards and, if that does not suffice, for
 * everything that it depends on.
 */
import { compareRational, ONE, ZERO } from '../../../numeric/rational.ts';
import { argumentsOf } from '../../arguments-of.ts';
import type { BooleanExpression, Expression, Graph, NumberExpression } from '../../expression.ts';
import { noAxioms } from './axiom-set.ts';
import { compareWithConstant } from './constant-lemmas.ts';
import { boundRounding, defineNode } from './definition-lemmas.ts';
import type { Knowledge } from './known.ts';
import { axiomsOf, formulaOf, type Collector, type Lemma } from './lemma.ts';
import { isLinear } from './linear.ts';
import { comparePair } from './pair-lemmas.ts';

/**
 * How far to look: `goal` adds what relates the two sides of each comparison; `cone` also what defines every number below
 * them; `errors` also bounds of every rounding error.
 */
export type Reach = 'goal' | 'cone' | 'errors';

/** The statement that needs lemmas, and how many kinds of them are allowed. */
export interface LemmaRequest {
  readonly graph: Graph;
  readonly knowledge: Knowledge;
  readonly statement: BooleanExpression;
  readonly reach: Reach;
}

/** With more lemmas than this, the statement is too large for this approach. */
const lemmaLimit = 60_000;
const comparisonLimit = 40_000;

/**
 * In the order in which they are found, without repetition. Their number is limited, which can lose a proof but never
 * make a false one.
 */
export function collectLemmas({ graph, knowledge, statement, reach }: LemmaRequest): readonly Lemma[] {
  const lemmas = new Map<BooleanExpression, Lemma>();
  const compared = new Set<string>();
  const defined = new Set<NumberExpression>();
  const queue: (() => void)[] = [];

  const collector: Collector = {
    graph,
    knowledge,
    state: (guards, conclusion, axioms = noAxioms) => {
      const formula = formulaOf(graph, guards, conclusion);
      if (lemmas.size >= lemmaLimit || lemmas.has(formula) || (formula.kind === 'truth' && formula.value)) return;
      lemmas.set(formula, { formula, axioms: axiomsOf(guards, axioms) });
    },
    compare: (a, b) => {
      if (a === b) return;
      const key = a.id < b.id ? `${a.id}:${b.id}` : `${b.id}:${a.id}`;
      if (compared.has(key) || compared.size >= comparisonLimit) return;
      compared.add(key);
      queue.push(() => relate(collector, a, b, reach));
    },
    define: (node) => {
      if (defined.has(node)) return;
      defined.add(node);
      queue.push(() => defineNode(collector, node));
    },
  };
  const drain = (): void => {
    for (let next = queue.shift(); next; next = queue.shift()) next();
  };

  for (const { left, right } of comparisonsIn(statement)) collector.compare(left, right);
  drain();
  if (reach !== 'goal') {
    for (const node of unknownsBelow(statement)) {
      collector.define(node);
      if (node.kind !== 'maximum' && node.kind !== 'minimum' && node.kind !== 'if')
        for (const value of [ZERO, ONE]) collector.compare(node, graph.constant(value));
      if (reach === 'errors' && node.kind === 'round32') boundRounding(collector, node);
      drain();
    }
  }
  return [...lemmas.values()];
}

function relate(collector: Collector, a: NumberExpression, b: NumberExpression, reach: Reach): void {
  const { graph, knowledge, state } = collector;
  if (a.kind === 'constant' || b.kind === 'constant') {
    const [node, constant] = a.kind === 'constant' ? [b, a] : [a, b];
    if (constant.kind !== 'constant') return;
    const { low, high } = knowledge.range(node);
    // A comparison that ranges decide needs no lemma, because the solver gets the ranges.
    if (low && compareRational(low, constant.value) > 0) return;
    if (high && compareRational(high, constant.value) < 0) return;
    return compareWithConstant(collector, node, constant.value);
  }
  const [up, down] = [knowledge.below(a, b), knowledge.below(b, a)];
  if (up) state([], graph.lessEqual(a, b), up);
  if (down) state([], graph.lessEqual(b, a), down);
  if ((!up && !down) || reach !== 'goal') comparePair(collector, a, b);
}

/** The comparisons of a formula, also those inside the conditions of numbers, each once. */
function comparisonsIn(
  root: BooleanExpression,
): readonly (BooleanExpression & { readonly kind: 'less' | 'less-equal' | 'equal' })[] {
  const found = new Set<BooleanExpression & { readonly kind: 'less' | 'less-equal' | 'equal' }>();
  const seen = new Set<BooleanExpression>();
  const visit = (node: BooleanExpression): void => {
    if (seen.has(node)) return;
    seen.add(node);
    switch (node.kind) {
      case 'less':
      case 'less-equal':
      case 'equal':
        found.add(node);
        return;
      case 'not':
        return visit(node.operand);
      case 'and':
      case 'or':
        return node.operands.forEach(visit);
      case 'truth':
        return;
    }
  };
  visit(root);
  return [...found];
}

/** All numbers below an expression that a linear solver treats as unknowns, in the order of the graph. */
export function unknownsBelow(root: Expression): readonly NumberExpression[] {
  const seen = new Set<Expression>([root]);
  const stack: Expression[] = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop())
    for (const argument of argumentsOf(node)) {
      if (seen.has(argument)) continue;
      seen.add(argument);
      stack.push(argument);
    }
  return [...seen]
    .flatMap((node) => (node.sort === 'number' && !isLinear(node) ? [node] : []))
    .toSorted((a, b) => a.id - b.id);
}
