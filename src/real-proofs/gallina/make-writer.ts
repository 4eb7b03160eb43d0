/** The translation as a whole. */
import type { Term } from '../../math/term/term.ts';
import { elementTypeOf } from '../../math/term/types.ts';
import { bindIndex, type Scope } from './scope.ts';
import { atom, inScope, lambda, type Text } from './text.ts';
import { writeDefined } from './write-defined.ts';
import { writeInteger, writeReal } from './write-numbers.ts';
import { writeRecurrence } from './write-reductions.ts';
import { writeIf, writeLet } from './write-structure.ts';
import { writeProposition, writeTruth } from './write-truths.ts';
import { writeScalar, type Writer } from './writer.ts';

/** Why a term has no counterpart in Gallina. */
export interface Refusal {
  readonly reason: string;
  readonly term: Term;
}

/** A writer that collects its refusals in order. */
export function makeWriter(refusals: Refusal[]): Writer {
  const writer: Writer = {
    real: (term, scope) =>
      scope.reading === 'R'
        ? writeReal(writer, term, scope)
        : inScope('R', writeReal(writer, term, { ...scope, reading: 'R' })),
    integer: (term, scope) =>
      scope.reading === 'Z'
        ? writeInteger(writer, term, scope)
        : inScope('Z', writeInteger(writer, term, { ...scope, reading: 'Z' })),
    proposition: (term, scope) => writeProposition(writer, term, scope),
    truth: (term, scope) => writeTruth(writer, term, scope),
    tensor: (term, scope) => writeTensor(writer, term, scope),
    defined: (term, scope) => writeDefined(writer, term, scope),
    refuse: (reason, term) => {
      refusals.push({ reason, term });
      return atom('refused');
    },
  };
  return writer;
}

function writeTensor(writer: Writer, term: Term, scope: Scope): Text {
  switch (term.kind) {
    case 'variable':
      return scope.texts.get(term.name) ?? writer.refuse(`${term.name} has no value here`, term);
    case 'tabulate': {
      const names: string[] = [];
      let inner = scope;
      for (const binder of term.binders) {
        const [identifier, next] = bindIndex(inner, binder);
        names.push(identifier);
        inner = next;
      }
      return lambda([`(${names.join(' ')} : Z)`], writeScalar(writer, term.body, elementTypeOf(term.type), inner));
    }
    case 'recurrence':
      return writeRecurrence(writer, term, scope);
    case 'if':
      return writeIf(writer, writer.tensor, term, scope);
    case 'let':
      return writeLet(writer, writer.tensor, term, scope);
    default:
      return writer.refuse('it is not a vector', term);
  }
}
