/** Scalars that determine the shape of a result: sizes, even if no input has them as an axis. */
import { integerValue } from '../../../math/term/fold.ts';
import type { Expression } from '../../../math/notation/syntax.ts';
import { linksOf } from '../operators/relations.ts';
import type { Link } from '../inputs/targets.ts';
import { isTerm, readType } from '../inputs/type-expressions.ts';

/** A name that the shape of a result mentions, with the least size that it may have. */
export interface ShapeName {
  readonly name: string;
  /** 0 when the domain says that it may be 0, like the width of a border; otherwise 1. */
  readonly minimum: 0 | 1;
}

/** `name` as a size, if the domain makes it a nonnegative integer. */
export function shapeName(name: string, declaring: readonly Expression[]): readonly ShapeName[] {
  let minimum: 0 | 1 = 1;
  let said = false;
  for (const body of declaring) {
    if (body.kind !== 'relation') continue;
    const subjects = body.operands[0]?.kind === 'tuple' ? body.operands[0].items : [];
    for (const link of linksOf(body)) {
      const about = [link.left, ...subjects].some((side) => side.kind === 'name' && side.text === name);
      const end = about && link.operator === '∈' ? wholeRange(link.right) : null;
      if (about && link.operator === '∈' && end === null) return [];
      if (end === 0 || lowerEnd(link, name) === 0) minimum = 0;
      said ||= about || (link.right.kind === 'name' && link.right.text === name);
    }
  }
  return said ? [{ name, minimum }] : [];
}

/** The lower end of a scalar set of whole numbers: 0, or 1 for anything above; null for any other set. */
function wholeRange(set: Expression): 0 | 1 | null {
  const type = readType(set);
  if (!type || type.axes.length > 0) return null;
  const ends = [type.lower, type.upper].flatMap((end) => (end && !isTerm(end.value) ? [end.value] : []));
  const whole = type.element.kind === 'integer' || (set.kind === 'interval' && ends.every(isWhole));
  if (!whole) return null;
  if (type.choices) return type.choices.some((choice) => isWhole(choice) && choice.value === '0') ? 0 : 1;
  if (type.lower === null) return 1;
  const { value, open } = type.lower;
  const zero = isTerm(value) ? integerValue(value) === 0 : isWhole(value) && value.value === '0';
  return zero && !open ? 0 : 1;
}

function isWhole(expression: Expression): expression is Extract<Expression, { kind: 'number' }> {
  return expression.kind === 'number' && /^\d+$/.test(expression.value);
}

/** 0 for `p ≥ 0`, `0 ≤ p`. */
function lowerEnd({ left, operator, right }: Link, name: string): 0 | null {
  const isName = (side: Expression): boolean => side.kind === 'name' && side.text === name;
  const isZero = (side: Expression): boolean => isWhole(side) && side.value === '0';
  const above = operator === '≥' && isName(left) && isZero(right);
  const below = operator === '≤' && isZero(left) && isName(right);
  return above || below ? 0 : null;
}
