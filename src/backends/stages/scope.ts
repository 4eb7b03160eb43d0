/**
 * Where a value of a kernel is computed: which indices it may depend on there, and what has run before.
 */
import type { Axis, KernelExpression, KernelStatement } from '../../subject/kernel-syntax.ts';
import { expressionsOf } from '../../subject/visit-kernel.ts';
import { extentOfAxis, extentOfCounter, extentOfPart } from './extent.ts';
import { jumps, nameSetBy, statementsOf } from './slice.ts';

/** Something that a value may vary with: a thread axis, a loop's counter, or ⌊thread axis / divisor⌋ under a name. */
export type Index =
  | { readonly kind: 'thread'; readonly axis: Axis; readonly extent: KernelExpression }
  | { readonly kind: 'part'; readonly axis: Axis; readonly name: string; readonly extent: KernelExpression }
  | { readonly kind: 'counter'; readonly name: string; readonly extent: KernelExpression };

/** A loop around a value: a stage cannot know what one iteration sets for the next. */
interface Loop {
  readonly carried: ReadonlySet<string>;
}

/** What surrounds a place in a kernel. */
export interface Scope {
  /** The slowest thread axis first, then the counters of the loops around, the outermost first. */
  readonly indices: readonly Index[];
  readonly parts: readonly (Index & { readonly kind: 'part' })[];
  readonly loops: readonly Loop[];
  /** The statements that have run when the value is computed, in every list around it. */
  readonly before: readonly KernelStatement[];
  /** Whether every thread, and every iteration of the loops around, gets here. */
  readonly certain: boolean;
}

/** The scope at the top of a kernel's body. A scalar output counts as one axis. */
export function scopeOf(outputRank: number): Scope {
  const axes: readonly Axis[] = (['z', 'y', 'x'] as const).slice(3 - Math.max(1, outputRank));
  const indices = axes.map((axis): Index => ({ kind: 'thread', axis, extent: extentOfAxis(axis) }));
  return { indices, parts: [], loops: [], before: [], certain: true };
}

/** The scope with a statement after it that the following ones may use. */
export function after(scope: Scope, statements: readonly KernelStatement[]): Scope {
  const parts = statements.flatMap((statement) => partOf(statement) ?? []);
  const certain = scope.certain && !statements.some(jumps);
  return { ...scope, certain, before: [...scope.before, ...statements], parts: [...scope.parts, ...parts] };
}

/** The scope where a condition has to hold. */
export const unsure = (scope: Scope): Scope => ({ ...scope, certain: false });

/** `const pair = Math.floor(this.thread.x / 2)`: many threads have the same one. */
function partOf(statement: KernelStatement): (Index & { readonly kind: 'part' }) | null {
  if (statement.kind !== 'declare' || !statement.constant) return null;
  const { value, name } = statement;
  const [quotient] = value.kind === 'call' && value.fn === 'floor' ? value.arguments : [];
  if (quotient?.kind !== 'binary' || quotient.operator !== '/') return null;
  const { left, right } = quotient;
  if (left.kind !== 'thread' || right.kind !== 'number' || !Number.isInteger(right.value) || right.value < 1)
    return null;
  return { kind: 'part', axis: left.axis, name, extent: extentOfPart(left.axis, right.value) };
}

type ForStatement = KernelStatement & { readonly kind: 'for' };

/** The scope inside a loop. A counter is an index where it only counts, from a number up to something that no thread changes. */
export function inside(scope: Scope, loop: ForStatement, scalars: ReadonlySet<string>): Scope {
  const extent = counterExtent(loop, scalars);
  const counter = nameSetBy(loop.initial);
  const declared = new Set<string>();
  const carried = new Set<string>();
  for (const statement of statementsOf(loop.body)) {
    const name = nameSetBy(statement);
    if (name !== null) (statement.kind === 'declare' ? declared : carried).add(name);
  }
  for (const name of declared) carried.delete(name);
  if (counter !== null && extent === null) carried.add(counter);
  const index: readonly Index[] =
    counter === null || extent === null ? [] : [{ kind: 'counter', name: counter, extent }];
  return { ...scope, indices: [...scope.indices, ...index], loops: [...scope.loops, { carried }] };
}

function counterExtent(
  { initial, condition, update, body }: ForStatement,
  scalars: ReadonlySet<string>,
): KernelExpression | null {
  if (initial.kind !== 'declare' || initial.value.kind !== 'number') return null;
  if (!Number.isInteger(initial.value.value) || initial.value.value < 0) return null;
  if (update.kind !== 'step' || update.by !== 1 || update.name !== initial.name) return null;
  if (condition.kind !== 'binary' || (condition.operator !== '<' && condition.operator !== '<=')) return null;
  if (condition.left.kind !== 'name' || condition.left.name !== initial.name) return null;
  for (const statement of statementsOf(body)) if (nameSetBy(statement) === initial.name) return null;
  return extentOfCounter(condition.right, condition.operator === '<=', scalars);
}

/** The indices that statements and an expression really depend on, in the order of the scope. */
export function indicesOf(
  scope: Scope,
  statements: readonly KernelStatement[],
  value: KernelExpression,
): readonly Index[] {
  const axes = new Set<Axis>();
  const names = new Set<string>();
  const whole: KernelStatement = { kind: 'return', value, place: value.place };
  for (const expression of expressionsOf([...statements, whole])) {
    if (expression.kind === 'thread') axes.add(expression.axis);
    if (expression.kind === 'name') names.add(expression.name);
  }
  const parts = scope.parts.filter(({ name }) => names.has(name) && !isIndex(scope, name));
  return scope.indices.flatMap((index): readonly Index[] => {
    if (index.kind !== 'thread') return names.has(index.name) ? [index] : [];
    return [...(axes.has(index.axis) ? [index] : []), ...parts.filter(({ axis }) => axis === index.axis)];
  });
}

/** Whether a name is an index of the scope itself: a counter of a loop around, or a part that a stage has threads for. */
export const isIndex = (scope: Scope, name: string): boolean =>
  scope.indices.some((index) => index.kind !== 'thread' && index.name === name);

/** Inside a stage that has one thread for each combination of `indices`. */
export const stageScope = ({ parts }: Scope, indices: readonly Index[]): Scope => ({
  indices,
  parts,
  loops: [],
  before: [],
  certain: true,
});
