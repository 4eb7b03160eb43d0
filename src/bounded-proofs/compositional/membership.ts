/** Conditions that values are in a domain: a kernel's arguments must be what its claims are about. */
import type { Domain, InputVariable } from '../../math/domain.ts';
import type { BooleanExpression, NumberExpression } from '../expression.ts';
import { number, truth } from '../instantiate/translate.ts';
import type { ScalarExpression } from '../instantiate/symbolic-value.ts';
import { lookUp, refuse, type Frame, type Translation } from '../instantiate/translation.ts';

/** A condition with its words: a bound such as `|x_i| ≤ 1e4` is described by its variable. */
export interface Membership {
  readonly condition: BooleanExpression;
  /** e.g. `x is inside its bounds`. */
  readonly text: string;
}

/** `frame` binds every size and variable of the domain. Sizes are skipped: they are known, and compared elsewhere. */
export function membership(translation: Translation, domain: Domain, frame: Frame | null): readonly Membership[] {
  const { graph } = translation;
  return [
    ...domain.variables.map((variable) => ({
      condition: graph.and(ofVariable(translation, variable, frame)),
      text: `${variable.name} is inside its bounds`,
    })),
    ...domain.preconditions.map((term) => ({
      condition: truth(translation, term, frame, graph.true),
      text: 'a precondition holds',
    })),
  ].filter(({ condition }) => condition !== graph.true);
}

function ofVariable(
  translation: Translation,
  variable: InputVariable,
  frame: Frame | null,
): readonly BooleanExpression[] {
  const { graph, isWhole } = translation;
  const { name, element, lower, upper, choices, excluded } = variable;
  const isStored = element.kind === 'integer' || element.kind === 'real' || isFloat32(variable);
  if (!isStored) {
    refuse(translation, `${name} of a replaced kernel is neither a float32 nor an integer`);
    return [];
  }
  const value = lookUp(translation, name, frame);
  const elements = value?.sort === 'tensor' ? value.elements : value ? [value] : [];
  const numbers = elements.flatMap((one: ScalarExpression) => (one.sort === 'number' ? [one] : []));
  const at = (term: Parameters<typeof number>[1]): NumberExpression => number(translation, term, frame, graph.true);
  const [low, high] = [lower && at(lower.value), upper && at(upper.value)];
  const values = choices?.map(at) ?? null;
  const without = excluded.map(at);
  return [
    ...numbers.flatMap((x) => [
      ...(low ? [lower?.open ? graph.less(low, x) : graph.lessEqual(low, x)] : []),
      ...(high ? [upper?.open ? graph.less(x, high) : graph.lessEqual(x, high)] : []),
      ...(values ? [graph.or(values.map((one) => graph.equal(x, one)))] : []),
      ...without.map((one) => graph.not(graph.equal(x, one))),
      ...(element.kind === 'integer' && !isWhole(x) ? [graph.equal(graph.step('floor', x), x)] : []),
    ]),
    ...ofRows(translation, variable, numbers, value?.sort === 'tensor' ? (value.shape.at(-1) ?? 1) : 1),
  ];
}

const isFloat32 = ({ element }: InputVariable): boolean => element.kind === 'float' && element.format === 'f32';

function ofRows(
  { graph }: Translation,
  { structure }: InputVariable,
  numbers: readonly NumberExpression[],
  length: number,
): readonly BooleanExpression[] {
  if (structure === 'none') return [];
  const conditions: BooleanExpression[] = [];
  for (let from = 0; from < numbers.length; from += length) {
    const row = numbers.slice(from, from + length);
    if (structure === 'simplex') {
      const sum = row.reduce((total, share) => graph.add(total, share), graph.integer(0));
      conditions.push(graph.equal(sum, graph.integer(1)));
    } else
      row.slice(1).forEach((after, i) => {
        const before = row[i];
        if (before) conditions.push(graph.less(before, after));
      });
  }
  return conditions;
}
