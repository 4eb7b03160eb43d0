/**
 * Runs wrong kernels on recorded cases: whatever they do not change is not run again.
 */
import type { CaseValue, CompiledGoal } from '../../math/compile/compiled.ts';
import {
  checkCase,
  checkCaseAsync,
  emptyOutcome,
  judge,
  type ApplyKernel,
  type CaseOutcome,
  type CaseStatus,
  type KernelRun,
} from '../../runtime/check-case.ts';
import { BLOCK_SIZE } from '../../runtime/generate/generator.ts';
import type { TestableGoal } from '../../runtime/testable-goal.ts';
import { openApplications, type ExecutionRequest, type OpenApplications } from '../runs/execute.ts';
import {
  takenBy,
  type CalledAs,
  type RecordableGoal,
  type RecordedCase,
  type RecordedRun,
} from '../runs/recorded-cases.ts';

/** A wrong kernel and the recorded cases to run it on. */
export interface Replay extends Pick<ExecutionRequest, 'kernels' | 'toCall'> {
  /** The equation whose kernel is wrong. */
  readonly equation: string;
  /** How the wrong kernel takes its arguments. */
  readonly calledAs: CalledAs;
  /** The maximum number of cases it is tried on. */
  readonly cases: number;
  /** How many cases held earlier; they are skipped. */
  readonly held?: number | undefined;
  readonly expired?: () => boolean;
  /** Wraps the goal's check: it may inspect the outputs, and decides in its place. */
  readonly wrap: (decide: CompiledGoal['check']) => CompiledGoal['check'];
}

/** How the first case on which the goal does not hold was broken; `held` if there is none. */
export type ReplayOutcome = 'held' | 'broken' | 'no output' | 'unsupported';

/** Runs a wrong kernel, which is among `kernels`, on recorded cases, up to the first that breaks the goal. */
export async function replayCases(
  one: RecordableGoal,
  recorded: readonly RecordedCase[],
  replay: Replay,
): Promise<ReplayOutcome> {
  const rows = recorded.slice(takenBy(one, recorded, replay.held ?? 0), takenBy(one, recorded, replay.cases));
  const replaying = openReplaying(one, replay);
  if (replaying === null) return 'unsupported';
  const { applySync } = replaying;
  if (applySync === null) return replayBlocks(one, rows, replay);
  for (const row of rows) {
    if (replay.expired?.()) break;
    const ended = concluded(runRow({ ...replaying, applySync }, row), replaying.outcome);
    if (ended !== 'held') return ended;
  }
  return 'held';
}

/**
 * Several cases at once, for kernels of another process: a message to it costs more than most calls. Blocks double from one case, since
 * most wrong kernels are caught by the first few; the verdict is that of the first case that does not hold.
 */
async function replayBlocks(
  one: RecordableGoal,
  rows: readonly RecordedCase[],
  replay: Replay,
): Promise<ReplayOutcome> {
  for (
    let from = 0, size = 1;
    from < rows.length && !replay.expired?.();
    from += size, size = Math.min(2 * size, BLOCK_SIZE)
  ) {
    const block = rows.slice(from, from + size).flatMap((row) => {
      const replaying = openReplaying(one, replay);
      return replaying ? [{ row, replaying, ran: runRowAsync(replaying, row) }] : [];
    });
    await Promise.all(block.map(({ ran }) => ran));
    for (const { row, replaying } of block) {
      const { inside, outcome } = replaying;
      const ended = concluded(outcome.problem ? 'broken' : judge(inside, row.candidate, outcome), outcome);
      if (ended !== 'held') return ended;
    }
  }
  return 'held';
}

/** What a case needs while it is replayed. */
interface Replaying extends OpenApplications {
  readonly state: State;
  readonly inside: CompiledGoal;
  readonly outcome: CaseOutcome;
}

/** Null where an equation has no kernel. */
function openReplaying(
  { goal, compiled }: RecordableGoal,
  { equation, calledAs, wrap, kernels, toCall }: Replay,
): Replaying | null {
  const state: State = { goal, equation, row: null, at: 0, same: true };
  const open = openApplications({
    goal,
    compiled,
    kernels,
    toCall: (...asked) => recordedRun(state)?.calls[calledAs] ?? toCall(...asked),
  });
  return 'missing' in open
    ? null
    : { ...open, state, inside: replayed(compiled, state, wrap), outcome: emptyOutcome() };
}

function runRow(
  { state, inside, outcome, applySync }: Replaying & { readonly applySync: ApplyKernel },
  row: RecordedCase,
): CaseStatus {
  Object.assign(state, { row, at: 0, same: true });
  const apply: ApplyKernel = (index, ...asked) => known(state, index) ?? note(state, applySync(index, ...asked));
  return checkCase(inside, apply, row.candidate, outcome);
}

/** Runs the kernels of a case and leaves the verdict to the caller. */
async function runRowAsync({ state, inside, outcome, apply }: Replaying, row: RecordedCase): Promise<void> {
  Object.assign(state, { row, at: 0, same: true });
  await checkCaseAsync(
    { ...inside, check: () => true },
    async (index, ...asked) => known(state, index) ?? note(state, await apply(index, ...asked)),
    row.candidate,
    outcome,
  );
}

function concluded(status: CaseStatus, { problem }: CaseOutcome): ReplayOutcome {
  if (problem) return problem.kind === 'unsupported' || problem.kind === 'device' ? 'unsupported' : 'no output';
  return status === 'broken' ? 'broken' : 'held';
}

interface State {
  readonly goal: TestableGoal;
  readonly equation: string;
  row: RecordedCase | null;
  /** Runs so far. */
  at: number;
  /** Whether every output of this case was the recorded one so far. */
  same: boolean;
}

/** The goal, which computes only what is not recorded. */
function replayed(compiled: CompiledGoal, state: State, wrap: Replay['wrap']): CompiledGoal {
  const decide: CompiledGoal['check'] = (...asked) =>
    state.same && state.row ? state.row.holds : compiled.check(...asked);
  const applications = compiled.applications.map((application): typeof application =>
    // Of several runs one may differ, and the next then needs its arguments.
    application.each
      ? application
      : {
          arguments: (...asked) => (state.same ? [] : application.arguments(...asked)),
          sizes: (...asked) => (state.same ? [] : application.sizes(...asked)),
        },
  );
  return { ...compiled, precondition: () => true, applications, check: wrap(decide) };
}

/** The run of the correct kernel that the next one repeats: null if an output before it was another. */
const recordedRun = ({ row, at, same }: State): RecordedRun | null => (same ? (row?.runs[at] ?? null) : null);

/** The output of another equation's kernel if nothing before it differed: its arguments are the recorded ones. */
function known(state: State, index: number): KernelRun | null {
  const recorded = recordedRun(state);
  if (!recorded || state.goal.applications[index]?.equation === state.equation) return null;
  state.at += 1;
  return { ok: true, output: recorded.output };
}

function note(state: State, run: KernelRun): KernelRun {
  const recorded = recordedRun(state);
  state.at += 1;
  if (!run.ok || !sameOutput(run.output, recorded?.output)) state.same = false;
  return run;
}

/** Whether two outputs are the same, NaN and −0 included. */
function sameOutput(a: CaseValue | undefined, b: CaseValue | undefined): boolean {
  if (typeof a !== 'object' || typeof b !== 'object') return Object.is(a, b);
  if (a.length !== b.length || a.constructor !== b.constructor) return false;
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return false;
  return true;
}
