/**
 * Inputs at the large sizes of equations: a kernel that drops the rest of a block of 256, wraps after 64 rows, or rounds positions to
 * 11 bits is right at every size that thousands of cases can afford.
 */
import type { LargeRun } from '../evidence/receipt.ts';
import type { Case } from '../math/compile/compiled.ts';
import type { Domain } from '../math/domain.ts';
import type { DomainPlan } from '../runtime/generate/domain-plan.ts';
import { ends, fillings } from '../runtime/generate/fillings.ts';
import { createGenerator } from '../runtime/generate/generator.ts';
import { sizesAllowed, withDerivedSizes } from '../runtime/generate/sizes.ts';

/** Sizes by name. */
export type LargeSizes = LargeRun['sizes'];

/** One entry of an equation, with the inputs that are tried there. */
export interface LargeTier {
  readonly sizes: LargeSizes;
  readonly cases: readonly Case[];
}

/** One input for each runs at every entry: usual magnitudes, and all that the domain allows. */
const usualStyles: readonly string[] = ['typical', 'uniform'];
/** The same for whoever searches for the largest error: rounding adds up where all terms are equal, and what cancels leaves only error. */
export const hardestStyles: readonly string[] = [
  'constant',
  'typical',
  'cancelling',
  'uniform',
  'ties',
  'huge and tiny',
  'one hot',
  'highest',
  'lowest',
];
/** How often the other sizes are drawn until they fit the large ones. */
const TRIES = 64;

/** The domain's plan with maxima that the entries reach. */
export function largePlan(plan: DomainPlan, entries: readonly LargeSizes[]): DomainPlan {
  const sizes = plan.sizes.map((size) => {
    const largest = Math.max(size.maximum, ...entries.map((entry) => entry[size.name] ?? 0));
    return { ...size, maximum: size.definition === null ? largest : Infinity };
  });
  return { ...plan, sizes };
}

/**
 * The inputs of each entry, the same for the same seed and name. An entry that the domain's conditions on sizes exclude has none.
 */
export function largeTiers(
  domain: Domain,
  entries: readonly LargeSizes[],
  seed: number,
  name: string,
  named: readonly string[] = usualStyles,
): readonly LargeTier[] {
  const styles = named.flatMap((style) => [...fillings, ...ends].find((filling) => filling.name === style) ?? []);
  const generator = createGenerator(domain, seed, `${name}/large`, 1);
  if (!generator.ok) return entries.map((sizes) => ({ sizes, cases: [] }));
  const { plan, sizesAt, allocate, fillWith } = generator.value;
  const wide = largePlan(plan, entries);
  const sizesOf = (entry: LargeSizes, at: number): readonly number[] | null => {
    for (let tries = 0; tries < TRIES; tries++) {
      // The first two are the smallest and the largest.
      const drawn = sizesAt(2 + at + tries);
      const sizes = withDerivedSizes(
        plan,
        plan.sizes.map((size, i) => entry[size.name] ?? drawn[i] ?? NaN),
      );
      if (sizesAllowed(wide, sizes)) return sizes;
    }
    return null;
  };
  return entries.map((entry, row) => {
    const cases = styles.flatMap(({ fill }, at) => {
      const index = styles.length * row + at;
      const sizes = sizesOf(entry, index);
      const into = sizes && allocate(sizes);
      return into && fillWith(index, into, () => fill) ? [into] : [];
    });
    return { sizes: entry, cases };
  });
}
