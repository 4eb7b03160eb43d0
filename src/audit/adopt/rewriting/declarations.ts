/** Inputs of a typed domain as a domain declares them: what pv took a name to be, in the notation. */
import type { InputVariable } from '../../../math/domain.ts';
import { printTerm } from '../../../math/term/print-term.ts';

/** `x ∈ ℝ^n`, without the bounds that a domain states apart. */
export function declarationOf({ name, element, shape, lower }: InputVariable): string {
  const axes = shape.map((axis) => printTerm(axis)).join(' × ');
  const power = axes === '' ? '' : /^\p{L}$/u.test(axes) ? `^${axes}` : `^{${axes}}`;
  return `${name} ∈ ${element.kind === 'integer' ? wholeNumbers(lower) : sets[element.kind]}${power}`;
}

const sets = { float: 'ℝ', real: 'ℝ', string: 'String', boolean: 'Bool' } as const;

function wholeNumbers(lower: InputVariable['lower']): string {
  if (lower === null) return 'ℤ';
  return lower.value.kind === 'number' && lower.value.value === '1' ? 'ℕ⁺' : 'ℕ';
}
