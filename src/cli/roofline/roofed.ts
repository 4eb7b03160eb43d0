import type { Ceiling, Costs, Peak } from '../../math/cost/roofline.ts';

/** One equation under the roof. */
export interface Roofed {
  readonly contract: string;
  readonly equation: string;
  readonly costs: Costs;
  readonly weight: number;
  /** The sizes that numbers are given for, and which of them nobody set. */
  readonly sizes: ReadonlyMap<string, number>;
  readonly assumed: readonly string[];
  readonly flops: number;
  readonly bytes: number;
  readonly ceiling: Ceiling | null;
}

export interface NamedPeak extends Peak {
  readonly name: string;
  readonly source: string;
}
