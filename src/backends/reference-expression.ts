import type { KernelExpression, KernelFunction } from '../subject/kernel-syntax.ts';
import { countersOf, isWholeArithmetic } from '../subject/whole-arithmetic.ts';

/** The precision of reference code: `f32` rounds after every operation, `f64` never. */
export type Arithmetic = 'f32' | 'f64';

/** How the expressions of one kernel become JavaScript. */
export interface ExpressionWriter {
  readonly write: (expression: KernelExpression) => string;
}

/** Results that need no rounding: exact for every float32 argument. */
const exactFunctions: ReadonlySet<string> = new Set(['abs', 'floor', 'ceil', 'trunc', 'sign', 'min', 'max']);

/**
 * JavaScript for a kernel's expressions, one rounding to float32 after each operation (`f32`) or none (`f64`).
 *
 * Double rounding is harmless for + − × ÷ and √ (Figueroa 1995: 53 ≥ 2·24 + 2), so rounding the float64 result gives
 * the float32 operation. Transcendental functions are float64 results rounded, as gpu.js's WebAssembly computes them.
 * Arithmetic of loop variables and thread indices stays integer. `exponential` writes exponentials otherwise, rounded too.
 */
export function expressionWriter(
  kernel: KernelFunction,
  arithmetic: Arithmetic,
  exponential?: (x: string) => string,
): ExpressionWriter {
  const counters = countersOf(kernel.body);
  const round = (text: string): string => (arithmetic === 'f32' ? `f(${text})` : text);
  const write = (expression: KernelExpression): string => {
    switch (expression.kind) {
      case 'number':
        return String(arithmetic === 'f32' ? Math.fround(expression.value) : expression.value);
      case 'boolean':
        return String(expression.value);
      case 'infinity':
        return 'Infinity';
      case 'name':
        return userName(expression.name);
      case 'thread':
        return `t${expression.axis}`;
      case 'output':
        return `o${expression.axis}`;
      case 'math-constant':
        return round(`Math.${expression.name}`);
      case 'element':
        return writeElement(expression.array, expression.indices.map(write));
      case 'unary':
        return `(${expression.operator}${write(expression.operand)})`;
      case 'logical':
        return `(${write(expression.left)} ${expression.operator} ${write(expression.right)})`;
      case 'conditional':
        return `(${write(expression.condition)} ? ${write(expression.then)} : ${write(expression.otherwise)})`;
      case 'call':
        return writeCall(expression.fn, expression.arguments.map(write));
      case 'binary':
        return writeBinary(expression);
    }
  };
  const writeCall = (fn: string, values: readonly string[]): string => {
    if (fn === 'fround' || (fn === 'round' && arithmetic === 'f32'))
      return fn === 'fround' ? `f(${values[0]})` : `Math.floor(f(${values[0]} + 0.5))`;
    if (fn === 'exp' && exponential) return exponential(values.join());
    return exactFunctions.has(fn) ? `Math.${fn}(${values.join(', ')})` : round(`Math.${fn}(${values.join(', ')})`);
  };
  const writeBinary = (expression: KernelExpression & { kind: 'binary' }): string => {
    const { operator } = expression;
    const [left, right] = [write(expression.left), write(expression.right)];
    const exact = isWholeArithmetic(expression, counters) || !arithmeticOperators.has(operator);
    if (operator === '%' && arithmetic === 'f32') return `remainder(${left}, ${right})`;
    return exact ? `(${left} ${operator} ${right})` : round(`(${left}) ${operator} (${right})`);
  };
  return { write };
}

const arithmeticOperators: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%', '**']);

/** Names of the kernel's author never meet those of the emitted module. */
export const userName = (name: string): string => `u_${name}`;

/** Reading past an end gives `undefined` in JavaScript; here it ends the call, since every device reads something else there. */
function writeElement(array: string, indices: readonly string[]): string {
  const read = indices.reduce((base, index) => `(${base}[${index}] ?? outside('${array}'))`, userName(array));
  return read;
}
