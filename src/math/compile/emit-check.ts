/**
 * The predicate as statements: everything that is asserted is checked in turn, and the first comparison that
 * fails ends the function with its sides in the report.
 *
 * Only comparisons that must hold unconditionally enter `worst`: not those under a negation, in a premise,
 * or on the left of ∨.
 */
import { closeLoops, openLoops } from './emit-loops.ts';
import { atomOf, unjudged } from './emit-value.ts';
import type { GraphNode, NodeOf } from './node.ts';
import { blockScope, close, fresh, type Emitter, type Scope } from './scope.ts';

/** What emitting a predicate numbers and counts. */
export interface CheckEmission {
  readonly emitter: Emitter;
  /** Nodes of the comparisons in the order of `CompiledGoal.comparisons`. */
  readonly comparisons: NodeOf<'call'>[];
  /** Whether an implication is asserted, so that its premise is counted. */
  implications: number;
}

/** Emits into `scope` that `node` has the truth value `expected`. */
export function emitAssertion(check: CheckEmission, node: GraphNode, expected: boolean, scope: Scope): void {
  switch (node.op) {
    case 'call':
      return assertCall(check, node, expected, scope);
    case 'select':
      return assertEither(check, node.condition, [node.then, node.otherwise], expected, scope);
    case 'reduce':
      if ((node.operator === 'all') === expected && (node.operator === 'all' || node.operator === 'any'))
        return assertEach(check, node, expected, scope);
      return assertValue(check, node, expected, scope);
    default:
      return assertValue(check, node, expected, scope);
  }
}

function assertCall(check: CheckEmission, node: NodeOf<'call'>, expected: boolean, scope: Scope): void {
  const [a, b] = node.operands;
  if (node.fn === 'not' && a) return emitAssertion(check, a, !expected, scope);
  if (a && b) {
    if (node.fn === (expected ? 'and' : 'or')) return assertBoth(check, [a, b], expected, scope);
    if (node.fn === 'or') return assertOtherwise(check, a, b, scope);
    if (node.fn === 'implies')
      return expected ? assertImplication(check, a, b, scope) : assertRefutedImplication(check, a, b, scope);
  }
  if (node.fn === 'approximately' && expected) return assertApproximately(check, node, scope);
  if (isComparison(node)) return assertComparison(check, node, expected, scope);
  return assertValue(check, node, expected, scope);
}

function isComparison(node: NodeOf<'call'>): boolean {
  const [first] = node.operands;
  const showable = first?.kind === 'number' || first?.kind === 'string';
  return showable && node.operands.length >= 2 && node.operands.every(({ kind }) => kind === first.kind);
}

function assertBoth(check: CheckEmission, both: readonly GraphNode[], expected: boolean, scope: Scope): void {
  for (const part of both) emitAssertion(check, part, expected, scope);
}

/** `a ∨ b`: where a is false, b must hold. */
function assertOtherwise(check: CheckEmission, a: GraphNode, b: GraphNode, scope: Scope): void {
  const first = unjudged(check.emitter, a, scope);
  const block = blockScope(scope);
  emitAssertion(check, b, true, block);
  close(`if (!${first})`, block);
}

function assertImplication(check: CheckEmission, premise: GraphNode, conclusion: GraphNode, scope: Scope): void {
  check.implications += 1;
  const condition = unjudged(check.emitter, premise, scope);
  const block = blockScope(scope);
  block.lines.push('premise = true;');
  emitAssertion(check, conclusion, true, block);
  close(`if (${condition})`, block);
}

function assertRefutedImplication(check: CheckEmission, premise: GraphNode, conclusion: GraphNode, scope: Scope): void {
  emitAssertion(check, premise, true, scope);
  emitAssertion(check, conclusion, false, scope);
}

function assertEither(
  check: CheckEmission,
  condition: GraphNode,
  [then, otherwise]: readonly [GraphNode, GraphNode],
  expected: boolean,
  scope: Scope,
): void {
  const text = unjudged(check.emitter, condition, scope);
  const yes = blockScope(scope);
  emitAssertion(check, then, expected, yes);
  const no = blockScope(scope);
  emitAssertion(check, otherwise, expected, no);
  close(`if (${text})`, yes, '} else {');
  scope.lines.push(...no.lines.map((line) => `  ${line}`), '}');
}

function assertEach(check: CheckEmission, node: NodeOf<'reduce'>, expected: boolean, scope: Scope): void {
  const { emitter } = check;
  const opened = openLoops(emitter, node.loops, scope);
  if (node.condition) {
    const condition = unjudged(emitter, node.condition, opened.inner);
    const block = blockScope(opened.inner);
    emitAssertion(check, node.body, expected, block);
    close(`if (${condition})`, block);
  } else {
    emitAssertion(check, node.body, expected, opened.inner);
  }
  closeLoops(opened);
}

interface Sides {
  readonly left: string;
  readonly right: string;
  /** −1 if it is not a comparison that fails. */
  readonly comparison: number;
}

/** Ends the check with the indices of the loops around `scope`, outermost first. */
function failure(scope: Scope, { left, right, comparison }: Sides): string {
  const indices: string[] = [];
  for (let at: Scope | null = scope; at; at = at.parent) if (at.index !== null) indices.unshift(at.indexName);
  const where = indices.length === 0 ? '' : `, [${indices.join(', ')}]`;
  return `return m.failed(m.conclude(report, worst, error, allowed), ${left}, ${right}, ${comparison}${where});`;
}

function assertValue(check: CheckEmission, node: GraphNode, expected: boolean, scope: Scope): void {
  if (node.op === 'constant' && node.text === String(expected)) return;
  const value = unjudged(check.emitter, node, scope);
  scope.lines.push(
    `if (${expected ? `!${value}` : value}) ${failure(scope, { left: 'NaN', right: 'NaN', comparison: -1 })}`,
  );
}

function numberOfComparison(check: CheckEmission, node: NodeOf<'call'>): number {
  const known = check.comparisons.indexOf(node);
  return known >= 0 ? known : check.comparisons.push(node) - 1;
}

/** The two sides are named first, so that the report can repeat them. */
function assertComparison(check: CheckEmission, node: NodeOf<'call'>, expected: boolean, scope: Scope): void {
  const [left = '', right = ''] = node.operands.map((operand) => atomOf(check.emitter, operand, scope));
  const value = unjudged(check.emitter, node, scope);
  const comparison = numberOfComparison(check, node);
  scope.lines.push(`if (${expected ? `!${value}` : value}) ${failure(scope, { left, right, comparison })}`);
}

/**
 * |a − b| ≤ allowed with the worst error/allowed kept. The common case costs one multiplication: an error within
 * worst·allowed cannot be a new worst, and since worst ≤ 1 until something fails, it cannot fail either.
 */
function assertApproximately(check: CheckEmission, node: NodeOf<'call'>, scope: Scope): void {
  const [left = '', right = '', limit = ''] = node.operands.map((operand) =>
    (operand.op === 'constant' ? unjudged : atomOf)(check.emitter, operand, scope),
  );
  const distance = fresh(check.emitter, 'd');
  const ratio = fresh(check.emitter, 'q');
  const comparison = numberOfComparison(check, node);
  scope.lines.push(
    `const ${distance} = ${left} === ${right} ? 0 : Math.abs(${left} - ${right});`,
    `if (!(${distance} < Infinity && ${distance} <= worst * ${limit})) {`,
    `  const ${ratio} = m.ratio(${distance}, ${limit});`,
    `  if (${ratio} > worst) {`,
    `    worst = ${ratio};`,
    `    error = ${distance};`,
    `    allowed = ${limit};`,
    '  }',
    `  if (!(${distance} <= ${limit} && ${distance} < Infinity) && ${left} !== ${right}) ${failure(scope, { left, right, comparison })}`,
    '}',
  );
}
