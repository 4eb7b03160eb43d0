import { toFloat, fromFloat, compareRational } from '../../../numeric/rational.ts';
import type { NumberExpression } from '../../expression.ts';
import type { ProofVariable } from '../../problem.ts';
import { numberArguments } from '../interval/ranges.ts';

/** Tells which nodes are float32 numbers on every input, so that rounding leaves them alone. */
export function float32Values(variables: readonly ProofVariable[]): (node: NumberExpression) => boolean {
  const formats = new Map(variables.map((variable) => [variable.name, variable]));
  const known = new Map<number, boolean>();
  const compute = (node: NumberExpression, depth: number): boolean => {
    switch (node.kind) {
      case 'round32':
      case 'machine':
      case 'machine-power':
        return true;
      case 'constant': {
        const value = Math.fround(toFloat(node.value));
        return Number.isFinite(value) && compareRational(fromFloat(value), node.value) === 0;
      }
      case 'variable': {
        const variable = formats.get(node.name);
        return variable !== undefined && isFloat32Variable(variable);
      }
      case 'negate':
      case 'absolute':
      case 'minimum':
      case 'maximum':
      case 'if':
        return depth < 4096 && numberArguments(node).every((argument) => isFloat32(argument, depth + 1));
      default:
        return false;
    }
  };
  const isFloat32 = (node: NumberExpression, depth: number): boolean => {
    const before = known.get(node.id);
    if (before !== undefined) return before;
    const result = compute(node, depth);
    known.set(node.id, result);
    return result;
  };
  return (node) => isFloat32(node, 0);
}

/** Whole numbers up to 2²⁴ are float32 numbers. */
function isFloat32Variable({ format, low, high }: ProofVariable): boolean {
  if (format === 'f32' || format === 'f16' || format === 'bf16') return true;
  return format === 'integer' && low && high ? toFloat(low) >= -(2 ** 24) && toFloat(high) <= 2 ** 24 : false;
}
