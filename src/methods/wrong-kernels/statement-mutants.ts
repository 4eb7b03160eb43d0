import type { KernelExpression, KernelStatement } from '../../subject/kernel-syntax.ts';
import { printExpression, printStatement } from '../../subject/print-kernel.ts';
import { expressionMutants } from './expression-mutants.ts';

/** One change, in words: `i < n → i <= n`, `drop sum += x[j]`. */
interface Edit {
  /** What changes, as in the original. */
  readonly at: KernelExpression | KernelStatement;
  readonly change: string;
}

export interface BlockMutant {
  readonly body: readonly KernelStatement[];
  readonly edit: Edit;
}

type Changed = { readonly to: readonly KernelStatement[]; readonly edit: Edit };

/** Every single mistake in a block. */
export function* blockMutants(body: readonly KernelStatement[]): Generator<BlockMutant> {
  for (const [i, statement] of body.entries()) {
    for (const { to, edit } of statementMutants(statement)) yield { body: body.toSpliced(i, 1, ...to), edit };
  }
}

function* statementMutants(statement: KernelStatement): Generator<Changed> {
  switch (statement.kind) {
    case 'declare':
    case 'return':
      yield* inExpression(statement.value, (value) => ({ ...statement, value }));
      return;
    case 'assign':
      yield dropped(statement);
      yield* otherOperator(statement);
      yield* inExpression(statement.value, (value) => ({ ...statement, value }));
      return;
    case 'step':
    case 'break':
    case 'continue':
      yield dropped(statement);
      return;
    case 'if':
      yield* ofIf(statement);
      return;
    case 'for':
      // The step is kept: without it every loop runs forever, which any test notices.
      for (const { to, edit } of statementMutants(statement.initial))
        if (to[0]) yield { to: [{ ...statement, initial: to[0] }], edit };
      yield* inExpression(statement.condition, (condition) => ({ ...statement, condition }));
      for (const { body, edit } of blockMutants(statement.body)) yield { to: [{ ...statement, body }], edit };
      return;
    case 'while':
      yield* inExpression(statement.condition, (condition) => ({ ...statement, condition }));
      for (const { body, edit } of blockMutants(statement.body)) yield { to: [{ ...statement, body }], edit };
  }
}

function dropped(statement: KernelStatement): Changed {
  return { to: [], edit: { at: statement, change: `drop ${printStatement(statement).replace(/;$/u, '')}` } };
}

function* inExpression(
  expression: KernelExpression,
  rebuild: (changed: KernelExpression) => KernelStatement,
): Generator<Changed> {
  for (const { from, to, whole } of expressionMutants(expression)) {
    yield {
      to: [rebuild(whole)],
      edit: { at: from, change: `${printExpression(from)} → ${printExpression(to)}` },
    };
  }
}

const otherSign = { '': null, '+': '-', '-': '+', '*': '/', '/': '*', '%': null } as const;

function* otherOperator(statement: Extract<KernelStatement, { kind: 'assign' }>): Generator<Changed> {
  const operator = otherSign[statement.operator];
  if (operator === null) return;
  const changed: KernelStatement = { ...statement, operator };
  yield {
    to: [changed],
    edit: { at: statement, change: `${statement.operator}= → ${operator}= in ${statement.name}` },
  };
}

function* ofIf(statement: Extract<KernelStatement, { kind: 'if' }>): Generator<Changed> {
  const condition = printExpression(statement.condition);
  yield { to: statement.then, edit: { at: statement, change: `if (${condition}) → if (true)` } };
  // Even without a branch that returns, the kernel ends with a value, from what follows the if.
  if (statement.otherwise === null) yield { to: [], edit: { at: statement, change: `if (${condition}) → if (false)` } };
  else yield { to: statement.otherwise, edit: { at: statement, change: `if (${condition}) → if (false)` } };
  yield* inExpression(statement.condition, (changed) => ({ ...statement, condition: changed }));
  for (const { body, edit } of blockMutants(statement.then)) yield { to: [{ ...statement, then: body }], edit };
  for (const { body, edit } of blockMutants(statement.otherwise ?? []))
    yield { to: [{ ...statement, otherwise: body }], edit };
}
