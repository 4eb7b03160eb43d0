/** The conditions under which execution reaches the current statement. */
import type { BooleanExpression, Graph } from '../expression.ts';

/** Conditions in the order in which they were met, innermost first; null if none was met. */
interface Step {
  readonly outer: Path;
  readonly condition: BooleanExpression;
}

/** A list of the conditions, the most recent first; null at the beginning. */
export type Path = Step | null;

/** The path on which `condition` is met as well. */
export function extend(path: Path, condition: BooleanExpression): Path {
  return { outer: path, condition };
}

/** All conditions of `path` that were met since `start`, which it goes through. */
export function conditionSince(graph: Graph, path: Path, start: Path): BooleanExpression {
  const conditions: BooleanExpression[] = [];
  for (let at = path; at !== start && at !== null; at = at.outer) conditions.push(at.condition);
  return graph.and(conditions.reverse());
}

/** Of a loop that runs a hundred rounds, each operation asks for all hundred conditions. */
const conjunctions = new WeakMap<Step, BooleanExpression>();

/** The conjunction of all conditions of a path. */
export function conditionOf(graph: Graph, path: Path): BooleanExpression {
  const known = path && conjunctions.get(path);
  if (known) return known;
  const condition = conditionSince(graph, path, null);
  if (path) conjunctions.set(path, condition);
  return condition;
}
