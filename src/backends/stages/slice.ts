/**
 * What of a kernel a value depends on. Names of kernels are unique, and kernels have no effects, so dependence needs no order:
 * a statement matters when it sets a name that matters.
 */
import type { KernelExpression, KernelStatement } from '../../subject/kernel-syntax.ts';
import { expressionsIn, expressionsOf, partsOf, statementsIn } from '../../subject/visit-kernel.ts';

/** Every name that is read in an expression, with repetitions. */
export function namesIn(expression: KernelExpression): readonly string[] {
  if (expression.kind === 'name') return [expression.name];
  return partsOf(expression).flatMap(namesIn);
}

/** The name that a statement itself sets. */
export function nameSetBy(statement: KernelStatement): string | null {
  return statement.kind === 'declare' || statement.kind === 'assign' || statement.kind === 'step'
    ? statement.name
    : null;
}

/** Every statement, at any depth, parents first. */
export function* statementsOf(statements: readonly KernelStatement[]): Generator<KernelStatement> {
  for (const statement of statements) {
    yield statement;
    yield* statementsOf(statementsIn(statement));
  }
}

/** Where control may leave the textual order; how often a `while` runs is unknown. */
export function jumps(statement: KernelStatement): boolean {
  const { kind } = statement;
  return (
    kind === 'return' ||
    kind === 'break' ||
    kind === 'continue' ||
    kind === 'while' ||
    statementsIn(statement).some(jumps)
  );
}

/** What the result of a kernel needs. */
export function withoutDead(body: readonly KernelStatement[]): readonly KernelStatement[] {
  return sliced(body, [], true);
}

/**
 * The statements that `wanted` needs, without those that set `given` names, which have a value already. Null if one of them
 * may jump: then the value depends on more than what is assigned.
 */
export function sliceFor(
  statements: readonly KernelStatement[],
  wanted: readonly string[],
  given: ReadonlySet<string>,
): readonly KernelStatement[] | null {
  const free = statements.filter((statement) => !given.has(nameSetBy(statement) ?? ''));
  const names = reach(free, wanted, false);
  if (free.some((statement) => matters(statement, names, false) && jumps(statement))) return null;
  return sliced(free, wanted, false);
}

function sliced(
  statements: readonly KernelStatement[],
  wanted: readonly string[],
  keepJumps: boolean,
): readonly KernelStatement[] {
  const names = reach(statements, wanted, keepJumps);
  return statements.flatMap((statement) => kept(statement, names, keepJumps));
}

function reach(
  statements: readonly KernelStatement[],
  wanted: readonly string[],
  keepJumps: boolean,
): ReadonlySet<string> {
  const names = new Set(wanted);
  for (let before = -1; before < names.size;) {
    before = names.size;
    for (const statement of statements) gather(statement, names, keepJumps);
  }
  return names;
}

function matters(statement: KernelStatement, names: ReadonlySet<string>, keepJumps: boolean): boolean {
  const name = nameSetBy(statement);
  if (name !== null) return names.has(name);
  if (keepJumps && jumps(statement)) return true;
  return statementsIn(statement).some((inner) => matters(inner, names, keepJumps));
}

/** Adds the names that a statement which matters reads. */
function gather(statement: KernelStatement, names: Set<string>, keepJumps: boolean): void {
  if (!matters(statement, names, keepJumps)) return;
  for (const expression of expressionsIn(statement)) for (const name of namesIn(expression)) names.add(name);
  if (statement.kind === 'for') {
    // The counter matters wherever its loop does.
    for (const part of [statement.initial, statement.update]) {
      const name = nameSetBy(part);
      if (name !== null) names.add(name);
    }
  }
  if (statement.kind === 'assign' || statement.kind === 'step') names.add(statement.name);
  for (const inner of statementsIn(statement)) gather(inner, names, keepJumps);
}

function kept(statement: KernelStatement, names: ReadonlySet<string>, keepJumps: boolean): readonly KernelStatement[] {
  if (!matters(statement, names, keepJumps)) return [];
  const inside = (body: readonly KernelStatement[]): readonly KernelStatement[] =>
    body.flatMap((inner) => kept(inner, names, keepJumps));
  switch (statement.kind) {
    case 'if':
      return [
        { ...statement, then: inside(statement.then), otherwise: statement.otherwise && inside(statement.otherwise) },
      ];
    case 'for':
    case 'while':
      return [{ ...statement, body: inside(statement.body) }];
    default:
      return [statement];
  }
}

/** Names that the statements read or set, and arrays that they read. */
export function mentionedIn(statements: readonly KernelStatement[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const expression of expressionsOf(statements)) {
    if (expression.kind === 'name') names.add(expression.name);
    if (expression.kind === 'element') names.add(expression.array);
  }
  for (const statement of statementsOf(statements)) {
    const name = nameSetBy(statement);
    if (name !== null) names.add(name);
  }
  return names;
}
