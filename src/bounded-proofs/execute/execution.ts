/** The state of one symbolic execution. */
import type { Place } from '../../subject/kernel-syntax.ts';
import type { BooleanExpression, Graph, NumberExpression } from '../expression.ts';
import type { Reading, SafetyCondition, SafetyKind } from '../problem.ts';
import type { KernelArgument, Unsupported } from './kernel-call.ts';
import { conditionOf, type Path } from './path.ts';

/** What all parts of one execution share. */
export interface Execution {
  readonly graph: Graph;
  readonly reading: Reading;
  /** Rounds after which gpu.js cuts a loop. */
  readonly loopMax: number;
  /** Loop variables that only count. */
  readonly counters: ReadonlySet<string>;
  readonly arrays: ReadonlyMap<string, Extract<KernelArgument, { kind: 'array' }>>;
  /** Whether a number is whole by construction. */
  readonly isWhole: (expression: NumberExpression) => boolean;
  /** Whether a number is a float32 by construction, under the reading `float32`. */
  readonly isFloat32: (expression: NumberExpression) => boolean;
  readonly safety: SafetyLog;
  /** The first thing that cannot be followed; what is computed after it means nothing. */
  problem: Unsupported | null;
  /** Statements and rounds of loops that may still be executed. */
  steps: number;
}

/** Notes what cannot be followed. */
export function refuse(execution: Execution, place: Place | null, message: string): void {
  execution.problem ??= { place, message };
}

/** The same condition of one place in every round and thread is one condition. */
export type SafetyLog = Map<
  string,
  {
    readonly kind: SafetyKind;
    readonly place: Place;
    readonly text: string;
    readonly conditions: Set<BooleanExpression>;
  }
>;

/** A condition without which an operation has no defined result. */
export interface Demand {
  readonly kind: SafetyKind;
  readonly place: Place;
  readonly condition: BooleanExpression;
  readonly text: () => string;
}

/** Notes that `condition` must hold wherever `path` leads here. */
export function demand(execution: Execution, path: Path, { kind, place, condition, text }: Demand): void {
  if (condition.kind === 'truth' && condition.value) return;
  const { graph, safety } = execution;
  const reached = graph.implies(conditionOf(graph, path), condition);
  if (reached.kind === 'truth' && reached.value) return;
  const key = `${kind}:${place.line}:${place.column}`;
  const known = safety.get(key);
  if (known) known.conditions.add(reached);
  else safety.set(key, { kind, place, text: text(), conditions: new Set([reached]) });
}

/** One condition for each place, which joins those of all visits. */
export function safetyConditions(graph: Graph, safety: SafetyLog): readonly SafetyCondition[] {
  return [...safety.values()].map(({ kind, place, text, conditions }) => ({
    kind,
    place,
    text,
    condition: graph.and([...conditions]),
  }));
}
