/** A tolerance as what errors are charged to: its sums, and the sizes that each of them is at least as large as. */
import { divideUp } from '../../../numeric/interval.ts';
import type { NumberExpression } from '../../expression.ts';
import { numberArguments } from '../interval/ranges.ts';
import type { BinaryNode } from '../interval/selection.ts';
import type { Bound } from './bound.ts';
import { plus } from './numbers-up.ts';
import { multiplySizes, UNIT, type Size, type Sizes } from './sizes.ts';

/** Entries of the index: a sum of a thousand terms has half a million. */
const mostEntries = 400_000;
/** Products of sums are looked into this deep. */
const mostProducts = 1;

/** What reading a tolerance needs to know about its numbers. */
export interface Rules {
  readonly sizes: Sizes;
  /** Whether a number is never negative. */
  readonly isCounted: (node: NumberExpression) => boolean;
}

/** The sums and factors of a tolerance, by the sizes that they cover. */
export interface Tolerance {
  /** For each size, the sums and maxima that are at least as large as a multiple of it, each with how many it covers. */
  readonly holders: ReadonlyMap<NumberExpression, ReadonlyMap<NumberExpression, number>>;
  /** Atoms that the tolerance multiplies by. */
  readonly factors: ReadonlySet<NumberExpression>;
  /** The sums that a sum is a part of, and that these are parts of. */
  readonly sumsOver: (part: NumberExpression) => readonly NumberExpression[];
  /** The sum that covers all of the sizes and the fewest others. */
  readonly smallestHolder: (parts: readonly NumberExpression[]) => NumberExpression | null;
  /** The least c that is found with Σ cᵢ·sᵢ ≤ c·holder. */
  readonly charge: (holder: NumberExpression, parts: Bound) => number;
}

/** The sums of a tolerance by what they cover. */
export function toleranceOf(allowed: NumberExpression, rules: Rules): Tolerance {
  const { sizes, isCounted } = rules;
  const holders = new Map<NumberExpression, Map<NumberExpression, number>>();
  const factors = new Set<NumberExpression>();
  const above = new Map<NumberExpression, NumberExpression[]>();
  let entries = 0;
  for (const holder of below(allowed)) {
    if (!isHolder(holder, isCounted)) continue;
    for (const part of [holder.left, holder.right]) above.set(part, [...(above.get(part) ?? []), holder]);
    const covered = coverage(holder, rules);
    entries += covered.size;
    if (entries > mostEntries) break;
    for (const part of covered) {
      const known = holders.get(part) ?? new Map<NumberExpression, number>();
      holders.set(part, known.set(holder, covered.size));
      for (const atom of factorsIn(sizes.of(part))) factors.add(atom);
    }
  }
  return {
    holders,
    factors,
    sumsOver: (part) => {
      const found = new Set([part]);
      for (const node of found) for (const sum of above.get(node) ?? []) found.add(sum);
      found.delete(part);
      return [...found];
    },
    smallestHolder: (parts) => {
      const lists = parts.map((part) => holders.get(part)).toSorted((a, b) => (a?.size ?? 0) - (b?.size ?? 0));
      const [rarest] = lists;
      if (!rarest || lists.includes(undefined)) return null;
      let best: NumberExpression | null = null;
      let least = Infinity;
      for (const [holder, count] of rarest)
        if (count < least && lists.every((list) => list?.has(holder))) [best, least] = [holder, count];
      return best;
    },
    charge: (holder, parts) => {
      const left = new Map(parts);
      let total = 0;
      // Each pass takes sizes that no other one taken contains: their sum is at most the holder.
      while (left.size > 0) {
        const before = left.size;
        total = plus(total, takePass(whole(holder), left, rules));
        if (left.size === before) return Infinity;
      }
      return total;
    },
  };
}

/** What a product multiplies; of a single atom nothing. */
function factorsIn({ factors }: Size): readonly NumberExpression[] {
  return factors.size < 2 ? [] : [...factors].filter(([, exponent]) => exponent > 0).map(([atom]) => atom);
}

/** Whether a node is a sum or a maximum of parts that are never negative. */
function isHolder(node: NumberExpression, isCounted: (node: NumberExpression) => boolean): node is BinaryNode {
  return (node.kind === 'add' || node.kind === 'maximum') && isCounted(node.left) && isCounted(node.right);
}

/** A part of a sum: what it is multiplied by, and through how many products it was reached. */
interface Part {
  readonly node: NumberExpression;
  readonly by: Size;
  readonly depth: number;
}

const whole = (node: NumberExpression): Part => ({ node, by: UNIT, depth: 0 });

/** The parts of a part that is a sum, a maximum, or a product with one of them; empty for others. */
function partsOf({ node, by, depth }: Part, { sizes, isCounted }: Rules): readonly Part[] {
  if (isHolder(node, isCounted)) return [node.left, node.right].map((part) => ({ node: part, by, depth }));
  const size = sizes.of(node);
  for (const [atom, exponent] of size.factors) {
    if (exponent !== 1 || atom === node || !isHolder(atom, isCounted)) continue;
    const others = new Map(size.factors);
    others.delete(atom);
    const inside = others.size === 0 ? depth : depth + 1;
    if (inside > mostProducts) return [];
    const product = multiplySizes(by, { ...size, factors: others });
    return [atom.left, atom.right].map((part) => ({ node: part, by: product, depth: inside }));
  }
  return [];
}

/** Takes sizes out of `left`, the largest first; the largest of their shares. */
function takePass(part: Part, left: Map<NumberExpression, number>, rules: Rules): number {
  const { sizes, isCounted } = rules;
  sizes.effort.spend(1);
  const { low, factors } = multiplySizes(part.by, sizes.of(part.node));
  const product = sizes.node(factors);
  const coefficient = left.get(product);
  if (coefficient !== undefined && low > 0 && isCounted(part.node)) {
    left.delete(product);
    return divideUp(coefficient, low);
  }
  let most = 0;
  for (const inner of partsOf(part, rules)) {
    if (left.size === 0) return most;
    most = Math.max(most, takePass(inner, left, rules));
    // Of a maximum only one side is there.
    if (most > 0 && isMaximum(part, rules)) return most;
  }
  return most;
}

function isMaximum({ node }: Part, { sizes }: Rules): boolean {
  return (
    node.kind === 'maximum' ||
    (node.kind !== 'add' && [...sizes.of(node).factors.keys()].some(({ kind }) => kind === 'maximum'))
  );
}

/** The sizes that `takePass` may find below a sum. */
function coverage(holder: NumberExpression, rules: Rules): ReadonlySet<NumberExpression> {
  const found = new Set<NumberExpression>();
  const stack = [whole(holder)];
  const seen = new Set<string>();
  for (let part = stack.pop(); part && found.size < mostEntries; part = stack.pop()) {
    const { low, factors } = multiplySizes(part.by, rules.sizes.of(part.node));
    const product = rules.sizes.node(factors);
    const key = `${product.id}:${part.node.id}`;
    if (seen.has(key)) continue;
    seen.add(key);
    if (low > 0 && rules.isCounted(part.node)) found.add(product);
    stack.push(...partsOf(part, rules));
  }
  return found;
}

/** Every number below a node, without recursion. */
function below(root: NumberExpression): readonly NumberExpression[] {
  const seen = new Set([root]);
  for (const node of seen) for (const part of numberArguments(node)) seen.add(part);
  return [...seen];
}
