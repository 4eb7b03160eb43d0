import type {
  ArithmeticOperator,
  ComparisonOperator,
  KernelExpression,
  MathFunction,
} from '../../subject/kernel-syntax.ts';
import { partsOf, replacePart } from '../../subject/visit-kernel.ts';

/** One small change to an expression. */
export interface ExpressionMutant {
  /** The part that changed, before and after. */
  readonly from: KernelExpression;
  readonly to: KernelExpression;
  /** The expression with the change in it. */
  readonly whole: KernelExpression;
}

/** Every single mistake in an expression, outermost first. */
export function* expressionMutants(expression: KernelExpression): Generator<ExpressionMutant> {
  for (const to of alternatives(expression)) yield { from: expression, to, whole: to };
  for (const [i, part] of partsOf(expression).entries()) {
    for (const { from, to, whole } of expressionMutants(part))
      yield { from, to, whole: replacePart(expression, i, whole) };
  }
}

/** What could be written by mistake instead of the expression. */
function alternatives(expression: KernelExpression): readonly KernelExpression[] {
  switch (expression.kind) {
    case 'number':
      return otherNumbers(expression.value).map((value) => ({ ...expression, value }));
    case 'infinity':
      return [{ kind: 'number', value: 0, place: expression.place }];
    case 'math-constant':
      return [{ kind: 'number', value: 1, place: expression.place }];
    case 'unary':
      return [expression.operand];
    case 'element':
      return [
        ...expression.indices.flatMap((index, i) => [1, -1].map((by) => replacePart(expression, i, moved(index, by)))),
        ...exchangedIndices(expression),
      ];
    case 'binary':
      return otherBinaries(expression);
    case 'logical':
      return [{ ...expression, operator: expression.operator === '&&' ? '||' : '&&' }];
    case 'conditional':
      return [expression.then, expression.otherwise];
    case 'call':
      return otherCalls(expression);
    default:
      return [];
  }
}

function otherNumbers(value: number): readonly number[] {
  if (value === 0) return [1];
  return value === 1 ? [0, 2] : [0, value * 2];
}

/** `index + 1`; an existing number or offset is changed instead. */
function moved(index: KernelExpression, by: number): KernelExpression {
  const { place } = index;
  if (index.kind === 'number') return { ...index, value: index.value + by };
  return {
    kind: 'binary',
    operator: by > 0 ? '+' : '-',
    left: index,
    right: { kind: 'number', value: 1, place },
    place,
  };
}

function exchangedIndices(expression: Extract<KernelExpression, { kind: 'element' }>): readonly KernelExpression[] {
  const { indices } = expression;
  return indices.slice(1).flatMap((second, i) => {
    const first = indices[i];
    return first ? [{ ...expression, indices: indices.with(i, second).with(i + 1, first) }] : [];
  });
}

type Binary = Extract<KernelExpression, { kind: 'binary' }>;

const otherOperators: Readonly<
  Record<ArithmeticOperator | ComparisonOperator, ArithmeticOperator | ComparisonOperator>
> = {
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '**': '*',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
};

function otherBinaries(expression: Binary): readonly KernelExpression[] {
  const { operator, left, right } = expression;
  const swapped: Binary = { ...expression, operator: otherOperators[operator] };
  switch (operator) {
    case '+':
    case '-':
    case '*':
    case '/':
      // A lost operand: the shift of a softmax, the scale of attention.
      return [swapped, left, right];
    case '<':
    case '<=':
      return [swapped, { ...expression, right: moved(right, -1) }];
    case '>':
    case '>=':
      return [swapped, { ...expression, right: moved(right, 1) }];
    default:
      return [swapped];
  }
}

const otherFunctions: Readonly<Partial<Record<MathFunction, MathFunction>>> = {
  max: 'min',
  min: 'max',
  sin: 'cos',
  cos: 'sin',
  floor: 'ceil',
  ceil: 'floor',
};

function otherCalls(expression: Extract<KernelExpression, { kind: 'call' }>): readonly KernelExpression[] {
  const other = otherFunctions[expression.fn];
  const swapped: readonly KernelExpression[] = other ? [{ ...expression, fn: other }] : [];
  // Without the function: the first argument, and for min and max each of them.
  const bare =
    expression.fn === 'max' || expression.fn === 'min' ? expression.arguments : expression.arguments.slice(0, 1);
  return [...swapped, ...bare];
}
