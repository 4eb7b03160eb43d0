/** All inputs of a domain whose inputs are whole numbers, as far as they are near zero. */
import type { Case } from '../../math/compile/compiled.ts';
import type { DomainPlan, VariablePlan } from '../../runtime/generate/domain-plan.ts';
import { rangeSource } from '../../runtime/generate/element-range.ts';

interface Side {
  readonly low: number;
  readonly high: number;
}

const widthOf = ({ low, high }: Side): number => high - low + 1;

/** The range of a whole number that depends on no other input; null of another input. */
function sideOf(variable: VariablePlan): Side | null {
  const { storage, integer, choices, structure, excluded } = variable;
  if (storage !== 'number' || !integer || structure !== 'none' || choices !== null || excluded.length > 0) return null;
  const range = rangeSource(variable)(() => Number.NaN);
  return range && { low: range.low, high: range.high };
}

function sidesOf({ sizes, variables }: DomainPlan): readonly Side[] | null {
  const sides = variables.flatMap((variable) => sideOf(variable) ?? []);
  return sizes.length > 0 || variables.length === 0 || sides.length < variables.length ? null : sides;
}

const product = (sides: readonly Side[]): number => sides.reduce((all, side) => all * widthOf(side), 1);

/** At most `most` of the inputs, those nearest to zero; null if some input is not a whole number with constant bounds. */
export function boxOf(plan: DomainPlan, most: number): readonly Case[] | null {
  const sides = sidesOf(plan);
  if (!sides) return null;
  const cut = cutTo(sides, most);
  const all = product(cut);
  return all > most ? [] : Array.from({ length: all }, (_, at): Case => ({ sizes: [], values: valuesAt(cut, at) }));
}

/** The inputs of the domain if there are at most `most`; else null. */
export function allInputs(plan: DomainPlan, most: number): readonly Case[] | null {
  const sides = sidesOf(plan);
  return sides && product(sides) <= most ? boxOf(plan, most) : null;
}

/** Each side as long as the others, shorter ones whole. */
function cutTo(sides: readonly Side[], most: number): readonly Side[] {
  const widest = (length: number): readonly Side[] => sides.map((side) => nearZero(side, length));
  let length = 1;
  for (let step = Math.max(1, most); step >= 1; step = Math.floor(step / 2))
    if (product(widest(length + step)) <= most) length += step;
  return widest(length);
}

function nearZero({ low, high }: Side, length: number): Side {
  if (high - low < length) return { low, high };
  const from = Math.min(Math.max(low, -Math.floor(length / 2)), high - length + 1);
  return { low: from, high: from + length - 1 };
}

function valuesAt(sides: readonly Side[], at: number): number[] {
  let rest = at;
  return sides.map((side) => {
    const value = side.low + (rest % widthOf(side));
    rest = Math.floor(rest / widthOf(side));
    return value;
  });
}
