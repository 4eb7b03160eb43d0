/**
 * Inputs that no draw meets, run after the drawn cases where those held: on the formula's jumps, at the numbers in the kernel's text, at
 * large sizes. They count in the scope, not towards the declared number of cases.
 */
import type { LargeRun } from '../../evidence/receipt.ts';
import type { Case } from '../../math/compile/compiled.ts';
import type { DomainPlan } from '../../runtime/generate/domain-plan.ts';
import { violation } from '../../runtime/generate/membership.ts';
import { largeTiers, type LargeSizes } from '../large.ts';
import { breathe } from './breathe.ts';
import type { CaseExecutor, ExecutionRequest, Visit } from './execute.ts';
import { settleOf } from './flush-subnormals.ts';
import { emptyTally, isMuchFiltered, isSettled, note, type Grade, type Tally } from './tally.ts';

/** The inputs of a claim besides the drawn ones. */
export interface FurtherRequest extends ExecutionRequest {
  readonly seed: number;
  /** Inputs that the claim itself points to, run after the drawn ones where those hold. They count as drawn ones do. */
  readonly steered?: readonly Case[];
  /** Inputs on both sides of the formula's jumps, run after the drawn ones where those hold. Those outside the domain are left out. */
  readonly boundaries?: readonly Case[];
  /** As `boundaries`, at the numbers of the kernel's text, and counted apart. */
  readonly literals?: readonly Case[];
  /** Sizes beyond those of the domain at which a few more inputs run. */
  readonly large?: readonly LargeSizes[];
  /** More such sizes, which the domain's conditions may exclude. */
  readonly secretLarge?: readonly LargeSizes[];
  /** How those inputs are filled; absent: in the usual ways. */
  readonly largeStyles?: readonly string[];
  /** True once the time budget is spent; called after every case, and while shrinking. */
  readonly expired?: () => boolean;
}

interface LargeOutcome {
  readonly tally: Tally;
  readonly runs: readonly LargeRun[];
  /** In place of a green verdict. */
  readonly problem: Grade | null;
}

const notLarge: LargeOutcome = { tally: emptyTally(), runs: [], problem: null };

/** What ran after the drawn cases, where those held. */
export interface Further {
  readonly steered: Tally;
  readonly boundaries: Tally;
  readonly literals: Tally;
  readonly large: LargeOutcome;
}

/** Where nothing further ran. */
export const nothingFurther: Further = {
  steered: emptyTally(),
  boundaries: emptyTally(),
  literals: emptyTally(),
  large: notLarge,
};

/** Runs them one kind after another, until one breaks the claim. */
export async function runFurther(request: FurtherRequest, plan: DomainPlan, executor: CaseExecutor): Promise<Further> {
  const steered = await runChosen(request, request.steered, plan, executor);
  if (steered.broken) return { ...nothingFurther, steered };
  const boundaries = await runChosen(request, request.boundaries, plan, executor);
  if (boundaries.broken) return { ...nothingFurther, steered, boundaries };
  const literals = await runChosen(request, request.literals, plan, executor);
  return { steered, boundaries, literals, large: literals.broken ? notLarge : await runLarge(request, plan, executor) };
}

/** Runs the chosen inputs in groups of equal sizes, into a separate tally: they do not count towards the declared number. */
async function runChosen(
  request: FurtherRequest,
  cases: readonly Case[] = [],
  plan: DomainPlan,
  executor: CaseExecutor,
): Promise<Tally> {
  const tally = emptyTally();
  const settle = settleOf(request, plan);
  const groups = new Map<string, Case[]>();
  for (const given of cases) {
    const candidate = settle ? settle(given) : given;
    if (violation(plan, candidate) !== null) continue;
    const key = candidate.sizes.join();
    const group = groups.get(key);
    if (group) group.push(candidate);
    else groups.set(key, [candidate]);
  }
  const visit: Visit = (status, _position, candidate) => note(tally, status, candidate, executor.outcome);
  for (const group of groups.values()) {
    const width = executor.width === 1 ? group.length : executor.width;
    for (let from = 0; from < group.length; from += width) {
      const part = group.slice(from, from + width);
      await executor.run(part.length, (position) => part[position] ?? null, visit);
      if (tally.broken || isSettled(tally) || request.expired?.()) return tally;
    }
  }
  return tally;
}

/** Runs that finding a smaller counterexample may take, each of which costs as much as a large input. */
export const LARGE_SHRINKS = 100;

/** Runs the large inputs into a separate tally: they count in the scope, not towards the declared number. */
async function runLarge(request: FurtherRequest, plan: DomainPlan, executor: CaseExecutor): Promise<LargeOutcome> {
  const { goal, seed, large = [], secretLarge = [], largeStyles, expired } = request;
  const tally = emptyTally();
  const runs: LargeRun[] = [];
  if (large.length === 0) return notLarge;
  const settle = settleOf(request, plan) ?? ((candidate: Case): Case => candidate);
  for (const { sizes, cases } of largeTiers(goal.domain, [...large, ...secretLarge], seed, goal.id, largeStyles)) {
    const before = tally.cases;
    for (const candidate of cases.map(settle)) {
      if (expired?.())
        return { tally, runs, problem: { verdict: 'incomplete', reason: `the time budget ended ${atText(sizes)}` } };
      await executor.run(
        1,
        () => candidate,
        (status) => note(tally, status, candidate, executor.outcome),
      );
      if (tally.unsupported !== null)
        return { tally, runs, problem: { verdict: 'undetermined', reason: `${atText(sizes)}: ${tally.unsupported}` } };
      if (tally.broken) return { tally, runs, problem: null };
    }
    if (tally.cases === before && secretLarge.includes(sizes)) continue;
    if (tally.cases === before)
      return {
        tally,
        runs,
        problem: { verdict: 'incomplete', reason: `no input ${atText(sizes)} meets the preconditions` },
      };
    runs.push({ sizes, cases: tally.cases - before });
    await breathe();
  }
  return { tally, runs, problem: null };
}

const atText = (sizes: LargeSizes): string =>
  `at the large sizes ${Object.entries(sizes)
    .map(([name, value]) => `${name} = ${value}`)
    .join(', ')}`;

/** The drawn cases with what these add: an input that breaks the claim, and one that comes closer to it. */
export function withFurther(drawn: Tally, { steered, boundaries, literals, large }: Further): Tally {
  const all = [drawn, steered, boundaries, literals];
  const worst = all.reduce<Tally['worst']>(
    (most, one) => ((one.worst?.ratio ?? -1) > (most?.ratio ?? -1) ? one.worst : most),
    null,
  );
  // How close large inputs come is not recorded, since the record of an input holds all of it.
  const broken = drawn.broken ?? steered.broken ?? boundaries.broken ?? literals.broken ?? large.tally.broken;
  // Where conditions exclude most drawn inputs, those that were looked for do not show more of the domain.
  const counted = isMuchFiltered(drawn) ? emptyTally() : steered;
  const [cases, premiseHits] = [drawn.cases + counted.cases, drawn.premiseHits + counted.premiseHits];
  return { ...drawn, cases, premiseHits, worst, broken };
}

/** How many ran, of each kind that ran at all. */
export function furtherScope({ boundaries, literals, large }: Further): FurtherScope {
  return {
    ...(boundaries.cases > 0 ? { boundaries: boundaries.cases } : {}),
    ...(literals.cases > 0 ? { literals: literals.cases } : {}),
    ...(large.runs.length > 0 ? { large: large.runs } : {}),
  };
}

/** Numbers of inputs for a receipt. */
export interface FurtherScope {
  readonly boundaries?: number;
  readonly literals?: number;
  readonly large?: readonly LargeRun[];
}
