/** What normalising one node needs, and the atoms that it creates. */
import { absoluteInterval, WHOLE, type Interval } from '../../../numeric/interval.ts';
import type { NumberExpression } from '../../expression.ts';
import type { Ranges } from '../interval/ranges.ts';
import type { Atom, AtomTable } from './atoms.ts';
import type { Effort } from './effort.ts';
import type { WholeRange } from './indicators.ts';
import { fromAtom, functionKey, negateFunction, type RationalFunction } from './rational-function.ts';

/** How far expressions are taken apart, and how much work that may be. */
export interface NormaliserOptions {
  readonly ranges: Ranges;
  readonly effort: Effort;
  /**
   * Whether exp(a + b) becomes exp(a)·exp(b), and |a| becomes ±a where a's sign is known: more is found equal, but less is
   * known about the size of each part.
   */
  readonly takeApart: boolean;
  /** Opaque numbers. */
  readonly closed?: ReadonlySet<NumberExpression>;
  /** The variables that are whole numbers, by name. */
  readonly wholes?: ReadonlyMap<string, WholeRange>;
}

/** What the rules of normalisation share. `get` returns normal forms of nodes that are already done. */
export interface Context extends NormaliserOptions {
  readonly wholes: ReadonlyMap<string, WholeRange>;
  readonly atoms: AtomTable;
  readonly get: (node: NumberExpression) => RationalFunction | null;
}

interface OpaqueOptions {
  readonly variable?: true;
  readonly range?: Interval;
  readonly law?: Atom['law'];
  readonly excesses?: Atom['excesses'];
  readonly logarithm?: RationalFunction;
}

/** The atom that a key names. */
export function opaque(
  context: Context,
  key: string,
  node: NumberExpression | null,
  { variable, range, law = null, excesses = null, logarithm }: OpaqueOptions = {},
): RationalFunction {
  // Long keys cost time, just like terms.
  context.effort.spend(key.length >> 3);
  const atom = context.atoms.of(key, () => ({
    range: range ?? (node === null ? WHOLE : context.ranges.range(node)),
    law,
    excesses,
    exponent: null,
    ...(variable ? { variable } : {}),
    ...(logarithm ? { logarithm } : {}),
  }));
  return fromAtom(atom.id);
}

/** |atom|, where the sign does not fall out of an even power. */
export function absoluteAtom(id: number, exponent: number, context: Context): RationalFunction {
  const range = context.atoms.get(id)?.range ?? WHOLE;
  const self = fromAtom(id);
  if (exponent % 2 === 0 || range.low >= 0) return self;
  if (range.high <= 0 && context.takeApart) return negateFunction(self);
  return opaque(context, `|${functionKey(self)}|`, null, {
    range: absoluteInterval(range),
    variable: true,
    law: { kind: 'size', of: id },
  });
}
