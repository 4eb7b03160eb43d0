/**
 * Types and domains in words, for docstrings: `float32[n×d]`, `-10 ≤ elements ≤ 10`.
 */
import type { Domain, InputVariable, SizeVariable } from '../math/domain.ts';
import { printTerm } from '../math/term/print-term.ts';
import type { ScalarType, Type } from '../math/term/term.ts';

const scalarNames = { boolean: 'boolean', integer: 'integer', real: 'real', string: 'string' } as const;

function describeScalar(type: ScalarType): string {
  return type.kind === 'float' ? `float${type.format.replace(/\D/g, '')}` : scalarNames[type.kind];
}

/** `float32[n×d]`; a scalar has no brackets. */
export function describeType(type: Type): string {
  if (type.kind !== 'tensor') return describeScalar(type);
  return `${describeScalar(type.element)}[${type.shape.map((size) => printTerm(size)).join('×')}]`;
}

/** The bounds of a variable's elements, or the empty string. */
function describeBounds({ lower, upper, shape, choices }: InputVariable): string {
  if (choices) return `one of ${choices.map((choice) => printTerm(choice)).join(', ')}`;
  const subject = shape.length > 0 ? 'elements' : 'value';
  const low = lower ? `${printTerm(lower.value)} ${lower.open ? '<' : '≤'} ` : '';
  const high = upper ? ` ${upper.open ? '<' : '≤'} ${printTerm(upper.value)}` : '';
  return low || high ? `${low}${subject}${high}` : '';
}

/** A size with its range, or with its definition if it has one: `1 ≤ n ≤ 512, a multiple of 4`. */
export function describeSize({ name, minimum, maximum, multipleOf, definition }: SizeVariable): string {
  if (definition) return `${name} = ${printTerm(definition)}`;
  return `${minimum} ≤ ${name} ≤ ${maximum}${multipleOf > 1 ? `, a multiple of ${multipleOf}` : ''}`;
}

/** Type and bounds of an input: `float32[n], -1 ≤ elements ≤ 1`. */
export function describeVariable(domain: Domain, name: string, type: Type): string {
  const variable = domain.variables.find((candidate) => candidate.name === name);
  const bounds = variable ? describeBounds(variable) : '';
  return bounds ? `${describeType(type)}, ${bounds}` : describeType(type);
}
