/**
 * The cases of one goal with what the right kernels do on them, drawn and run once for all wrong kernels: on a case on
 * which a wrong kernel gives what the right one gives, the other kernels and the verdict are what they were.
 */
import type { Case, CaseValue, CompiledGoal } from '../math/compile/compiled.ts';
import type { TestableGoal } from '../runtime/testable-goal.ts';
import {
  checkCase,
  checkCaseAsync,
  emptyOutcome,
  MAXIMUM_FILTERED_SHARE,
  type KernelRun,
} from '../runtime/check-case.ts';
import { falsificationInputs } from '../runtime/falsification-inputs.ts';
import { BLOCK_SIZE, createGenerator, SMALL_BLOCK_SIZE, type CaseGenerator } from '../runtime/generate/generator.ts';
import { openApplications, type ExecutionRequest, type OpenApplications } from './execute.ts';
import { keepCase } from './tally.ts';

/** A goal whose cases can be recorded. */
export interface RecordableGoal {
  readonly goal: TestableGoal;
  readonly compiled: CompiledGoal;
  /** Falsification tests run their own inputs. */
  readonly source: 'obligation' | 'falsification';
}

export interface RecordedCase {
  readonly candidate: Case;
  /** How many were drawn up to this one, those outside the preconditions among them. */
  readonly drawn: number;
  /** By application: the output of every run. */
  readonly runs: readonly (readonly CaseValue[])[];
  /** By application. */
  readonly outputs: readonly CaseValue[];
  /** Whether the goal holds of them. */
  readonly holds: boolean;
}

/** Bytes that the cases of one equation may take together: more and each wrong kernel draws its own. */
export const RECORDED_BYTES = 64 * 2 ** 20;

/** How many cases are drawn at most for `cases` that satisfy the preconditions. */
export function mostDrawn(cases: number): number {
  return Math.ceil(cases / (1 - MAXIMUM_FILTERED_SHARE)) + 1;
}

export interface RecordingRequest extends Pick<ExecutionRequest, 'kernels' | 'toCall'> {
  readonly seed: number;
  readonly cases: number;
  readonly expired?: () => boolean;
}

/**
 * The cases in the order in which a run would meet them; null where only a run can say what there is: inputs that cannot be
 * made, a right kernel that fails or is not of this process, mathematics without end, or more than `bytes` of numbers.
 */
export async function recordCases(
  one: RecordableGoal,
  request: RecordingRequest,
  bytes: number,
): Promise<readonly RecordedCase[] | null> {
  const { goal, compiled } = one;
  const open = openApplications({ goal, compiled, ...request });
  if ('missing' in open || [...request.kernels.values()].some((kernel) => !isInProcess(kernel.ran.backend)))
    return null;
  try {
    const recorded: RecordedCase[] = [];
    let left = bytes;
    const cases = casesOf(one, request);
    if (!cases) return null;
    for (const { candidate, drawn } of cases) {
      if (recorded.length % BLOCK_SIZE === 0 && request.expired?.()) return null;
      const row = await record(compiled, open, candidate, drawn);
      left -= row === null ? Infinity : sizeOf(row);
      if (row === null || left < 0) return null;
      recorded.push(row);
    }
    return recorded;
  } catch (thrown) {
    // Loops without a usable end: the run says so.
    if (thrown instanceof RangeError) return null;
    throw thrown;
  }
}

/** Where a run of one case costs no more than in a batch. */
const isInProcess = (backend: string): boolean => ['ref32', 'ref64', 'function'].includes(backend);

interface Drawn {
  readonly candidate: Case;
  readonly drawn: number;
}

/** Inputs inside the preconditions, as a trial's `runProperty` and `runFalsify` take them. */
function casesOf(
  { goal, compiled, source }: RecordableGoal,
  { seed, cases }: RecordingRequest,
): Iterable<Drawn> | null {
  if (source === 'obligation') {
    const generator = createGenerator(goal.domain, seed, goal.id, SMALL_BLOCK_SIZE);
    const inputs = goal.domain.sizes.length + goal.domain.variables.length;
    return generator.ok ? drawnCases(generator.value, compiled, inputs === 0 ? 1 : cases) : null;
  }
  const generator = createGenerator(goal.domain, seed, `${goal.id}/edges`);
  const inputs = generator.ok ? falsificationInputs(goal, compiled, generator.value) : generator;
  return inputs.ok ? inputs.value.map((candidate) => ({ candidate, drawn: 0 })) : null;
}

function* drawnCases(generator: CaseGenerator, { precondition }: CompiledGoal, cases: number): Generator<Drawn> {
  let found = 0;
  for (let index = 0; index < mostDrawn(cases) && found < cases; index++) {
    const candidate = generator.at(index);
    if (!candidate || !precondition(candidate.sizes, candidate.values)) continue;
    found++;
    yield { candidate, drawn: index + 1 };
  }
}

async function record(
  compiled: CompiledGoal,
  open: OpenApplications,
  candidate: Case,
  drawn: number,
): Promise<RecordedCase | null> {
  const outcome = emptyOutcome();
  const runs = compiled.applications.map((): CaseValue[] => []);
  const kept = <R extends KernelRun>(index: number, run: R): R => {
    if (run.ok) runs[index]?.push(copied(run.output));
    return run;
  };
  const inside = { ...compiled, precondition: () => true };
  const { applySync, apply } = open;
  const status = applySync
    ? checkCase(inside, (index, ...asked) => kept(index, applySync(index, ...asked)), candidate, outcome)
    : await checkCaseAsync(
        inside,
        async (index, ...asked) => kept(index, await apply(index, ...asked)),
        candidate,
        outcome,
      );
  if (outcome.problem) return null;
  const { values: outputs } = keepCase({ sizes: [], values: outcome.outputs });
  return { candidate, drawn, runs, outputs, holds: status === 'held' };
}

const copied = (value: CaseValue): CaseValue => (typeof value === 'object' ? value.slice() : value);

function sizeOf({ candidate, runs, outputs }: RecordedCase): number {
  return [...candidate.values, ...runs.flat(), ...outputs].reduce(
    (sum: number, value) => sum + (typeof value === 'object' ? value.byteLength + 96 : 16),
    200,
  );
}
