/** The state of translating terms into expressions. */
import type { Range } from '../../diagnostics/source.ts';
import type { Term } from '../../math/term/term.ts';
import type { BooleanExpression, Graph, NumberExpression } from '../expression.ts';
import type { AssumedClaim, DefinedCondition, ProofVariable } from '../problem.ts';
import type { SymbolicValue } from './symbolic-value.ts';

/** Names in scope, innermost first. What does not depend on inner names is kept where its own names are bound. */
export interface Frame {
  readonly name: string;
  readonly value: SymbolicValue;
  readonly outer: Frame | null;
  readonly kept: Map<Term, Kept>;
}

/** A value with what it demanded when it was computed. */
interface Kept {
  readonly value: SymbolicValue;
  readonly demands: readonly Demand[];
}

/** A condition for a defined value, with where the value is used. */
export interface Demand extends DefinedCondition {
  /** Where the value is used at all, relative to where its computation began. */
  readonly under: BooleanExpression;
}

/** What all parts of one translation share. */
export interface Translation {
  readonly graph: Graph;
  /** Inputs that are whole numbers, noted before anything mentions them. */
  readonly wholeVariables: Set<string>;
  /** Inputs of which every value is a float32, noted likewise. */
  readonly float32Variables: Set<string>;
  readonly isWhole: (expression: NumberExpression) => boolean;
  /** In the order of translation; those of a kept value are noted again at each use. */
  demands: Demand[];
  /** Variables for what no node computes, with the premises that bound them. */
  readonly auxiliaries: ProofVariable[];
  readonly premises: BooleanExpression[];
  /** Kernels that a proved claim replaces: their outputs by their arguments, and what was assumed about them. */
  readonly standIns: { readonly values: Map<string, SymbolicValue>; readonly assumed: AssumedClaim[] };
  /** What a name means that no frame binds. */
  readonly global: ReadonlyMap<string, SymbolicValue>;
  readonly keptGlobally: Map<Term, Kept>;
  problem: { readonly message: string; readonly origin: Range | null } | null;
}

/** Notes the first thing that has no translation. What is computed after it means nothing. */
export function refuse(translation: Translation, message: string, term: Term | null = null): NumberExpression {
  translation.problem ??= { message, origin: term?.origin ?? null };
  return translation.graph.integer(0);
}

/** Notes that `condition` must hold wherever `under` does. */
export function demandDefined(
  translation: Translation,
  under: BooleanExpression,
  { kind, condition, text }: DefinedCondition,
): void {
  if (translation.graph.implies(under, condition) === translation.graph.true) return;
  translation.demands.push({ kind, condition, text, under });
}

/** A frame inside `outer` in which `name` is known. */
export function bindName(name: string, value: SymbolicValue, outer: Frame | null): Frame {
  return { name, value, outer, kept: new Map() };
}

/** The innermost value of a name; null if there is none. */
export function lookUp(translation: Translation, name: string, frame: Frame | null): SymbolicValue | null {
  for (let at = frame; at; at = at.outer) if (at.name === name) return at.value;
  return translation.global.get(name) ?? null;
}

/** Each condition once. */
export function definedConditions(graph: Graph, demands: readonly Demand[]): readonly DefinedCondition[] {
  const found = new Map<BooleanExpression, DefinedCondition>();
  for (const { kind, text, condition, under } of demands) {
    const whole = graph.implies(under, condition);
    if (whole !== graph.true && !found.has(whole)) found.set(whole, { kind, text, condition: whole });
  }
  return [...found.values()];
}
