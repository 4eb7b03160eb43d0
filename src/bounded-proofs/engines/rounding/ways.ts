/** The ways in which the rounding engine measures errors, one after the other. */
import type { Cut } from './cuts.ts';
import type { Measure } from './forms.ts';

/** One combination of settings for measuring errors. */
export interface Way {
  readonly measure: Measure;
  readonly cut: Cut;
  /** Whether |a + b| counts as |a| + |b| in bounds where the sign of a + b is not known. */
  readonly triangle: boolean;
  /** Whether errors are charged to the terms of what is allowed. */
  readonly charged: boolean;
  /**
   * Whether products of two errors are kept as products, and sizes of products taken term by term: for claims whose tolerance
   * vanishes with their inputs.
   */
  readonly fine: boolean;
  /** Whether only weights stay expressions in bounds: see `weighing-arithmetic.ts`. */
  readonly weighed: boolean;
  /** Whether values count as multiples of positive inputs: see `units.ts`. */
  readonly units: boolean;
}

/** From the cheapest to the most precise; where a tolerance follows the reference, charging to it is cheaper than what follows. */
export const ways: readonly Way[] = (
  [
    ['relative', false, false, ['functions', 'inputs'], false, true],
    ['relative', false, false, ['inputs'], false, true, true],
    ['symbolic', true, true, ['functions', 'inputs']],
    ['symbolic', true, true, ['inputs'], true],
    ['relative', true, false, ['named']],
    ['symbolic', true, false, ['quotients']],
    ['total', false, false, ['functions', 'inputs', 'scaled']],
    ['relative', true, false, ['functions', 'inputs', 'shared']],
    ['symbolic', false, false, ['functions', 'inputs']],
    ['symbolic', true, false, ['functions', 'inputs']],
    ['symbolic', true, false, ['arguments', 'functions'], true],
  ] as const
).flatMap(([measure, triangle, charged, cuts, fine = false, weighed = false, units = false]) =>
  cuts.map((cut) => ({ measure, triangle, charged, cut, fine, weighed, units })),
);

const starts: Readonly<Record<Cut, string>> = {
  inputs: 'from the inputs on',
  functions: 'from the results of float32 functions on',
  arguments: 'from the arguments of float32 functions on',
  shared: 'from the values on that are used more than once',
  quotients: 'from quotients on',
  named: 'from the values on that both sides speak of',
  scaled: 'from roundings on of which others are a power of two times',
};

/** The way in words, for receipts and reports. */
export function describe({ cut, measure, charged, fine, weighed, units }: Way): string {
  if (charged)
    return `rounding errors ${starts[cut]}, charged ${fine ? 'with their products ' : ''}to the terms of the tolerance`;
  if (weighed)
    return `rounding errors ${starts[cut]}, as numbers and shares of weights${units ? ', in units of positive inputs' : ''}`;
  return `rounding errors ${starts[cut]}, ${fine ? 'term by term' : measure === 'symbolic' ? 'as an expression' : `as a ${measure} bound`}`;
}
