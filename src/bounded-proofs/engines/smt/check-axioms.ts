/** Tests the axioms about float32 functions of one argument on runs of consecutive float32 numbers. */
import { float32FromOrdinal } from '../../../numeric/float.ts';
import type { AxiomId } from '../../axioms.ts';
import type { ElementaryFunction } from '../../expression.ts';
import { factsOf, machineValue } from './elementary-facts.ts';

/** An axiom about one function, in a form that can be tested on every float32. */
export interface UnaryAxiom {
  readonly fn: ElementaryFunction;
  readonly ids: readonly AxiomId[];
  readonly positiveOnly: boolean;
}

/** One row per function about whose float32 implementation an axiom says something. */
export const unaryAxioms: readonly UnaryAxiom[] = (['exp', 'log', 'log2', 'tanh', 'atan', 'sin', 'cos'] as const).map(
  (fn) => {
    const { increasing, rangeAxiom } = factsOf('machine', fn);
    return {
      fn,
      ids: [increasing?.axiom, rangeAxiom].filter((id) => id !== undefined && id !== null),
      positiveOnly: increasing?.from === 0,
    };
  },
);

/**
 * Null if every float32 from the ordinal `first` to `last`, in steps of `stride`, and each one's successor obey the facts;
 * else the first that does not.
 */
export function checkOrdinals({ fn }: UnaryAxiom, first: number, last: number, stride: number): string | null {
  const { increasing, low, high, point } = factsOf('machine', fn);
  const [least, most] = [low ?? -Infinity, high ?? Infinity];
  if (point && machineValue(fn, point.at) !== point.value) return `${fn}(${point.at}) is not ${point.value}`;
  let value = machineValue(fn, float32FromOrdinal(first));
  for (let ordinal = first; ordinal <= last; ordinal += stride) {
    if (stride > 1) value = machineValue(fn, float32FromOrdinal(ordinal));
    if (!(value >= least && value <= most)) return `${fn}(${float32FromOrdinal(ordinal)}) is out of range`;
    if (ordinal === last) break;
    const next = machineValue(fn, float32FromOrdinal(ordinal + 1));
    if (increasing && !(value <= next)) return `${fn}(${float32FromOrdinal(ordinal)}) is above its neighbour's`;
    value = next;
  }
  return null;
}
