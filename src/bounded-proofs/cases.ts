/** A statement whose numbers depend on conditions, split into one statement per outcome of the conditions. */
import { argumentsOf } from './arguments-of.ts';
import {
  GraphTooLarge,
  type BooleanExpression,
  type Expression,
  type Graph,
  type NumberExpression,
} from './expression.ts';
import { rebuildBoolean, rebuildNumber } from './rebuild.ts';

/** Each further condition doubles the cases. */
const mostConditions = 2;

/**
 * Statements without choices that together are equivalent to the statement; empty if it has no choices, if they depend on too
 * many conditions, or if the graph is full. Mutually exclusive conditions give cases too, which no input reaches.
 */
export function casesOf(graph: Graph, statement: BooleanExpression): readonly BooleanExpression[] {
  const conditions = conditionsBelow(statement);
  if (conditions === null || conditions.length === 0) return [];
  try {
    const cases = truthsOf(conditions).map((truths) => caseOf(graph, statement, truths));
    return cases.every((one) => one !== null) ? cases : [];
  } catch (problem) {
    if (problem instanceof GraphTooLarge) return [];
    throw problem;
  }
}

type Truths = ReadonlyMap<BooleanExpression, boolean>;
type Choice = Extract<NumberExpression, { readonly kind: 'if' }>;

function truthsOf(conditions: readonly BooleanExpression[]): readonly Truths[] {
  return Array.from(
    { length: 2 ** conditions.length },
    (_, chosen) => new Map(conditions.map((condition, i) => [condition, Math.floor(chosen / 2 ** i) % 2 === 0])),
  );
}

/** The statement under one outcome of the conditions. Null as for `resolve`. */
function caseOf(graph: Graph, statement: BooleanExpression, truths: Truths): BooleanExpression | null {
  const resolved = resolve(graph, statement, truths);
  const others = [...truths].map(([condition, holds]) => (holds ? graph.not(condition) : condition));
  return resolved && graph.or([...others, resolved]);
}

/** Nodes known to have no choice below them: statements about one kernel share most of their nodes. */
const choiceless = new WeakSet<Expression>();

/** The conditions of all choices below a node; null if there are too many. */
function conditionsBelow(root: Expression): readonly BooleanExpression[] | null {
  const seen = new Set<Expression>(choiceless.has(root) ? [] : [root]);
  const found = new Set<BooleanExpression>();
  for (const node of seen) {
    if (node.kind === 'if') found.add(node.condition);
    if (found.size > mostConditions) return null;
    for (const part of argumentsOf(node)) if (!choiceless.has(part)) seen.add(part);
  }
  if (found.size === 0) for (const node of seen) choiceless.add(node);
  return [...found];
}

/** The statement with every choice made; null if a divisor becomes the constant zero. */
function resolve(graph: Graph, statement: BooleanExpression, truths: Truths): BooleanExpression | null {
  const numbers = new Map<NumberExpression, NumberExpression>();
  const booleans = new Map<BooleanExpression, BooleanExpression>();
  const isDone = (node: Expression): boolean => (node.sort === 'number' ? numbers.has(node) : booleans.has(node));
  const number = (node: NumberExpression): NumberExpression => numbers.get(node) ?? node;
  const boolean = (node: BooleanExpression): BooleanExpression => booleans.get(node) ?? node;
  const stack: Expression[] = [statement];
  for (let node = stack.at(-1); node; node = stack.at(-1)) {
    const waiting = isDone(node) ? [] : partsOf(node, truths).filter((part) => !isDone(part));
    if (waiting.length > 0) {
      stack.push(...waiting);
      continue;
    }
    stack.pop();
    if (isDone(node)) continue;
    if (node.sort === 'boolean') booleans.set(node, rebuildBoolean(graph, node, number, boolean));
    else {
      const made = node.kind === 'if' ? number(chosen(node, truths)) : rebuildNumber(graph, node, number);
      if (made === null) return null;
      numbers.set(node, made);
    }
  }
  return boolean(statement);
}

/** The node that a choice selects. */
function partsOf(node: Expression, truths: Truths): readonly Expression[] {
  return node.kind === 'if' ? [chosen(node, truths)] : argumentsOf(node);
}

function chosen({ condition, then, otherwise }: Choice, truths: Truths): NumberExpression {
  return truths.get(condition) === true ? then : otherwise;
}
