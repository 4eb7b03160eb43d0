/**
 * Where a term has a value: no division by zero, no logarithm or root outside its domain, no index outside its
 * axis, no extremum over an empty range. Rocq's functions are total (x / 0 is some number), so a statement without this could
 * be proved about meaningless numbers.
 */
import { present } from '../../base/invariant.ts';
import { boolean, call, integer } from '../../math/term/build.ts';
import type { Term } from '../../math/term/term.ts';
import { bind, bindIndex, isPlainlyWithin, type Scope } from './scope.ts';
import { atom, conjunctionOf, fit, inScope, level, relation, type Text } from './text.ts';
import { forAll, implies, not } from './write-truths.ts';
import { write, type Call, type Reduce, type Writer } from './writer.ts';

type Condition = Text | null;

/** Both conditions; null holds always. */
export function both(a: Condition, b: Condition): Condition {
  return a === null ? b : b === null ? a : conjunctionOf(a, b);
}

const when = (premise: Text, condition: Condition): Condition => condition && implies(premise, condition);

/** The condition under which the term has a value; null if it always has one. */
export function writeDefined(writer: Writer, term: Term, scope: Scope): Condition {
  const parts = (terms: readonly Term[]): Condition =>
    terms.reduce<Condition>((all, part) => both(all, writer.defined(part, scope)), null);
  switch (term.kind) {
    case 'number':
    case 'boolean':
    case 'string':
    case 'variable':
      return null;
    case 'call':
      return both(
        guarded(writer, term, scope) ?? parts(isGuarded(term) ? [] : term.arguments),
        ownCondition(writer, term, scope),
      );
    case 'if': {
      const condition = writer.proposition(term.condition, scope);
      return [
        writer.defined(term.condition, scope),
        when(condition, writer.defined(term.then, scope)),
        when(not(condition), writer.defined(term.otherwise, scope)),
      ].reduce(both, null);
    }
    case 'element':
      return [parts(term.indices), writer.defined(term.tensor, scope), inRange(writer, term, scope)].reduce(both, null);
    case 'tabulate':
      return everywhere(writer, term.binders, scope, (inner) => writer.defined(term.body, inner));
    case 'recurrence':
      return ofRecurrence(writer, term, scope);
    case 'reduce':
      return ofReduction(writer, term, scope);
    case 'let':
      return ofLet(writer, term, scope);
    case 'apply':
      return writer.refuse('an equation is applied under an index', term);
  }
}

/** Whether the second argument only has to have a value where the first lets it matter. */
const isGuarded = ({ fn }: Call): boolean => fn === 'and' || fn === 'or' || fn === 'implies';

function guarded(writer: Writer, term: Call, scope: Scope): Condition {
  const [a, b] = term.arguments;
  if (!isGuarded(term) || !a || !b) return null;
  const premise = writer.proposition(a, scope);
  return both(writer.defined(a, scope), when(term.fn === 'or' ? not(premise) : premise, writer.defined(b, scope)));
}

/** The domain of the function itself. */
function ownCondition(writer: Writer, term: Call, scope: Scope): Condition {
  const [a, b] = term.arguments;
  if (!a) return null;
  const zero = integer(0);
  const holds = (condition: Term): Condition =>
    condition.kind === 'boolean' && condition.value ? null : writer.proposition(condition, scope);
  switch (term.fn) {
    case 'divide':
    case 'modulo':
    case 'floor-divide':
      return b ? holds(different(b, zero)) : null;
    case 'log':
    case 'log2':
    case 'log10':
    case 'reciprocal-sqrt':
      return holds(call('greater', a, zero));
    case 'log1p':
      return holds(call('greater', call('add', integer(1), a), zero));
    case 'sqrt':
      return holds(notNegative(a));
    case 'tan':
      return holds(call('not-equal', call('cos', a), zero));
    case 'factorial':
      return holds(notNegative(a));
    case 'power':
      return b ? holds(powerCondition(a, b)) : null;
    default:
      return null;
  }
}

const isLiteral = (term: Term): term is Extract<Term, { kind: 'number' }> => term.kind === 'number';

const different = (a: Term, zero: Term): Term =>
  isLiteral(a) && Number(a.value) !== 0 ? boolean(true) : call('not-equal', a, zero);

const notNegative = (a: Term): Term =>
  isLiteral(a) && Number(a.value) >= 0 ? boolean(true) : call('greater-equal', a, integer(0));

/** Integer powers of anything but 1/0^k; other powers, which are exp(y·ln x), of positive numbers. */
function powerCondition(base: Term, exponent: Term): Term {
  const zero = integer(0);
  if (isLiteral(exponent) && Number(exponent.value) === 0.5) return notNegative(base);
  if (exponent.type.kind !== 'integer')
    return isLiteral(base) && Number(base.value) > 0 ? boolean(true) : call('greater', base, zero);
  const atLeastZero = notNegative(exponent);
  return atLeastZero.kind === 'boolean' ? atLeastZero : call('or', different(base, zero), atLeastZero);
}

/** For `x_{i+1}`: the index is in range, unless that is obvious; inside a recurrence it must also be an earlier one. */
function inRange(writer: Writer, { tensor, indices }: Extract<Term, { kind: 'element' }>, scope: Scope): Condition {
  const shape = tensor.type.kind === 'tensor' ? tensor.type.shape : [];
  const limit = tensor.kind === 'variable' ? scope.before.get(tensor.name) : undefined;
  return indices.reduce<Condition>((all, index, axis) => {
    const size = shape[axis];
    if (!size) return both(all, writer.refuse('nothing says how long it is', tensor));
    if (limit === undefined && isPlainlyWithin(scope, index, size)) return all;
    const inner = { ...scope, reading: 'Z' } as const;
    const high = limit ?? fit(writer.integer(size, inner), level.sum);
    return both(all, atom(`(0 <= ${fit(writer.integer(index, inner), level.sum)} < ${high})%Z`));
  }, null);
}

function everywhere(
  writer: Writer,
  binders: Reduce['binders'],
  scope: Scope,
  body: (inner: Scope) => Condition,
): Condition {
  const [binder, ...others] = binders;
  if (!binder) return body(scope);
  return [
    writer.defined(binder.from, scope),
    writer.defined(binder.to, scope),
    forAll(writer, binder, scope, (inner) => everywhere(writer, others, inner, body)),
  ].reduce(both, null);
}

function ofReduction(writer: Writer, term: Reduce, scope: Scope): Condition {
  const { operator, binders, condition, body } = term;
  const extremal = ['max', 'min', 'argmax', 'argmin'].includes(operator);
  const selected = everywhere(writer, binders, scope, (inner) =>
    both(
      condition && writer.defined(condition, inner),
      condition ? when(writer.proposition(condition, inner), writer.defined(body, inner)) : writer.defined(body, inner),
    ),
  );
  return both(extremal ? notEmpty(writer, binders, condition, scope) : null, selected);
}

/**
 * An extremum over an empty range is infinite, which no real number is. Inner ranges must not be empty either, which is a
 * stronger condition.
 */
function notEmpty(writer: Writer, binders: Reduce['binders'], condition: Term | null, outer: Scope): Condition {
  const ask = (rest: Reduce['binders'], scope: Scope): Condition => {
    const [binder, ...others] = rest;
    if (!binder) return null;
    const inner = { ...scope, reading: 'Z' } as const;
    const own = inScope('Z', relation('<', writer.integer(binder.from, inner), writer.integer(binder.to, inner)));
    return both(own, others.length === 0 ? null : forAll(writer, binder, scope, (next) => ask(others, next)));
  };
  const [binder] = binders;
  if (!condition || !binder) return ask(binders, outer);
  const [identifier, inner] = bindIndex(outer, binder);
  const integers = { ...outer, reading: 'Z' } as const;
  const range = `(${fit(writer.integer(binder.from, integers), level.sum)} <= ${identifier} < ${fit(writer.integer(binder.to, integers), level.sum)})%Z`;
  const exists = conjunctionOf(atom(range), writer.proposition(condition, inner));
  return { text: `exists ${identifier} : Z, ${fit(exists, level.open)}`, level: level.open };
}

function ofLet(writer: Writer, start: Extract<Term, { kind: 'let' }>, outer: Scope): Condition {
  const own = writer.defined(start.value, outer);
  const [identifier, inner] = bind(outer, start.name);
  const rest = writer.defined(start.body, inner);
  if (rest === null) return own;
  const value = fit(write(writer, start.value, outer), level.open);
  return both(own, { text: `let ${identifier} := ${value} in ${fit(rest, level.open)}`, level: level.open });
}

function ofRecurrence(writer: Writer, term: Extract<Term, { kind: 'recurrence' }>, scope: Scope): Condition {
  const [binder] = term.binders;
  if (!binder) return null;
  const [self, withSelf] = bind(scope, term.name);
  const body = forAll(writer, binder, withSelf, (inner) => {
    const index = present(inner.texts.get(binder.name), 'a binder is bound in its body').text;
    return writer.defined(term.body, { ...inner, before: new Map(inner.before).set(term.name, index) });
  });
  if (body === null) return null;
  const value = fit(writer.tensor(term, scope), level.open);
  return { text: `let ${self} := ${value} in ${fit(body, level.open)}`, level: level.open };
}
