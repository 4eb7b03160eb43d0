import { invariant } from '../../base/invariant.ts';
import { err, ok, type Result } from '../../base/result.ts';
import type { Term } from '../term/term.ts';
import type { Arithmetic } from './arithmetic.ts';
import { float64 } from './floats.ts';
import { evaluate, type Machine } from './machine.ts';
import { termProblem } from './limits.ts';
import { reduce } from './reduce.ts';
import type { Binding, Environment, Frame, Scalar, Value } from './value.ts';

export type { Binding, Environment } from './value.ts';

/** A value of the mathematics with numbers of type T; tensors are flat and row-major, truth values in them true or false. */
export type Evaluated<T> =
  T | boolean | string | { readonly shape: readonly number[]; readonly data: readonly (T | boolean | string)[] };

/** When evaluation gives up. */
export interface EvaluationLimits {
  /** Nodes visited, counted with repetition. */
  readonly maxSteps: number;
}

const DEFAULT_LIMITS: EvaluationLimits = { maxSteps: 50_000_000 };

/**
 * The value of `term` in `arithmetic`, or why it was not computed: too deep, too large, too many steps.
 *
 * `environment` gives a value for every free variable (inputs, sizes, `out:k`); numbers enter exactly.
 */
export function interpret<T>(
  term: Term,
  environment: Environment,
  arithmetic: Arithmetic<T>,
  limits: EvaluationLimits = DEFAULT_LIMITS,
): Result<Evaluated<T>, string> {
  const problem = termProblem(term);
  if (problem !== null) return err(problem);
  try {
    const machine: Machine<T> = { arithmetic, reduce, steps: limits.maxSteps };
    return ok(outward(evaluate(machine, term, inward(environment, machine))));
  } catch (thrown) {
    if (thrown instanceof RangeError) return err(thrown.message);
    throw thrown;
  }
}

/**
 * The value of `term` in float64: a number, truth value or string, or `{shape, data}` for a tensor.
 *
 * @throws RangeError when the term is too large or takes too long; use {@link interpret} for unchecked terms.
 */
export function evaluateTerm(term: Term, environment: Environment): Evaluated<number> {
  const result = interpret(term, environment, float64);
  if (!result.ok) throw new RangeError(result.error);
  return result.value;
}

function inward<T>(environment: Environment, machine: Machine<T>): Frame<T> | null {
  let frame: Frame<T> | null = null;
  for (const [name, binding] of environment) frame = { name, value: bind(binding, machine, frame), outer: frame };
  return frame;
}

function bind<T>(binding: Binding, machine: Machine<T>, before: Frame<T> | null): Value<T> {
  switch (typeof binding) {
    case 'number':
      return { kind: 'number', value: machine.arithmetic.fromNumber(binding) };
    case 'boolean':
      return { kind: 'boolean', value: binding };
    case 'string':
      return { kind: 'string', value: binding };
    default:
      if ('kind' in binding) return evaluate(machine, binding, before);
      return {
        kind: 'tensor',
        shape: binding.shape,
        data: Array.from(binding.data, (one) => scalarOf(one, machine, before)),
      };
  }
}

function scalarOf<T>(element: number | Term, machine: Machine<T>, before: Frame<T> | null): Scalar<T> {
  const value = bind(element, machine, before);
  invariant(value.kind !== 'tensor', 'what the domain lists for an element is a number');
  return value;
}

function outward<T>(value: Value<T>): Evaluated<T> {
  return value.kind === 'tensor' ? { shape: value.shape, data: value.data.map((scalar) => scalar.value) } : value.value;
}
