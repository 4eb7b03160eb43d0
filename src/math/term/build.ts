/**
 * Constructors of terms. They compute types and fold constants where folding loses nothing:
 * whole-number arithmetic, neutral elements, logic with a known side. They never reorder arithmetic.
 */
import { invariant } from '../../base/invariant.ts';
import type { Range } from '../../diagnostics/source.ts';
import { foldCall } from './fold.ts';
import type { FunctionName } from '../functions.ts';
import {
  BOOLEAN,
  INTEGER,
  REAL,
  STRING,
  type IndexBinder,
  type ReduceOperator,
  type ScalarType,
  type Term,
  type Type,
} from './term.ts';
import { elementTypeOf, makeType, resultType } from './types.ts';

/** A whole number. */
export function integer(value: number): Term {
  invariant(Number.isSafeInteger(value), 'an integer literal is a safe integer');
  return { kind: 'number', value: String(value), type: INTEGER, origin: null };
}

/** A real number from its exact decimal text; digits alone make an integer. */
export function decimal(text: string): Term {
  return { kind: 'number', value: text, type: /^-?\d+$/.test(text) ? INTEGER : REAL, origin: null };
}

/** A truth value. */
export function boolean(value: boolean): Term {
  return { kind: 'boolean', value, type: BOOLEAN, origin: null };
}

/** A constant string. */
export function string(value: string): Term {
  return { kind: 'string', value, type: STRING, origin: null };
}

/** A variable of any type. */
export function variable(name: string, type: Type): Term {
  return { kind: 'variable', name, type, origin: null };
}

/** `fn` of `args`, folded when the result is known. */
export function call(fn: FunctionName, ...args: readonly Term[]): Term {
  return foldCall(fn, args) ?? { kind: 'call', fn, arguments: args, type: resultType(fn, args), origin: null };
}

/** `condition ? then : otherwise`, of the type that elaboration found for both branches. */
export function choose(condition: Term, then: Term, otherwise: Term, type: Type = then.type): Term {
  if (condition.kind === 'boolean') return condition.value ? then : otherwise;
  return { kind: 'if', condition, then, otherwise, type, origin: null };
}

/** The element of a tensor at as many indices as it has axes; the tensor itself for a scalar. */
export function element(tensor: Term, indices: readonly Term[]): Term {
  if (indices.length === 0) return tensor;
  return { kind: 'element', tensor, indices, type: elementTypeOf(tensor.type), origin: null };
}

/** The tensor with `body` at each index; its axes are the ranges of the binders, which start at 0. */
export function tabulate(
  binders: readonly IndexBinder[],
  body: Term,
  type: ScalarType = elementTypeOf(body.type),
): Term {
  if (binders.length === 0) return body;
  const shape = binders.map((b) => call('subtract', b.to, b.from));
  return { kind: 'tabulate', binders, body, type: makeType(type, shape), origin: null };
}

/** As {@link tabulate}, where `body` may read earlier elements through the variable `name`. */
export function recurrence(name: string, binders: readonly IndexBinder[], body: Term): Term {
  const shape = binders.map((b) => call('subtract', b.to, b.from));
  return { kind: 'recurrence', name, binders, body, type: makeType(elementTypeOf(body.type), shape), origin: null };
}

/** A reduction over `binders`, of which those count for which `condition` holds. */
export function reduce(
  operator: ReduceOperator,
  binders: readonly IndexBinder[],
  body: Term,
  condition: Term | null = null,
): Term {
  if (
    binders.length === 0 &&
    condition === null &&
    operator !== 'argmax' &&
    operator !== 'argmin' &&
    operator !== 'count'
  )
    return body;
  const type = reduceType(operator, body);
  return { kind: 'reduce', operator, binders, condition, body, type, origin: null };
}

function reduceType(operator: ReduceOperator, body: Term): ScalarType {
  switch (operator) {
    case 'all':
    case 'any':
      return BOOLEAN;
    case 'argmax':
    case 'argmin':
    case 'count':
      return INTEGER;
    case 'sum':
    case 'product':
      return body.type.kind === 'integer' ? INTEGER : REAL;
    default:
      return elementTypeOf(body.type);
  }
}

/** The value of `body`, in which `name` is `value`. */
export function letIn(name: string, value: Term, body: Term): Term {
  return { kind: 'let', name, value, body, type: body.type, origin: null };
}

/** The conjunction of `terms`, true when there are none. */
export function conjunction(terms: readonly Term[]): Term {
  return terms.reduce((all, next) => call('and', all, next), boolean(true));
}

/** The term with its place in the text, unless it has one already. */
export function withOrigin(term: Term, origin: Range): Term {
  return term.origin === null ? { ...term, origin } : term;
}
