/** Sums, products, extrema and counts over ranges of indices, by the functions of the prelude. */
import type { IndexBinder, Term } from '../../math/term/term.ts';
import { bind, bindIndex, type Scope } from './scope.ts';
import { apply, atom, fit, inScope, lambda, level, type Text } from './text.ts';
import type { Reduce, Writer } from './writer.ts';

/** The range of a binder as two arguments. */
export function rangeArguments(writer: Writer, { from, to }: IndexBinder, scope: Scope): readonly [Text, Text] {
  return [writer.integer(from, scope), writer.integer(to, scope)];
}

/** A reduction to a number. */
export function writeReduction(writer: Writer, term: Reduce, scope: Scope): Text {
  const whole = term.type.kind === 'integer';
  switch (term.operator) {
    case 'sum':
      return nested(writer, term, scope, whole ? 'zsum_over' : 'sum_over', selected(writer, term, '0', whole));
    case 'product':
      return whole
        ? writer.refuse('a product of integers over a range is not among the definitions', term)
        : nested(writer, term, scope, 'prod_over', selected(writer, term, '1', whole));
    case 'count':
      return nested(writer, term, scope, 'zsum_over', counted(writer, term));
    case 'max':
    case 'min':
      return extremum(writer, term, scope, whole);
    case 'argmax':
    case 'argmin':
      return position(writer, term, scope);
    default:
      return writer.refuse('it is not a number', term);
  }
}

type Body = (scope: Scope) => Text;

/** One function per binder: `sum_over a b (fun i => sum_over c d (fun j => …))`. */
function nested(writer: Writer, { binders }: Reduce, outer: Scope, name: string, body: Body): Text {
  const write = (rest: readonly IndexBinder[], scope: Scope): Text => {
    const [binder, ...others] = rest;
    if (!binder) return body(scope);
    const range = rangeArguments(writer, binder, scope);
    const [identifier, inner] = bindIndex(scope, binder);
    return apply(name, ...range, lambda([identifier], write(others, inner)));
  };
  return write(binders, outer);
}

/** The body where the condition holds, and what changes nothing elsewhere. */
function selected(writer: Writer, { condition, body }: Reduce, neutral: string, whole: boolean): Body {
  return (scope) => {
    const value = whole ? writer.integer(body, scope) : writer.real(body, scope);
    return condition ? chosen(writer.truth(condition, scope), value, literal(neutral, whole, scope)) : value;
  };
}

const literal = (digits: string, whole: boolean, { reading }: Scope): Text =>
  reading === (whole ? 'Z' : 'R') ? atom(digits) : inScope(whole ? 'Z' : 'R', atom(digits));

function chosen(condition: Text, then: Text, otherwise: Text): Text {
  return {
    text: `if ${fit(condition, level.open)} then ${fit(then, level.open)} else ${otherwise.text}`,
    level: level.open,
  };
}

function counted(writer: Writer, { condition, body }: Reduce): Body {
  return (scope) => {
    const holds = writer.truth(body, scope);
    const both = condition ? apply('andb', writer.truth(condition, scope), holds) : holds;
    return chosen(both, literal('1', true, scope), literal('0', true, scope));
  };
}

function extremum(writer: Writer, term: Reduce, scope: Scope, whole: boolean): Text {
  const { operator, condition, binders, body } = term;
  const prefix = whole ? 'z' : '';
  if (condition === null)
    return nested(writer, term, scope, `${prefix}${operator}_over`, (inner) =>
      whole ? writer.integer(body, inner) : writer.real(body, inner),
    );
  const [binder, second] = binders;
  if (!binder || second || whole)
    return writer.refuse(`a ${operator} under a condition is exported over one index of real numbers alone`, term);
  const [identifier, inner] = bindIndex(scope, binder);
  return apply(
    `${operator}_where`,
    ...rangeArguments(writer, binder, scope),
    lambda([identifier], writer.truth(condition, inner)),
    lambda([identifier], writer.real(body, inner)),
  );
}

function position(writer: Writer, term: Reduce, scope: Scope): Text {
  const { operator, condition, binders, body } = term;
  const [binder, second] = binders;
  if (!binder || second || condition)
    return writer.refuse(`${operator} is exported over one index without a condition alone`, term);
  const [identifier, inner] = bindIndex(scope, binder);
  return apply(
    `${operator}_over`,
    ...rangeArguments(writer, binder, scope),
    lambda([identifier], writer.real(body, inner)),
  );
}

/** A vector whose elements are computed in order, each from those before it. */
export function writeRecurrence(writer: Writer, term: Extract<Term, { kind: 'recurrence' }>, scope: Scope): Text {
  const [binder, second] = term.binders;
  if (!binder || second || term.body.type.kind === 'integer' || term.body.type.kind === 'boolean')
    return writer.refuse('a recurrence is exported over one index of real numbers alone', term);
  const [, to] = rangeArguments(writer, binder, scope);
  const [self, withSelf] = bind(scope, term.name);
  const [index, inner] = bindIndex(withSelf, binder);
  return apply('recurrence_over', to, lambda([self, index], writer.real(term.body, inner)));
}
