/** The ways in which the rounding engine measures errors, one after the other. */
import type { Cut } from './cuts.ts';
import type { Measure } from './forms.ts';

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
}

/** From the cheapest to the most precise; where a tolerance follows the reference, charging to it is by far the cheapest. */
export const ways: readonly Way[] = (
  [
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
).flatMap(([measure, triangle, charged, cuts, fine]) =>
  cuts.map((cut) => ({ measure, triangle, charged, cut, fine: fine ?? false })),
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

export function describe({ cut, measure, charged, fine }: Way): string {
  if (charged)
    return `rounding errors ${starts[cut]}, charged ${fine ? 'with their products ' : ''}to the terms of the tolerance`;
  return `rounding errors ${starts[cut]}, ${fine ? 'term by term' : measure === 'symbolic' ? 'as an expression' : `as a ${measure} bound`}`;
}
