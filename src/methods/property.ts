/**
 * Property testing (L3): generated cases of a goal's domain against the bound kernels.
 *
 * Green means that every declared case was inside the domain, was run and held. See `gradeTally` for what is not green.
 */
import type { RecordedInput } from '../evidence/receipt.ts';
import type { Case } from '../math/compile/compiled.ts';
import { parseInput } from '../runtime/case-text.ts';
import { countCombinations } from '../runtime/generate/block-sizes.ts';
import { createGenerator, type CaseBuffer, type CaseGenerator } from '../runtime/generate/generator.ts';
import { violation } from '../runtime/generate/membership.ts';
import { openExecutor, type CaseExecutor } from './runs/execute.ts';
import { breathe } from './runs/breathe.ts';
import { flushSubnormals, runsOnDevice, settleOf } from './runs/flush-subnormals.ts';
import {
  furtherScope,
  LARGE_SHRINKS,
  nothingFurther,
  runFurther,
  withFurther,
  type FurtherRequest,
} from './runs/further-inputs.ts';
import {
  buildOutcome,
  counterexampleFrom,
  shrinking,
  undetermined,
  withinLimits,
  type PropertyOutcome,
} from './runs/outcome.ts';
import { largePlan } from './large.ts';
import { brokenPreconditions } from './runs/broken-preconditions.ts';
import { mostDrawn } from './runs/recorded-cases.ts';
import { emptyTally, isMuchFiltered, isSettled, note, type Tally } from './runs/tally.ts';

/** A claim, and how many cases from which seed. */
export interface PropertyRequest extends FurtherRequest {
  /** How many cases must run. */
  readonly cases: number;
  /** Consecutive cases with equal sizes; by default as the generator does. */
  readonly blockSize?: number;
  /** Another generator; it counts for no evidence that is kept. */
  readonly generate?: typeof createGenerator;
  /** Stored failing inputs, run first. Those that are no longer in the domain are left out. */
  readonly replay?: readonly RecordedInput[];
  readonly onProgress?: (done: number, total: number) => void;
  /** How many runs the search for a smaller counterexample may take; null if only the verdict matters. */
  readonly shrinkBudget?: number | null;
}

/** The stored inputs that are still in the domain. */
function replayable(request: PropertyRequest, generator: CaseGenerator): readonly Case[] {
  const settle = settleOf(request, generator.plan) ?? ((candidate: Case): Case => candidate);
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

async function runCases(
  request: PropertyRequest,
  generator: CaseGenerator,
  executor: CaseExecutor,
): Promise<PropertyOutcome> {
  const { plan } = generator;
  const settle = settleOf(request, generator.plan);
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
  const further = goesOn ? await runFurther(request, plan, executor) : nothingFurther;
  const { large } = further;
  const tally = withFurther(drawn, further);
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
  const hasSizes = plan.sizes.some(({ definition }) => definition === null);
  const combinations = { run: tally.combinations.size, all: countCombinations(plan) };
  return { ...outcome, ...(hasSizes ? { combinations } : {}), ...furtherScope(further) };
}
