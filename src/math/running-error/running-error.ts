/**
 * The first-order running error of a term, as a term, in units of one rounding (2⁻²⁴ in float32).
 *
 * Evaluating `term` without sums operation by operation in a format with unit roundoff u gives an error of at most
 * u·E + O(u²), where E follows the structure (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed.,
 * §3.3). A sum counts Σ|t| once, whatever its length and order: n − 1 additions in a row may err (n − 1) times as much,
 * and the factor `cond` of a tolerance pays for that. E(input) = 0, E(a ± b) = E(a) + E(b) + |a ± b|, E(a·b) = |a|E(b) + |b|E(a) + u·E(a)E(b) + |a·b|,
 * E(Σ t) = Σ E(t) + Σ |t|, E(f(a)) = |f′(a)|·E(a) + |f(a)|.
 * Operations that round nothing (negation, absolute value, comparison, the larger of two, whole-number
 * arithmetic) add no term of their own. A decimal constant that float32 does not hold exactly counts one rounding.
 *
 * Values and errors that are used more than once are named by `let`, so the result is linear in the size of `term`.
 */
import { call, choose, element, integer, letIn, recurrence, reduce, tabulate, variable } from '../term/build.ts';
import { float32Errors, plus, type ErrorRules, type Operand } from './error-rules.ts';
import type { FreshName } from '../term/symbols.ts';
import { REAL, type Term, type Type } from '../term/term.ts';
import { occurrences, substitute } from '../term/traverse.ts';
import { isZero, zero } from '../term/zero.ts';

/** What is known about the variables of the term. */
export interface RunningErrorOptions {
  readonly fresh: FreshName;
  /** The error of a variable that `term` does not bind: a term (a tensor for a tensor), or null for exact inputs. */
  readonly errorOf: (name: string) => Term | null;
  /** The arithmetic that errs; float32 when left out. */
  readonly rules?: ErrorRules;
}

interface Walk {
  readonly options: RunningErrorOptions;
  readonly rules: ErrorRules;
  /** Errors of names bound inside the term. */
  readonly local: ReadonlyMap<string, Term>;
  /** Names given in the current place, in order. */
  readonly lets: { readonly name: string; readonly value: Term }[];
}

/** E(term): a real for a scalar, a tensor of reals for a tensor. Never negative. */
export function runningError(term: Term, options: RunningErrorOptions): Term {
  return scoped({ options, rules: options.rules ?? float32Errors, local: new Map(), lets: [] }, (walk) =>
    errorOf(term, walk),
  );
}

/** Runs `body` with its own scope for names and wraps the result in those that it uses. */
function scoped(outer: Walk, body: (walk: Walk) => Term): Term {
  const walk: Walk = { ...outer, lets: [] };
  const result = body(walk);
  return walk.lets.reduceRight(
    (inner, { name, value }) => (occurrences(inner, name).count === 0 ? inner : letIn(name, value, inner)),
    result,
  );
}

function errorOf(term: Term, walk: Walk): Term {
  if (isExact(term)) return zero;
  switch (term.kind) {
    case 'number':
      return isFloat32(term.value) ? zero : walk.rules.ofConstant(term);
    case 'boolean':
    case 'string':
    case 'apply':
      return zero;
    case 'variable':
      return walk.local.get(term.name) ?? walk.options.errorOf(term.name) ?? zero;
    case 'call':
      return isConstant(term) ? walk.rules.ofConstant(term) : callWithError(term, walk).error;
    case 'if':
      return errorOfChoice(term, walk);
    case 'element':
      return errorOfElement(term, walk);
    case 'tabulate':
      return tabulate(
        term.binders,
        scoped(walk, (inner) => errorOf(term.body, inner)),
        REAL,
      );
    case 'recurrence':
      return errorOfRecurrence(term, walk);
    case 'reduce':
      return errorOfReduction(term, walk);
    case 'let':
      return errorOfLet(term, walk);
  }
}

/** An operand as its rule needs it: the value (named if it is expensive) and the error. */
function operand(term: Term, walk: Walk): Operand {
  const { value, error } =
    term.kind === 'call' && !isExact(term) && !isConstant(term)
      ? callWithError(term, walk)
      : { value: term, error: errorOf(term, walk) };
  return { value: named(value, walk, 'value'), error: named(error, walk, 'error') };
}

/** The call over its named operands, so that no operand is written out twice. */
function callWithError(term: Extract<Term, { kind: 'call' }>, walk: Walk): Operand {
  const operands = term.arguments.map((part) => operand(part, walk));
  const value = call(term.fn, ...operands.map((o) => o.value));
  return { value, error: walk.rules.ofCall(term, value, operands) };
}

/** π and e. */
function isConstant(term: Term): boolean {
  return term.kind === 'call' && term.arguments.length === 0;
}

/** Whole numbers, truths and texts have no error. */
function isExact(term: Term): boolean {
  const { kind } = term.type;
  return kind === 'integer' || kind === 'boolean' || kind === 'string';
}

function named(term: Term, walk: Walk, hint: string): Term {
  if (
    term.kind === 'number' ||
    term.kind === 'variable' ||
    isConstant(term) ||
    (term.kind === 'element' && term.tensor.kind === 'variable')
  )
    return term;
  const known = walk.lets.find((entry) => entry.value === term);
  const name = known?.name ?? walk.options.fresh(hint);
  if (!known) walk.lets.push({ name, value: term });
  return variable(name, term.type);
}

function isFloat32(text: string): boolean {
  const value = Number(text);
  return !Number.isFinite(value) || (Math.fround(value) === value && /^-?\d{0,17}(\.\d{0,8})?$/.test(text));
}

function errorOfChoice(term: Extract<Term, { kind: 'if' }>, walk: Walk): Term {
  const then = scoped(walk, (inner) => errorOf(term.then, inner));
  const otherwise = scoped(walk, (inner) => errorOf(term.otherwise, inner));
  return isZero(then) && isZero(otherwise) ? zero : choose(term.condition, then, otherwise, REAL);
}

function errorOfElement(term: Extract<Term, { kind: 'element' }>, walk: Walk): Term {
  const { tensor } = term;
  if (tensor.kind === 'variable') {
    const errors = walk.local.get(tensor.name) ?? walk.options.errorOf(tensor.name);
    return errors === null || isZero(errors) ? zero : element(errors, term.indices);
  }
  const errors = errorOf(tensor, walk);
  return isZero(errors) ? zero : element(named(errors, walk, 'error'), term.indices);
}

/** Every partial sum of t₁ … tₙ is at most Σ|t|, which counts once; a product rounds once per factor. */
function errorOfReduction(term: Extract<Term, { kind: 'reduce' }>, walk: Walk): Term {
  const over = (operator: 'sum' | 'max', body: (inner: Walk) => Term): Term => {
    const inside = scoped(walk, body);
    return isZero(inside) ? zero : reduce(operator, term.binders, inside, term.condition);
  };
  switch (term.operator) {
    case 'sum': {
      const count = (): Term => named(reduce('sum', term.binders, integer(1), term.condition), walk, 'count');
      return over('sum', (inner) => {
        const { value, error } = operand(term.body, inner);
        return plus(error, walk.rules.ofSummand(value, count));
      });
    }
    case 'max':
    case 'min': {
      // An empty range has no error, hence the maximum with 0.
      const largest = over('max', (inner) => errorOf(term.body, inner));
      return isZero(largest) ? zero : call('maximum', integer(0), largest);
    }
    case 'product': {
      const relative = over('sum', (inner) => {
        const { value, error } = operand(term.body, inner);
        const passedOn = isZero(error) ? zero : call('divide', error, call('absolute', value));
        return plus(passedOn, walk.rules.ofFactor());
      });
      return call('multiply', call('absolute', named(term, walk, 'value')), relative);
    }
    default:
      return zero;
  }
}

/** The errors follow the values: each is made of the values and errors before it. */
function errorOfRecurrence(term: Extract<Term, { kind: 'recurrence' }>, walk: Walk): Term {
  const values = named(term, walk, 'value');
  const errors = walk.options.fresh(`${term.name}·error`);
  const own = new Map([[term.name, values]]);
  const type: Type = term.type.kind === 'tensor' ? { ...term.type, element: REAL } : REAL;
  const local = new Map(walk.local);
  if (values.kind === 'variable') local.set(values.name, variable(errors, type));
  const body = scoped({ ...walk, local }, (inner) => errorOf(substitute(term.body, own, walk.options.fresh), inner));
  return recurrence(errors, term.binders, body);
}

/** The name keeps its value, and its error gets a second name. */
function errorOfLet(term: Extract<Term, { kind: 'let' }>, walk: Walk): Term {
  const local = new Map(walk.local);
  const inner: Walk = { ...walk, local };
  const names: { readonly name: string; readonly value: Term }[] = [];
  let at: Term = term;
  while (at.kind === 'let') {
    const { name, value } = at;
    const error = scoped(inner, (place) => errorOf(value, place));
    names.push({ name, value });
    if (isZero(error)) {
      local.set(name, zero);
    } else {
      const errorName = walk.options.fresh(`${name}·error`);
      names.push({ name: errorName, value: error });
      local.set(name, variable(errorName, error.type));
    }
    at = at.body;
  }
  const last = at;
  const body = scoped(inner, (place) => errorOf(last, place));
  return names.reduceRight(
    (inside, entry) => (occurrences(inside, entry.name).count === 0 ? inside : letIn(entry.name, entry.value, inside)),
    body,
  );
}
