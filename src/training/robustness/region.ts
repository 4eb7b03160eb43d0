/** The cases of a property over one box of inputs, which are analysed together. */
import type { Box } from './bounds.ts';
import type { LinearConstraint, Property } from './property.ts';

export interface Region {
  readonly lo: Float64Array;
  readonly hi: Float64Array;
  /** An input is unsafe if it satisfies all the constraints of one of these. */
  readonly unsafe: readonly (readonly LinearConstraint[])[];
}

/** The regions of a property: its cases by their boxes, in order. */
export function regionsOf({ cases }: Property): readonly Region[] {
  const regions: {
    readonly lo: Float64Array;
    readonly hi: Float64Array;
    readonly unsafe: (readonly LinearConstraint[])[];
  }[] = [];
  for (const { box, constraints } of cases) {
    const known = regions.find((region) => isSameBox(region, box));
    if (known) known.unsafe.push(constraints);
    else regions.push({ lo: Float64Array.from(box.lo), hi: Float64Array.from(box.hi), unsafe: [constraints] });
  }
  return regions;
}

function isSameBox(region: Pick<Region, 'lo' | 'hi'>, { lo, hi }: Box): boolean {
  return region.lo.every((value, i) => value === lo[i]) && region.hi.every((value, i) => value === hi[i]);
}
