/**
 * The cases of one goal with the correct kernels' results, drawn and run once for all wrong kernels: on a case where a wrong
 * kernel returns the same as the correct one, the other kernels' results and the verdict do not change.
 */
import type { KernelOutcome, OpenKernel } from '../../backends/backend.ts';
import type { Case, CaseValue, CompiledGoal } from '../../math/compile/compiled.ts';
import type { KernelCall } from '../../subject/kernel.ts';
import type { TestableGoal } from '../../runtime/testable-goal.ts';
import {
  checkCase,
  checkCaseAsync,
  emptyOutcome,
  MAXIMUM_FILTERED_SHARE,
  type KernelRun,
} from '../../runtime/check-case.ts';
import type { GoalSource } from '../../contract/goal.ts';
import { falsificationInputs } from '../../runtime/falsification-inputs.ts';
import { BLOCK_SIZE, createGenerator, SMALL_BLOCK_SIZE, type CaseGenerator } from '../../runtime/generate/generator.ts';
import { violation } from '../../runtime/generate/membership.ts';
import { openApplications, type ExecutionRequest, type OpenApplications, type ToCall } from './execute.ts';

/** A goal whose cases can be recorded. */
export interface RecordableGoal {
  readonly goal: TestableGoal;
  readonly compiled: CompiledGoal;
  /** Falsification tests run their own inputs. */
  readonly source: GoalSource;
  /** Inputs that no draw meets, which are run after the drawn ones; absent: none. */
  readonly chosen?: readonly Case[];
}

/** How a kernel takes its arguments: as the bound one does, or as the equation does (all parameters, then all sizes). */
export type CalledAs = 'kernel' | 'equation';

/** One run of a correct kernel. */
export interface RecordedRun {
  /** Index of the application. */
  readonly application: number;
  readonly calls: Readonly<Record<CalledAs, KernelCall>>;
  /** The bound kernel's output. */
  readonly outcome: KernelOutcome;
  /** The same as the case takes it. */
  readonly output: CaseValue;
}

/** One case with everything that the correct kernels returned. */
export interface RecordedCase {
  readonly candidate: Case;
  /** How many were drawn up to this one, including those outside the preconditions; 0 if it was not drawn. */
  readonly drawn: number;
  /** In the order in which the case makes them. */
  readonly runs: readonly RecordedRun[];
  /** By application. */
  readonly outputs: readonly CaseValue[];
  /** Whether the goal holds for them. */
  readonly holds: boolean;
}

/** Memory for all cases of one equation, in bytes; if it is exceeded, each wrong kernel draws its own. */
export const RECORDED_BYTES = 128 * 2 ** 20;

/** Recorded cases, and the memory that they take. */
export interface Recording {
  readonly cases: readonly RecordedCase[];
  /** Their approximate size. */
  readonly bytes: number;
}

/** The maximum number of cases drawn to get `cases` that satisfy the preconditions. */
export function mostDrawn(cases: number): number {
  return Math.ceil(cases / (1 - MAXIMUM_FILTERED_SHARE)) + 1;
}

/** Whose cases to record, and how many. */
export interface RecordingRequest extends Pick<ExecutionRequest, 'kernels' | 'toCall'> {
  /** Calls of `equation` by its own parameters. */
  readonly toEquationCall: ToCall;
  /** The equation that wrong kernels implement. */
  readonly equation: string;
  readonly seed: number;
  readonly cases: number;
  readonly expired?: () => boolean;
}

/**
 * The cases in the order in which a run would meet them; null if only a run can say what there is: inputs that cannot be
 * made, a correct kernel that fails or is not of this process, mathematics without end, or more than `bytes` of numbers. `large`
 * are recorded in place of those of the domain.
 */
export async function recordCases(
  one: RecordableGoal,
  request: RecordingRequest,
  bytes: number,
  large: readonly Case[] | null = null,
): Promise<Recording | null> {
  const ran: Recorder['ran'] = new WeakMap();
  const kernels = new Map([...request.kernels].map(([name, kernel]) => [name, withOwnOutputs(kernel)]));
  const open = openApplications({ ...one, ...request, kernels }, (run, call, outcome) =>
    ran.set(run, { call, outcome }),
  );
  if ('missing' in open || [...request.kernels.values()].some((kernel) => !isInProcess(kernel.ran.backend)))
    return null;
  try {
    const recorded: RecordedCase[] = [];
    let left = bytes;
    const cases = large ? given(one, large) : casesOf(one, request);
    if (!cases) return null;
    // A kernel in another process gets a whole block at once.
    for (const block of blocksOf(cases)) {
      if (request.expired?.()) return null;
      for (const row of await Promise.all(block.map((drawn) => record({ one, request, open, ran }, drawn)))) {
        left -= row === null ? Infinity : sizeOf(row);
        if (row === null || left < 0) return null;
        recorded.push(row);
      }
    }
    return { cases: recorded, bytes: bytes - left };
  } catch (thrown) {
    // Loops without a usable end: the run says so.
    if (thrown instanceof RangeError) return null;
    throw thrown;
  }
}

/** For kernels that run one case as cheaply as a batch. */
const isInProcess = (backend: string): boolean => ['ref32', 'ref64', 'function'].includes(backend);

interface Drawn {
  readonly candidate: Case;
  readonly drawn: number;
}

/** Inputs inside the preconditions, as a trial's `runProperty` and `runFalsify` take them. */
function casesOf(
  { goal, compiled, source, chosen = [] }: RecordableGoal,
  { seed, cases }: RecordingRequest,
): Iterable<Drawn> | null {
  if (source === 'obligation') {
    const generator = createGenerator(goal.domain, seed, goal.id, SMALL_BLOCK_SIZE);
    const inputs = goal.domain.sizes.length + goal.domain.variables.length;
    return generator.ok ? drawnCases(generator.value, { compiled, chosen }, inputs === 0 ? 1 : cases) : null;
  }
  const generator = createGenerator(goal.domain, seed, `${goal.id}/edges`);
  const inputs = generator.ok ? falsificationInputs(goal, compiled, generator.value) : generator;
  return inputs.ok ? inputs.value.map((candidate) => ({ candidate, drawn: 0 })) : null;
}

const given = ({ compiled: { precondition } }: RecordableGoal, cases: readonly Case[]): Iterable<Drawn> =>
  cases
    .filter(({ sizes, values }) => precondition(sizes, values))
    .map((candidate, at) => ({ candidate, drawn: at + 1 }));

function* drawnCases(
  generator: CaseGenerator,
  { compiled: { precondition }, chosen }: Required<Pick<RecordableGoal, 'compiled' | 'chosen'>>,
  cases: number,
): Generator<Drawn> {
  let found = 0;
  for (let index = 0; index < mostDrawn(cases) && found < cases; index++) {
    const candidate = generator.at(index);
    if (!candidate || !precondition(candidate.sizes, candidate.values)) continue;
    found++;
    yield { candidate, drawn: index + 1 };
  }
  for (const candidate of chosen)
    if (violation(generator.plan, candidate) === null && precondition(candidate.sizes, candidate.values))
      yield { candidate, drawn: 0 };
}

function* blocksOf(cases: Iterable<Drawn>): Generator<readonly Drawn[]> {
  let block: Drawn[] = [];
  for (const drawn of cases) {
    if (block.push(drawn) < BLOCK_SIZE) continue;
    yield block;
    block = [];
  }
  if (block.length > 0) yield block;
}

/** The kernel with its outputs copied, since it may overwrite an output with the next one. */
function withOwnOutputs({ run, runSync, ...kernel }: OpenKernel): OpenKernel {
  const own = (given: KernelOutcome): KernelOutcome => (given.ok ? { ...given, output: given.output.slice() } : given);
  return {
    ...kernel,
    runSync: runSync && ((call) => own(runSync(call))),
    run: async (calls) => (await run(calls)).map(own),
  };
}

interface Recorder {
  readonly one: RecordableGoal;
  readonly request: RecordingRequest;
  readonly open: OpenApplications;
  /** What each run of a kernel was. */
  readonly ran: WeakMap<KernelRun, { readonly call: KernelCall; readonly outcome: KernelOutcome }>;
}

async function record(
  { one: { goal, compiled }, request, open: { applySync, apply }, ran }: Recorder,
  { candidate, drawn }: Drawn,
): Promise<RecordedCase | null> {
  const outcome = emptyOutcome();
  const runs: RecordedRun[] = [];
  const kept = (run: KernelRun, index: number, ...asked: Given): KernelRun => {
    const [own, application] = [ran.get(run), goal.applications[index]];
    if (!run.ok || !own || !application) return run;
    const { call } = own;
    const equation = application.equation === request.equation ? request.toEquationCall(application, ...asked) : call;
    runs.push({ application: index, calls: { kernel: call, equation }, outcome: own.outcome, output: run.output });
    return run;
  };
  const inside = { ...compiled, precondition: () => true };
  const status = applySync
    ? checkCase(inside, (...asked) => kept(applySync(...asked), ...asked), candidate, outcome)
    : await checkCaseAsync(inside, async (...asked) => kept(await apply(...asked), ...asked), candidate, outcome);
  if (outcome.problem) return null;
  return { candidate, drawn, runs, outputs: [...outcome.outputs], holds: status === 'held' };
}

type Given = readonly [args: readonly CaseValue[], sizes: readonly number[]];

function sizeOf({ candidate, runs, outputs }: RecordedCase): number {
  const called = runs.flatMap(({ calls, output }) => [...calls.kernel.arguments, ...calls.equation.arguments, output]);
  const arrays = new Set<CaseValue>([...candidate.values, ...called, ...outputs]);
  let bytes = 200 + 400 * runs.length;
  for (const value of arrays) bytes += typeof value === 'object' ? value.byteLength + 96 : 16;
  return bytes;
}

/** How many of the recorded cases are needed for `cases`. */
export function takenBy(
  { source }: Pick<RecordableGoal, 'source'>,
  recorded: readonly RecordedCase[],
  cases: number,
): number {
  if (source === 'falsification') return cases === 0 ? 0 : recorded.length;
  // Chosen inputs come after all drawn ones.
  const beyond = recorded.findIndex(({ drawn }, at) => drawn > 0 && (at >= cases || drawn > mostDrawn(cases)));
  return beyond < 0 ? recorded.length : beyond;
}
