/** Graphs built by hand for the tests of engines: what kernels compute, as their code would. */
import { fromFloat, type Rational } from '../../src/numeric/rational.ts';
import type { ElementaryFunction, Graph, NumberExpression } from '../../src/bounded-proofs/expression.ts';
import type { ProofProblem, ProofVariable } from '../../src/bounded-proofs/problem.ts';
import type { BooleanExpression } from '../../src/bounded-proofs/expression.ts';

/** How operations round: each to float32, or none. */
export interface Operations {
  readonly add: (a: NumberExpression, b: NumberExpression) => NumberExpression;
  readonly subtract: (a: NumberExpression, b: NumberExpression) => NumberExpression;
  readonly multiply: (a: NumberExpression, b: NumberExpression) => NumberExpression;
  readonly divide: (a: NumberExpression, b: NumberExpression) => NumberExpression;
  readonly apply: (fn: ElementaryFunction, a: NumberExpression) => NumberExpression;
  readonly sqrt: (a: NumberExpression) => NumberExpression;
}

export function rounded(graph: Graph): Operations {
  return {
    add: (a, b) => graph.round32(graph.add(a, b)),
    subtract: (a, b) => graph.round32(graph.subtract(a, b)),
    multiply: (a, b) => graph.round32(graph.multiply(a, b)),
    divide: (a, b) => graph.round32(graph.divide(a, b)),
    apply: (fn, a) => graph.machine(fn, a),
    sqrt: (a) => graph.round32(graph.sqrt(a)),
  };
}

export function exact(graph: Graph): Operations {
  return {
    add: (a, b) => graph.add(a, b),
    subtract: (a, b) => graph.subtract(a, b),
    multiply: (a, b) => graph.multiply(a, b),
    divide: (a, b) => graph.divide(a, b),
    apply: (fn, a) => graph.apply(fn, a),
    sqrt: (a) => graph.sqrt(a),
  };
}

export function vector(graph: Graph, name: string, n: number): readonly NumberExpression[] {
  return Array.from({ length: n }, (_, i) => graph.variable(`${name}[${i}]`));
}

export function sum(op: Operations, terms: readonly NumberExpression[]): NumberExpression {
  return terms.reduce((total, term) => op.add(total, term));
}

export function largest(graph: Graph, terms: readonly NumberExpression[]): NumberExpression {
  return terms.reduce((a, b) => graph.maximum(a, b));
}

export function softmax(graph: Graph, op: Operations, x: readonly NumberExpression[]): readonly NumberExpression[] {
  const top = largest(graph, x);
  const powers = x.map((xi) => op.apply('exp', op.subtract(xi, top)));
  const total = sum(op, powers);
  return powers.map((power) => op.divide(power, total));
}

export function dot(op: Operations, a: readonly NumberExpression[], b: readonly NumberExpression[]): NumberExpression {
  return sum(
    op,
    a.map((ai, i) => op.multiply(ai, b[i] ?? ai)),
  );
}

/** A decimal as the nearest float64, exactly. */
export function number(graph: Graph, value: number): NumberExpression {
  return graph.constant(fromFloat(value));
}

export function variables(
  all: readonly NumberExpression[],
  low: number,
  high: number,
  format: ProofVariable['format'] = 'f32',
): readonly ProofVariable[] {
  const ends: readonly [Rational, Rational] = [fromFloat(low), fromFloat(high)];
  return all.flatMap((expression) =>
    expression.kind === 'variable'
      ? [{ expression, name: expression.name, format, low: ends[0], high: ends[1], choices: null }]
      : [],
  );
}

export function problemOf(
  graph: Graph,
  over: readonly ProofVariable[],
  conclusion: BooleanExpression,
  premises: readonly BooleanExpression[] = [],
): ProofProblem {
  return { graph, variables: over, premises, conclusion };
}

export const generous = { steps: 50_000_000, timeoutMs: 60_000 };

/** A claim for an engine to decide. */
export interface Statement {
  readonly name: string;
  readonly make: (graph: Graph) => {
    readonly over: readonly ProofVariable[];
    readonly conclusion: BooleanExpression;
    readonly premises?: readonly BooleanExpression[];
  };
}
