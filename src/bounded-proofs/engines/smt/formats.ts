/** Which numbers are float32 and which are whole, by construction. */
import { compareRational, type Rational } from '../../../numeric/rational.ts';
import type { NumberExpression } from '../../expression.ts';
import type { ProofVariable } from '../../problem.ts';
import { isWholeNode } from '../../whole-node.ts';
import { isFloat32Value } from './float32-bounds.ts';
import { forEachNew } from './for-each-new.ts';

/** Decides formats of nodes, each once. */
export interface Formats {
  readonly isFloat32: (node: NumberExpression) => boolean;
  readonly isInteger: (node: NumberExpression) => boolean;
}

/** Every whole number up to this is a float32. */
const exactIntegers: Rational = { numerator: 1n << 24n, denominator: 1n };

/** Formats of expressions over `variables`, whose own formats are given. */
export function createFormats(variables: ReadonlyMap<string, ProofVariable>): Formats {
  const floats = new Map<number, boolean>();
  const integers = new Map<number, boolean>();

  const isFloat32 = (node: NumberExpression): boolean => {
    forEachNew(node, floats, (each) => floats.set(each.id, isFloat32Node(each)));
    return floats.get(node.id) ?? false;
  };
  const isFloat32Node = (node: NumberExpression): boolean => {
    const known = (each: NumberExpression): boolean => floats.get(each.id) ?? false;
    switch (node.kind) {
      case 'round32':
      case 'machine':
        return true;
      case 'constant':
        return isFloat32Value(node.value);
      case 'variable': {
        const variable = variables.get(node.name);
        if (!variable) return false;
        if (variable.format === 'integer') return isSmall(variable.low) && isSmall(variable.high);
        return variable.format === 'f32' || variable.format === 'f16' || variable.format === 'bf16';
      }
      case 'negate':
      case 'absolute':
      case 'floor':
      case 'ceiling':
      case 'truncate':
        return known(node.operand);
      case 'minimum':
      case 'maximum':
        return known(node.left) && known(node.right);
      case 'if':
        return known(node.then) && known(node.otherwise);
      default:
        return false;
    }
  };

  const isInteger = (node: NumberExpression): boolean => {
    forEachNew(node, integers, (each) => integers.set(each.id, isIntegerNode(each)));
    return integers.get(node.id) ?? false;
  };
  const isIntegerNode = (node: NumberExpression): boolean => {
    const known = (each: NumberExpression): boolean => integers.get(each.id) ?? false;
    return node.kind !== 'round32' && isWholeNode(node, (name) => variables.get(name)?.format === 'integer', known);
  };

  return { isFloat32, isInteger };
}

function isSmall(value: Rational | null): boolean {
  if (value === null) return false;
  const magnitude = value.numerator < 0n ? { ...value, numerator: -value.numerator } : value;
  return compareRational(magnitude, exactIntegers) <= 0;
}
