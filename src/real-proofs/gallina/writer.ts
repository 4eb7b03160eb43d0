/** The parts of the translation from terms to Gallina, as they see each other. */
import { element, integer, tabulate, variable } from '../../math/term/build.ts';
import { INTEGER, type ScalarType, type Term, type Type } from '../../math/term/term.ts';
import { elementTypeOf } from '../../math/term/types.ts';
import type { Scope } from './scope.ts';
import type { Text } from './text.ts';

/** A reduction. */
export type Reduce = Extract<Term, { kind: 'reduce' }>;
/** A call of a function. */
export type Call = Extract<Term, { kind: 'call' }>;

/**
 * Each member writes a term as a value of one kind, for a place where Rocq reads `scope.reading`; a term of another kind
 * is refused.
 */
export interface Writer {
  /** A real number; an integer becomes one. */
  readonly real: (term: Term, scope: Scope) => Text;
  /** An integer. */
  readonly integer: (term: Term, scope: Scope) => Text;
  /** A proposition. */
  readonly proposition: (term: Term, scope: Scope) => Text;
  /** A truth value that is computed: a condition of `if`. */
  readonly truth: (term: Term, scope: Scope) => Text;
  /** A function from indices to elements. */
  readonly tensor: (term: Term, scope: Scope) => Text;
  /** What has to hold for the term to have a value at all; null if it always has one. */
  readonly defined: (term: Term, scope: Scope) => Text | null;
  /** Says why `term` has no Gallina form, and takes its place; the statement is then not made. */
  readonly refuse: (reason: string, term: Term) => Text;
}

/** A term as its type has it. */
export function write(writer: Writer, term: Term, scope: Scope): Text {
  return term.type.kind === 'tensor' ? writer.tensor(term, scope) : writeScalar(writer, term, term.type, scope);
}

/** A scalar as a value of `type`: an integer where a real number is wanted becomes one. */
export function writeScalar(writer: Writer, term: Term, type: ScalarType, scope: Scope): Text {
  switch (type.kind) {
    case 'boolean':
      return writer.truth(term, scope);
    case 'integer':
      return writer.integer(term, scope);
    case 'string':
      return writer.refuse('texts have no counterpart among real numbers', term);
    default:
      return writer.real(term, scope);
  }
}

/** A term as a value of `type`; it has that type or is an integer. */
export function writeAs(writer: Writer, term: Term, type: Type, scope: Scope): Text {
  const wanted = elementTypeOf(type);
  if (term.type.kind !== 'tensor') return writeScalar(writer, term, wanted, scope);
  if (term.type.element.kind !== 'integer' || wanted.kind === 'integer') return writer.tensor(term, scope);
  const binders = term.type.shape.map((to, axis) => ({ name: `i:${axis}`, from: integer(0), to }));
  const indices = binders.map(({ name }) => variable(name, INTEGER));
  return writer.tensor(tabulate(binders, element(term, indices), wanted), scope);
}
