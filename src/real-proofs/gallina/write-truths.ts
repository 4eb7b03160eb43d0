/** Propositions, and truth values that are computed. */
import { notationName } from '../../math/term/print-term.ts';
import type { Term } from '../../math/term/term.ts';
import { bindIndex, type Scope } from './scope.ts';
import { apply, atom, conjunctionOf, fit, inScope, lambda, level, relation, rightward, type Text } from './text.ts';
import { writeElement, writeIf, writeLet } from './write-structure.ts';
import { rangeArguments } from './write-reductions.ts';
import type { Call, Reduce, Writer } from './writer.ts';

const relations = {
  less: '<',
  'less-equal': '<=',
  greater: '>',
  'greater-equal': '>=',
  equal: '=',
  'not-equal': '<>',
} as const;

type RelationName = keyof typeof relations;

const isRelation = (fn: string): fn is RelationName => Object.hasOwn(relations, fn);

/** `a -> b`; a quantified proposition on the right needs no parentheses. */
export const implies = (a: Text, b: Text): Text => ({
  text: `${fit(a, level.arrow - 1)} -> ${fit(b, level.open)}`,
  level: level.arrow,
});

/** Logical negation of a proposition. */
export const not = (a: Text): Text => ({ text: `~ ${fit(a, level.negation)}`, level: level.negation });

/** `forall i : Z, (a <= i < b)%Z -> body`, where `body` is written in the scope of the index. */
export function forAll(
  writer: Writer,
  binder: Reduce['binders'][number],
  scope: Scope,
  body: (inner: Scope) => Text | null,
): Text | null {
  const [identifier, inner] = bindIndex(scope, binder);
  const text = body(inner);
  if (text === null) return null;
  const condition = implies(within(writer, binder, identifier, scope), text);
  return { text: `forall ${identifier} : Z, ${fit(condition, level.open)}`, level: level.open };
}

function within(writer: Writer, { from, to }: Reduce['binders'][number], identifier: string, scope: Scope): Text {
  const inner = { ...scope, reading: 'Z' } as const;
  const [low, high] = [writer.integer(from, inner), writer.integer(to, inner)];
  return atom(`(${fit(low, level.sum)} <= ${identifier} < ${fit(high, level.sum)})%Z`);
}

/** A truth value as a `Prop`. */
export function writeProposition(writer: Writer, term: Term, scope: Scope): Text {
  switch (term.kind) {
    case 'boolean':
      return atom(term.value ? 'True' : 'False');
    case 'call':
      return propositionCall(writer, term, scope);
    case 'if':
      return writeIf(writer, writer.proposition, term, scope);
    case 'let':
      return writeLet(writer, writer.proposition, term, scope);
    case 'reduce':
      return quantified(writer, term, scope);
    default:
      return relation('=', writer.truth(term, scope), atom('true'));
  }
}

function propositionCall(writer: Writer, term: Call, scope: Scope): Text {
  const [a, b, c] = term.arguments;
  const at = (part: Term | undefined): Text =>
    part ? writer.proposition(part, scope) : writer.refuse('an argument is missing', term);
  if (isRelation(term.fn) && a && b) return compared(writer, term.fn, [a, b], scope);
  switch (term.fn) {
    case 'approximately':
      return a && b && c ? near(writer, a, b, c, scope) : writer.refuse('an argument is missing', term);
    case 'and':
      return conjunctionOf(at(a), at(b));
    case 'or':
      return rightward('\\/', level.disjunction, at(a), at(b));
    case 'not':
      return not(at(a));
    case 'implies':
      return implies(at(a), at(b));
    case 'iff':
      return relationOfTruths('<->', at(a), at(b));
    case 'xor':
      return relationOfTruths('<->', at(a), not(at(b)));
    case 'is-finite':
    case 'is-nan':
      return writer.refuse(
        `${notationName(term.fn)} asks about floating-point numbers; every real number is finite`,
        term,
      );
    default:
      return writer.refuse(`${notationName(term.fn)} has no counterpart over the reals`, term);
  }
}

const relationOfTruths = (symbol: string, a: Text, b: Text): Text => ({
  text: `${fit(a, level.equivalence - 1)} ${symbol} ${fit(b, level.equivalence - 1)}`,
  level: level.equivalence,
});

function compared(writer: Writer, fn: RelationName, [a, b]: readonly [Term, Term], scope: Scope): Text {
  const symbol = relations[fn];
  const text = [a, b].find(isText);
  if (text) return refuseText(writer, text);
  if (a.type.kind !== 'integer' || b.type.kind !== 'integer')
    return relation(symbol, writer.real(a, scope), writer.real(b, scope));
  const inner = { ...scope, reading: 'Z' } as const;
  return inScope('Z', relation(symbol, writer.integer(a, inner), writer.integer(b, inner)));
}

const isText = ({ type }: Term): boolean => type.kind === 'string';

const refuseText = (writer: Writer, term: Term): Text =>
  writer.refuse('texts have no counterpart among real numbers', term);

/** `a ≈ b`; with nothing allowed they are equal. */
function near(writer: Writer, a: Term, b: Term, allowed: Term, scope: Scope): Text {
  const [left, right] = [writer.real(a, scope), writer.real(b, scope)];
  if (allowed.kind === 'number' && Number(allowed.value) === 0) return relation('=', left, right);
  const difference: Text = { text: `${fit(left, level.sum)} - ${fit(right, level.sum - 1)}`, level: level.sum };
  return relation('<=', apply('Rabs', difference), writer.real(allowed, scope));
}

function quantified(writer: Writer, term: Reduce, outer: Scope): Text {
  if (term.operator !== 'all' && term.operator !== 'any') return writer.refuse('it is not a claim', term);
  const write = (rest: Reduce['binders'], scope: Scope): Text => {
    const [binder, ...others] = rest;
    if (!binder) return selected(writer, term, scope);
    if (term.operator === 'all') return forAll(writer, binder, scope, (inner) => write(others, inner)) ?? atom('True');
    const [identifier, inner] = bindIndex(scope, binder);
    const both = conjunctionOf(within(writer, binder, identifier, scope), write(others, inner));
    return { text: `exists ${identifier} : Z, ${fit(both, level.open)}`, level: level.open };
  };
  return write(term.binders, outer);
}

function selected(writer: Writer, { operator, condition, body }: Reduce, scope: Scope): Text {
  const text = writer.proposition(body, scope);
  if (!condition) return text;
  return (operator === 'all' ? implies : conjunctionOf)(writer.proposition(condition, scope), text);
}

const computed: Readonly<
  Record<RelationName, readonly [real: string, integer: string, negated: boolean, swapped: boolean]>
> = {
  less: ['Rltb', 'Z.ltb', false, false],
  'less-equal': ['Rleb', 'Z.leb', false, false],
  greater: ['Rltb', 'Z.ltb', false, true],
  'greater-equal': ['Rleb', 'Z.leb', false, true],
  equal: ['Reqb', 'Z.eqb', false, false],
  'not-equal': ['Reqb', 'Z.eqb', true, false],
};

/** A truth value as a `bool`. */
export function writeTruth(writer: Writer, term: Term, scope: Scope): Text {
  switch (term.kind) {
    case 'boolean':
      return atom(term.value ? 'true' : 'false');
    case 'variable':
      return scope.texts.get(term.name) ?? writer.refuse(`${term.name} has no value here`, term);
    case 'element':
      return writeElement(writer, term, scope);
    case 'if':
      return writeIf(writer, writer.truth, term, scope);
    case 'let':
      return writeLet(writer, writer.truth, term, scope);
    case 'call':
      return truthCall(writer, term, scope);
    case 'reduce':
      return overRange(writer, term, scope);
    default:
      return writer.refuse('it is not a truth value', term);
  }
}

function truthCall(writer: Writer, term: Call, scope: Scope): Text {
  const [a, b] = term.arguments;
  if (isRelation(term.fn) && a && b) {
    const words = [a, b].find(isText);
    if (words) return refuseText(writer, words);
    const [real, integer, negated, swapped] = computed[term.fn];
    const whole = a.type.kind === 'integer' && b.type.kind === 'integer';
    const sides = [a, b].map((side) => (whole ? writer.integer(side, scope) : writer.real(side, scope)));
    const text = apply(whole ? integer : real, ...(swapped ? sides.toReversed() : sides));
    return negated ? apply('negb', text) : text;
  }
  const at = (part: Term | undefined): Text =>
    part ? writer.truth(part, scope) : writer.refuse('an argument is missing', term);
  switch (term.fn) {
    case 'and':
      return apply('andb', at(a), at(b));
    case 'or':
      return apply('orb', at(a), at(b));
    case 'not':
      return apply('negb', at(a));
    case 'implies':
      return apply('orb', apply('negb', at(a)), at(b));
    case 'iff':
      return apply('Bool.eqb', at(a), at(b));
    case 'xor':
      return apply('xorb', at(a), at(b));
    default:
      return writer.refuse(`${notationName(term.fn)} has no counterpart as a condition over the reals`, term);
  }
}

function overRange(writer: Writer, term: Reduce, outer: Scope): Text {
  const { operator, condition } = term;
  if (operator !== 'all' && operator !== 'any') return writer.refuse('it is not a truth value', term);
  const write = (rest: Reduce['binders'], scope: Scope): Text => {
    const [binder, ...others] = rest;
    if (!binder) {
      const body = writer.truth(term.body, scope);
      if (!condition) return body;
      const holds = writer.truth(condition, scope);
      return operator === 'all' ? apply('orb', apply('negb', holds), body) : apply('andb', holds, body);
    }
    const range = rangeArguments(writer, binder, scope);
    const [identifier, inner] = bindIndex(scope, binder);
    return apply(`${operator}_over`, ...range, lambda([identifier], write(others, inner)));
  };
  return write(term.binders, outer);
}
