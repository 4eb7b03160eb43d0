/**
 * Whether a claim whose tolerance depends on sizes still catches wrong kernels at the sizes where the tolerance is largest: it
 * may be strict at small sizes and accept anything at large ones.
 */
import type { MostAllowed } from '../../evidence/receipt.ts';
import type { CompiledGoal } from '../../math/compile/compiled.ts';
import type { Domain } from '../../math/domain.ts';
import type { Term } from '../../math/term/term.ts';
import { createGenerator, SMALL_BLOCK_SIZE } from '../../runtime/generate/generator.ts';
import { scalarFunction } from '../../runtime/generate/scalar-function.ts';
import type { TrialGoal } from './trial.ts';

/** A wrong kernel, and whether a goal catches it. */
export interface Attempt {
  readonly mutant: string;
  readonly isCaughtBy: (pinned: TrialGoal) => Promise<boolean>;
}

/**
 * One row for each part of the tolerance that depends on sizes: the sizes, among those of `cases` cases, at which it is
 * largest, and whether the claim catches one of `attempts` there. Sizes at which no premise holds are skipped.
 */
export async function lookWhereMostIsAllowed(
  one: TrialGoal,
  { seed, cases }: { readonly seed: number; readonly cases: number },
  attempts: readonly Attempt[],
): Promise<readonly MostAllowed[]> {
  const rows = new Map<string, MostAllowed>();
  for (const allowed of one.sizeTolerances) {
    for (const sizes of mostLenientFirst(one, allowed, seed, cases)) {
      const found = await lookAt(one, sizes, attempts);
      if (found === undefined) continue;
      rows.set(sizes.join(), { goal: one.goal.id, sizes: named(one.goal.domain, sizes), caught: found });
      break;
    }
  }
  return [...rows.values()];
}

/** The sizes of the cases, those at which `allowed` is largest (or cannot be computed) first. */
function mostLenientFirst(
  { goal }: TrialGoal,
  allowed: Term,
  seed: number,
  cases: number,
): readonly (readonly number[])[] {
  const generator = createGenerator(goal.domain, seed, goal.id, SMALL_BLOCK_SIZE);
  if (!generator.ok) return [];
  const value = scalarFunction(allowed);
  const tested = new Map<string, { readonly sizes: readonly number[]; readonly allows: number }>();
  const add = (sizes: readonly number[]): void => {
    const allows = value((name) => sizes[goal.domain.sizes.findIndex((size) => size.name === name)] ?? NaN);
    tested.set(sizes.join(), { sizes: [...sizes], allows: Number.isNaN(allows) ? Infinity : Math.abs(allows) });
  };
  if (goal.given) goal.given.forEach(({ sizes }) => add(sizes));
  else {
    const { blockSize, sizesAt } = generator.value;
    for (let index = 0; index < cases; index += blockSize) add(sizesAt(index));
  }
  return [...tested.values()]
    .toSorted((a, b) => (a.allows === b.allows ? 0 : b.allows - a.allows))
    .map(({ sizes }) => sizes);
}

/**
 * The first wrong kernel that is caught at these sizes, or null; undefined if no case is inside the domain or no premise holds.
 */
async function lookAt(
  one: TrialGoal,
  sizes: readonly number[],
  attempts: readonly Attempt[],
): Promise<string | null | undefined> {
  const seen = { judged: false, premise: false };
  const check: CompiledGoal['check'] = (...asked) => {
    const holds = one.compiled.check(...asked);
    const [, , , report] = asked;
    seen.judged = true;
    seen.premise ||= report.premise;
    return holds;
  };
  const { goal, compiled } = one;
  const given = goal.given && goal.given.filter((input) => input.sizes.every((size, i) => size === sizes[i]));
  const pinned = {
    ...one,
    goal: { ...goal, domain: pinnedTo(goal.domain, sizes), given },
    compiled: { ...compiled, check },
    recorded: null,
  };
  for (const { mutant, isCaughtBy } of attempts) {
    if (await isCaughtBy(pinned)) return mutant;
    if (seen.judged && !seen.premise) return undefined;
  }
  return seen.judged || one.statistics.length > 0 ? null : undefined;
}

function pinnedTo(domain: Domain, pinned: readonly number[]): Domain {
  const sizes = domain.sizes.map((size, i) => {
    const value = pinned[i] ?? size.minimum;
    return { ...size, minimum: value, maximum: value };
  });
  return { ...domain, sizes };
}

function named({ sizes }: Domain, values: readonly number[]): Readonly<Record<string, number>> {
  return Object.fromEntries(sizes.map(({ name }, i) => [name, values[i] ?? NaN]));
}
