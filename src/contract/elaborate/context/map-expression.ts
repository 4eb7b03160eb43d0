import type { Expression, Statement } from '../../../math/notation/syntax.ts';
import type { FormalText } from '../../contract.ts';

/** The expression with each subexpression mapped; the source text is unchanged. */
export function mapExpression(expression: Expression, change: (part: Expression) => Expression): Expression {
  switch (expression.kind) {
    case 'call':
      return {
        ...expression,
        arguments: expression.arguments.map((argument) => ({ ...argument, value: change(argument.value) })),
      };
    case 'index':
      return {
        ...expression,
        base: change(expression.base),
        items: expression.items.map((item) => (item.kind === 'at' ? { kind: 'at', value: change(item.value) } : item)),
      };
    case 'binary':
    case 'logic':
      return { ...expression, left: change(expression.left), right: change(expression.right) };
    case 'relation':
      return { ...expression, operands: expression.operands.map(change) };
    case 'quantified':
      return { ...expression, body: change(expression.body) };
    case 'big':
      return {
        ...expression,
        condition: expression.condition && change(expression.condition),
        body: change(expression.body),
      };
    case 'tuple':
    case 'list':
    case 'set':
    case 'inner-product':
      return { ...expression, items: expression.items.map(change) };
    case 'conditional':
      return {
        ...expression,
        condition: change(expression.condition),
        then: change(expression.then),
        otherwise: change(expression.otherwise),
      };
    case 'cases':
      return {
        ...expression,
        cases: expression.cases.map((one) => ({ condition: change(one.condition), value: change(one.value) })),
        otherwise: expression.otherwise && change(expression.otherwise),
      };
    case 'norm':
    case 'transpose':
    case 'negate':
    case 'square-root':
    case 'factorial':
    case 'absolute':
    case 'not':
    case 'floor':
    case 'ceiling':
      return { ...expression, operand: change(expression.operand) };
    default:
      return expression;
  }
}

/** The text with what its statements say, their conditions and their definitions changed. */
export function mapText(text: FormalText, change: (part: Expression) => Expression): FormalText {
  const statements = text.notation.statements.map((statement): Statement => ({
    ...statement,
    body: change(statement.body),
    conditions: statement.conditions.map(change),
    definitions: statement.definitions.map(change),
  }));
  return { ...text, notation: { ...text.notation, statements } };
}
