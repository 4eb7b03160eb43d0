/** Evaluates sizes and bounds at given sizes and scalars: the small part of the mathematics that they use. */
import { invariant } from '../../../base/invariant.ts';
import type { FunctionName } from '../../../math/functions.ts';
import type { Term } from '../../../math/term/term.ts';

/** The value of `term` at `env`, or null if it uses anything else. */
export function evaluateNumber(term: Term, env: ReadonlyMap<string, number>): number | null {
  if (term.kind === 'number') return Number(term.value);
  if (term.kind === 'boolean') return term.value ? 1 : 0;
  if (term.kind === 'variable') return env.get(term.name) ?? null;
  const operate = term.kind === 'call' ? operations[term.fn] : undefined;
  if (term.kind !== 'call' || !operate) return null;
  const args = term.arguments.map((argument) => evaluateNumber(argument, env));
  const [a, b] = args;
  invariant(a !== undefined, 'the operations have arguments');
  return a === null || b === null ? null : operate(a, b ?? 0);
}

const operations: Partial<Readonly<Record<FunctionName, (a: number, b: number) => number>>> = {
  add: (a, b) => a + b,
  subtract: (a, b) => a - b,
  multiply: (a, b) => a * b,
  divide: (a, b) => a / b,
  negate: (a) => -a,
  absolute: (a) => Math.abs(a),
  'floor-divide': (a, b) => Math.floor(a / b),
  modulo: (a, b) => a - b * Math.floor(a / b),
  power: (a, b) =>
    Number.isInteger(b) && b >= 0 && b <= 64 ? Array.from({ length: b }, () => a).reduce((x, y) => x * y, 1) : NaN,
  minimum: (a, b) => Math.min(a, b),
  maximum: (a, b) => Math.max(a, b),
  floor: (a) => Math.floor(a),
  ceiling: (a) => Math.ceil(a),
};
