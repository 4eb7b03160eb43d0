/** Sums, extrema, quantifiers: unrolled. */
import { present } from '../../base/invariant.ts';
import type { IndexBinder, Term } from '../../math/term/term.ts';
import type { BooleanExpression, NumberExpression } from '../expression.ts';
import { refuse, type Frame, type Translation } from './translation.ts';

type Reduce = Extract<Term, { kind: 'reduce' }>;

/** How the parts of a reduction are translated; given here because it translates terms in turn. */
export interface Parts {
  readonly number: (term: Term, frame: Frame | null, under: BooleanExpression) => NumberExpression;
  readonly truth: (term: Term, frame: Frame | null, under: BooleanExpression) => BooleanExpression;
  readonly forEachIndex: (
    binders: readonly IndexBinder[],
    frame: Frame | null,
    visit: (frame: Frame | null, indices: readonly number[]) => void,
  ) => void;
}

/** One index, with the condition under which it takes part. */
interface Selected {
  readonly frame: Frame | null;
  readonly when: BooleanExpression;
  readonly index: number;
}

/** The reduction, unrolled over all values of its indices that its conditions select. */
export function reduce(
  translation: Translation,
  term: Reduce,
  frame: Frame | null,
  parts: Parts,
): NumberExpression | BooleanExpression {
  const { graph } = translation;
  const all = selected(translation, term, frame, parts);
  const value = ({ frame: inner, when }: Selected): NumberExpression => parts.number(term.body, inner, when);
  const holds = ({ frame: inner, when }: Selected): BooleanExpression => parts.truth(term.body, inner, when);
  switch (term.operator) {
    case 'sum':
      return all.reduce(
        (sum, one) => graph.add(sum, graph.if(one.when, value(one), graph.integer(0))),
        graph.integer(0),
      );
    case 'product':
      return all.reduce(
        (product, one) => graph.multiply(product, graph.if(one.when, value(one), graph.integer(1))),
        graph.integer(1),
      );
    case 'max':
    case 'min':
      return extremum(translation, term, all, value).value;
    case 'argmax':
    case 'argmin':
      return extremum(translation, term, all, value).index;
    case 'all':
      return graph.and(all.map((one) => graph.implies(one.when, holds(one))));
    case 'any':
      return graph.or(all.map((one) => graph.and([one.when, holds(one)])));
    case 'count':
      return all.reduce(
        (count, one) =>
          graph.add(count, graph.if(graph.and([one.when, holds(one)]), graph.integer(1), graph.integer(0))),
        graph.integer(0),
      );
  }
}

function selected(translation: Translation, term: Reduce, frame: Frame | null, parts: Parts): readonly Selected[] {
  const { graph } = translation;
  const found: Selected[] = [];
  let position = 0;
  parts.forEachIndex(term.binders, frame, (inner, indices) => {
    const index = indices.length === 1 ? present(indices[0], 'there is one index') : position;
    position += 1;
    const when = term.condition ? parts.truth(term.condition, inner, graph.true) : graph.true;
    if (when !== graph.false) found.push({ frame: inner, when, index });
  });
  return found;
}

interface Extremum {
  readonly value: NumberExpression;
  readonly index: NumberExpression;
  /** Where there is one at all. */
  readonly exists: BooleanExpression;
}

/** The first of the largest (or smallest), as the mathematics defines it. An empty range has none. */
function extremum(
  translation: Translation,
  term: Reduce,
  all: readonly Selected[],
  valueOf: (one: Selected) => NumberExpression,
): Pick<Extremum, 'value' | 'index'> {
  const { graph } = translation;
  const isMax = term.operator === 'max' || term.operator === 'argmax';
  let best: Extremum | null = null;
  for (const one of all) {
    const value = valueOf(one);
    best = best === null ? { value, index: graph.integer(one.index), exists: one.when } : next(best, one, value);
  }
  if (best?.exists === graph.true) return best;
  const none = refuse(translation, `${term.operator} may be of nothing, which has no number`, term);
  return { value: none, index: none };

  function next(before: Extremum, one: Selected, value: NumberExpression): Extremum {
    const beats = isMax ? graph.less(before.value, value) : graph.less(value, before.value);
    const takes = graph.and([one.when, graph.or([graph.not(before.exists), beats])]);
    const either = isMax ? graph.maximum(before.value, value) : graph.minimum(before.value, value);
    const always = one.when === graph.true && before.exists === graph.true;
    return {
      value: always ? either : graph.if(takes, value, before.value),
      index: graph.if(takes, graph.integer(one.index), before.index),
      exists: graph.or([before.exists, one.when]),
    };
  }
}
