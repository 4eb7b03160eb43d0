import { Graph } from '../../../../src/bounded-proofs/expression.ts';
import { createKnowledge } from '../../../../src/bounded-proofs/engines/smt/knowledge.ts';
import type { Knowledge } from '../../../../src/bounded-proofs/engines/smt/known.ts';
import type { Rational } from '../../../../src/numeric/rational.ts';
import { number, print, problemIn, type Domain } from '../../notation.ts';

export type Over = Readonly<Record<string, Domain>>;

/** What is known where the variables lie in their domains and the premises hold, and a way to name numbers. */
export function knowledgeOf(
  texts: readonly string[],
  over: Over,
  premises: readonly string[] = [],
): Knowledge & { readonly at: (text: string) => ReturnType<typeof number> } {
  const graph = new Graph();
  const posed = problemIn(graph, texts.map((text) => `${text} = ${text} + 1`).join(' ∧ '), { over, premises });
  return { ...createKnowledge(posed), at: (text) => number(graph, text) };
}

/** `[0, 1] by exp-range`; a side without an end is −∞ or ∞. */
export function rangeText(text: string, over: Over = {}, premises: readonly string[] = []): string {
  const { range, at } = knowledgeOf([text], over, premises);
  const { low, high, axioms } = range(at(text));
  const end = (value: Rational | null, otherwise: string): string =>
    value === null ? otherwise : print(new Graph().constant(value));
  return `[${end(low, '−∞')}, ${end(high, '∞')}]${axioms.size === 0 ? '' : ` by ${[...axioms].toSorted().join(', ')}`}`;
}

/** The axioms that `a ≤ b` rests on; null where it is not known. */
export function belowText(
  a: string,
  b: string,
  over: Over = {},
  premises: readonly string[] = [],
): readonly string[] | null {
  const { below, at } = knowledgeOf([a, b], over, premises);
  const found = below(at(a), at(b));
  return found && [...found].toSorted();
}
