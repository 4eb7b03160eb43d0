/** Opening the indices of a left side, with what is known about their ranges before the right side is read. */
import type { Range } from '../../../diagnostics/source.ts';
import { call, integer } from '../../../math/term/build.ts';
import { integerValue } from '../../../math/term/fold.ts';
import { printTerm } from '../../../math/term/print-term.ts';
import { simplifySize } from '../../../math/term/sizes.ts';
import type { Term } from '../../../math/term/term.ts';
import { openIndex } from '../operators/binders.ts';
import { fail, type Context } from '../context/context.ts';
import { specOfFacts, type IndexFact } from '../operators/index-ranges.ts';
import type { DefinitionCase, IndexVariable, Scope } from '../context/scope.ts';

/** What is known about a result before its formula is read. */
export interface Expected {
  /** The shape that the codomain declares, if any. */
  readonly shape: readonly Term[] | null;
  readonly facts: readonly IndexFact[];
}

/** One index of a left side. */
export interface LeftPlace {
  readonly written: string;
  readonly range: Range;
  /** 1 for `s_{t+1}`: the element at t + 1. */
  readonly shift: number;
  /** How many elements are given before the range begins. */
  readonly before: number;
}

/** The facts about the indices of one case. */
export function factsOf(ctx: Context, one: DefinitionCase, { facts }: Expected): readonly IndexFact[] {
  return [...one.binders.map((binder) => ({ binder, text: ctx.text })), ...facts];
}

/** The index of the element; a tensor has an element at every place from 0 on. */
export function openPlace(
  ctx: Context,
  { written, range, shift, before }: LeftPlace,
  facts: readonly IndexFact[],
  scope: Scope,
  size: Term | null,
): IndexVariable {
  const spec = specOfFacts(ctx, { written, range }, facts, scope);
  const start = spec.from === null ? 0 : integerValue(call('add', spec.from, integer(shift)));
  const countsFromOne = start === 1 && before === 0 && shift === 0 && spec.to !== null;
  if ((start === null || start > before) && !countsFromOne)
    fail(
      ctx,
      'PV-4023',
      range,
      `${written} must start at 0: a tensor has an element at every index, and indices count from 0`,
      `let ${written} run from 0, or define the elements before ${spec.from ? printTerm(spec.from) : 'it'} as well`,
    );
  const to = spec.to && simplifySize(call('add', spec.to, integer(shift)));
  const opened = openIndex(ctx, { written, from: countsFromOne ? spec.from : null, to, range }, size);
  if (countsFromOne) opened.base = 1;
  return opened;
}

/** Whether the range of the index is still unknown. */
export function unbounded(index: IndexVariable): boolean {
  return !index.to && !index.declared && !index.inferred && !index.suggested;
}
