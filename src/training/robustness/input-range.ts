/** The range of an input: exact as it was stated, and the floating-point numbers in it and around it. */
import { nextUp32, nextUp64 } from '../../numeric/float.ts';
import { compareRational, fromFloat, negateRational, toFloat, type Rational } from '../../numeric/rational.ts';

/** An end that is open is not part of the range. */
export interface End {
  readonly value: Rational;
  readonly isOpen: boolean;
}

export interface InputRange {
  readonly lo: End;
  readonly hi: End;
}

/** The formats in which networks take inputs. */
export type InputFormat = 'float64' | 'float32';

const formats = {
  float64: { round: (x: number) => x, up: nextUp64 },
  float32: { round: Math.fround, up: nextUp32 },
} as const;

/** Whether no number, not even a rational one, is in the range. */
export function isEmptyRange({ lo, hi }: InputRange): boolean {
  const order = compareRational(lo.value, hi.value);
  return order > 0 || (order === 0 && (lo.isOpen || hi.isOpen));
}

/** The closed range of a float64 number and another. */
export const closedRange = (lo: number, hi: number): InputRange => ({
  lo: { value: fromFloat(lo), isOpen: false },
  hi: { value: fromFloat(hi), isOpen: false },
});

/** The least and the greatest number of the format in a range; the first is above the second if there is none. */
export const within = ({ lo, hi }: InputRange, format: InputFormat): readonly [lo: number, hi: number] => [
  least(lo, format),
  greatest(hi, format),
];

/** The smallest closed range of numbers of the format around a range; an end is infinite beyond the largest number. */
export const around = ({ lo, hi }: InputRange, format: InputFormat): readonly [lo: number, hi: number] => [
  greatest({ value: lo.value, isOpen: false }, format),
  least({ value: hi.value, isOpen: false }, format),
];

/** The least number of the format that is at least the end, or above it where it is open; ∞ if none is. */
function least({ value, isOpen }: End, format: InputFormat): number {
  const { round, up } = formats[format];
  // Rounding is monotonic, so this is one of the neighbours of the end.
  const near = round(toFloat(value));
  const order = Number.isFinite(near) ? compareRational(fromFloat(near), value) : near;
  return order < 0 || (isOpen && order === 0) ? up(near) : near;
}

/** Subtracting from 0, not negating: there is no use for −0. */
const greatest = ({ value, isOpen }: End, format: InputFormat): number =>
  0 - least({ value: negateRational(value), isOpen }, format);
