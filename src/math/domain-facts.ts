/** What a domain says about an input, as propositions. */
import { call, conjunction, element, integer, reduce, variable } from './term/build.ts';
import type { Bound, InputVariable } from './domain.ts';
import { INTEGER, type IndexBinder, type Term } from './term/term.ts';
import { makeType } from './term/types.ts';

/** Bounds, choices and what is excluded, of every element, and the structure of rows. */
export function factsOf(input: InputVariable): readonly Term[] {
  const whole = variable(input.name, makeType(input.element, input.shape));
  const binders = input.shape.map((to, axis): IndexBinder => ({ name: `i:${axis}`, from: integer(0), to }));
  const indices = binders.map(({ name }) => variable(name, INTEGER));
  const one = element(whole, indices);
  const compared = (fn: 'less' | 'less-equal', a: Term, b: Term): Term => call(fn, a, b);
  const low = ({ value, open }: Bound): Term => compared(open ? 'less' : 'less-equal', value, one);
  const high = ({ value, open }: Bound): Term => compared(open ? 'less' : 'less-equal', one, value);
  const choices = input.choices?.map((choice) => call('equal', one, choice));
  const facts = [
    ...(input.lower ? [low(input.lower)] : []),
    ...(input.upper ? [high(input.upper)] : []),
    ...(choices ? [choices.reduce((a, b) => call('or', a, b))] : []),
    ...input.excluded.map((value) => call('not-equal', one, value)),
  ];
  return [
    ...(facts.length > 0 ? [reduce('all', binders, conjunction(facts))] : []),
    ...structureOf(input, whole, binders),
  ];
}

/** Rows of the last axis that sum to one, or rise strictly. */
function structureOf({ structure }: InputVariable, whole: Term, binders: readonly IndexBinder[]): readonly Term[] {
  const last = binders.at(-1);
  if (structure === 'none' || !last) return [];
  const outer = binders.slice(0, -1);
  const before = outer.map(({ name }) => variable(name, INTEGER));
  const at = (index: Term): Term => element(whole, [...before, index]);
  const index = variable(last.name, INTEGER);
  if (structure === 'simplex')
    return [reduce('all', outer, call('equal', reduce('sum', [last], at(index)), integer(1)))];
  const next = call('add', index, integer(1));
  const inside = { ...last, to: call('subtract', last.to, integer(1)) };
  return [reduce('all', [...outer, inside], call('less', at(index), at(next)))];
}
