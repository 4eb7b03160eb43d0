/**
 * The bounded proofs that a contract requires: `kani_harnesses`, in upstream's words, and `methods.bounded` of obligations.
 */
import type { Span } from '../diagnostics/source.ts';
import type { Contract } from './contract.ts';
import { obligationOf } from './rules/references.ts';

/** Strategies that a contract may name: those of upstream's harnesses and those of pv's own engines. */
export const proofStrategies = [
  'auto',
  'stub_float',
  'compositional',
  'bounded_int',
  'exhaustive',
  'interval',
  'smt',
] as const;

/** How a bounded proof is attempted. */
export type ProofStrategy = (typeof proofStrategies)[number];

/** One required proof, with the sizes that it must cover. */
export interface Harness {
  /** `KANI-SM-001`; of `methods.bounded` the obligation's own id. */
  readonly id: string;
  /** The id of the obligation that is to be proved. */
  readonly obligation: string;
  readonly strategy: ProofStrategy;
  /** The largest value of every size. */
  readonly bound: number;
  /** The largest values of single sizes, in place of `bound`; a list is of the only values, in ascending order. */
  readonly sizes?: Readonly<Record<string, number | readonly number[]>>;
  /** For `compositional`: the obligations of sub-contracts that replace their kernels; absent: all that are proved. */
  readonly assumes?: readonly string[];
  /** In seconds; null takes the run's. */
  readonly timeout: number | null;
  readonly span: Span;
}

/** Of a harness that names none. */
export const defaultBound = 8;

/** In the order of the file; a harness that refers to no obligation is reported elsewhere and proves nothing. */
export function harnessesOf(contract: Contract): readonly Harness[] {
  const declared = contract.kaniHarnesses.flatMap(({ id, obligation, bound, sizes, strategy, assumes, span }) => {
    const target = obligation && obligationOf(contract, obligation.value);
    return target
      ? [
          {
            id,
            obligation: target.id,
            strategy: strategyOf(strategy),
            bound: bound ?? defaultBound,
            ...(Object.keys(sizes).length > 0 ? { sizes } : {}),
            ...(assumes.length === 0 ? {} : { assumes: assumes.map(({ value }) => value) }),
            timeout: null,
            span,
          },
        ]
      : [];
  });
  const asked = contract.obligations.flatMap(({ id, boundedMethod }) =>
    boundedMethod
      ? [
          {
            id,
            obligation: id,
            strategy: strategyOf(boundedMethod.strategy),
            bound: boundedMethod.n ?? defaultBound,
            timeout: boundedMethod.timeout,
            span: boundedMethod.span,
          },
        ]
      : [],
  );
  return [...declared, ...asked];
}

/** The schema has reported any other. */
function strategyOf(text: string | null): ProofStrategy {
  return proofStrategies.find((strategy) => strategy === text) ?? 'auto';
}
