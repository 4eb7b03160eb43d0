/** The cases of a sequence: its first elements, and the rule for the others. */
import type { Expression } from '../../../math/notation/syntax.ts';
import type { DefinitionCase } from '../context/scope.ts';
import { childrenOf } from '../context/syntax-parts.ts';

/** The rule of a sequence, and which of its elements are given. */
export interface Steps {
  /** `s_t = …` or `s_{t+1} = …`. */
  readonly general: DefinitionCase;
  /** The axis along which elements follow each other. */
  readonly axis: number;
  /** The name of the index there: t. */
  readonly written: string;
  /** 1 in `s_{t+1} = …`. */
  readonly shift: number;
  /** `s_0 = …` by place; places before 0 are read by the rule but are not elements. */
  readonly bases: ReadonlyMap<number, DefinitionCase>;
  /** The first element that the rule computes, i.e. the number of given elements. */
  readonly first: number;
}

/** Null unless the cases are a sequence: one rule, and any number of given elements along one axis. */
export function stepsOf(name: string, cases: readonly DefinitionCase[]): Steps | null {
  const rules = cases.filter((one) => one.indices.length > 0 && one.indices.every((index) => stepOf(index) !== null));
  const [general, more] = rules;
  const given = cases.filter((one) => one !== general);
  if (!general || more) return null;
  const axis = axisOf(name, general, given);
  const step = stepOf(general.indices[axis] ?? general.body);
  const plain = general.indices.every((index, at) => at === axis || index.kind === 'name');
  if (!step || !plain) return null;
  const bases = new Map<number, DefinitionCase>();
  for (const one of given) {
    const place = one.indices.length === general.indices.length ? placeOf(one.indices[axis]) : null;
    const others = one.indices.every((index, at) => at === axis || index.kind === 'name');
    if (place === null || !others || bases.has(place)) return null;
    bases.set(place, one);
  }
  let first = 0;
  while (bases.has(first)) first += 1;
  return { general, axis, ...step, bases, first };
}

/** `t`, `t+1`. */
function stepOf(index: Expression): { readonly written: string; readonly shift: number } | null {
  if (index.kind === 'name') return { written: index.text, shift: 0 };
  if (index.kind !== 'binary' || index.operator !== '+' || index.left.kind !== 'name') return null;
  const shift = placeOf(index.right);
  return shift === null || shift < 1 ? null : { written: index.left.text, shift };
}

/** A whole number as written. */
function placeOf(index: Expression | undefined): number | null {
  if (index?.kind === 'negate') {
    const place = placeOf(index.operand);
    return place === null ? null : -place;
  }
  return index?.kind === 'number' && /^\d{1,6}$/.test(index.value) ? Number(index.value) : null;
}

/** Where an element is given, or the left side or an earlier value is written with a step; else the first axis. */
function axisOf(name: string, general: DefinitionCase, given: readonly DefinitionCase[]): number {
  const signs = [
    ...given.map((one) => one.indices.findIndex((index) => placeOf(index) !== null)),
    general.indices.findIndex((index) => index.kind !== 'name'),
    stepInside(name, general.body),
  ];
  return signs.find((axis) => axis >= 0) ?? 0;
}

/** The axis of `name` that has a computed index in `expression`, or −1. */
function stepInside(name: string, expression: Expression): number {
  if (expression.kind === 'index' && expression.base.kind === 'name' && expression.base.text === name)
    return expression.items.findIndex((item) => item.kind === 'at' && item.value.kind === 'binary');
  return childrenOf(expression).reduce((found, part) => (found >= 0 ? found : stepInside(name, part)), -1);
}
