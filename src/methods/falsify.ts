/**
 * Falsification tests (L2): a claim on its explicit inputs, or without them on the edge cases of its domain.
 *
 * Green means that every input was inside the domain, was run and held.
 */
import type { Case } from '../math/compile/compiled.ts';
import { falsificationInputs } from '../runtime/falsification-inputs.ts';
import { createGenerator, type CaseGenerator } from '../runtime/generate/generator.ts';
import { runsOnDevice, withoutSubnormals } from './runs/flush-subnormals.ts';
import { openExecutor, type CaseExecutor, type ExecutionRequest } from './runs/execute.ts';
import {
  buildOutcome,
  counterexampleFrom,
  shrinking,
  undetermined,
  withinLimits,
  type PropertyOutcome,
} from './runs/outcome.ts';
import { emptyTally, isSettled, note } from './runs/tally.ts';

/** A claim, with limits on its edge cases. */
export interface FalsifyRequest extends ExecutionRequest {
  /** Fills what edge cases leave open. */
  readonly seed: number;
  /** The maximum number of edge cases for a claim without explicit inputs. */
  readonly limit?: number;
  readonly expired?: () => boolean;
  readonly onProgress?: (done: number, total: number) => void;
  /** As for properties. */
  readonly shrinkBudget?: number | null;
}

/** People chose the explicit inputs, even subnormal ones; edge cases are adapted to the device. */
function settleOf(request: FalsifyRequest, { plan }: CaseGenerator): ((candidate: Case) => Case) | null {
  return !request.goal.given && runsOnDevice(request) ? (candidate) => withoutSubnormals(plan, candidate) : null;
}

/** Checks edge cases or explicit inputs in order, up to the first that fails. */
export async function runFalsify(request: FalsifyRequest): Promise<PropertyOutcome> {
  const { goal, seed } = request;
  const executor = openExecutor(request);
  if ('missing' in executor) return undetermined(request, seed, 0, `no kernel is open for ${executor.missing}`);
  const generator = createGenerator(goal.domain, seed, `${goal.id}/edges`);
  if (!generator.ok) return undetermined(request, seed, 0, generator.error);
  const attempt = await withinLimits(async () => {
    const inputs = falsificationInputs(goal, request.compiled, generator.value, request.limit);
    if (!inputs.ok) return undetermined(request, seed, goal.given?.length ?? 0, inputs.error);
    const settle = settleOf(request, generator.value);
    const cases = settle ? inputs.value.map(settle) : inputs.value;
    return runInputs(request, generator.value, executor, cases);
  });
  return attempt.ok ? attempt.value : undetermined(request, seed, 0, attempt.error);
}

async function runInputs(
  request: FalsifyRequest,
  generator: CaseGenerator,
  executor: CaseExecutor,
  inputs: readonly Case[],
): Promise<PropertyOutcome> {
  const tally = emptyTally();
  let stopped = false;
  let brokenIndex = -1;
  for (let from = 0; from < inputs.length && brokenIndex < 0 && !isSettled(tally);) {
    stopped = request.expired?.() ?? false;
    if (stopped) break;
    const batch = equalSizes(inputs, from, executor.width);
    const start = from;
    const source = (position: number): Case | null => batch[position] ?? null;
    await executor.run(batch.length, source, (status, position, candidate) => {
      const goOn = note(tally, status, candidate, executor.outcome);
      if (tally.broken) brokenIndex = start + position;
      return goOn;
    });
    from += batch.length;
    request.onProgress?.(from, inputs.length);
  }
  const { broken } = tally;
  const { plan } = generator;
  const settle = settleOf(request, generator);
  // Explicit inputs are kept as people chose them; only edge cases become more readable by shrinking.
  const shrink = shrinking(request.goal.given && request.shrinkBudget !== null ? 0 : request.shrinkBudget);
  const counterexample =
    broken &&
    (await counterexampleFrom({ request, executor, plan, broken, ...shrink, expired: request.expired, settle }));
  return buildOutcome({
    request,
    tally,
    seed: request.seed,
    declaredCases: inputs.length,
    replayed: 0,
    stopped,
    counterexample,
    foundIndex: brokenIndex,
  });
}

function equalSizes(inputs: readonly Case[], from: number, width: number): readonly Case[] {
  const key = inputs[from]?.sizes.join();
  let to = from + 1;
  while (to < inputs.length && to - from < width && inputs[to]?.sizes.join() === key) to++;
  return inputs.slice(from, to);
}
