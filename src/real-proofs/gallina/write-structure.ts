/** Choices, elements, names for values: what is the same for every kind of value. */
import type { Term } from '../../math/term/term.ts';
import { bind, type Scope } from './scope.ts';
import { apply, fit, level, type Text } from './text.ts';
import { write, type Writer } from './writer.ts';

type Write = (term: Term, scope: Scope) => Text;

/** `if … then … else …`, whose branches `branch` writes. */
export function writeIf(writer: Writer, branch: Write, term: Extract<Term, { kind: 'if' }>, scope: Scope): Text {
  const condition = fit(writer.truth(term.condition, scope), level.open);
  const then = fit(branch(term.then, scope), level.open);
  const otherwise = fit(branch(term.otherwise, scope), level.open);
  return { text: `if ${condition} then ${then} else ${otherwise}`, level: level.open };
}

/** Chains of names are written in a loop, because sharing makes them long. */
export function writeLet(writer: Writer, body: Write, start: Extract<Term, { kind: 'let' }>, outer: Scope): Text {
  const heads: string[] = [];
  let term: Term = start;
  let scope = outer;
  while (term.kind === 'let') {
    const value = fit(write(writer, term.value, scope), level.open);
    const [identifier, inner] = bind(scope, term.name);
    heads.push(`let ${identifier} := ${value} in\n  `);
    scope = inner;
    term = term.body;
  }
  return { text: `${heads.join('')}${fit(body(term, scope), level.open)}`, level: level.open };
}

/** `x i j`: tensors are functions of their indices. */
export function writeElement(writer: Writer, term: Extract<Term, { kind: 'element' }>, scope: Scope): Text {
  return apply(writer.tensor(term.tensor, scope), ...term.indices.map((index) => writer.integer(index, scope)));
}
