import { functionTable } from '../functions.ts';
import type { Term, Type } from './term.ts';

const known = new WeakMap<Term, boolean>();

/**
 * Whether a numeric term takes integer values by construction: sizes, indices, integer inputs and what
 * integer-valued functions make of them. Such values are exact in every arithmetic and never rounded to float32.
 */
export function isIntegral(start: Term): boolean {
  let term = start;
  while (term.kind === 'let') term = term.body;
  let answer = known.get(term);
  if (answer === undefined) known.set(term, (answer = decide(term)));
  return answer;
}

/** `2^k` may be a fraction; `k^2` may not. */
function isWholePower([base, exponent]: readonly Term[]): boolean {
  return base !== undefined && isIntegral(base) && exponent?.kind === 'number' && /^\d+$/.test(exponent.value);
}

function isIntegerType(type: Type): boolean {
  return type.kind === 'integer' || (type.kind === 'tensor' && type.element.kind === 'integer');
}

function decide(term: Exclude<Term, { kind: 'let' }>): boolean {
  switch (term.kind) {
    case 'number':
      return /^-?\d+$/.test(term.value);
    case 'variable':
    case 'apply':
      return isIntegerType(term.type);
    case 'call': {
      if (term.fn === 'power') return isWholePower(term.arguments);
      const row = functionTable[term.fn];
      if (row.kind === 'length' || row.kind === 'unit') return true;
      if (row.kind !== 'numeric' || row.result === 'real') return false;
      return row.result === 'integer' || term.arguments.every(isIntegral);
    }
    case 'if':
      return isIntegral(term.then) && isIntegral(term.otherwise);
    case 'element':
      return isIntegral(term.tensor);
    case 'tabulate':
    case 'recurrence':
      return isIntegral(term.body);
    case 'reduce':
      return (
        term.operator === 'count' || term.operator === 'argmax' || term.operator === 'argmin' || isIntegral(term.body)
      );
    case 'boolean':
    case 'string':
      return false;
  }
}
