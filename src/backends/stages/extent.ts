/**
 * How many values an index takes, as arithmetic of what is the same for all threads.
 */
import type { Axis, KernelExpression } from '../../subject/kernel-syntax.ts';

const place = { line: 1, column: 1 };
const one: KernelExpression = { kind: 'number', value: 1, place };
const binary = (operator: '+' | '-', left: KernelExpression, right: KernelExpression): KernelExpression => ({
  kind: 'binary',
  operator,
  left,
  right,
  place,
});

/** Of a thread index. */
export const extentOfAxis = (axis: Axis): KernelExpression => ({ kind: 'output', axis, place });

/** Of ⌊thread index / divisor⌋. */
export function extentOfPart(axis: Axis, divisor: number): KernelExpression {
  const last = binary('-', extentOfAxis(axis), one);
  const quotient: KernelExpression = {
    kind: 'binary',
    operator: '/',
    left: last,
    right: { kind: 'number', value: divisor, place },
    place,
  };
  return binary('+', { kind: 'call', fn: 'floor', arguments: [quotient], place }, one);
}

/** Of a counter from 0 or more up to `bound`; null if threads may differ in a way that has no simple maximum. */
export function extentOfCounter(
  bound: KernelExpression,
  inclusive: boolean,
  scalars: ReadonlySet<string>,
): KernelExpression | null {
  const largest = largestOf(bound, scalars);
  if (largest === null) return null;
  return inclusive ? binary('+', largest, one) : largest;
}

/** The largest value of an expression over all threads. */
function largestOf(expression: KernelExpression, scalars: ReadonlySet<string>): KernelExpression | null {
  if (expression.kind === 'thread') return binary('-', extentOfAxis(expression.axis), one);
  if (expression.kind === 'binary' && expression.operator === '+') {
    const [left, right] = [largestOf(expression.left, scalars), largestOf(expression.right, scalars)];
    return left && right && binary('+', left, right);
  }
  return isUniform(expression, scalars) ? expression : null;
}

function isUniform(expression: KernelExpression, scalars: ReadonlySet<string>): boolean {
  switch (expression.kind) {
    case 'number':
      return Number.isInteger(expression.value);
    case 'output':
      return true;
    case 'name':
      return scalars.has(expression.name);
    case 'binary':
      // A quotient may round to another whole number in float32 than here.
      return (
        ['+', '-', '*'].includes(expression.operator) &&
        isUniform(expression.left, scalars) &&
        isUniform(expression.right, scalars)
      );
    default:
      return false;
  }
}

const arithmetic: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
};

/**
 * The number that an extent is in one call; NaN if a scalar in it is not an integer, which would be rounded differently.
 */
export function evaluateExtent(
  extent: KernelExpression,
  scalar: (name: string) => number,
  output: (axis: Axis) => number,
): number {
  switch (extent.kind) {
    case 'number':
      return extent.value;
    case 'output':
      return output(extent.axis);
    case 'name': {
      const value = scalar(extent.name);
      return Number.isInteger(value) ? value : Number.NaN;
    }
    case 'binary': {
      const combine = arithmetic[extent.operator];
      if (!combine) return Number.NaN;
      return combine(evaluateExtent(extent.left, scalar, output), evaluateExtent(extent.right, scalar, output));
    }
    case 'call': {
      const [argument] = extent.arguments;
      return argument ? Math.floor(evaluateExtent(argument, scalar, output)) : Number.NaN;
    }
    default:
      return Number.NaN;
  }
}
