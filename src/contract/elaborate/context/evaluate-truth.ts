/** Conditions over sizes, indices and whole numbers at given values. */
import type { FunctionName } from '../../../math/functions.ts';
import type { Term } from '../../../math/term/term.ts';
import { evaluateNumber } from './evaluate-number.ts';

/** Whether `term` holds at `env`, or null if that depends on anything else. */
export function evaluateTruth(term: Term, env: ReadonlyMap<string, number>): boolean | null {
  if (term.kind === 'boolean') return term.value;
  if (term.kind !== 'call') return null;
  const [left, right] = term.arguments;
  if (!left) return null;
  if (term.fn === 'not') return negated(evaluateTruth(left, env));
  if (!right) return null;
  switch (term.fn) {
    case 'and':
      return both(evaluateTruth(left, env), evaluateTruth(right, env));
    case 'or':
      return negated(both(negated(evaluateTruth(left, env)), negated(evaluateTruth(right, env))));
    case 'implies':
      return negated(both(evaluateTruth(left, env), negated(evaluateTruth(right, env))));
    default:
      return compared(term.fn, evaluateNumber(left, env), evaluateNumber(right, env));
  }
}

function negated(truth: boolean | null): boolean | null {
  return truth === null ? null : !truth;
}

/** False as soon as one side is, whatever the other. */
function both(a: boolean | null, b: boolean | null): boolean | null {
  if (a === false || b === false) return false;
  return a === null || b === null ? null : true;
}

function compared(fn: FunctionName, a: number | null, b: number | null): boolean | null {
  const compare = comparisons[fn];
  return compare === undefined || a === null || b === null ? null : compare(a, b);
}

const comparisons: Partial<Readonly<Record<FunctionName, (a: number, b: number) => boolean>>> = {
  less: (a, b) => a < b,
  'less-equal': (a, b) => a <= b,
  greater: (a, b) => a > b,
  'greater-equal': (a, b) => a >= b,
  equal: (a, b) => a === b,
  'not-equal': (a, b) => a !== b,
};
