/**
 * The edge cases of a domain: every special value and every filling at the smallest, small, odd and largest sizes.
 */
import type { Case } from '../../math/compile/compiled.ts';
import type { DomainPlan } from './domain-plan.ts';
import { fillings, type Fill } from './fillings.ts';
import type { CaseGenerator } from './generator.ts';
import { affordable, extremeSizes, sizesAllowed, smallestSizes, withDerivedSizes } from './sizes.ts';

/** Powers of two and their neighbours: where loops are unrolled and tiles end. */
const sizeValues = [1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33, 65] as const;

/** How many sizes get every filling of every variable; the others get each filling once. */
const THOROUGH_SIZES = 4;

function edgeSizes(plan: DomainPlan): readonly (readonly number[])[] {
  const smallest = smallestSizes(plan);
  const drawn = sizeValues.map((value) =>
    withDerivedSizes(
      plan,
      plan.sizes.map(() => value),
    ),
  );
  // Sizes that differ from each other catch exchanged axes.
  const distinct = [0, 5].map((from) =>
    withDerivedSizes(
      plan,
      plan.sizes.map((_, i) => sizeValues[from + 1 + i] ?? 2 + i),
    ),
  );
  const extremes = [
    smallest.ok ? smallest.value : null,
    extremeSizes(plan, 'minimum'),
    ...distinct,
    ...drawn.slice(0, 2),
    extremeSizes(plan, 'maximum'),
    ...drawn.slice(2),
  ];
  const allowed = extremes
    .filter((sizes) => sizes !== null)
    .filter((sizes) => sizesAllowed(plan, sizes) && affordable(plan, sizes));
  return [...new Map(allowed.map((sizes) => [sizes.join(), sizes])).values()];
}

const constantSpecial =
  (k: number): Fill =>
  (range, _s, out, count) =>
    out.fill(range.specials[k % range.specials.length] ?? range.low, 0, count);

/** Above the number of special values that any range has. */
const SPECIAL_ROUNDS = 64;

type Override = (variable: number) => Fill | null;

function* overrides(plan: DomainPlan, thorough: boolean): Generator<Override> {
  for (const { fill } of fillings) yield () => fill;
  if (!thorough) return;
  const variables = plan.variables.length;
  for (let k = 0; k < SPECIAL_ROUNDS; k++) yield () => constantSpecial(k);
  for (let v = 0; variables > 1 && v < variables; v++) {
    for (let k = 0; k < SPECIAL_ROUNDS; k++) yield (variable) => (variable === v ? constantSpecial(k) : null);
  }
}

/**
 * At most `limit` edge cases, in a fixed order, each with its own storage.
 *
 * Lists take turns over the sizes, so that a small limit still sees all of them. Equal cases appear once.
 */
export function* edgeCases(generator: CaseGenerator, limit: number): Generator<Case> {
  const pending = edgeSizes(generator.plan).map((sizes, i) => ({
    sizes,
    fills: overrides(generator.plan, i < THOROUGH_SIZES),
  }));
  const seen = new Set<string>();
  for (let index = 0, made = 0; pending.length > 0 && made < limit; index++) {
    const turn = pending[index % pending.length];
    const next = turn?.fills.next();
    if (!turn || !next || next.done) {
      pending.splice(index % pending.length, 1);
      continue;
    }
    const buffer = generator.allocate(turn.sizes);
    if (!generator.fillWith(index, buffer, next.value)) continue;
    const key = contentKey(buffer);
    if (seen.has(key)) continue;
    seen.add(key);
    made++;
    yield buffer;
  }
}

/** A 64-bit hash (FNV-1a twice) of sizes and bits: comparing large cases as texts would cost more than running them. */
function contentKey(candidate: Case): string {
  const hashes = Uint32Array.of(0x811c9dc5, 0x01000193);
  for (const value of candidate.values) {
    if (typeof value === 'object') absorb(hashes, new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
    else absorb(hashes, new TextEncoder().encode(`${Object.is(value, -0) ? '-' : ''}${value};`));
  }
  return `${candidate.sizes.join()}:${hashes.join()}`;
}

function absorb(hashes: Uint32Array, bytes: Uint8Array): void {
  let [a = 0, b = 0] = hashes;
  for (const byte of bytes) {
    a = Math.imul(a ^ byte, 0x01000193);
    b = Math.imul(b ^ byte, 0x85ebca6b) + (b >>> 15);
  }
  hashes[0] = a;
  hashes[1] = b;
}
