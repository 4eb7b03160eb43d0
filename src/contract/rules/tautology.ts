import { diagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Expression, Statement } from '../../math/notation/syntax.ts';
import type { Contract } from '../contract.ts';
import { expressionKey } from '../exact/facts.ts';
import { formalFields, spanWithin, type FormalField } from '../formal-fields.ts';
import { obligationById } from './references.ts';
import type { ContractRule } from './rule.ts';

/** A claim says something: it is not `true`, `f(x) = f(x)` or `p ⟹ p`. Judged as it is written. */
export const tautology: ContractRule = {
  name: 'tautology',
  check: (contract) =>
    formalFields(contract)
      .filter((field) => field.role === 'formal' || field.role === 'prediction')
      .flatMap((field) =>
        field.text.notation.statements
          .filter((statement) => cannotFail(statement.body))
          .flatMap((statement) => (comparesRuns(contract, field) ? [] : [report(contract, field, statement)])),
      ),
};

function report(contract: Contract, field: FormalField, statement: Statement): Diagnostic {
  const span = spanWithin(field.text, statement.body.range);
  if (meansDeterminism(contract, field)) {
    return diagnostic(
      'PV-3017',
      span,
      `${field.owner} compares a run with itself: in mathematics f(x) = f(x) always holds`,
      {
        severity: 'warning',
        hint: 'Write type: determinism: then each f(x) of the claim is a separate run, and the two are compared.',
      },
    );
  }
  return diagnostic('PV-3017', span, `This claim of ${field.owner} holds of every implementation`, {
    hint: 'Compare the kernel with something else: its reference (f_ref), another form of it, a bound.',
  });
}

/** In a claim of this type each mention of a kernel is a run of its own; where none is mentioned, elaboration says so. */
function comparesRuns(contract: Contract, field: FormalField): boolean {
  const owner =
    field.role === 'formal' ? obligationById(contract, field.owner) : obligationById(contract, ruleOf(contract, field));
  return owner?.type === 'determinism' && owner.semantics !== 'real';
}

function ruleOf(contract: Contract, field: FormalField): string {
  return contract.falsificationTests.find((test) => test.prediction === field.text)?.rule?.value ?? '';
}

function meansDeterminism(contract: Contract, field: FormalField): boolean {
  const property = field.role === 'formal' ? obligationById(contract, field.owner)?.property : null;
  return /determin|reproduc|\bseed/i.test(`${property ?? ''} ${ruleOf(contract, field)}`);
}

const reflexive: ReadonlySet<string> = new Set(['=', '≤', '≥', '≈', '≡', '⊆', '⊇']);

function cannotFail(expression: Expression): boolean {
  switch (expression.kind) {
    case 'boolean':
      return expression.value;
    case 'quantified':
      return cannotFail(expression.body);
    case 'relation':
      return expression.operators.every(
        (operator, i) => reflexive.has(operator) && same(expression.operands[i], expression.operands[i + 1]),
      );
    case 'logic':
      if (expression.operator === '∧') return cannotFail(expression.left) && cannotFail(expression.right);
      if (expression.operator === '∨')
        return (
          cannotFail(expression.left) || cannotFail(expression.right) || opposite(expression.left, expression.right)
        );
      if (expression.operator === '⟹') return cannotFail(expression.right) || same(expression.left, expression.right);
      return expression.operator === '⟺' && same(expression.left, expression.right);
    default:
      return false;
  }
}

function same(a: Expression | undefined, b: Expression | undefined): boolean {
  return a !== undefined && b !== undefined && expressionKey(a) === expressionKey(b);
}

function opposite(a: Expression, b: Expression): boolean {
  return (a.kind === 'not' && same(a.operand, b)) || (b.kind === 'not' && same(b.operand, a));
}
