/**
 * Runs cases on open kernels: one by one if every kernel runs synchronously, otherwise in batches of equal shape.
 */
import type { KernelCall, KernelFailure, KernelOutcome, OpenKernel } from '../../backends/backend.ts';
import type { Case, CaseValue, CompiledGoal } from '../../math/compile/compiled.ts';
import {
  checkCase,
  emptyOutcome,
  judge,
  type ApplyKernel,
  type CaseOutcome,
  type CaseStatus,
  type KernelRun,
} from '../../runtime/check-case.ts';
import { argumentsOfRun, collectOutputs, runCount } from '../../runtime/each-run.ts';
import { BLOCK_SIZE } from '../../runtime/generate/generator.ts';
import type { TestableApplication, TestableGoal } from '../../runtime/testable-goal.ts';
import type { Agreement } from './agreement.ts';

/** The binding's part: how values in the equation's order become a call of the kernel. */
export type ToCall = (
  application: TestableApplication,
  args: readonly CaseValue[],
  sizes: readonly number[],
) => KernelCall;

/** A goal and the kernels that it runs. */
export interface ExecutionRequest {
  readonly goal: TestableGoal;
  readonly compiled: CompiledGoal;
  /** By equation. */
  readonly kernels: ReadonlyMap<string, OpenKernel>;
  readonly toCall: ToCall;
  /** Decides cases without running kernels. */
  readonly executor?: CaseExecutor;
}

/** The case at a position, in storage of its own among `width` neighbours; null if there is none. */
export type CaseSource = (position: number) => Case | null;

/**
 * Called in order of the positions, with the executor's outcome in that state; null cases are `filtered`. Returning false stops
 * the run.
 */
export type Visit = (status: CaseStatus, position: number, candidate: Case | null) => boolean;

/** Runs blocks of cases of equal sizes. */
export interface CaseExecutor {
  /** How many cases need separate storage at once; if it is 1, longer runs are possible. */
  readonly width: number;
  /** For the case that was visited last. */
  readonly outcome: CaseOutcome;
  /** Checks `count` cases of equal sizes. Resolves or returns at once when all have been visited. */
  readonly run: (count: number, source: CaseSource, visit: Visit) => Promise<void> | void;
  /** Why the case that was visited last is broken, if the executor knows better than its report. */
  readonly explanation?: () => string | null;
  /** Over the reals: how far numbers were compared. */
  readonly agreement?: Agreement;
}

/** A failure as a sentence. */
export function failureMessage(failure: KernelFailure): string {
  switch (failure.kind) {
    case 'threw':
      return `it threw: ${failure.message}`;
    case 'wrong-shape':
      return `its output should ${typeof failure.expected === 'string' ? `be ${failure.expected}` : `have shape [${failure.expected.join(', ')}]`} but is ${failure.actual}`;
    case 'mutated-input':
      return `it changed its input ${failure.parameter}`;
    case 'fallback':
      return `${failure.requested} was requested but ${failure.ran} ran: ${failure.reason}`;
    case 'device': {
      const { message, hint, code } = failure.trouble;
      return `${message} (${code}); ${hint}`;
    }
    case 'refused':
      return `the device refuses it: ${failure.message}`;
    case 'too-long':
      return failure.message;
    case 'unsupported':
      return `the backend cannot run it: ${failure.message}`;
  }
}

/** Whether one run returns one number. */
function isNumberOfOneRun({ type, each }: TestableApplication): boolean {
  return type.kind !== 'tensor' || type.shape.length === (each?.sizes.length ?? 0);
}

function toRun(outcome: KernelOutcome, application: TestableApplication, keep: boolean): KernelRun {
  if (!outcome.ok)
    return { ok: false, problem: { kind: outcome.failure.kind, message: failureMessage(outcome.failure) } };
  const { output, text } = outcome;
  if (text !== undefined) return { ok: true, output: text };
  if (isNumberOfOneRun(application)) return { ok: true, output: output[0] ?? NaN };
  // A kernel that runs again for the same case may write its next output into the same array.
  return { ok: true, output: keep ? output.slice() : output };
}

interface BoundApplication {
  readonly application: TestableApplication;
  readonly kernel: OpenKernel;
  /** Whether a later application runs the same kernel. */
  readonly runsAgain: boolean;
}

/** The kernels of the applications in order, or the first equation that has none. */
function bindApplications({
  goal,
  kernels,
}: ExecutionRequest): readonly BoundApplication[] | { readonly missing: string } {
  const bound: BoundApplication[] = [];
  for (const [i, application] of goal.applications.entries()) {
    const kernel = kernels.get(application.equation);
    if (!kernel) return { missing: application.equation };
    bound.push({
      application,
      kernel,
      runsAgain: goal.applications.slice(i + 1).some((later) => kernels.get(later.equation) === kernel),
    });
  }
  return bound;
}

const noKernel: KernelRun = { ok: false, problem: { kind: 'unsupported', message: 'there is no such kernel' } };

/** The applications of a goal on its kernels, one run at a time. */
export interface OpenApplications {
  /** Null if a kernel can only be waited for. */
  readonly applySync: ApplyKernel | null;
  readonly apply: (...asked: Parameters<ApplyKernel>) => Promise<KernelRun>;
}

/** Called with the arguments of each run. */
export type OnRan = (run: KernelRun, call: KernelCall, outcome: KernelOutcome) => void;

/** The applications, or the first equation that has no kernel. */
export function openApplications(
  request: ExecutionRequest,
  onRan: OnRan | null = null,
): OpenApplications | { readonly missing: string } {
  const bound = bindApplications(request);
  if ('missing' in bound) return bound;
  const applySync = applyOn(request, bound, onRan);
  return {
    applySync: isSynchronous(bound) ? applySync : null,
    apply: async (index, args, sizes) => {
      const row = bound[index];
      if (!row || row.kernel.runSync) return applySync(index, args, sizes);
      const call = request.toCall(row.application, args, sizes);
      const [outcome] = await row.kernel.run([call]);
      return outcome ? ranAs(row, call, outcome, onRan) : noKernel;
    },
  };
}

const isSynchronous = (bound: readonly BoundApplication[]): boolean =>
  bound.every((row) => row.kernel.runSync !== null);

function applyOn({ toCall }: ExecutionRequest, bound: readonly BoundApplication[], onRan: OnRan | null): ApplyKernel {
  return (index, args, sizes) => {
    const row = bound[index];
    if (!row?.kernel.runSync) return noKernel;
    const call = toCall(row.application, args, sizes);
    return ranAs(row, call, row.kernel.runSync(call), onRan);
  };
}

function ranAs(row: BoundApplication, call: KernelCall, outcome: KernelOutcome, onRan: OnRan | null): KernelRun {
  const run = toRun(outcome, row.application, row.runsAgain);
  onRan?.(run, call, outcome);
  return run;
}

function synchronousExecutor(request: ExecutionRequest, bound: readonly BoundApplication[]): CaseExecutor {
  const { compiled } = request;
  const outcome = emptyOutcome();
  const apply = applyOn(request, bound, null);
  const run = (count: number, source: CaseSource, visit: Visit): void => {
    for (let position = 0; position < count; position++) {
      const candidate = source(position);
      const status = candidate ? checkCase(compiled, apply, candidate, outcome) : 'filtered';
      if (!visit(status, position, candidate)) return;
    }
  };
  return { width: 1, outcome, run };
}

interface Pending {
  readonly candidate: Case;
  readonly outputs: CaseValue[];
  problem: Extract<KernelRun, { ok: false }>['problem'] | null;
}

async function applyToAll(
  request: ExecutionRequest,
  index: number,
  row: BoundApplication,
  pending: readonly Pending[],
): Promise<void> {
  const application = request.compiled.applications[index];
  const alive = pending.filter((item) => item.problem === null);
  if (!application || alive.length === 0) return;
  const asked = alive.map((item): Asked => {
    const { candidate, outputs } = item;
    const { sizes, values } = candidate;
    const args = application.arguments(sizes, values, outputs);
    const ownSizes = application.sizes(sizes, values, outputs);
    const { each } = application;
    if (!each) return { item, calls: [request.toCall(row.application, args, ownSizes)], several: false };
    const count = runCount(each, sizes, values);
    const runs = Array.from({ length: count }, (_, at) => argumentsOfRun(each, args, at, count));
    return { item, calls: runs.map((own) => request.toCall(row.application, own, ownSizes)), several: true };
  });
  const outcomes = await row.kernel.run(asked.flatMap(({ calls }) => calls));
  let next = 0;
  for (const { item, calls, several } of asked) {
    const results = calls.map(() => {
      const outcome = outcomes[next++] ?? {
        ok: false,
        failure: { kind: 'threw', message: 'the backend lost the call' },
      };
      return toRun(outcome, row.application, row.runsAgain);
    });
    const failed = results.find((result) => !result.ok);
    if (failed) item.problem = failed.problem;
    else item.outputs.push(several ? joined(results) : onlyOutput(results));
  }
}

/** The calls that one case makes to a kernel. */
interface Asked {
  readonly item: Pending;
  readonly calls: readonly KernelCall[];
  /** Whether the outputs of the calls together are the output. */
  readonly several: boolean;
}

function joined(results: readonly KernelRun[]): CaseValue {
  const outputs = collectOutputs(results.length);
  for (const result of results) if (result.ok) outputs.add(result.output);
  return outputs.all();
}

function onlyOutput([only]: readonly KernelRun[]): CaseValue {
  return only?.ok ? only.output : NaN;
}

function batchExecutor(request: ExecutionRequest, bound: readonly BoundApplication[]): CaseExecutor {
  const { compiled } = request;
  const outcome = emptyOutcome();
  const conclude = (item: Pending): CaseStatus => {
    outcome.problem = item.problem;
    outcome.outputs.splice(0, Infinity, ...item.outputs);
    return item.problem ? 'broken' : judge(compiled, item.candidate, outcome);
  };
  const run = async (count: number, source: CaseSource, visit: Visit): Promise<void> => {
    const cases = Array.from({ length: count }, (_, position) => source(position));
    const all = cases.map((candidate): Pending | null => {
      const inside = candidate !== null && compiled.precondition(candidate.sizes, candidate.values);
      return inside ? { candidate, outputs: [], problem: null } : null;
    });
    const pending = all.filter((item) => item !== null);
    for (const [index, row] of bound.entries()) await applyToAll(request, index, row, pending);
    for (const [position, item] of all.entries()) {
      if (!visit(item ? conclude(item) : 'filtered', position, cases[position] ?? null)) return;
    }
  };
  return { width: BLOCK_SIZE, outcome, run };
}

/** The executor that suits the kernels of a goal, or the first equation that has none. */
export function openExecutor(request: ExecutionRequest): CaseExecutor | { readonly missing: string } {
  if (request.executor) return request.executor;
  const bound = bindApplications(request);
  if ('missing' in bound) return bound;
  return isSynchronous(bound) ? synchronousExecutor(request, bound) : batchExecutor(request, bound);
}
