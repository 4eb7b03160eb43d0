/**
 * Property testing (L3): generated cases of a goal's domain against the bound kernels.
 *
 * Green means that every declared case was inside the domain, was run and held. See `gradeTally` for what is not green.
 */
import type { LargeRun, RecordedInput } from '../evidence/receipt.ts';
import type { Case } from '../math/compile/compiled.ts';
import { parseInput } from '../runtime/case-text.ts';
import { countCombinations } from '../runtime/generate/block-sizes.ts';
import type { DomainPlan } from '../runtime/generate/domain-plan.ts';
import { createGenerator, type CaseBuffer, type CaseGenerator } from '../runtime/generate/generator.ts';
import { violation } from '../runtime/generate/membership.ts';
import { openExecutor, type CaseExecutor, type ExecutionRequest, type Visit } from './runs/execute.ts';
import { flushSubnormals, runsOnDevice, withoutSubnormals } from './runs/flush-subnormals.ts';
import {
  buildOutcome,
  counterexampleFrom,
  shrinking,
  undetermined,
  withinLimits,
  type PropertyOutcome,
} from './runs/outcome.ts';
import { largePlan, largeTiers, type LargeSizes } from './large.ts';
import { brokenPreconditions } from './runs/broken-preconditions.ts';
import { mostDrawn } from './runs/recorded-cases.ts';
import { emptyTally, isMuchFiltered, isSettled, note, type Grade, type Tally } from './runs/tally.ts';

/** A claim, and how many cases from which seed. */
export interface PropertyRequest extends ExecutionRequest {
  readonly seed: number;
  /** How many cases must run. */
  readonly cases: number;
  /** Consecutive cases with equal sizes; by default as the generator does. */
  readonly blockSize?: number;
  /** Another generator; it counts for no evidence that is kept. */
  readonly generate?: typeof createGenerator;
  /** Stored failing inputs, run first. Those that are no longer in the domain are left out. */
  readonly replay?: readonly RecordedInput[];
  /** Inputs on both sides of the formula's jumps, run after the drawn ones where those hold. Those outside the domain are left out. */
  readonly boundaries?: readonly Case[];
  /** As `boundaries`, at the numbers of the kernel's text, and counted apart. */
  readonly literals?: readonly Case[];
  /** Sizes beyond those of the domain at which a few more inputs run. */
  readonly large?: readonly LargeSizes[];
  /** True once the time budget is spent; called after every case, and while shrinking. */
  readonly expired?: () => boolean;
  readonly onProgress?: (done: number, total: number) => void;
  /** How many runs the search for a smaller counterexample may take; null if only the verdict matters. */
  readonly shrinkBudget?: number | null;
}

/** Adapts a case to the device that it runs on; null if no adaptation is needed. */
function settleOf(request: PropertyRequest, { plan }: CaseGenerator): ((candidate: Case) => Case) | null {
  return runsOnDevice(request) ? (candidate) => withoutSubnormals(plan, candidate) : null;
}

/** The stored inputs that are still in the domain. */
function replayable(request: PropertyRequest, generator: CaseGenerator): readonly Case[] {
  const settle = settleOf(request, generator) ?? ((candidate: Case): Case => candidate);
  return (request.replay ?? []).flatMap((record) => {
    const parsed = parseInput(request.goal.domain, record);
    return parsed.ok && violation(generator.plan, parsed.value) === null ? [settle(parsed.value)] : [];
  });
}

/** Runs stored cases into a separate tally: they were chosen, not drawn, so they do not count towards the declared number. */
async function replayAll(executor: CaseExecutor, stored: readonly Case[]): Promise<Tally> {
  const tally = emptyTally();
  for (const candidate of stored) {
    const only = (): Case => candidate;
    await executor.run(1, only, (status) => note(tally, status, candidate, executor.outcome));
    if (tally.broken || isSettled(tally)) break;
  }
  return tally;
}

/** Lets timers, signals and progress lines run between blocks of synchronous work. */
function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

interface Drawn {
  readonly tally: Tally;
  readonly stopped: boolean;
  /** Index of the broken case. */
  readonly brokenIndex: number;
}

/** Draws until `request.cases` ran, one broke, the budget ended, or too many were filtered for the result to count. */
async function drawAll(request: PropertyRequest, generator: CaseGenerator, executor: CaseExecutor): Promise<Drawn> {
  const tally = emptyTally();
  const most = mostDrawn(request.cases);
  const { blockSize } = generator;
  let buffers: readonly CaseBuffer[] = [];
  for (let block = 0; block < most; block += blockSize) {
    if (request.expired?.()) return { tally, stopped: true, brokenIndex: -1 };
    const sizes = generator.sizesAt(block);
    buffers =
      buffers[0]?.sizes === sizes ? buffers : Array.from({ length: executor.width }, () => generator.allocate(sizes));
    const brokenIndex = await drawBlock(
      { request, generator, executor, tally, buffers },
      block,
      Math.min(block + blockSize, most),
    );
    if (brokenIndex >= 0 || isSettled(tally) || tally.cases >= request.cases)
      return { tally, stopped: false, brokenIndex };
    request.onProgress?.(tally.cases, request.cases);
    await breathe();
  }
  return { tally, stopped: false, brokenIndex: -1 };
}

/** Runs the chosen inputs in groups of equal sizes, into a separate tally: they do not count towards the declared number. */
async function runChosen(
  request: PropertyRequest,
  cases: readonly Case[] | undefined,
  { plan }: CaseGenerator,
  executor: CaseExecutor,
): Promise<Tally> {
  const tally = emptyTally();
  const settle = runsOnDevice(request) ? (candidate: Case) => withoutSubnormals(plan, candidate) : null;
  const groups = new Map<string, Case[]>();
  for (const given of cases ?? []) {
    const candidate = settle ? settle(given) : given;
    if (violation(plan, candidate) !== null) continue;
    const key = candidate.sizes.join();
    groups.set(key, [...(groups.get(key) ?? []), candidate]);
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

/** The drawn cases with what the chosen inputs add: one that breaks the claim, and one that comes closer to it. */
function withChosen(drawn: Tally, chosen: Tally): Tally {
  const worst = (chosen.worst?.ratio ?? -1) > (drawn.worst?.ratio ?? -1) ? chosen.worst : drawn.worst;
  return { ...drawn, worst, broken: drawn.broken ?? chosen.broken };
}

interface LargeOutcome {
  readonly tally: Tally;
  readonly runs: readonly LargeRun[];
  /** In place of a green verdict. */
  readonly problem: Grade | null;
}

const notLarge: LargeOutcome = { tally: emptyTally(), runs: [], problem: null };

/** Runs that finding a smaller counterexample may take, each of which costs as much as a large input. */
const LARGE_SHRINKS = 100;

/** Runs the large inputs into a separate tally: they count in the scope, not towards the declared number. */
async function runLarge(
  request: PropertyRequest,
  generator: CaseGenerator,
  executor: CaseExecutor,
): Promise<LargeOutcome> {
  const { goal, seed, large = [], expired } = request;
  const tally = emptyTally();
  const runs: LargeRun[] = [];
  if (large.length === 0) return notLarge;
  const settle = settleOf(request, generator) ?? ((candidate: Case): Case => candidate);
  for (const { sizes, cases } of largeTiers(goal.domain, large, seed, goal.id)) {
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

/** A large input that breaks the claim; how close others came is not recorded, since the record of an input holds all of it. */
function withLarge(drawn: Tally, { tally }: LargeOutcome): Tally {
  return { ...drawn, broken: drawn.broken ?? tally.broken };
}

interface BlockContext {
  readonly request: PropertyRequest;
  readonly generator: CaseGenerator;
  readonly executor: CaseExecutor;
  readonly tally: Tally;
  readonly buffers: readonly CaseBuffer[];
}

/** Runs cases [from, to) and returns the index of the broken one, or −1. */
async function drawBlock(
  { request, generator, executor, tally, buffers }: BlockContext,
  from: number,
  to: number,
): Promise<number> {
  let broken = -1;
  const onDevice = runsOnDevice(request);
  const source = (position: number): Case | null => {
    const buffer = buffers[position % buffers.length];
    if (!buffer || !generator.fill(from + position, buffer)) return null;
    if (onDevice) flushSubnormals(generator.plan, buffer);
    return buffer;
  };
  const running = executor.run(to - from, source, (status, position, candidate) => {
    const goOn = note(tally, status, candidate, executor.outcome);
    if (tally.broken) broken = from + position;
    return goOn && tally.cases < request.cases && !request.expired?.();
  });
  if (running) await running;
  return broken;
}

/** A domain without inputs has one case. */
function declaredOf(request: PropertyRequest): number {
  const { sizes, variables } = request.goal.domain;
  return sizes.length + variables.length === 0 ? 1 : request.cases;
}

/** Runs the property method for one goal. Never rejects because of a kernel: a kernel's failure is an outcome. */
export async function runProperty(given: PropertyRequest): Promise<PropertyOutcome> {
  const request = { ...given, cases: declaredOf(given) };
  const { goal, seed, cases } = request;
  const executor = openExecutor(request);
  if ('missing' in executor) return undetermined(request, seed, cases, `no kernel is open for ${executor.missing}`);
  const { generate = createGenerator } = request;
  const generator = generate(goal.domain, seed, goal.id, request.blockSize);
  if (!generator.ok) return undetermined(request, seed, cases, generator.error);
  const attempt = await withinLimits(() => runCases(request, generator.value, executor));
  return attempt.ok ? attempt.value : undetermined(request, seed, cases, attempt.error);
}

/** What ran after the drawn cases, where those held. */
interface Further {
  readonly boundaries: Tally;
  readonly literals: Tally;
  readonly large: LargeOutcome;
}

const nothingFurther: Further = { boundaries: emptyTally(), literals: emptyTally(), large: notLarge };

async function runFurther(
  request: PropertyRequest,
  generator: CaseGenerator,
  executor: CaseExecutor,
): Promise<Further> {
  const boundaries = await runChosen(request, request.boundaries, generator, executor);
  if (boundaries.broken) return { ...nothingFurther, boundaries };
  const literals = await runChosen(request, request.literals, generator, executor);
  return { boundaries, literals, large: literals.broken ? notLarge : await runLarge(request, generator, executor) };
}

function scopeOf(
  plan: DomainPlan,
  { combinations }: Tally,
  { boundaries, literals, large }: Further,
): Pick<PropertyOutcome, 'combinations' | 'boundaries' | 'literals' | 'large'> {
  const hasSizes = plan.sizes.some(({ definition }) => definition === null);
  return {
    ...(hasSizes ? { combinations: { run: combinations.size, all: countCombinations(plan) } } : {}),
    ...(boundaries.cases > 0 ? { boundaries: boundaries.cases } : {}),
    ...(literals.cases > 0 ? { literals: literals.cases } : {}),
    ...(large.runs.length > 0 ? { large: large.runs } : {}),
  };
}

async function runCases(
  request: PropertyRequest,
  generator: CaseGenerator,
  executor: CaseExecutor,
): Promise<PropertyOutcome> {
  const { plan } = generator;
  const settle = settleOf(request, generator);
  const stored = replayable(request, generator);
  const parts = { request, seed: request.seed, declaredCases: request.cases, replayed: stored.length };
  const replay = await replayAll(executor, stored);
  if (replay.broken) {
    const counterexample = await counterexampleFrom({
      request,
      executor,
      plan,
      broken: replay.broken,
      budget: 0,
      expired: request.expired,
      settle,
    });
    return buildOutcome({ ...parts, tally: replay, stopped: false, counterexample, foundIndex: null });
  }
  const { tally: drawn, stopped, brokenIndex } = await drawAll(request, generator, executor);
  const goesOn = !drawn.broken && !stopped && !isSettled(drawn);
  const further = goesOn ? await runFurther(request, generator, executor) : nothingFurther;
  const { large } = further;
  const tally = withLarge(withChosen(withChosen(drawn, further.boundaries), further.literals), large);
  if (isMuchFiltered(tally)) tally.filteredBy = await brokenPreconditions(request.goal, tally.filteredCases);
  const { broken } = tally;
  const counterexample =
    broken &&
    (await counterexampleFrom({
      request,
      executor,
      plan: large.tally.broken ? largePlan(plan, request.large ?? []) : plan,
      broken,
      ...(large.tally.broken && request.shrinkBudget !== null
        ? { budget: LARGE_SHRINKS }
        : shrinking(request.shrinkBudget)),
      expired: request.expired,
      settle,
    }));
  const foundIndex = brokenIndex < 0 ? null : brokenIndex;
  const built = buildOutcome({ ...parts, tally, stopped, counterexample, foundIndex });
  const outcome = built.verdict === 'tested' && large.problem !== null ? { ...built, ...large.problem } : built;
  if (request.shrinkBudget === null) return outcome;
  return { ...outcome, ...scopeOf(plan, tally, further) };
}
