import type { Ceiling, Costs, Peak } from '../../math/cost/roofline.ts';

/** One equation under the roof. */
export interface Roofed {
  readonly contract: string;
  readonly equation: string;
  readonly costs: Costs;
  readonly weight: number;
  /** The sizes that the numbers are for, and which of them were not set. */
  readonly sizes: ReadonlyMap<string, number>;
  readonly assumed: readonly string[];
  readonly flops: number;
  readonly bytes: number;
  readonly ceiling: Ceiling | null;
}

/** A roof with its name and where its numbers come from. */
export interface NamedPeak extends Peak {
  readonly name: string;
  readonly source: string;
}
