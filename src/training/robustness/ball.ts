/** Local robustness: every input within ε of a given one, in the maximum norm, gets the same label. */
import {
  addRational,
  compareRational,
  fromFloat,
  negateRational,
  subtractRational,
  type Rational,
} from '../../numeric/rational.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { ok, type Result } from '../../base/result.ts';
import { around, type InputRange } from './input-range.ts';
import type { LinearConstraint, Property } from './property.ts';

/** The outputs that are the scores of one decision; all outputs by default. A graph network has one group per node. */
export interface ScoreGroup {
  readonly first: number;
  readonly classes: number;
}

/** An input and the label that its neighbours must get. */
export interface Example {
  readonly input: ArrayLike<number>;
  /** The index of the largest score, counted from the first of the group. */
  readonly label: number;
  readonly group?: ScoreGroup;
}

/** The valid values of an input, such as 0 to 1 for pixels; the ball is clipped to them. */
export interface Domain {
  readonly lo: number;
  readonly hi: number;
}

/**
 * The property that the label has the largest score, strictly, everywhere in the ball around an input. The ball is exact.
 * Problems: PV-8313 (a label or group outside the outputs), PV-8314 (an input that is not finite or outside the domain, or a
 * radius that is negative, not finite or leads beyond float64).
 */
export function ballProperty(
  outputSize: number,
  { input, label, group }: Example,
  epsilon: number,
  domain?: Domain,
): Result<Property, Problem> {
  const { first, classes } = group ?? { first: 0, classes: outputSize };
  if (
    !(classes >= 2) ||
    first < 0 ||
    first + classes > outputSize ||
    !Number.isInteger(label) ||
    label < 0 ||
    label >= classes
  )
    return wrong('PV-8313', 'label', 'The label is not one of two or more outputs of the network.', {
      expected: classes >= 2 ? `0 to ${classes - 1}` : 'a network with two outputs or more',
      actual: `label ${label} of ${classes}`,
    });
  if (!(epsilon >= 0 && epsilon < Infinity))
    return wrong('PV-8314', 'radius', 'The radius is not a finite number of 0 or more.', { actual: `${epsilon}` });
  const values = Array.from(input);
  const outside = values.findIndex(
    (x) => !Number.isFinite(x) || (domain !== undefined && !(x >= domain.lo && x <= domain.hi)),
  );
  if (outside >= 0)
    return wrong('PV-8314', 'input', `Value ${outside} of the input is not finite or is outside the domain.`, {
      expected: domain === undefined ? 'a finite number' : `${domain.lo} to ${domain.hi}`,
      actual: `${values[outside]}`,
    });
  const ranges = values.map((x) => ballRange(fromFloat(x), fromFloat(epsilon), domain));
  const ends = ranges.map((range) => around(range, 'float64'));
  if (!ends.flat().every(Number.isFinite))
    return wrong('PV-8314', 'radius', 'The ball reaches beyond the largest float64.', { actual: `${epsilon}` });
  const box = { lo: Float64Array.from(ends, ([lo]) => lo), hi: Float64Array.from(ends, ([, hi]) => hi) };
  const others = Array.from({ length: classes }, (_, k) => k).filter((k) => k !== label);
  const cases = others.map((other) => ({
    box,
    ranges,
    constraints: [notBelow(outputSize, first + label, first + other)],
  }));
  return ok({ inputSize: values.length, outputSize, cases, unexaminedCases: 0 });
}

function ballRange(x: Rational, epsilon: Rational, domain: Domain | undefined): InputRange {
  let [lo, hi] = [subtractRational(x, epsilon), addRational(x, epsilon)];
  if (domain && Number.isFinite(domain.lo)) lo = largerOf(lo, fromFloat(domain.lo));
  if (domain && Number.isFinite(domain.hi)) hi = negateRational(largerOf(negateRational(hi), fromFloat(-domain.hi)));
  return { lo: { value: lo, isOpen: false }, hi: { value: hi, isOpen: false } };
}

const largerOf = (a: Rational, b: Rational): Rational => (compareRational(a, b) < 0 ? b : a);

/** score of `label` ≤ score of `other`. */
function notBelow(outputSize: number, label: number, other: number): LinearConstraint {
  const outputs = new Float64Array(outputSize);
  outputs[label] = 1;
  outputs[other] = -1;
  return { inputs: null, outputs, bound: 0, isStrict: false };
}
